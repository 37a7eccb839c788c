// Partitioning by balanced parts where only the size limit matters.
#include "size_limited.hpp"

#include <kohypar/error.hpp>
#include <kohypar/io.hpp>

#include "runs.hpp"

namespace {

using namespace kohypar;
using test::add_hyperedge;
using test::expect_error;
using test::expect_valid;
using test::fingerprint;
using test::in_order_connectivity;
using test::random_hypergraph;
using test::run;
using test::to_host;
using test::unconnected;

/// Every core is too large for the host's search.
Options without_search_of_core() {
  Options options;
  options.host_search_pin_pairs = 1;
  return options;
}

struct Network {
  const char* name;
  Limits limits;
  PartId most_parts;
  std::uint64_t golden;  ///< FNV-1a of the part ids with seed 1, the same on every backend
};

// To record new values after a change of the algorithm, run --gtest_filter='*Golden*' and copy what it
// prints.
const Network networks[] = {
    {"model:12:3:1:6", {.max_size = 256}, 14, 4494741143446002589u},
    {"rand:2048:24", {.max_size = 600, .max_inbound = 17100}, 4, 3205642506397058215u},
};

HostHypergraph undirected(const char* name) {
  HostHypergraph host = generate_network(name, 1);
  host.directed = false;
  host.source_counts.assign(host.source_counts.size(), 0);
  for (std::size_t e = 0; e + 1 < host.hyperedge_offsets.size(); ++e)
    std::sort(&host.pins[host.hyperedge_offsets[e]], host.pins.data() + host.hyperedge_offsets[e + 1]);
  return host;
}

class SizeLimited : public ::testing::TestWithParam<Network> {};

TEST_P(SizeLimited, GoldenValidInFewPartsAndNoWorseThanNodeOrder) {
  const Network& network = GetParam();
  const HostHypergraph host = undirected(network.name);
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  ASSERT_TRUE(size_is_what_limits(space, h, network.limits));
  const std::optional<Partition> result =
      partition_by_size(space, h, network.limits, without_search_of_core());
  ASSERT_TRUE(result.has_value());
  const Quality quality = expect_valid(host, *result, network.limits);
  EXPECT_LE(quality.connectivity, in_order_connectivity(host, network.limits));
  EXPECT_LE(result->num_parts, network.most_parts);
  EXPECT_EQ(fingerprint(to_host(result->parts)), network.golden) << network.name;
  EXPECT_EQ(to_host(run(host, network.limits, without_search_of_core()).parts), to_host(result->parts));
}

INSTANTIATE_TEST_SUITE_P(Kinds, SizeLimited, ::testing::ValuesIn(networks),
                         [](const auto& instance) { return "Number" + std::to_string(instance.index); });

TEST(SizeLimits, AreWhatLimitsUnlessFullPartsMayHaveMoreInbound) {
  const ExecutionSpace space;
  const HostHypergraph host = random_hypergraph({.nodes = 1000, .hyperedges = 600, .max_pins = 9}, 4);
  const Hypergraph h = upload(space, host);
  Weight inbound = 0;
  for (const Weight of_node : to_host(h.inbound_sizes)) inbound += of_node;
  const Weight of_tenth = inbound / 10, tenth = h.total_node_size / 10;
  EXPECT_TRUE(size_is_what_limits(space, h, {.max_size = tenth}));
  EXPECT_TRUE(size_is_what_limits(space, h, {.max_size = tenth, .max_inbound = of_tenth + 1}));
  EXPECT_FALSE(size_is_what_limits(space, h, {.max_size = tenth, .max_inbound = of_tenth / 2}));
  EXPECT_FALSE(size_is_what_limits(space, h, {.max_size = h.total_node_size}));
}

// A tenth of the nodes has nearly all hyperedges: size limits on the average, but not there.
TEST(SizeLimits, GiveWayToLimitsOnInbound) {
  constexpr NodeId nodes = 2000, dense = 200;
  HostHypergraph host = unconnected(nodes);
  for (NodeId e = 0; e < 4000; ++e) {
    const NodeId n = e % dense, m = (e * 7 + e / dense + 1) % dense;
    if (n != m) add_hyperedge(host, {std::min(n, m), std::max(n, m)});
  }
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  const Limits limits{.max_size = 250, .max_inbound = 1200};
  ASSERT_TRUE(size_is_what_limits(space, h, limits));
  EXPECT_FALSE(partition_by_size(space, h, limits, without_search_of_core()).has_value());
  expect_valid(host, run(host, limits, without_search_of_core()), limits);
}

// Balanced parts know no direction, limits do.
TEST(SizeLimits, OfDirectedHypergraphs) {
  const HostHypergraph host = generate_network("model:12:3:1:6", 1);
  ASSERT_TRUE(host.directed);
  const Limits limits{.max_size = 256, .max_inbound = 20000};
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  ASSERT_TRUE(size_is_what_limits(space, h, limits));
  const std::optional<Partition> result = partition_by_size(space, h, limits, without_search_of_core());
  ASSERT_TRUE(result.has_value());
  expect_valid(host, *result, limits);
}

TEST(SizeLimits, OfSmallPartsAreLeftToTheOtherSearch) {
  const ExecutionSpace space;
  const Hypergraph h = upload(space, random_hypergraph({.nodes = 1000, .hyperedges = 600}, 4));
  EXPECT_FALSE(partition_by_size(space, h, {.max_size = 10}, {}).has_value());
}

TEST(SizeLimits, KeepToTheMostParts) {
  const HostHypergraph host = undirected("model:12:3:1:6");
  const auto least = static_cast<PartId>((host.num_nodes + 255) / 256);
  const Limits limits{.max_size = 256, .max_parts = least};
  EXPECT_EQ(expect_valid(host, run(host, limits, without_search_of_core()), limits).num_parts, least);
  expect_error(ErrorKind::infeasible, "with at most",
               [&] { run(host, {.max_size = 256, .max_parts = least - 1}, without_search_of_core()); });
}

}  // namespace

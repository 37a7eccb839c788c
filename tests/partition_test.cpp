// Whole runs of the partitioner: every limit and metric recounted from the hypergraph by evaluate().
#include <gtest/gtest.h>

#include <atomic>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>

#include "runs.hpp"

namespace {

using namespace kohypar;
using test::add_hyperedge;
using test::expect_error;
using test::expect_valid;
using test::fingerprint;
using test::in_order_connectivity;
using test::random_hypergraph;
using test::RandomHypergraph;
using test::run;
using test::to_device;
using test::to_host;
using test::unconnected;

struct Network {
  const char* name;
  Limits limits;
  std::uint64_t golden;            ///< FNV-1a of the part ids with seed 1, the same on every backend
  std::uint64_t golden_on_device;  ///< likewise, without host search, effort fast
};

// To record new values after a change of the algorithm, run --gtest_filter='*Golden*' and copy what it
// prints.
const Network networks[] = {
    {"lenet", {.max_size = 1024, .max_inbound = 4096}, 4516936821405175485u, 11983091235863770115u},
    {"model:12:3:1:6", {.max_size = 128, .max_inbound = 512}, 371491741920120573u, 4533443238958635091u},
    {"rand:2048:24", {.max_size = 256, .max_inbound = 600}, 14284867081129254365u, 13281657016220774597u},
};

/// One search on the device even where the core is small enough for the host.
Options on_device() {
  Options options;
  options.effort = Effort::fast;
  options.host_search_pin_pairs = 0;
  return options;
}

class Networks : public ::testing::TestWithParam<Network> {};

TEST_P(Networks, AreValidAndNoWorseThanNodeOrder) {
  const auto& [name, limits, golden, golden_on_device] = GetParam();
  const HostHypergraph host = generate_network(name, 1);
  const Partition result = run(host, limits);
  const Quality quality = expect_valid(host, result, limits);
  EXPECT_LE(quality.connectivity, in_order_connectivity(host, limits));
}

TEST_P(Networks, GoldenOnEveryBackend) {
  const auto& [name, limits, golden, golden_on_device] = GetParam();
  const HostHypergraph host = generate_network(name, 1);
  EXPECT_EQ(fingerprint(to_host(run(host, limits).parts)), golden) << name;
  EXPECT_EQ(fingerprint(to_host(run(host, limits, on_device()).parts)), golden_on_device) << name;
}

TEST_P(Networks, DoNotDependOnTeamsAndTiles) {
  const auto& [name, limits, golden, golden_on_device] = GetParam();
  const HostHypergraph host = generate_network(name, 1);
  Options options = on_device();
  const auto expected = to_host(run(host, limits, options).parts);
  options.tuning = {.team_size = 2, .tile_size = 64};
  EXPECT_EQ(to_host(run(host, limits, options).parts), expected);
  options.tuning = {.team_size = 1, .tile_size = 1000};
  EXPECT_EQ(to_host(run(host, limits, options).parts), expected);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Networks, ::testing::ValuesIn(networks),
                         [](const auto& instance) { return "Number" + std::to_string(instance.index); });

/// The same networks with the other refinement, one search each.
class ColoredNetworks : public ::testing::TestWithParam<Network> {
 protected:
  static Options options() {
    Options options;
    options.effort = Effort::fast;
    options.refinement = RefinementMethod::coloring;
    return options;
  }
};

TEST_P(ColoredNetworks, AreValidAndDoNotDependOnTeamsAndTiles) {
  const auto& [name, limits, golden, golden_on_device] = GetParam();
  const HostHypergraph host = generate_network(name, 1);
  const Partition result = run(host, limits, options());
  EXPECT_LE(expect_valid(host, result, limits).connectivity, in_order_connectivity(host, limits));
  for (const Tuning tuning : {Tuning{2, 64}, Tuning{1, 1000}}) {
    Options tuned = options();
    tuned.tuning = tuning;
    EXPECT_EQ(to_host(run(host, limits, tuned).parts), to_host(result.parts));
  }
}

TEST_P(ColoredNetworks, ImproveTheirStart) {
  const auto& [name, limits, golden, golden_on_device] = GetParam();
  const HostHypergraph host = generate_network(name, 1);
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  const auto start = fill_in_order(copy_to_host(space, h), limits);
  const Partition result = improve(space, h, to_device(start.parts), limits, options());
  EXPECT_LT(expect_valid(host, result, limits).connectivity, in_order_connectivity(host, limits));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ColoredNetworks, ::testing::ValuesIn(networks),
                         [](const auto& instance) { return "Number" + std::to_string(instance.index); });

TEST(Partition, OfLenetIsAsGoodAsPublished) {
  // AxonCUDA, the paper's own code, reaches 1278.2 with 12 parts.
  const HostHypergraph host = generate_network("lenet", 1);
  const Limits limits{.max_size = 1024, .max_inbound = 4096};
  const Quality quality = expect_valid(host, run(host, limits), limits);
  EXPECT_LE(quality.real(quality.connectivity), 1278.2);
  EXPECT_LE(quality.num_parts, 12u);
}

TEST(Partition, OfRandomHypergraphsIsValid) {
  for (const RandomHypergraph& shape : test::random_shapes()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const HostHypergraph host = random_hypergraph(shape, seed);
      for (const Limits& limits : {Limits{.max_size = 7}, Limits{.max_size = 20, .max_inbound = 100},
                                   Limits{.max_inbound = 100}, Limits{}}) {
        Options colored = on_device();
        colored.refinement = RefinementMethod::coloring;
        for (const Options& options : {Options(), on_device(), colored})
          expect_valid(host, run(host, limits, options), limits);
      }
    }
  }
}

TEST(Partition, SameSeedSameResultOtherSeedOtherResult) {
  const HostHypergraph host = generate_network("rand:1024:12", 1);
  const Limits limits{.max_size = 64};
  Options options;
  const auto first = to_host(run(host, limits, options).parts);
  EXPECT_EQ(to_host(run(host, limits, options).parts), first);
  options.seed = 2;
  EXPECT_NE(to_host(run(host, limits, options).parts), first);
}

TEST(Partition, EveryEffortIsValidAndHighIsNoWorse) {
  const HostHypergraph host = generate_network("model:10:3:1:3", 1);
  const Limits limits{.max_size = 64, .max_inbound = 200};
  Options options;
  std::vector<Weight> connectivity;
  for (const Effort effort : {Effort::fast, Effort::standard, Effort::high}) {
    options.effort = effort;
    connectivity.push_back(expect_valid(host, run(host, limits, options), limits).connectivity);
  }
  EXPECT_LE(connectivity[2], connectivity[0] + connectivity[0] / 20);
}

std::vector<NodeId> all_nodes(NodeId nodes) {
  std::vector<NodeId> all(nodes);
  for (NodeId n = 0; n < nodes; ++n) all[n] = n;
  return all;
}

TEST(Degenerate, NoNodes) {
  const Partition result = run(unconnected(0), {.max_size = 1});
  EXPECT_EQ(result.num_parts, 0u);
}

TEST(Degenerate, OneNode) {
  EXPECT_EQ(run(unconnected(1), {.max_size = 1}).num_parts, 1u);
}

TEST(Degenerate, NoHyperedges) {
  const HostHypergraph host = unconnected(1000);
  const Limits limits{.max_size = 100};
  const Partition result = run(host, limits);
  expect_valid(host, result, limits);
  EXPECT_LE(result.num_parts, 11u);
}

TEST(Degenerate, EveryNodeItsOwnPart) {
  const HostHypergraph host = random_hypergraph({.nodes = 50, .hyperedges = 70}, 2);
  const Limits limits{.max_size = 1};
  const Partition result = run(host, limits);
  expect_valid(host, result, limits);
  EXPECT_EQ(result.num_parts, 50u);
}

TEST(Degenerate, EverythingFitsInOnePart) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const HostHypergraph host = random_hypergraph({.nodes = 60, .hyperedges = 40}, seed);
    const Partition result = run(host, {.max_size = 60});
    EXPECT_EQ(result.num_parts, 1u);
    EXPECT_EQ(result.connectivity, 0);
  }
}

TEST(Degenerate, OneHyperedgeOverAllNodes) {
  HostHypergraph host = unconnected(5000);
  add_hyperedge(host, all_nodes(5000));
  const Limits limits{.max_size = 64, .max_inbound = 1};
  expect_valid(host, run(host, limits), limits);
}

TEST(Degenerate, ThousandsOfIdenticalNodes) {
  HostHypergraph host = unconnected(4000);
  for (int copy = 0; copy < 3; ++copy) add_hyperedge(host, all_nodes(4000));
  add_hyperedge(host, all_nodes(2000));
  const Limits limits{.max_size = 500, .max_inbound = 4};
  const Partition result = run(host, limits);
  expect_valid(host, result, limits);
  EXPECT_LE(result.num_parts, 9u);
}

TEST(Degenerate, DisconnectedPieces) {
  HostHypergraph host = unconnected(900);
  for (NodeId piece = 0; piece < 300; ++piece) add_hyperedge(host, {3 * piece, 3 * piece + 1, 3 * piece + 2});
  const Limits limits{.max_size = 30};
  const Partition result = run(host, limits);
  expect_valid(host, result, limits);
  EXPECT_EQ(result.connectivity, 0);
}

TEST(Degenerate, NodesOfSizeZero) {
  HostHypergraph host = random_hypergraph({.nodes = 80, .hyperedges = 100}, 4);
  host.node_sizes.assign(80, 0);
  const Limits limits{.max_size = 0};
  expect_valid(host, run(host, limits), limits);
}

TEST(Infeasible, NamesNodeValueAndLimit) {
  HostHypergraph host = random_hypergraph({.nodes = 10, .hyperedges = 0}, 1);
  host.node_sizes[7] = 30;
  expect_error(ErrorKind::infeasible, "node 7 alone has a size of 30, above the size limit of 20",
               [&] { run(host, {.max_size = 20}); });
  for (int i = 0; i < 5; ++i) add_hyperedge(host, {2, 4, static_cast<NodeId>(5 + i)});
  expect_error(ErrorKind::infeasible,
               "node 2 alone has 5 distinct inbound hyperedges, above the inbound limit of 4",
               [&] { run(host, {.max_size = 30, .max_inbound = 4}); });
  expect_error(ErrorKind::infeasible, "at most 1 parts",
               [&] { run(host, {.max_size = 30, .max_parts = 1}); });
}

TEST(Options, OutOfRangeAreUsageErrors) {
  const HostHypergraph host = unconnected(3);
  Options options;
  options.candidates = 0;
  expect_error(ErrorKind::usage, "candidates", [&] { run(host, {.max_size = 2}, options); });
  options = {};
  options.refinement_rounds = -1;
  expect_error(ErrorKind::usage, "rounds", [&] { run(host, {.max_size = 2}, options); });
}

TEST(MemoryLimit, EndsARunThatNeedsMore) {
  Options options;
  options.memory_limit = 1000;
  expect_error(ErrorKind::out_of_memory, "limit of 1000",
               [&] { run(generate_network("rand:1024:12", 1), {.max_size = 64}, options); });
}

TEST(Stop, EndsTheRun) {
  const std::atomic<bool> stop{true};
  Options options;
  options.stop = &stop;
  expect_error(ErrorKind::interrupted, "interrupted",
               [&] { run(generate_network("rand:1024:12", 1), {.max_size = 64}, options); });
}

TEST(Improve, NeverWorsensAValidPartition) {
  const HostHypergraph host = generate_network("model:10:3:1:3", 1);
  const Limits limits{.max_size = 64, .max_inbound = 400};
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  const HostLevel level = copy_to_host(space, h);
  const Start start = fill_in_order(level, limits);
  std::vector<PartId> initial = start.parts;
  for (PartId& part : initial) part = 1000 - 3 * part;  // ids need not be dense
  const Partition result = improve(space, h, to_device(initial), limits, {});
  const Quality quality = expect_valid(host, result, limits);
  EXPECT_LT(quality.connectivity, connectivity_of(level, start.parts));
}

TEST(Improve, RepairsAnInvalidPartitionWhereItCan) {
  const HostHypergraph host = generate_network("rand:512:8", 1);
  const Limits limits{.max_size = 40};
  std::vector<PartId> initial(512);
  for (NodeId n = 0; n < 512; ++n) initial[n] = n < 60 ? 0 : 1 + n % 16;
  const ExecutionSpace space;
  expect_valid(host, improve(space, upload(space, host), to_device(initial), limits, {}), limits);
}

}  // namespace

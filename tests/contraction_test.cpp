// Redundancy removal and contraction against set arithmetic, and the invariants that later phases rely on.
#include "coarsening/contraction.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "coarsening/redundancy.hpp"
#include "hypergraph/identical_rows.hpp"
#include "parallel/scan.hpp"
#include "reference/levels.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using reference::Level;
using test::to_device;
using test::to_host;

/// Random leaders: every node joins the cluster of a smaller one with the given chance.
Clustering random_clustering(const ExecutionSpace& space, NodeId num_nodes, int join_percent,
                             std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeId> leaders(num_nodes);
  for (NodeId n = 0; n < num_nodes; ++n) {
    const bool joins = n > 0 && random() % 100 < static_cast<std::uint64_t>(join_percent);
    leaders[n] = joins ? leaders[random() % n] : n;
  }
  return number_clusters(space, to_device(leaders));
}

std::vector<NodeId> random_parts(NodeId num_nodes, NodeId num_parts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeId> parts(num_nodes);
  for (auto& part : parts) part = static_cast<NodeId>(random() % num_parts);
  return parts;
}

/// coarse[fine[n]] for every n.
std::vector<NodeId> compose(const std::vector<NodeId>& fine, const std::vector<NodeId>& coarse) {
  std::vector<NodeId> result;
  for (const NodeId n : fine) result.push_back(coarse[n]);
  return result;
}

/// Everything derived from the pins is what the pins say, and pins stand in their order.
void expect_consistent(const Hypergraph& h) {
  const auto offsets = to_host(h.hyperedge_offsets);
  const auto pins = to_host(h.pins);
  const auto source_counts = to_host(h.source_counts);
  ASSERT_EQ(offsets.size(), h.num_hyperedges + std::size_t{1});
  ASSERT_EQ(offsets.back(), h.num_pins);
  ASSERT_EQ(pins.size(), h.num_pins);
  std::vector<std::vector<HyperedgeId>> inbound(h.num_nodes), outbound(h.num_nodes);
  for (HyperedgeId e = 0; e < h.num_hyperedges; ++e) {
    const PinOffset destinations = offsets[e] + source_counts[e];
    ASSERT_LE(destinations, offsets[e + 1]);
    for (PinOffset i = offsets[e]; i < offsets[e + 1]; ++i) {
      EXPECT_TRUE(i == offsets[e] || i == destinations || pins[i - 1] < pins[i]);
      (i < destinations ? outbound : inbound)[pins[i]].push_back(e);
    }
  }
  const auto node_offsets = to_host(h.node_offsets);
  const auto incident = to_host(h.incident);
  const auto inbound_counts = to_host(h.inbound_counts);
  for (NodeId n = 0; n < h.num_nodes; ++n) {
    std::vector<HyperedgeId> expected = inbound[n];
    expected.insert(expected.end(), outbound[n].begin(), outbound[n].end());
    const std::vector<HyperedgeId> actual(incident.begin() + node_offsets[n],
                                          incident.begin() + node_offsets[n + 1]);
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(inbound_counts[n], inbound[n].size());
  }
  const auto sizes = to_host(h.node_sizes);
  EXPECT_EQ(h.total_node_size, std::accumulate(sizes.begin(), sizes.end(), Weight{0}));
  EXPECT_EQ(to_host(h.inbound_sizes), reference::inbound_sizes(reference::download(h)));
}

void expect_first_of_each_kind(const Hypergraph& h, RowPart part, std::uint64_t hash_mask) {
  const auto hyperedges = reference::download(h).hyperedges;
  const auto found = to_host(detail::find_identical_rows(
      ExecutionSpace(), {h.hyperedge_offsets, h.pins, h.source_counts, part}, hash_mask));
  ASSERT_EQ(found.size(), hyperedges.size());
  for (std::uint32_t e = 0; e < hyperedges.size(); ++e) {
    const auto same = [&](const reference::Hyperedge& other) {
      return (part == RowPart::trailing || other.sources == hyperedges[e].sources) &&
             (part == RowPart::leading || other.destinations == hyperedges[e].destinations);
    };
    const auto first = std::find_if(hyperedges.begin(), hyperedges.end(), same);
    EXPECT_EQ(found[e], first - hyperedges.begin()) << "hyperedge " << e << ", mask " << hash_mask;
  }
}

TEST(IdenticalRows, FindsTheFirstOfEachKindEvenIfHashesCollide) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto shape = test::random_shapes()[seed % test::random_shapes().size()];
    const Hypergraph h = upload(space, test::random_hypergraph(shape, seed));
    for (const RowPart part : {RowPart::both, RowPart::leading, RowPart::trailing})
      for (const std::uint64_t hash_mask : {~std::uint64_t{0}, std::uint64_t{3} << 60, std::uint64_t{0}})
        expect_first_of_each_kind(h, part, hash_mask);
  }
}

TEST(IdenticalRows, TellsSourcesFromDestinations) {
  // A clique of senders: equal pins and equal source counts everywhere, and no two hyperedges alike.
  constexpr NodeId n = 50;
  HostHypergraph host;
  host.num_nodes = n;
  host.directed = true;
  host.node_sizes.assign(n, 1);
  for (NodeId source = 0; source < n; ++source) {
    host.pins.push_back(source);
    for (NodeId m = 0; m < n; ++m)
      if (m != source) host.pins.push_back(m);
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(1);
    host.hyperedge_weights.push_back(1);
  }
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  EXPECT_EQ(remove_redundant_hyperedges(space, h).num_hyperedges, n);
}

TEST(Redundancy, EqualsSerialTwinAndKeepsInboundSizes) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto shape = test::random_shapes()[seed % test::random_shapes().size()];
    const Hypergraph h = upload(space, test::random_hypergraph(shape, seed));
    const Hypergraph reduced = remove_redundant_hyperedges(space, h);
    EXPECT_EQ(reference::download(reduced), reference::remove_redundant_hyperedges(reference::download(h)));
    EXPECT_EQ(to_host(reduced.inbound_sizes), to_host(h.inbound_sizes));
    expect_consistent(reduced);
    const Hypergraph again = remove_redundant_hyperedges(space, reduced);
    EXPECT_EQ(again.pins.data(), reduced.pins.data()) << "nothing left to remove, yet copied";
  }
}

TEST(Contraction, EqualsSetArithmeticOverSeveralLevels) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto shape = test::random_shapes()[seed % test::random_shapes().size()];
    Hypergraph h = upload(space, test::random_hypergraph(shape, seed));
    const Level original = reference::download(h);
    std::vector<NodeId> composed(h.num_nodes);
    std::iota(composed.begin(), composed.end(), 0u);
    for (int level = 0; level < 4; ++level) {
      const Clustering clustering = random_clustering(space, h.num_nodes, 40, seed * 10 + level);
      const auto cluster_of = to_host(clustering.cluster_of);
      const Level expected = reference::contract(reference::download(h), cluster_of, clustering.num_clusters);
      h = contract(space, h, clustering);
      ASSERT_EQ(h.num_nodes, clustering.num_clusters);
      ASSERT_EQ(reference::download(h), expected) << "seed " << seed << ", level " << level;
      expect_consistent(h);

      composed = compose(composed, cluster_of);
      EXPECT_EQ(to_host(h.inbound_sizes), reference::part_inbound(original, composed, h.num_nodes));
      const auto parts = random_parts(h.num_nodes, 3, seed);
      const auto projected = compose(composed, parts);
      EXPECT_EQ(reference::connectivity(expected, parts), reference::connectivity(original, projected));
      EXPECT_EQ(reference::part_inbound(expected, parts, 3), reference::part_inbound(original, projected, 3));
    }
  }
}

TEST(Contraction, EverythingInOneCluster) {
  const ExecutionSpace space;
  const auto shape = test::RandomHypergraph{.nodes = 30, .hyperedges = 40, .max_node_size = 3};
  const Hypergraph h = upload(space, test::random_hypergraph(shape, 1));
  const Hypergraph one =
      contract(space, h, number_clusters(space, filled<NodeId>(space, "leaders", h.num_nodes, 0)));
  EXPECT_EQ(one.num_nodes, 1u);
  EXPECT_EQ(one.num_hyperedges, 0u);
  EXPECT_EQ(one.num_pins, 0u);
  EXPECT_EQ(one.total_node_size, h.total_node_size);
  Weight with_destination = 0;
  for (const auto& e : reference::download(h).hyperedges) with_destination += e.destinations.empty() ? 0 : 1;
  EXPECT_EQ(to_host(one.inbound_sizes), std::vector<Weight>{with_destination});
  expect_consistent(one);
}

TEST(Contraction, DegenerateInputs) {
  const ExecutionSpace space;
  for (const NodeId nodes : {0u, 1u, 7u}) {
    HostHypergraph host;
    host.num_nodes = nodes;
    host.node_sizes.assign(nodes, 1);
    const Hypergraph h = upload(space, host);
    EXPECT_EQ(remove_redundant_hyperedges(space, h).num_hyperedges, 0u);
    const Hypergraph coarse = contract(space, h, random_clustering(space, nodes, 50, 3));
    EXPECT_EQ(coarse.total_node_size, nodes);
    expect_consistent(coarse);
  }
}

/// `copies` equal hyperedges over all nodes.
HostHypergraph complete_hyperedges(NodeId nodes, HyperedgeId copies) {
  HostHypergraph host;
  host.num_nodes = nodes;
  host.node_sizes.assign(nodes, 1);
  for (HyperedgeId e = 0; e < copies; ++e) {
    for (NodeId n = 0; n < nodes; ++n) host.pins.push_back(n);
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(2);
  }
  return host;
}

TEST(Contraction, HyperedgesOverAllNodes) {
  const ExecutionSpace space;
  const Hypergraph h = upload(space, complete_hyperedges(2000, 100));
  const Hypergraph reduced = remove_redundant_hyperedges(space, h);
  EXPECT_EQ(reduced.num_hyperedges, 1u);
  EXPECT_EQ(to_host(reduced.hyperedge_weights), std::vector<Weight>{200});
  EXPECT_EQ(to_host(reduced.multiplicities), std::vector<Weight>{100});
  const Hypergraph coarse = contract(space, h, random_clustering(space, h.num_nodes, 90, 5));
  EXPECT_EQ(coarse.num_pins, coarse.num_nodes);
  EXPECT_EQ(to_host(coarse.inbound_sizes), std::vector<Weight>(coarse.num_nodes, 100));
}

TEST(Redundancy, ThousandsOfSinglePinsOnOneNode) {
  HostHypergraph host;
  host.num_nodes = 2;
  host.node_sizes.assign(2, 1);
  host.directed = true;
  constexpr HyperedgeId count = 5000;
  for (HyperedgeId e = 0; e < count; ++e) {
    host.pins.push_back(1);
    host.hyperedge_offsets.push_back(e + 1);
    host.source_counts.push_back(e % 2);
    host.hyperedge_weights.push_back(1);
  }
  const ExecutionSpace space;
  const Hypergraph reduced = remove_redundant_hyperedges(space, upload(space, host));
  EXPECT_EQ(reduced.num_hyperedges, 0u);
  EXPECT_EQ(to_host(reduced.inbound_sizes), (std::vector<Weight>{0, count / 2}));
}

}  // namespace

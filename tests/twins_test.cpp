// Twin clustering against a serial twin and its limits.
#include "coarsening/twins.hpp"

#include <gtest/gtest.h>

#include <kohypar/limits.hpp>

#include "coarsening/contraction.hpp"
#include "coarsening/redundancy.hpp"
#include "reference/levels.hpp"
#include "reference/twins.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using reference::Level;
using test::to_host;

/// The smallest member of each node's cluster; checks that clusters are numbered by it.
std::vector<NodeId> leaders_of(const Clustering& clustering) {
  const auto cluster_of = to_host(clustering.cluster_of);
  std::vector<NodeId> leader_of_cluster, leaders;
  for (NodeId n = 0; n < cluster_of.size(); ++n) {
    EXPECT_LE(cluster_of[n], leader_of_cluster.size());
    if (cluster_of[n] == leader_of_cluster.size()) leader_of_cluster.push_back(n);
    leaders.push_back(leader_of_cluster[cluster_of[n]]);
  }
  EXPECT_EQ(leader_of_cluster.size(), clustering.num_clusters);
  return leaders;
}

/// Clusters of more than one node keep the size limit, and the inbound limit unless a member exceeds it.
void expect_within_limits(const Level& level, const Clustering& clustering, Weight max_size,
                          Weight max_inbound) {
  const auto cluster_of = to_host(clustering.cluster_of);
  std::vector<Weight> sizes(clustering.num_clusters), members(clustering.num_clusters),
      largest(clustering.num_clusters);
  const auto node_inbound = reference::inbound_sizes(level);
  for (NodeId n = 0; n < cluster_of.size(); ++n) {
    sizes[cluster_of[n]] += level.node_sizes[n];
    members[cluster_of[n]] += 1;
    largest[cluster_of[n]] = std::max(largest[cluster_of[n]], node_inbound[n]);
  }
  const auto inbound = reference::part_inbound(level, cluster_of, clustering.num_clusters);
  for (NodeId c = 0; c < clustering.num_clusters; ++c) {
    if (members[c] < 2) continue;
    EXPECT_LE(sizes[c], max_size);
    EXPECT_LE(inbound[c], std::max(max_inbound, largest[c]));
  }
}

/// Few nodes per hyperedge and many copies make twins likely in either direction.
test::RandomHypergraph twin_prone(std::uint64_t seed) {
  auto shape = test::random_shapes()[seed % test::random_shapes().size()];
  shape.hyperedges = std::max<HyperedgeId>(3, shape.hyperedges / (1 + seed % 7));
  shape.copy_percent = 40;
  return shape;
}

TEST(Twins, EqualSerialTwinAndKeepLimits) {
  const ExecutionSpace space;
  const std::vector<Weight> size_limits{unlimited, 5, 1, 0}, inbound_limits{unlimited, 0, 4};
  NodeId in_joined = 0, out_joined = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    // Removing redundancy first gives base inbound counts and multiplicities to account for.
    Hypergraph h = upload(space, test::random_hypergraph(twin_prone(seed), seed));
    if (seed % 2 == 0) h = remove_redundant_hyperedges(space, h);
    const Level level = reference::download(h);
    const Weight max_size = size_limits[seed / 2 % size_limits.size()];
    const Weight max_inbound = inbound_limits[seed / 3 % inbound_limits.size()];
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", limits " << max_size << ", " << max_inbound);

    const Clustering in_twins = cluster_in_twins(space, h, max_size, max_inbound);
    EXPECT_EQ(leaders_of(in_twins), reference::in_twin_leaders(level, max_size, max_inbound));
    expect_within_limits(level, in_twins, max_size, max_inbound);
    EXPECT_EQ(reference::download(contract(space, h, in_twins)),
              reference::contract(level, to_host(in_twins.cluster_of), in_twins.num_clusters));
    const Clustering out_twins = cluster_out_twins(space, h, max_size, max_inbound);
    EXPECT_EQ(leaders_of(out_twins), reference::out_twin_leaders(level, max_size, max_inbound));
    expect_within_limits(level, out_twins, max_size, max_inbound);
    in_joined += h.num_nodes - in_twins.num_clusters;
    out_joined += h.num_nodes - out_twins.num_clusters;
  }
  EXPECT_GT(in_joined, 500u) << "the random hypergraphs have too few twins to test anything";
  EXPECT_GT(out_joined, 100u);
}

/// `layers` of `width` nodes, each sending to the whole next layer: twins all over.
HostHypergraph fully_connected(NodeId width, NodeId layers) {
  HostHypergraph host;
  host.num_nodes = width * layers;
  host.directed = true;
  host.node_sizes.assign(host.num_nodes, 1);
  for (NodeId n = 0; n + width < host.num_nodes; ++n) {
    host.pins.push_back(n);
    for (NodeId m = 0; m < width; ++m) host.pins.push_back((n / width + 1) * width + m);
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(1);
    host.hyperedge_weights.push_back(1);
  }
  return host;
}

TEST(Twins, FullyConnectedLayersShrinkToChains) {
  const ExecutionSpace space;
  constexpr NodeId width = 300, layers = 4;
  Hypergraph h = upload(space, fully_connected(width, layers));
  // Nothing sends to the first layer: all of it would be twins of no inbound hyperedge.
  const Clustering in_twins = cluster_in_twins(space, h, 128, unlimited);
  EXPECT_EQ(in_twins.num_clusters, width + (layers - 1) * 3);  // 128 + 128 + 44 nodes a layer
  h = contract(space, h, in_twins);
  const Clustering out_twins = cluster_out_twins(space, h, 1000, unlimited);
  EXPECT_EQ(out_twins.num_clusters, layers - 1 + 3u);  // the last layer sends to none
  h = contract(space, h, out_twins);
  EXPECT_EQ(h.num_hyperedges, layers - 1);
  EXPECT_EQ(to_host(h.inbound_sizes), (std::vector<Weight>{0, width, width, width, width, width}));
}

TEST(Twins, ThousandsOfIdenticalNodes) {
  HostHypergraph host;
  constexpr NodeId n = 20000;
  host.num_nodes = n;
  host.node_sizes.assign(n, 1);
  for (NodeId i = 0; i < n; ++i) host.pins.push_back(i);
  host.hyperedge_offsets.push_back(n);
  host.source_counts.push_back(0);
  host.hyperedge_weights.push_back(1);
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  EXPECT_EQ(cluster_in_twins(space, h, 7, unlimited).num_clusters, (n + 6) / 7);
  EXPECT_EQ(cluster_in_twins(space, h, unlimited, 1).num_clusters, 1u);
  EXPECT_EQ(cluster_out_twins(space, h, unlimited, unlimited).num_clusters, n);
}

TEST(Twins, HeavyOutboundHyperedgesKeepNodesApart) {
  // 0 sends weakly to 1 and 2, which send strongly to 3 and 4.
  HostHypergraph host;
  host.num_nodes = 5;
  host.directed = true;
  host.node_sizes.assign(5, 1);
  host.pins = {0, 1, 2, 1, 3, 2, 4};
  host.hyperedge_offsets = {0, 3, 5, 7};
  host.source_counts = {1, 1, 1};
  const ExecutionSpace space;
  host.hyperedge_weights = {1, 9, 9};
  EXPECT_EQ(cluster_in_twins(space, upload(space, host), 5, unlimited).num_clusters, 5u);
  host.hyperedge_weights = {9, 9, 9};
  EXPECT_EQ(cluster_in_twins(space, upload(space, host), 5, unlimited).num_clusters, 4u);
}

TEST(Twins, DegenerateInputs) {
  const ExecutionSpace space;
  for (const NodeId nodes : {0u, 1u, 9u}) {
    HostHypergraph host;
    host.num_nodes = nodes;
    host.node_sizes.assign(nodes, 1);
    const Hypergraph h = upload(space, host);
    EXPECT_EQ(cluster_in_twins(space, h, 4, 4).num_clusters, nodes);
    EXPECT_EQ(cluster_out_twins(space, h, 4, 4).num_clusters, nodes);
  }
}

}  // namespace

// Chains against their serial twin.
#include "reference/chains.hpp"

#include <gtest/gtest.h>

#include "move_instances.hpp"
#include "refinement/chains.hpp"

namespace {

using namespace kohypar;
using test::below;
using test::Instance;
using test::to_host;

std::vector<NodeId> found_order(const Instance& instance) {
  const ExecutionSpace space;
  const Hypergraph h = test::device_hypergraph(space, instance.level);
  const Moves moves = test::device_moves(instance.sequence);
  const Moves ordered = sequence_by_chains(space, h, test::device_state(instance), moves);
  // Targets and gains travel with their nodes.
  std::map<NodeId, reference::Move> by_node;
  for (const auto& move : instance.sequence) by_node[move.node] = move;
  const auto nodes = to_host(ordered.nodes);
  const auto targets = to_host(ordered.targets);
  const auto gains = to_host(ordered.gains);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(targets[i], by_node[nodes[i]].target);
    EXPECT_EQ(gains[i], by_node[nodes[i]].gain);
  }
  return nodes;
}

std::vector<reference::ChainMove> chain_moves(const Instance& instance) {
  const HostHypergraph& h = instance.level.hypergraph;
  std::vector<Weight> inbound_sizes = instance.level.base_inbound;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e)
    for (PinOffset i = h.hyperedge_offsets[e] + h.source_counts[e]; i < h.hyperedge_offsets[e + 1]; ++i)
      inbound_sizes[h.pins[i]] += instance.level.multiplicities[e];
  std::vector<reference::ChainMove> moves;
  for (const auto& move : instance.sequence)
    moves.push_back({instance.parts[move.node], move.target, move.gain, h.node_sizes[move.node],
                     inbound_sizes[move.node]});
  return moves;
}

std::vector<NodeId> expected_order(const Instance& instance, int window = chain_window) {
  std::vector<NodeId> nodes;
  for (const std::uint32_t i : reference::sequence_by_chains(chain_moves(instance), chain_rounds, window))
    nodes.push_back(instance.sequence[i].node);
  return nodes;
}

/// Gains from -range / 2 to range / 2: small ranges make many ties.
Instance with_gains(Instance instance, Weight range, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (auto& move : instance.sequence)
    move.gain = static_cast<Weight>(below(random, static_cast<std::uint64_t>(range) + 1)) - range / 2;
  return instance;
}

TEST(Chains, EqualTheirSerialTwin) {
  const Weight huge = Weight{1} << 40;
  for (auto shape : test::random_shapes())
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      shape.max_node_size = seed % 4 == 0 ? 100 : seed % 4;
      const Instance instance =
          with_gains(test::random_instance(shape, seed), seed % 5 == 0 ? huge : 3 * (seed % 5), seed);
      const auto found = found_order(instance);
      ASSERT_EQ(found, expected_order(instance)) << shape.nodes << " nodes, seed " << seed;
      auto once = found;
      std::sort(once.begin(), once.end());
      EXPECT_EQ(std::adjacent_find(once.begin(), once.end()), once.end());
      EXPECT_EQ(once.size(), instance.sequence.size());
    }
}

TEST(Chains, WindowsCutOffWhereManyMovesTie) {
  // Hundreds of moves in the upper powers of two whose sizes all differ: the closest often lies outside.
  const test::RandomHypergraph shape{
      .nodes = 3000, .hyperedges = 900, .max_pins = 30, .max_node_size = 120000};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Instance instance = with_gains(test::random_instance(shape, 6 * seed), 0, seed);
    const auto found = found_order(instance);
    ASSERT_EQ(found, expected_order(instance)) << "seed " << seed;
    EXPECT_NE(found, expected_order(instance, chain_window + 1)) << "seed " << seed;
  }
}

/// Nodes of size 1 without hyperedges, one in each of `sources`, to the targets.
Instance bare_moves(const std::vector<PartId>& sources, const std::vector<PartId>& targets,
                    const std::vector<Weight>& gains) {
  Instance instance;
  const NodeId n = static_cast<NodeId>(sources.size());
  instance.level.hypergraph = test::random_hypergraph({.nodes = n, .hyperedges = 0}, 1);
  instance.level.base_inbound.assign(n, 0);
  instance.parts = sources;
  instance.num_parts = 10;
  for (NodeId i = 0; i < n; ++i) instance.sequence.push_back({i, targets[i], gains[i]});
  return instance;
}

TEST(Chains, VacateBeforeTheyFill) {
  // 0 enters part 1, which 1 leaves for part 2, which 2 leaves for part 3.
  EXPECT_EQ(found_order(bare_moves({0, 1, 2}, {1, 2, 3}, {5, 1, 1})), (std::vector<NodeId>{2, 1, 0}));
  // The same closed to a cycle: 0 would come last.
  EXPECT_EQ(found_order(bare_moves({0, 1, 2}, {1, 2, 0}, {5, 1, 1})), (std::vector<NodeId>{2, 1, 0}));
}

TEST(Chains, RankByTotalGain) {
  // An exchange of gain 6 in sum goes before a single move of 5, and both before one of 1.
  EXPECT_EQ(found_order(bare_moves({4, 6, 0, 1}, {5, 7, 1, 0}, {1, 5, 3, 3})),
            (std::vector<NodeId>{3, 2, 1, 0}));
}

TEST(Chains, FewerThanTwoMovesStay) {
  EXPECT_TRUE(found_order(bare_moves({}, {}, {})).empty());
  EXPECT_EQ(found_order(bare_moves({0}, {1}, {-3})), (std::vector<NodeId>{0}));
}

}  // namespace

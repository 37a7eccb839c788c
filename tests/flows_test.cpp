// Maximum flows, cuts between two parts and refinement by them, against enumeration and recounts.
#include <gtest/gtest.h>

#include <kohypar/error.hpp>

#include "host_level_support.hpp"
#include "host_search/flow_refinement.hpp"
#include "host_search/local_search.hpp"
#include "host_search/plan.hpp"
#include "reference/cuts.hpp"
#include "runs.hpp"

namespace {

using namespace kohypar;
using test::add_hyperedge;
using test::as_sets;
using test::expect_terminals_stay;
using test::for_random_levels;
using test::part_sizes;
using test::random_host_level;
using Vertex = FlowNetwork::Vertex;
using Side = FlowNetwork::Side;

constexpr std::uint64_t any_visits = std::numeric_limits<std::uint64_t>::max();

std::vector<FlowNetwork::Edge> random_edges(Vertex num_vertices, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<FlowNetwork::Edge> edges(2 * num_vertices + random() % 8);
  for (FlowNetwork::Edge& edge : edges) {
    edge.from = static_cast<Vertex>(random() % num_vertices);
    edge.to = static_cast<Vertex>((edge.from + 1 + random() % (num_vertices - 1)) % num_vertices);
    edge.capacity = static_cast<Weight>(random() % 5);
    edge.reverse_capacity = random() % 2 == 0 ? edge.capacity : 0;
  }
  return edges;
}

/// A network, and its terminals as they must be.
class FlowNetworkOfTest {
 public:
  explicit FlowNetworkOfTest(std::uint64_t seed)
      : edges_(random_edges(num_vertices, seed)), network_(num_vertices, edges_) {}

  void expect_least_cuts() {
    ASSERT_TRUE(network_.maximize(unlimited, any_visits));
    EXPECT_EQ(network_.flow(), reference::least_cut(num_vertices, edges_, terminals_[0], terminals_[1]));
    for (const Side side : FlowNetwork::sides) {
      std::vector<bool> is_source_side(num_vertices);
      for (Vertex v = 0; v < num_vertices; ++v) {
        is_source_side[v] = network_.is_on(side, v) == (side == FlowNetwork::source);
        EXPECT_EQ(network_.is_terminal(side, v), terminals_[side].contains(v));
        EXPECT_FALSE(network_.is_on(FlowNetwork::source, v) && network_.is_on(FlowNetwork::sink, v));
        EXPECT_TRUE(network_.is_on(side, v) || !terminals_[side].contains(v));
      }
      EXPECT_EQ(reference::cut_capacity(edges_, is_source_side), network_.flow());
    }
  }

  /// By up to two vertices, and returns whether there was one.
  bool pierce(Side side, std::uint64_t seed) {
    std::vector<Vertex> free;
    for (Vertex v = 0; v < num_vertices; ++v)
      if (!network_.is_on(side, v) && !terminals_[FlowNetwork::opposite(side)].contains(v)) free.push_back(v);
    std::shuffle(free.begin(), free.end(), std::mt19937_64(seed));
    free.resize(std::min<std::size_t>(free.size(), 1 + seed % 2));
    if (free.empty()) return false;
    for (Vertex v = 0; v < num_vertices; ++v)
      if (network_.is_on(side, v)) terminals_[side].insert(v);
    terminals_[side].insert(free.begin(), free.end());
    network_.pierce(side, free);
    return true;
  }

 private:
  static constexpr Vertex num_vertices = 10;
  std::vector<FlowNetwork::Edge> edges_;
  FlowNetwork network_;
  std::set<Vertex> terminals_[2] = {{0}, {1}};
};

TEST(FlowNetwork, FlowsAreLeastCutsAfterEveryPiercing) {
  int piercings = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    FlowNetworkOfTest test(seed);
    std::uint64_t turn = 0;
    for (test.expect_least_cuts(); test.pierce(FlowNetwork::sides[mix(seed, turn) % 2], mix(seed, turn));
         ++turn)
      test.expect_least_cuts();
    piercings += static_cast<int>(turn);
  }
  EXPECT_GT(piercings, 100);
}

TEST(FlowNetwork, GivesUpAboveAFlowOrVisits) {
  const std::vector<FlowNetwork::Edge> path = {{0, 2, 5, 0}, {2, 3, 3, 0}, {3, 1, 4, 0}};
  EXPECT_TRUE(FlowNetwork(4, path).maximize(3, any_visits));
  EXPECT_FALSE(FlowNetwork(4, path).maximize(2, any_visits));
  EXPECT_FALSE(FlowNetwork(4, path).maximize(3, 1));
}

/// What two parts weigh and all hyperedges, whether or not the parts have pins of them.
PartPair pair_of(const HostLevel& level, const std::vector<PartId>& parts, PartId a, PartId b) {
  PartPair pair{{a, b}, {0, 0}, {}};
  for (NodeId n = 0; n < level.num_nodes; ++n)
    for (int side = 0; side < 2; ++side)
      if (parts[n] == pair.parts[side]) pair.sizes[side] += level.node_sizes(n);
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) pair.hyperedges.push_back(e);
  return pair;
}

std::vector<PartId> applied(std::vector<PartId> parts, const PartPair& pair, const PairCut& cut) {
  for (const NodeId n : cut.moved) {
    EXPECT_TRUE(parts[n] == pair.parts[0] || parts[n] == pair.parts[1]) << "node " << n;
    parts[n] = parts[n] == pair.parts[0] ? pair.parts[1] : pair.parts[0];
  }
  return parts;
}

TEST(PairCut, IsTheLeastWhereCapacitiesDoNotBind) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const HostLevel level = random_host_level({.nodes = 14, .hyperedges = 24, .max_pins = 5}, seed);
    HostProblem problem;
    problem.capacities.assign(3, total_size(level));
    problem.terminals = {0, 1};
    auto parts = test::random_parts(level.num_nodes, 3, seed);
    std::copy(problem.terminals.begin(), problem.terminals.end(), parts.begin());
    const PartPair pair = pair_of(level, parts, 0, 1);
    const PairCut cut = find_pair_cut(level, problem, parts, pair, {.hops = 100, .visits_per_arc = 1000});
    const reference::Level sets = as_sets(level);
    const Weight least = reference::least_connectivity(sets, parts, 0, 1, problem.terminals.size());
    EXPECT_EQ(cut.gain, reference::connectivity(sets, parts) - least);
    EXPECT_EQ(reference::connectivity(sets, applied(parts, pair, cut)), least);
    found += cut.gain > 0 ? 1 : 0;
  }
  EXPECT_GT(found, 30);
}

/// Parts with a tenth of room, sometimes terminals, after a short local search.
struct Instance {
  HostProblem problem;
  std::vector<PartId> parts;
};

Instance random_instance(const HostLevel& level, PartId num_parts, std::uint64_t seed) {
  Instance made{{}, test::random_parts(level.num_nodes, num_parts, seed)};
  made.problem.capacities.resize(num_parts);
  made.problem.capacities = part_sizes(level, made.problem, made.parts);
  for (Weight& capacity : made.problem.capacities) capacity += capacity / 10;
  if (seed % 3 == 0)
    for (NodeId n = 0; n < level.num_nodes / 8; ++n) made.problem.terminals.push_back(made.parts[n]);
  HostState state(level, made.problem, made.parts, num_parts);
  search_locally(level, made.problem, {.rounds = 1}, seed, state);
  made.parts = state.parts();
  return made;
}

void expect_keeps_limits(const HostLevel& level, const Instance& before, const std::vector<PartId>& parts) {
  const std::vector<Weight> sizes = part_sizes(level, before.problem, parts);
  for (std::size_t p = 0; p < sizes.size(); ++p)
    EXPECT_LE(sizes[p], before.problem.capacities[p]) << "part " << p;
  expect_terminals_stay(before.problem, parts);
}

TEST(PairCut, GainsWhatItSaysWithinCapacities) {
  int found = 0;
  for_random_levels([&](const HostLevel& level, std::uint64_t seed) {
    const Instance instance = random_instance(level, 3, seed);
    const PartPair pair = pair_of(level, instance.parts, 2, 0);
    const PairCut cut = find_pair_cut(level, instance.problem, instance.parts, pair,
                                      {.hops = 1 + static_cast<int>(seed % 3)});
    const std::vector<PartId> after = applied(instance.parts, pair, cut);
    const reference::Level sets = as_sets(level);
    EXPECT_EQ(cut.gain, reference::connectivity(sets, instance.parts) - reference::connectivity(sets, after));
    EXPECT_EQ(cut.gain > 0, !cut.moved.empty());
    expect_keeps_limits(level, instance, after);
    found += cut.gain > 0 ? 1 : 0;
  });
  EXPECT_GT(found, 5);
}

TEST(FlowRefinement, GainsWhatItSaysWithinCapacitiesOnAnyNumberOfThreads) {
  int found = 0;
  for_random_levels([&](const HostLevel& level, std::uint64_t seed) {
    const Instance instance = random_instance(level, 6, seed);
    std::vector<PartId> parts = instance.parts, again = instance.parts;
    const Weight gain = refine_by_flows(level, instance.problem, {}, {1}, nullptr, parts);
    EXPECT_EQ(refine_by_flows(level, instance.problem, {}, {3}, nullptr, again), gain);
    EXPECT_EQ(again, parts);
    const reference::Level sets = as_sets(level);
    EXPECT_EQ(gain, reference::connectivity(sets, instance.parts) - reference::connectivity(sets, parts));
    EXPECT_GE(gain, 0);
    expect_keeps_limits(level, instance, parts);
    found += gain > 0 ? 1 : 0;
  });
  EXPECT_GT(found, 10);
}

/// A strip of columns, each node joined to its neighbours above and to the right, but for one narrow place.
HostLevel strip(NodeId columns, NodeId height, NodeId narrow) {
  HostHypergraph host = test::unconnected(columns * height);
  for (NodeId column = 0; column < columns; ++column)
    for (NodeId row = 0; row < height; ++row) {
      const NodeId n = column * height + row;
      if (row + 1 < height) add_hyperedge(host, {n, n + 1});
      if (column + 1 < columns && (column + 1 != narrow || row == 0)) add_hyperedge(host, {n, n + height});
    }
  const ExecutionSpace space;
  return copy_to_host(space, upload(space, host));
}

TEST(FlowRefinement, MovesWhatALocalSearchDoesNot) {
  constexpr NodeId columns = 24, height = 8, narrow = 12;
  const HostLevel level = strip(columns, height, narrow);
  HostProblem problem;
  problem.capacities.assign(2, total_size(level) / 2 + total_size(level) / 8);
  std::vector<PartId> parts(level.num_nodes);
  for (NodeId n = 0; n < level.num_nodes; ++n) parts[n] = n < (narrow - 2) * height ? 0 : 1;
  HostState state(level, problem, parts, 2);
  search_locally(level, problem, {}, 1, state);
  EXPECT_EQ(state.objective(), Weight{height});
  EXPECT_EQ(refine_by_flows(level, problem, {}, {1}, nullptr, parts), Weight{height} - 1);
  for (NodeId n = 0; n < level.num_nodes; ++n) EXPECT_EQ(parts[n], n < narrow * height ? 0u : 1u);
}

TEST(FlowRefinement, IsInterrupted) {
  const HostLevel level = strip(8, 4, 4);
  HostProblem problem;
  problem.capacities.assign(2, total_size(level));
  std::vector<PartId> parts(level.num_nodes);
  for (NodeId n = 0; n < level.num_nodes; ++n) parts[n] = n % 2;
  const std::atomic<bool> stop = true;
  EXPECT_THROW(refine_by_flows(level, problem, {}, {1}, &stop, parts), Error);
}

TEST(FlowPlan, IsForSmallInputsAndSmallLevelsOfLargeHyperedges) {
  constexpr PinOffset small = PinOffset{1} << 19, large = PinOffset{1} << 23;
  Options options;
  EXPECT_TRUE(flow_plan(options, small, small, false).has_value());
  EXPECT_FALSE(flow_plan(options, large, small, false).has_value());
  EXPECT_TRUE(flow_plan(options, large, small, true).has_value());
  EXPECT_FALSE(flow_plan(options, large, large, true).has_value());
  const std::uint64_t visits = flow_plan(options, small, small, false)->visits_per_arc;
  options.effort = Effort::high;
  EXPECT_GT(flow_plan(options, 2 * small, small, false)->visits_per_arc, visits);
  options.effort = Effort::fast;
  EXPECT_FALSE(flow_plan(options, small, small, false).has_value());
}

}  // namespace

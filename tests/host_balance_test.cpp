// The sequential search of balanced problems: the state and its gains with a price on cut hyperedges, induced
// levels, repair, bisection and starts, against set arithmetic and by what they promise.
#include <gtest/gtest.h>

#include <array>
#include <tuple>

#include "host_level_support.hpp"
#include "host_search/balance.hpp"
#include "host_search/bisection.hpp"
#include "host_search/evolution.hpp"
#include "host_search/growth.hpp"
#include "host_search/local_search.hpp"
#include "host_search/multilevel_run.hpp"
#include "host_search/owned_level.hpp"

namespace {

using namespace kohypar;
using test::as_sets;
using test::copy;
using test::expect_terminals_stay;
using test::for_random_levels;
using test::part_sizes;
using test::random_host_level;

/// Parts of about the same capacity, with room for a tenth or more in all, and now and then terminals.
HostProblem random_problem(const HostLevel& level, PartId num_parts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Weight largest = 1;
  for (NodeId n = 0; n < level.num_nodes; ++n) largest = std::max(largest, level.node_sizes(n));
  const Weight share = (total_size(level) + num_parts - 1) / num_parts;
  HostProblem problem;
  for (PartId p = 0; p < num_parts; ++p)
    problem.capacities.push_back(
        std::max(largest, share + share / 10 + static_cast<Weight>(random() % (1 + share / 4))));
  problem.cut_weight = std::array<Weight, 3>{0, 1, 8}[seed % 3];
  if (seed % 2 == 0)
    for (PartId p = 0; p < num_parts && problem.terminals.size() < level.num_nodes; ++p)
      if (random() % 2 == 0) problem.terminals.push_back(p);
  return problem;
}

/// Random parts that respect the terminals.
std::vector<PartId> random_parts(const HostLevel& level, const HostProblem& problem, std::uint64_t seed) {
  auto parts = test::random_parts(level.num_nodes, static_cast<PartId>(problem.capacities.size()), seed);
  std::copy(problem.terminals.begin(), problem.terminals.end(), parts.begin());
  return parts;
}

/// As random_parts, but the first part has most of the nodes.
std::vector<PartId> crowded_parts(const HostLevel& level, const HostProblem& problem, std::uint64_t seed) {
  auto parts = random_parts(level, problem, seed);
  for (NodeId n = static_cast<NodeId>(problem.terminals.size()); n < level.num_nodes; ++n)
    if (mix(seed, n) % 3 != 0) parts[n] = 0;
  return parts;
}

Weight objective(const reference::Level& sets, const HostProblem& problem, const std::vector<PartId>& parts) {
  return reference::connectivity(sets, parts) + problem.cut_weight * reference::cut_net(sets, parts);
}

Weight overload(const HostLevel& level, const HostProblem& problem, const std::vector<PartId>& parts) {
  const auto sizes = part_sizes(level, problem, parts);
  Weight sum = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p) sum += std::max<Weight>(0, sizes[p] - problem.capacities[p]);
  return sum;
}

void expect_equals_fresh(const HostLevel& level, const HostProblem& problem, const HostState& state) {
  const reference::Level sets = as_sets(level);
  const auto& parts = state.parts();
  const Weight now = objective(sets, problem, parts);
  ASSERT_EQ(state.objective(), now);
  ASSERT_EQ(state.overload(), overload(level, problem, parts));
  const auto sizes = part_sizes(level, problem, parts);
  for (NodeId n = 0; n < level.num_nodes; n += 1 + level.num_nodes / 8) {
    for (PartId p = 0; p < state.num_parts(); ++p) {
      if (p == parts[n]) continue;
      std::vector<PartId> moved = parts;
      moved[n] = p;
      ASSERT_EQ(state.gain(n, p), now - objective(sets, problem, moved)) << "node " << n << " part " << p;
      ASSERT_EQ(state.fits(n, p), sizes[p] + level.node_sizes(n) <= problem.capacities[p]);
    }
  }
}

TEST(BalancedHostState, ObjectiveAndGainsEqualAFreshCountAfterEveryMove) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    if (seed > 6) return;
    const PartId num_parts = seed % 4 == 0 ? 2 : 5;
    const HostProblem problem = random_problem(level, num_parts, seed);
    HostState state(level, problem, random_parts(level, problem, seed), num_parts);
    std::mt19937_64 random(seed);
    for (int move = 0; move < 8; ++move) {
      expect_equals_fresh(level, problem, state);
      const NodeId n = static_cast<NodeId>(random() % level.num_nodes);
      // Towards one part, where hyperedges end being cut.
      const PartId to = move < 4 ? 0 : static_cast<PartId>(random() % num_parts);
      if (to != state.parts()[n]) state.move(n, to);
    }
  });
}

TEST(BalancedHostState, TellsTheHyperedgesThatChangeGains) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    if (seed > 6) return;
    const HostProblem problem = random_problem(level, 3, seed);
    const reference::Level sets = as_sets(level);
    HostState state(level, problem, random_parts(level, problem, seed), 3);
    std::mt19937_64 random(seed);
    for (int move = 0; move < 10; ++move) {
      std::vector<std::array<Weight, 3>> before(level.num_nodes);
      const std::vector<PartId> parts = state.parts();
      for (NodeId n = 0; n < level.num_nodes; ++n)
        for (PartId p = 0; p < 3; ++p)
          if (p != parts[n]) before[n][p] = state.gain(n, p);
      const NodeId moved = static_cast<NodeId>(random() % level.num_nodes);
      std::vector<HyperedgeId> affected;
      state.move(moved, (parts[moved] + 1 + static_cast<PartId>(random() % 2)) % 3, &affected);
      for (NodeId n = 0; n < level.num_nodes; ++n)
        for (PartId p = 0; p < 3; ++p) {
          if (n == moved || p == parts[n] || state.gain(n, p) == before[n][p]) continue;
          EXPECT_TRUE(std::any_of(affected.begin(), affected.end(),
                                  [&](HyperedgeId e) {
                                    return sets.hyperedges[e].sources.contains(n) ||
                                           sets.hyperedges[e].destinations.contains(n);
                                  }))
              << "node " << n << " gains something else in part " << p;
        }
    }
  });
}

TEST(BalancedLocalSearch, NeverWorsensAndLeavesTerminals) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = random_problem(level, 4, seed);
    const auto start = random_parts(level, problem, seed);
    const auto sizes = part_sizes(level, problem, start);
    HostState state(level, problem, start, 4);
    const Weight before = state.objective();
    search_locally(level, problem, {}, seed, state);
    EXPECT_LE(state.objective(), before);
    expect_equals_fresh(level, problem, state);
    expect_terminals_stay(problem, state.parts());
    for (PartId p = 0; p < 4; ++p) EXPECT_LE(state.size(p), std::max(sizes[p], problem.capacities[p]));
  });
}

TEST(OwnedLevel, InducesAsSetsDo) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<NodeId> number(level.num_nodes, invalid_id);
    NodeId kept = 0;
    for (NodeId n = 0; n < level.num_nodes; ++n)
      if (random() % 10 < 3 + seed % 8) number[n] = kept++;
    const Weight factor = 1 + static_cast<Weight>(seed % 10);
    const OwnedLevel side = OwnedLevel::induced(level, number, kept, factor);
    const reference::Level expected = reference::induce(as_sets(level), number, kept, factor);
    ASSERT_EQ(as_sets(side.level()), expected);
    EXPECT_EQ(copy(side.level().inbound_sizes), reference::inbound_sizes(expected));
  });
}

TEST(Repair, RelievesOverloadAndLeavesTerminals) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = random_problem(level, 4, seed);
    HostState state(level, problem, crowded_parts(level, problem, seed), 4);
    const Weight before = state.overload();
    repair_balance(level, problem, state);
    EXPECT_LE(state.overload(), before);
    // A tenth of the shares is free, and no node is larger than what a part has free on average.
    const Weight largest =
        *std::max_element(level.node_sizes.data(), level.node_sizes.data() + level.num_nodes);
    Weight room = -total_size(level);
    for (const Weight capacity : problem.capacities) room += capacity;
    if (room >= 4 * (largest - 1)) {
      EXPECT_EQ(state.overload(), 0);
    }
    expect_equals_fresh(level, problem, state);
    expect_terminals_stay(problem, state.parts());
  });
}

TEST(Repair, DoesNothingToABalancedState) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    HostProblem problem = random_problem(level, 4, seed);
    const auto parts = random_parts(level, problem, seed);
    problem.capacities = part_sizes(level, problem, parts);
    HostState state(level, problem, parts, 4);
    repair_balance(level, problem, state);
    EXPECT_EQ(state.parts(), parts);
  });
}

/// Nodes of these sizes, and pairs of them joined by hyperedges of these weights.
HostLevel small_level(const std::vector<Weight>& sizes,
                      const std::vector<std::tuple<NodeId, NodeId, Weight>>& edges) {
  HostHypergraph host;
  host.num_nodes = static_cast<NodeId>(sizes.size());
  host.node_sizes.assign(sizes.begin(), sizes.end());
  for (const auto& [a, b, weight] : edges) {
    host.pins.insert(host.pins.end(), {a, b});
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(weight);
  }
  const ExecutionSpace space;
  return copy_to_host(space, upload(space, host));
}

TEST(Repair, MovesTheNodeThatLosesLeast) {
  const HostLevel level = small_level({1, 1, 1, 1}, {{0, 1, 5}, {1, 2, 2}, {0, 2, 2}, {2, 3, 1}});
  HostProblem problem;
  problem.capacities = {2, 2};
  HostState state(level, problem, {0, 0, 0, 1}, 2);
  repair_balance(level, problem, state);
  EXPECT_EQ(state.parts(), (std::vector<PartId>{0, 0, 1, 1}));
}

TEST(Repair, PacksAnewWhereSingleMovesDoNotFit) {
  // 5 and 3 fill a part, as do 4 and 4; no single move out of the first part has room in the other.
  const HostLevel level = small_level({5, 4, 4, 3}, {});
  HostProblem problem;
  problem.capacities = {8, 8};
  HostState state(level, problem, {0, 0, 1, 1}, 2);
  ASSERT_EQ(state.overload(), 1);
  repair_balance(level, problem, state);
  EXPECT_EQ(state.overload(), 0);
}

TEST(Repair, LeavesWhatCannotBePacked) {
  const HostLevel level = small_level({2, 2, 2}, {{0, 1, 1}});
  HostProblem problem;
  problem.capacities = {3, 3};
  HostState state(level, problem, {0, 0, 1}, 2);
  repair_balance(level, problem, state);
  EXPECT_EQ(state.overload(), 1);
  EXPECT_EQ(state.parts(), (std::vector<PartId>{0, 0, 1}));
}

void expect_is_balanced(const HostLevel& level, const HostProblem& problem,
                        const std::vector<PartId>& parts) {
  ASSERT_EQ(parts.size(), level.num_nodes);
  EXPECT_EQ(overload(level, problem, parts), 0);
  expect_terminals_stay(problem, parts);
}

TEST(Bisection, GrowsTwoBalancedPartsTheSameEveryTime) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = random_problem(level, 2, seed);
    const auto parts = grow_in_two(level, problem, seed);
    expect_is_balanced(level, problem, parts);
    EXPECT_EQ(grow_in_two(level, problem, seed), parts);
  });
}

TEST(Bisection, SplitsRecursivelyTheSameEveryTime) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const PartId num_parts = 3 + static_cast<PartId>(seed % 6);
    const HostProblem problem = random_problem(level, num_parts, seed);
    const auto parts = bisect_recursively(level, problem, seed, {1}, nullptr);
    ASSERT_EQ(parts.size(), level.num_nodes);
    for (const PartId p : parts) ASSERT_LT(p, num_parts);
    expect_terminals_stay(problem, parts);
    const bool has_unit_sizes = total_size(level) == level.num_nodes;
    if (has_unit_sizes) {
      EXPECT_EQ(overload(level, problem, parts), 0) << level.num_nodes << " nodes, " << num_parts << " parts";
    }
    EXPECT_EQ(bisect_recursively(level, problem, seed, {3}, nullptr), parts);
  });
}

TEST(Bisection, GoesOnWithTheBestOfSeveralTries) {
  int better = 0;
  for_random_levels([&](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = random_problem(level, 2, seed);
    const auto quality = [&](std::size_t tries, unsigned threads) {
      const auto parts = bisect_recursively(level, problem, seed, {threads}, nullptr, tries);
      return std::pair(overload(level, problem, parts), reference::connectivity(as_sets(level), parts));
    };
    const auto one = quality(1, 1), several = quality(4, 1);
    EXPECT_LE(several, one);
    EXPECT_EQ(quality(4, 3), several);
    better += several < one ? 1 : 0;
  });
  EXPECT_GT(better, 0);
}

/// Sixteen cliques of four nodes.
HostLevel cliques() {
  std::vector<std::tuple<NodeId, NodeId, Weight>> edges;
  for (NodeId clique = 0; clique < 16; ++clique)
    for (NodeId a = 0; a < 4; ++a)
      for (NodeId b = 0; b < a; ++b) edges.emplace_back(4 * clique + a, 4 * clique + b, 1);
  return small_level(std::vector<Weight>(64, 1), edges);
}

TEST(Bisection, FindsThePiecesOfADisconnectedLevel) {
  const HostLevel level = cliques();
  HostProblem problem;
  problem.capacities.assign(4, 16);
  const auto parts = bisect_recursively(level, problem, 1, {1}, nullptr);
  expect_is_balanced(level, problem, parts);
  EXPECT_EQ(reference::connectivity(as_sets(level), parts), 0);
}

TEST(GrownParts, HoldThePiecesOfADisconnectedLevel) {
  const HostLevel level = cliques();
  HostProblem problem;
  problem.capacities.assign(4, 16);
  const HostSolution grown = grow_parts(level, problem, 1);
  expect_is_balanced(level, problem, grown.parts);
  EXPECT_EQ(grown.objective, 0);
}

TEST(GrownParts, AreAsManyAsThereAreCapacities) {
  int overloaded = 0;
  for_random_levels([&](const HostLevel& level, std::uint64_t seed) {
    HostProblem problem = random_problem(level, 2 + static_cast<PartId>(seed % 4), seed);
    problem.terminals.clear();
    std::fill(problem.capacities.begin(), problem.capacities.end(), problem.capacities[0]);
    ASSERT_TRUE(can_grow_parts(problem));
    const HostSolution grown = grow_parts(level, problem, seed);
    EXPECT_EQ(grown.num_parts, problem.capacities.size());
    for (const PartId p : grown.parts) ASSERT_LT(p, grown.num_parts);
    EXPECT_EQ(grown.objective, objective(as_sets(level), problem, grown.parts));
    EXPECT_EQ(grown.parts, grow_parts(level, problem, seed).parts);
    overloaded += overload(level, problem, grown.parts) > 0 ? 1 : 0;
  });
  EXPECT_GT(overloaded, 0);  // else nothing was grown in more parts than there are
}

TEST(GrownParts, KnowNeitherTerminalsNorDifferentCapacities) {
  HostProblem problem;
  EXPECT_TRUE(can_grow_parts(problem));
  problem.capacities = {4, 4, 4};
  EXPECT_TRUE(can_grow_parts(problem));
  problem.terminals = {1};
  EXPECT_FALSE(can_grow_parts(problem));
  problem.terminals.clear();
  problem.capacities[2] = 5;
  EXPECT_FALSE(can_grow_parts(problem));
}

TEST(Bisection, OfManyPartsTakesNoLongerThanItsNodes) {
  const HostLevel level = small_level({1, 1, 1, 1, 1}, {{0, 1, 1}, {2, 3, 1}});
  HostProblem problem;
  problem.capacities.assign(PartId{1} << 20, 1);
  expect_is_balanced(level, problem, bisect_recursively(level, problem, 1, {1}, nullptr));
}

TEST(BalancedEvolution, IsBalancedSortedAndTracksItsObjective) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    if (seed > 6) return;
    const PartId num_parts = seed == 1 ? 1 : 2 + static_cast<PartId>(seed % 4);
    const HostProblem problem = random_problem(level, num_parts, seed);
    EvolutionPlan plan;
    plan.population = 3;
    plan.v_cycles = 1;
    plan.generations = 2;
    plan.coarsenings = {Coarsening::shallow, Coarsening::deep};
    plan.seed = seed;
    const auto solutions = evolve(level, problem, plan);
    ASSERT_EQ(solutions.size(), 3u);
    for (std::size_t i = 0; i < solutions.size(); ++i) {
      EXPECT_EQ(solutions[i].num_parts, num_parts);
      expect_is_balanced(level, problem, solutions[i].parts);
      EXPECT_EQ(solutions[i].overload, 0);
      EXPECT_EQ(solutions[i].objective, objective(as_sets(level), problem, solutions[i].parts));
      if (i > 0) {
        EXPECT_FALSE(better(solutions[i], solutions[i - 1], problem.limits));
      }
    }
    plan.threads.count = 3;
    EXPECT_EQ(evolve(level, problem, plan)[0].parts, solutions[0].parts);
  });
}

}  // namespace

// The sequential search on small cores: contraction, clusters, the state and its gains against set
// arithmetic; local search, dissolution and evolution by what they promise.
#include <gtest/gtest.h>

#include <kohypar/error.hpp>
#include <map>

#include "host_level_support.hpp"
#include "host_search/cluster.hpp"
#include "host_search/dissolve.hpp"
#include "host_search/evolution.hpp"
#include "host_search/local_search.hpp"
#include "host_search/node_heap.hpp"
#include "host_search/owned_level.hpp"
#include "initial/starts.hpp"

namespace {

using namespace kohypar;
using test::as_sets;
using test::copy;
using test::for_random_levels;
using test::random_host_level;
using test::RandomHypergraph;

/// Limits between the largest node's needs and twice the average part's of four.
HostProblem some_problem(const HostLevel& level, std::uint64_t seed) {
  Weight total = 0, size = 1, inbound = 1, all_inbound = 0;
  for (NodeId n = 0; n < level.num_nodes; ++n) {
    total += level.node_sizes(n);
    size = std::max(size, level.node_sizes(n));
    inbound = std::max(inbound, level.inbound_sizes(n));
    all_inbound += level.base_inbound(n);
  }
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) all_inbound += level.multiplicities(e);
  HostProblem problem;
  problem.limits.max_size = std::max(size, total / 4 + 1);
  if (seed % 3 != 0) problem.limits.max_inbound = std::max(inbound, all_inbound / 2);
  return problem;
}

HostSolution some_solution(const HostLevel& level, const HostProblem& problem) {
  Start start = fill_in_order(level, problem.limits);
  const Weight connectivity = connectivity_of(level, start.parts);
  return {std::move(start.parts), start.num_parts, connectivity, 0};
}

void expect_valid(const HostLevel& level, const HostProblem& problem, const HostSolution& solution) {
  const reference::Level sets = as_sets(level);
  std::vector<Weight> sizes(solution.num_parts);
  std::vector<int> nodes(solution.num_parts);
  for (NodeId n = 0; n < level.num_nodes; ++n) {
    ASSERT_LT(solution.parts[n], solution.num_parts);
    sizes[solution.parts[n]] += level.node_sizes(n);
    ++nodes[solution.parts[n]];
  }
  const auto inbound = reference::part_inbound(sets, solution.parts, solution.num_parts);
  for (PartId p = 0; p < solution.num_parts; ++p) {
    EXPECT_GT(nodes[p], 0) << "part " << p;
    EXPECT_LE(sizes[p], problem.limits.max_size) << "part " << p;
    EXPECT_LE(inbound[p], problem.limits.max_inbound) << "part " << p;
  }
  EXPECT_EQ(solution.objective, reference::connectivity(sets, solution.parts));
}

TEST(OwnedLevel, ContractsAsSetsDo) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const NodeId num_clusters = 1 + static_cast<NodeId>(seed) % level.num_nodes;
    std::vector<NodeId> cluster_of = test::random_parts(level.num_nodes, num_clusters, seed);
    for (NodeId c = 0; c < num_clusters; ++c) cluster_of[c] = c;
    const OwnedLevel coarse = OwnedLevel::contract(level, cluster_of, num_clusters);
    const reference::Level expected = reference::contract(as_sets(level), cluster_of, num_clusters);
    ASSERT_EQ(as_sets(coarse.level()), expected);
    EXPECT_EQ(copy(coarse.level().inbound_sizes), reference::inbound_sizes(expected));
  });
}

TEST(OwnedLevel, ListsInboundHyperedgesFirst) {
  for_random_levels([](const HostLevel& fine, std::uint64_t) {
    std::vector<NodeId> cluster_of(fine.num_nodes);
    for (NodeId n = 0; n < fine.num_nodes; ++n) cluster_of[n] = n / 2;
    const OwnedLevel coarse = OwnedLevel::contract(fine, cluster_of, (fine.num_nodes + 1) / 2);
    const HostLevel& level = coarse.level();
    const reference::Level sets = as_sets(level);
    for (NodeId n = 0; n < level.num_nodes; ++n) {
      std::vector<HyperedgeId> expected;
      for (HyperedgeId e = 0; e < level.num_hyperedges; ++e)
        if (sets.hyperedges[e].destinations.contains(n)) expected.push_back(e);
      EXPECT_EQ(level.inbound_counts(n), expected.size());
      for (HyperedgeId e = 0; e < level.num_hyperedges; ++e)
        if (sets.hyperedges[e].sources.contains(n)) expected.push_back(e);
      const HyperedgeId* const begin = level.incident.data() + level.node_offsets(n);
      const HyperedgeId* const end = level.incident.data() + level.node_offsets(n + 1);
      EXPECT_EQ(std::vector<HyperedgeId>(begin, end), expected);
    }
  });
}

TEST(HostClusters, KeepToTheirLimitsAndParts) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = some_problem(level, seed);
    ClusterRules rules;
    rules.max_size = problem.limits.max_size;
    rules.max_inbound = problem.limits.max_inbound;
    rules.seed = seed;
    rules.size_power = static_cast<int>(seed % 3);
    if (seed % 2 == 0) rules.within = test::random_parts(level.num_nodes, 3, seed);
    const HostClusters clusters = cluster_nodes(level, rules);
    NodeId next = 0;
    std::map<NodeId, PartId> part_of;
    std::vector<Weight> sizes(clusters.num_clusters);
    for (NodeId n = 0; n < level.num_nodes; ++n) {
      const NodeId c = clusters.cluster_of[n];
      ASSERT_LE(c, next) << "numbered by the smallest member";
      next = std::max(next, c + 1);
      sizes[c] += level.node_sizes(n);
      if (rules.within.empty()) continue;
      EXPECT_EQ(part_of.try_emplace(c, rules.within[n]).first->second, rules.within[n]);
    }
    EXPECT_EQ(next, clusters.num_clusters);
    const auto inbound = reference::part_inbound(as_sets(level), clusters.cluster_of, clusters.num_clusters);
    for (NodeId c = 0; c < clusters.num_clusters; ++c) {
      EXPECT_LE(sizes[c], problem.limits.max_size);
      EXPECT_LE(inbound[c], problem.limits.max_inbound);
    }
  });
}

TEST(HostClusters, ShrinkALevelWhoseNodesFit) {
  const HostLevel level = random_host_level({.nodes = 400, .hyperedges = 800, .max_pins = 4}, 1);
  const HostClusters clusters = cluster_nodes(level, {});
  EXPECT_LE(clusters.num_clusters, level.num_nodes * 6 / 10);
  EXPECT_GE(clusters.num_clusters, level.num_nodes * 2 / 5);
}

void expect_equals_fresh(const HostLevel& level, const HostProblem& problem, const HostState& state) {
  const reference::Level sets = as_sets(level);
  const auto& parts = state.parts();
  const Weight connectivity = reference::connectivity(sets, parts);
  ASSERT_EQ(state.objective(), connectivity);
  const auto inbound = reference::part_inbound(sets, parts, state.num_parts());
  std::vector<Weight> sizes(state.num_parts());
  for (NodeId n = 0; n < level.num_nodes; ++n) sizes[parts[n]] += level.node_sizes(n);
  for (PartId p = 0; p < state.num_parts(); ++p) {
    EXPECT_EQ(state.inbound(p), inbound[p]);
    EXPECT_EQ(state.size(p), sizes[p]);
  }
  for (NodeId n = 0; n < level.num_nodes; n += 1 + level.num_nodes / 8) {
    std::vector<PartId> adjacent;
    state.for_each_adjacent_part(n, [&](PartId p) { adjacent.push_back(p); });
    for (PartId p = 0; p < state.num_parts(); ++p) {
      if (p == parts[n]) continue;
      std::vector<PartId> moved = parts;
      moved[n] = p;
      EXPECT_EQ(state.gain(n, p), connectivity - reference::connectivity(sets, moved));
      EXPECT_EQ(state.shared(n, p) > 0, std::find(adjacent.begin(), adjacent.end(), p) != adjacent.end());
      const bool fits =
          sizes[p] + level.node_sizes(n) <= problem.limits.max_size &&
          reference::part_inbound(sets, moved, state.num_parts())[p] <= problem.limits.max_inbound;
      EXPECT_EQ(state.fits(n, p), fits);
    }
  }
}

TEST(HostState, CountsAndGainsEqualAFreshCountAfterEveryMove) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    if (seed > 4) return;
    const PartId num_parts = seed % 2 == 0 ? 4 : 70;  // one word of a set of parts, and two
    const HostProblem problem = some_problem(level, seed);
    HostState state(level, problem, test::random_parts(level.num_nodes, num_parts, seed), num_parts);
    std::mt19937_64 random(seed);
    for (int move = 0; move < 6; ++move) {
      expect_equals_fresh(level, problem, state);
      const NodeId n = static_cast<NodeId>(random() % level.num_nodes);
      const PartId to = (state.parts()[n] + 1 + static_cast<PartId>(random() % (num_parts - 1))) % num_parts;
      state.move(n, to);
    }
  });
}

TEST(HostState, TellsTheHyperedgesThatChangeGains) {
  // 0 and 1 in part 0, 2 and 3 in part 1; moving 1 to part 1 leaves 0 alone in the first and leaves enough in
  // the second, which spans part 1 alone before and after.
  HostHypergraph host = test::random_hypergraph({.nodes = 4, .hyperedges = 0}, 1);
  host.pins = {0, 1, 1, 2, 3};
  host.hyperedge_offsets = {0, 2, 5};
  host.source_counts = {0, 0};
  host.hyperedge_weights = {3, 5};
  const ExecutionSpace space;
  const HostLevel level = copy_to_host(space, upload(space, host));
  HostState state(level, {}, {0, 0, 1, 1}, 2);
  EXPECT_EQ(state.gain(1, 1), 5 - 3);
  std::vector<HyperedgeId> affected;
  state.move(1, 1, &affected);
  EXPECT_EQ(affected, (std::vector<HyperedgeId>{0, 1}));
  EXPECT_EQ(state.objective(), 3);
}

TEST(NodeHeap, GivesTheLargestKeyFirst) {
  std::mt19937_64 random(1);
  NodeHeap heap(50);
  std::map<NodeId, Weight> expected;
  for (int step = 0; step < 2000; ++step) {
    const NodeId n = static_cast<NodeId>(random() % 50);
    if (random() % 3 == 0) {
      heap.erase(n);
      expected.erase(n);
    } else {
      const Weight key = static_cast<Weight>(random() % 20) - 10;
      heap.set(n, key, static_cast<std::uint32_t>(n));
      expected[n] = key;
    }
    ASSERT_EQ(heap.empty(), expected.empty());
    EXPECT_EQ(heap.contains(n), expected.contains(n));
    if (expected.empty()) continue;
    NodeId largest = expected.begin()->first;
    for (const auto& [node, key] : expected)
      if (key >= expected[largest]) largest = node;  // the tie is the node
    ASSERT_EQ(heap.top(), largest);
  }
  heap.clear();
  EXPECT_TRUE(heap.empty());
  EXPECT_FALSE(heap.contains(7));
}

TEST(HostLocalSearch, NeverWorsensAndKeepsTheLimits) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = some_problem(level, seed);
    HostSolution solution = some_solution(level, problem);
    HostState state(level, problem, solution.parts, solution.num_parts);
    search_locally(level, problem, {}, seed, state);
    EXPECT_LE(state.objective(), solution.objective);
    expect_equals_fresh(level, problem, state);
    for (PartId p = 0; p < state.num_parts(); ++p) {
      EXPECT_LE(state.size(p), problem.limits.max_size);
      EXPECT_LE(state.inbound(p), problem.limits.max_inbound);
    }
  });
}

TEST(HostLocalSearch, OfASettledStateStartsOnlyWhereNodesHaveMoved) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = some_problem(level, seed);
    HostSolution solution = some_solution(level, problem);
    const PartId none = solution.num_parts;  // an empty part more has room for any node
    HostState state(level, problem, solution.parts, solution.num_parts + 1);
    state.move(static_cast<NodeId>(seed % level.num_nodes), none);
    const Weight before = state.objective();
    search_locally(level, problem, {}, seed, state, &solution.parts);
    EXPECT_LE(state.objective(), before);
    expect_equals_fresh(level, problem, state);
    for (PartId p = 0; p < state.num_parts(); ++p) {
      EXPECT_LE(state.size(p), problem.limits.max_size);
      EXPECT_LE(state.inbound(p), problem.limits.max_inbound);
    }
  });
}

/// Pairs of nodes, each joined by a hyperedge of its own.
HostLevel couples(NodeId count) {
  HostHypergraph host = test::random_hypergraph({.nodes = 2 * count, .hyperedges = 0, .directed = false}, 1);
  for (NodeId i = 0; i < count; ++i) {
    host.pins.insert(host.pins.end(), {i, i + count});
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(1);
  }
  const ExecutionSpace space;
  return copy_to_host(space, upload(space, host));
}

TEST(HostLocalSearch, ExchangesNodesOfFullParts) {
  // Every part is full, so no single move is possible, but exchanges join every couple.
  const HostLevel level = couples(4);
  const HostProblem problem = constrained({.max_size = 2});
  HostState state(level, problem, {0, 0, 1, 1, 2, 2, 3, 3}, 4);
  EXPECT_EQ(state.objective(), 4);
  search_locally(level, problem, {}, 1, state);
  EXPECT_LE(state.objective(), 1);
}

TEST(Dissolution, DropsAPartThatCostsNothing) {
  const HostLevel level = couples(4);
  const HostProblem problem = constrained({.max_size = 4});
  const HostSolution solution = dissolve_parts(level, problem, 1, {{0, 1, 2, 3, 0, 1, 2, 3}, 4, 0, 0});
  EXPECT_EQ(solution.num_parts, 2u);
  expect_valid(level, problem, solution);
}

TEST(Dissolution, KeepsLimitsAndItsPrice) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    const HostProblem problem = some_problem(level, seed);
    const HostSolution before = some_solution(level, problem);
    const HostSolution after = dissolve_parts(level, problem, seed, before);
    expect_valid(level, problem, after);
    EXPECT_LE(after.num_parts, before.num_parts);
    if (after.num_parts == before.num_parts) {
      EXPECT_EQ(after.parts, before.parts);
    }
  });
}

TEST(Evolution, IsValidSortedAndNoWorseThanNodeOrder) {
  for_random_levels([](const HostLevel& level, std::uint64_t seed) {
    if (seed > 6) return;
    const HostProblem problem = some_problem(level, seed);
    EvolutionPlan plan;
    plan.population = 4;
    plan.generations = 2;
    plan.seed = seed;
    const auto solutions = evolve(level, problem, plan);
    ASSERT_EQ(solutions.size(), 4u);
    for (const HostSolution& solution : solutions) expect_valid(level, problem, solution);
    for (std::size_t i = 1; i < solutions.size(); ++i)
      EXPECT_FALSE(better(solutions[i], solutions[i - 1], problem.limits));
    EXPECT_LE(solutions[0].objective, some_solution(level, problem).objective);
    const auto polished = polish(level, problem, plan, solutions);
    EXPECT_FALSE(better(solutions[0], polished[0], problem.limits));
  });
}

TEST(Evolution, DoesNotDependOnTheNumberOfThreads) {
  const HostLevel level = random_host_level({.nodes = 300, .hyperedges = 400, .max_pins = 6}, 1);
  const HostProblem problem = constrained({.max_size = 40, .max_inbound = 400});
  std::vector<std::vector<PartId>> results;
  for (const unsigned threads : {1u, 2u, 7u}) {
    EvolutionPlan plan;
    plan.population = 6;
    plan.generations = 3;
    plan.threads.count = threads;
    results.push_back(evolve(level, problem, plan)[0].parts);
  }
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

TEST(Evolution, StopsWhenTold) {
  const HostLevel level = random_host_level({.nodes = 100, .hyperedges = 100}, 1);
  const std::atomic<bool> stop = true;
  EvolutionPlan plan;
  plan.stop = &stop;
  EXPECT_THROW(evolve(level, constrained({.max_size = 20}), plan), Error);
}

TEST(Evolution, ReportsEveryGeneration) {
  const HostLevel level = random_host_level({.nodes = 100, .hyperedges = 100}, 1);
  EvolutionPlan plan;
  plan.population = 3;
  plan.generations = 2;
  std::vector<Weight> reported;
  plan.on_progress = [&](const HostSolution& best) { reported.push_back(best.objective); };
  const auto solutions = evolve(level, constrained({.max_size = 20}), plan);
  ASSERT_EQ(reported.size(), 3u);
  EXPECT_GE(reported[0], reported[1]);
  EXPECT_GE(reported[1], reported[2]);
  EXPECT_EQ(reported[2], solutions[0].objective);
}

}  // namespace

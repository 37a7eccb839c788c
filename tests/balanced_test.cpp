// Whole runs of balanced k-way partitioning: capacities, fixed nodes and both objectives recounted from the
// hypergraph.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>
#include <numeric>
#include <set>

#include "coarsening/contraction.hpp"
#include "coarsening/pairs.hpp"
#include "coarsening/rating.hpp"
#include "reference/levels.hpp"
#include "runs.hpp"

namespace {

using namespace kohypar;
using test::add_hyperedge;
using test::expect_error;
using test::fingerprint;
using test::random_hypergraph;
using test::RandomHypergraph;
using test::to_device;
using test::to_host;

Options fast() {
  Options options;
  options.effort = Effort::fast;
  return options;
}

/// Levels above so few nodes, or 256 a part, are coarsened and refined on the device.
Options with_fine_levels() {
  Options options = fast();
  options.balanced_core_nodes = 300;
  return options;
}

Partition run(const HostHypergraph& host, const Balance& balance, const Options& options = fast()) {
  const ExecutionSpace space;
  return partition(space, upload(space, host), balance, options);
}

Weight total_size(const HostHypergraph& host) {
  return std::accumulate(host.node_sizes.begin(), host.node_sizes.end(), Weight{0});
}

Balance uniform(const HostHypergraph& host, PartId num_parts, double epsilon) {
  return uniform_balance(num_parts, epsilon, total_size(host));
}

/// Sum of weight * (parts touched - 1), and of the weights of what is cut, by sets.
struct Objectives {
  Weight km1 = 0, cut = 0;
};
Objectives count_objectives(const HostHypergraph& h, const std::vector<PartId>& parts) {
  Objectives sum;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    std::set<PartId> touched;
    for (PinOffset i = h.hyperedge_offsets[e]; i < h.hyperedge_offsets[e + 1]; ++i)
      touched.insert(parts[h.pins[i]]);
    if (touched.size() < 2) continue;
    sum.km1 += h.hyperedge_weights[e] * static_cast<Weight>(touched.size() - 1);
    sum.cut += h.hyperedge_weights[e];
  }
  return sum;
}

/// Checks a result against a recount and returns its objectives.
Objectives expect_balanced(const HostHypergraph& host, const Partition& result, const Balance& balance) {
  const auto parts = to_host(result.parts);
  const Quality quality = evaluate(host, parts, balance);
  EXPECT_TRUE(quality.valid()) << quality.violations.size() << " violations";
  EXPECT_EQ(result.num_parts, balance.num_parts());
  EXPECT_EQ(quality.num_parts, balance.num_parts());
  EXPECT_EQ(quality.connectivity, result.connectivity);
  const Objectives objectives = count_objectives(host, parts);
  EXPECT_EQ(objectives.km1, quality.connectivity);
  EXPECT_EQ(objectives.cut, quality.cut_net);
  return objectives;
}

TEST(UniformBalance, IsTheShareAndEpsilonOfItRoundedDown) {
  EXPECT_EQ(uniform_balance(4, 0, 10).capacities, std::vector<Weight>(4, 3));
  EXPECT_EQ(uniform_balance(4, 0.5, 10).capacities, std::vector<Weight>(4, 4));
  EXPECT_EQ(uniform_balance(3, 0.03, 300).capacities, std::vector<Weight>(3, 103));
  EXPECT_EQ(uniform_balance(7, 0.03, 0).capacities, std::vector<Weight>(7, 0));
  const Weight large = (Weight{1} << 60) + 1;
  EXPECT_EQ(uniform_balance(1, 0, large).capacities, std::vector<Weight>{large});
  EXPECT_GT(uniform_balance(2, 1e300, large).capacities[0], large);
  expect_error(ErrorKind::usage, "number of parts", [] { uniform_balance(0, 0.03, 10); });
  expect_error(ErrorKind::usage, "negative", [] { uniform_balance(2, -0.03, 10); });
  expect_error(ErrorKind::usage, "negative", [] { uniform_balance(2, std::nan(""), 10); });
}

/// A balance that leaves every node room: the shares, a fifth of them and the largest node.
Balance loose_balance(const HostHypergraph& host, PartId num_parts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Weight largest = *std::max_element(host.node_sizes.begin(), host.node_sizes.end());
  Balance balance = uniform(host, num_parts, 0.2);
  for (Weight& capacity : balance.capacities) capacity += largest + static_cast<Weight>(random() % 3);
  if (seed % 2 == 0) return balance;
  std::vector<Weight> room = balance.capacities;
  for (NodeId n = 0; n < host.num_nodes; ++n) {
    const auto part = static_cast<PartId>(random() % num_parts);
    const bool is_fixed = random() % 6 == 0 && host.node_sizes[n] <= room[part] / 2;
    balance.fixed.push_back(is_fixed ? part : invalid_id);
    if (is_fixed) room[part] -= host.node_sizes[n];
  }
  return balance;
}

TEST(Balanced, RandomHypergraphsKeepCapacitiesAndFixedNodes) {
  for (const RandomHypergraph& shape : test::random_shapes())
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const HostHypergraph host = random_hypergraph(shape, seed);
      for (const PartId num_parts : {2u, 3u, 7u}) {
        const Balance balance = loose_balance(host, num_parts, seed);
        Options options = fast();
        options.seed = seed;
        options.objective = seed % 3 == 0 ? Objective::cut : Objective::km1;
        expect_balanced(host, run(host, balance, options), balance);
      }
    }
}

TEST(Balanced, UnitNodesKeepTheTightestBalance) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const HostHypergraph host = random_hypergraph({.nodes = 97, .hyperedges = 150, .max_pins = 6}, seed);
    for (const PartId num_parts : {2u, 5u, 16u}) {
      const Balance balance = uniform(host, num_parts, 0);
      expect_balanced(host, run(host, balance), balance);
    }
  }
}

/// The least objective of all balanced partitions.
Weight optimum(const HostHypergraph& host, const Balance& balance, Objective objective) {
  Weight least = unlimited;
  std::vector<PartId> parts(host.num_nodes, 0);
  for (;;) {
    if (evaluate(host, parts, balance).valid()) {
      const Objectives found = count_objectives(host, parts);
      least = std::min(least, objective == Objective::cut ? found.cut : found.km1);
    }
    NodeId n = 0;
    while (n < host.num_nodes && ++parts[n] == balance.num_parts()) parts[n++] = 0;
    if (n == host.num_nodes) return least;
  }
}

TEST(Balanced, SmallHypergraphsComeToTheOptimum) {
  Weight found = 0, least = 0;
  for (const Objective objective : {Objective::km1, Objective::cut})
    for (const auto& [nodes, num_parts] : {std::pair{10u, 2u}, std::pair{7u, 3u}})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const HostHypergraph host =
            random_hypergraph({.nodes = nodes, .hyperedges = 14, .max_pins = 4}, seed);
        Balance balance = uniform(host, num_parts, 0.2);
        if (seed % 2 == 0) {
          balance.fixed.assign(nodes, invalid_id);
          balance.fixed[3] = 1;
          balance.fixed[4] = 0;
        }
        Options options;
        options.objective = objective;
        const Objectives result = expect_balanced(host, run(host, balance, options), balance);
        const Weight value = objective == Objective::cut ? result.cut : result.km1;
        const Weight best = optimum(host, balance, objective);
        EXPECT_GE(value, best);
        found += value;
        least += best;
      }
  EXPECT_LE(found, least + least / 50);
}

TEST(Balanced, EveryObjectiveIsBestAtItself) {
  Weight cut_by_cut = 0, cut_by_km1 = 0, km1_by_cut = 0, km1_by_km1 = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const HostHypergraph host = random_hypergraph({.nodes = 200, .hyperedges = 250, .max_pins = 7}, seed);
    const Balance balance = uniform(host, 6, 0.05);
    Options options = fast();
    const Objectives by_km1 = expect_balanced(host, run(host, balance, options), balance);
    options.objective = Objective::cut;
    const Objectives by_cut = expect_balanced(host, run(host, balance, options), balance);
    cut_by_cut += by_cut.cut;
    cut_by_km1 += by_km1.cut;
    km1_by_cut += by_cut.km1;
    km1_by_km1 += by_km1.km1;
  }
  EXPECT_LT(cut_by_cut, cut_by_km1);
  EXPECT_LT(km1_by_km1, km1_by_cut);
}

TEST(Balanced, TheCutIsNoLargerThanASearchForConnectivityLeavesIt) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const HostHypergraph host = random_hypergraph({.nodes = 150, .hyperedges = 250, .max_pins = 5}, seed);
    const auto num_parts = static_cast<PartId>(3 + seed % 3);
    const Balance balance = loose_balance(host, num_parts, seed);
    Options options = with_fine_levels();
    options.balanced_core_nodes = 60;
    const Objectives by_km1 = expect_balanced(host, run(host, balance, options), balance);
    options.objective = Objective::cut;
    EXPECT_LE(expect_balanced(host, run(host, balance, options), balance).cut, by_km1.cut) << seed;
  }
}

Partition run_improve(const HostHypergraph& host, const std::vector<PartId>& initial, const Balance& balance,
                      const Options& options) {
  const ExecutionSpace space;
  return improve(space, upload(space, host), to_device(initial), balance, options);
}

TEST(ImproveBalanced, NeverWorsensWhatIsBalanced) {
  for (const Objective objective : {Objective::km1, Objective::cut})
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const HostHypergraph host = random_hypergraph({.nodes = 900, .hyperedges = 1000, .max_pins = 6}, seed);
      const PartId num_parts = seed == 6 ? 130 : 3;
      const Balance balance = loose_balance(host, num_parts, seed);
      Options options = with_fine_levels();
      options.objective = objective;
      const auto given = to_host(run(host, balance, options).parts);
      const Objectives before = count_objectives(host, given);
      options.seed = 2;
      const Objectives after = expect_balanced(host, run_improve(host, given, balance, options), balance);
      if (objective == Objective::km1) {
        EXPECT_LE(after.km1, before.km1) << seed;
      } else {
        EXPECT_LE(after.cut, before.cut) << seed;
      }
    }
}

TEST(ImproveBalanced, ImprovesSlicesAndRepairsOverload) {
  const HostHypergraph host = generate_network("model:12:3:1:4", 1);
  const Balance balance = uniform(host, 4, 0.03);
  std::vector<PartId> slices(host.num_nodes), all_in_one(host.num_nodes, 0);
  for (NodeId n = 0; n < host.num_nodes; ++n)
    slices[n] = static_cast<PartId>(std::uint64_t{n} * 4 / host.num_nodes);
  const auto improved =
      expect_balanced(host, run_improve(host, slices, balance, with_fine_levels()), balance);
  EXPECT_LT(improved.km1, count_objectives(host, slices).km1);
  expect_balanced(host, run_improve(host, all_in_one, balance, with_fine_levels()), balance);
}

TEST(ImproveBalanced, NamesWhatDoesNotFit) {
  const HostHypergraph host = random_hypergraph({.nodes = 10, .hyperedges = 10, .max_pins = 3}, 1);
  const Balance balance = uniform(host, 2, 9);
  expect_error(ErrorKind::usage, "has a part 2, but there are 2 parts",
               [&] { run_improve(host, std::vector<PartId>(10, 2), balance, fast()); });
  expect_error(ErrorKind::usage, "9 entries for 10 nodes",
               [&] { run_improve(host, std::vector<PartId>(9, 0), balance, fast()); });
}

struct Network {
  const char* name;
  PartId num_parts;
  Objective objective;
  bool has_fixed;                         ///< nodes, and so no parts that are grown
  std::uint64_t golden;                   ///< FNV-1a of the part ids with seed 1, the same on every backend
  std::uint64_t golden_with_fine_levels;  ///< likewise, with Jet on the device above a small core
};

// To record new values after a change of the algorithm, run --gtest_filter='*Golden*' and copy what it
// prints.
const Network networks[] = {
    {"model:12:3:1:4", 2, Objective::km1, true, 13796690243417609417u, 5681627696990153172u},
    {"model:14:3:1:3", 5, Objective::cut, true, 1017474998753885572u, 5798499305948300832u},
    {"rand:2000:5", 4, Objective::km1, true, 1985544632019432819u, 6236796431517079787u},
    {"rand:2000:5", 6, Objective::km1, false, 9940628305833626155u, 12983388524661508701u},
    {"model:12:3:1:4", 6, Objective::km1, false, 133969556620417475u, 12146235926076568754u},
};

/// A balance of 3 %, perhaps with a node in a hundred fixed to one of two parts.
Balance balance_of(const HostHypergraph& host, const Network& network) {
  Balance balance = uniform(host, network.num_parts, 0.03);
  if (!network.has_fixed) return balance;
  balance.fixed.assign(host.num_nodes, invalid_id);
  for (NodeId n = 0; n < host.num_nodes; n += 97) balance.fixed[n] = n % 2;
  return balance;
}

class BalancedNetworks : public ::testing::TestWithParam<Network> {
 protected:
  const HostHypergraph host = generate_network(GetParam().name, 1);
  const Balance balance = balance_of(host, GetParam());

  [[nodiscard]] std::vector<PartId> parts(Options options) const {
    options.objective = GetParam().objective;
    return to_host(run(host, balance, options).parts);
  }
};

TEST_P(BalancedNetworks, AreBalancedAndBetterThanSlices) {
  std::vector<PartId> slices(host.num_nodes);
  for (NodeId n = 0; n < host.num_nodes; ++n)
    slices[n] = static_cast<PartId>(std::uint64_t{n} * GetParam().num_parts / host.num_nodes);
  for (Options options : {fast(), with_fine_levels()}) {
    options.objective = GetParam().objective;
    const Partition result = run(host, balance, options);
    const Objectives found = expect_balanced(host, result, balance);
    EXPECT_LE(found.km1, count_objectives(host, slices).km1);
    EXPECT_EQ(result.num_levels > 1, options.balanced_core_nodes == 300);
  }
}

TEST_P(BalancedNetworks, GoldenOnEveryBackend) {
  EXPECT_EQ(fingerprint(parts(fast())), GetParam().golden) << GetParam().name;
  EXPECT_EQ(fingerprint(parts(with_fine_levels())), GetParam().golden_with_fine_levels) << GetParam().name;
}

TEST_P(BalancedNetworks, DoNotDependOnThreadsTeamsAndTiles) {
  const auto expected = parts(with_fine_levels());
  for (const Tuning tuning : {Tuning{.team_size = 2, .tile_size = 64, .host_threads = 1},
                              Tuning{.team_size = 1, .host_threads = 4}}) {
    Options options = with_fine_levels();
    options.tuning = tuning;
    EXPECT_EQ(parts(options), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, BalancedNetworks, ::testing::ValuesIn(networks),
                         [](const auto& instance) { return "Number" + std::to_string(instance.index); });

TEST(Balanced, OtherSeedOtherResult) {
  const HostHypergraph host = generate_network("rand:1024:6", 1);
  const Balance balance = uniform(host, 4, 0.03);
  Options options = fast();
  const auto first = to_host(run(host, balance, options).parts);
  EXPECT_EQ(to_host(run(host, balance, options).parts), first);
  options.seed = 2;
  EXPECT_NE(to_host(run(host, balance, options).parts), first);
}

TEST(Balanced, IgnoresDirection) {
  HostHypergraph host =
      random_hypergraph({.nodes = 80, .hyperedges = 120, .max_pins = 6, .max_sources = 3}, 1);
  const Balance balance = uniform(host, 3, 0.1);
  const auto expected = to_host(run(host, balance).parts);
  host.directed = false;
  std::fill(host.source_counts.begin(), host.source_counts.end(), 0);
  for (HyperedgeId e = 0; e < host.num_hyperedges(); ++e)
    std::sort(host.pins.begin() + static_cast<std::ptrdiff_t>(host.hyperedge_offsets[e]),
              host.pins.begin() + static_cast<std::ptrdiff_t>(host.hyperedge_offsets[e + 1]));
  EXPECT_EQ(to_host(run(host, balance).parts), expected);
}

HostHypergraph unconnected(NodeId nodes) {
  return random_hypergraph({.nodes = nodes, .hyperedges = 0, .directed = false}, 1);
}

TEST(BalancedDegenerate, NoNodes) {
  const Partition result = run(unconnected(0), {{5, 5, 5}, {}});
  EXPECT_EQ(result.num_parts, 3u);
  EXPECT_EQ(result.parts.extent(0), 0u);
}

TEST(BalancedDegenerate, OnePartHoldsAll) {
  const HostHypergraph host = random_hypergraph({.nodes = 60, .hyperedges = 40}, 1);
  for (const Balance& balance : {uniform(host, 1, 0), Balance{{60}, std::vector<PartId>(60, 0)}})
    EXPECT_EQ(expect_balanced(host, run(host, balance), balance).km1, 0);
}

TEST(BalancedDegenerate, MorePartsThanNodes) {
  HostHypergraph host = unconnected(5);
  add_hyperedge(host, {0, 1, 2});
  for (const PartId num_parts : {6u, 100u, 1u << 20}) {
    const Balance balance = uniform(host, num_parts, 0);
    EXPECT_EQ(expect_balanced(host, run(host, balance), balance).km1, 2);
  }
  const Balance roomy = uniform(host, 50, 4);
  EXPECT_EQ(expect_balanced(host, run(host, roomy), roomy).km1, 0);
}

TEST(BalancedDegenerate, EverythingIsFixed) {
  const HostHypergraph host = random_hypergraph({.nodes = 40, .hyperedges = 60}, 1);
  for (const PartId num_parts : {2u, 5u}) {
    Balance balance = uniform(host, num_parts, 0.1);
    for (NodeId n = 0; n < 40; ++n) balance.fixed.push_back(n % num_parts);
    const Partition result = run(host, balance);
    expect_balanced(host, result, balance);
    EXPECT_EQ(to_host(result.parts), balance.fixed);
  }
}

TEST(BalancedDegenerate, IsolatedNodesOnly) {
  const HostHypergraph host = unconnected(1000);
  for (const Options& options : {fast(), with_fine_levels()}) {
    const Balance balance = uniform(host, 3, 0);
    expect_balanced(host, run(host, balance, options), balance);
  }
}

TEST(BalancedDegenerate, OneHyperedgeOverAllNodes) {
  HostHypergraph host = unconnected(1000);
  std::vector<NodeId> all(1000);
  std::iota(all.begin(), all.end(), 0u);
  add_hyperedge(host, all);
  for (const Options& options : {fast(), with_fine_levels()}) {
    const Balance balance = uniform(host, 3, 0.01);
    EXPECT_EQ(expect_balanced(host, run(host, balance, options), balance).km1, 2);
  }
}

TEST(BalancedDegenerate, DisconnectedPieces) {
  HostHypergraph host = unconnected(900);
  for (NodeId piece = 0; piece < 300; ++piece) add_hyperedge(host, {3 * piece, 3 * piece + 1, 3 * piece + 2});
  for (const Options& options : {fast(), with_fine_levels()}) {
    const Balance balance = uniform(host, 2, 0.03);
    EXPECT_EQ(expect_balanced(host, run(host, balance, options), balance).km1, 0);
  }
}

TEST(BalancedDegenerate, NodesOfSizeZero) {
  HostHypergraph host = random_hypergraph({.nodes = 80, .hyperedges = 100}, 4);
  host.node_sizes.assign(80, 0);
  const Balance none = uniform(host, 4, 0.03);
  expect_balanced(host, run(host, none), none);
  for (NodeId n = 0; n < 40; ++n) host.node_sizes[n] = 1;
  const Balance half = uniform(host, 4, 0);
  expect_balanced(host, run(host, half), half);
}

TEST(BalancedDegenerate, CapacitiesThatJustFit) {
  HostHypergraph host = unconnected(6);
  host.node_sizes = {5, 3, 5, 4, 3, 4};
  add_hyperedge(host, {0, 2});
  add_hyperedge(host, {1, 4});
  const Balance halves{{12, 12}, {}};
  expect_balanced(host, run(host, halves), halves);
  const Balance uneven{{5, 8, 11}, {}};  // 5, 5 + 3, 4 + 4 + 3
  expect_balanced(host, run(host, uneven), uneven);
  const Balance without_room{{24, 0, 0}, {}};
  EXPECT_EQ(expect_balanced(host, run(host, without_room), without_room).km1, 0);
}

TEST(BalancedDegenerate, WeightsUpToTheLargestTotal) {
  HostHypergraph host = unconnected(6);
  for (NodeId n = 0; n < 6; ++n) add_hyperedge(host, {n, (n + 1) % 6});
  host.hyperedge_weights.assign(6, (max_total_weight - 1) / 12);
  host.node_sizes.assign(6, (max_total_weight - 1) / 6);
  for (const Objective objective : {Objective::km1, Objective::cut})
    for (const PartId num_parts : {2u, 3u, 5u, 6u}) {
      Options options;
      options.objective = objective;
      const Balance balance = uniform(host, num_parts, num_parts == 5 ? 1e300 : 0);
      const Objectives found = expect_balanced(host, run(host, balance, options), balance);
      EXPECT_EQ(found.cut, num_parts == 5 ? 0 : num_parts * host.hyperedge_weights[0]);
    }
}

TEST(BalancedErrors, NameWhatDoesNotFit) {
  HostHypergraph host = unconnected(4);
  host.node_sizes = {3, 1, 2, 2};
  const auto usage = [&](const Balance& balance, const std::string& message) {
    expect_error(ErrorKind::usage, message, [&] { run(host, balance); });
  };
  usage({{}, {}}, "the number of parts must be at least 1");
  usage({{8, -1}, {}}, "the capacity of part 1 is negative");
  usage({{8, 8}, {0, 1}}, "parts are fixed for 2 nodes, but the hypergraph has 4");
  usage({{8, 8}, {0, 1, 2, 1}}, "node 2 is fixed to part 2, but there are 2 parts");
  const auto infeasible = [&](const Balance& balance, const std::string& message) {
    expect_error(ErrorKind::infeasible, message, [&] { run(host, balance); });
  };
  infeasible({{2, 2, 2, 2}, {}}, "node 0 alone has a size of 3");
  infeasible({{3, 2, 2}, {}}, "the parts hold 7 in all, but the nodes have a size of 8");
  infeasible({{4, 5}, {0, invalid_id, 0, invalid_id}},
             "the nodes fixed to part 0 have a size of 5, above its capacity of 4");
  // What only packing could tell: three nodes of size 2 or more do not fit two parts that hold 4.
  host.node_sizes = {2, 3, 3, 0};
  infeasible({{4, 4}, {}}, "no balanced partition was found: part ");
  infeasible({{4, 4}, {}}, "the best imbalance reached is 0.25");
}

TEST(BalancedErrors, OptionsOutOfRange) {
  Options options;
  options.candidates = 0;
  expect_error(ErrorKind::usage, "candidates", [&] { run(unconnected(3), {{2, 2}, {}}, options); });
}

TEST(BalancedErrors, MemoryLimit) {
  Options options = with_fine_levels();
  options.memory_limit = 1000;
  expect_error(ErrorKind::out_of_memory, "limit of 1000", [&] {
    run(generate_network("rand:1024:6", 1), {{600, 600}, {}}, options);
  });
}

TEST(BalancedErrors, Stop) {
  const std::atomic<bool> stop{true};
  Options options = with_fine_levels();
  options.stop = &stop;
  expect_error(ErrorKind::interrupted, "interrupted", [&] {
    run(generate_network("rand:1024:6", 1), {{600, 600}, {}}, options);
  });
}

TEST(Balanced, ReportsProgress) {
  const HostHypergraph host = generate_network("rand:1024:6", 1);
  Options options = with_fine_levels();
  std::vector<std::string> phases;
  Weight last = -1;
  options.on_progress = [&](const Progress& progress) {
    if (phases.empty() || phases.back() != progress.phase) phases.emplace_back(progress.phase);
    last = progress.connectivity;
  };
  const Partition result = run(host, uniform(host, 2, 0.03), options);
  EXPECT_EQ(phases, (std::vector<std::string>{"coarsening", "search", "refinement"}));
  EXPECT_EQ(last, result.connectivity);
}

TEST(Terminals, JoinNobodyAndComeFirst) {
  const ExecutionSpace space;
  PhaseClock clock(space);
  for (const RandomHypergraph& shape : test::random_shapes())
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Hypergraph h = upload(space, random_hypergraph(shape, seed));
      const NodeId num_terminals = 1 + static_cast<NodeId>(seed % 4);
      const auto sizes = to_host(h.node_sizes);
      for (int level = 0; level < 3; ++level) {
        std::vector<PartId> labels(h.num_nodes, 0);
        for (NodeId n = 0; n < num_terminals; ++n) labels[n] = n + 1;
        const Clustering pairs = cluster_in_pairs(space, clock, h, make_rating(space, h, seed, level, 1),
                                                  {unlimited / 4, unlimited, to_device(labels)}, 4, {});
        const auto cluster_of = to_host(pairs.cluster_of);
        for (NodeId n = 0; n < num_terminals; ++n) {
          EXPECT_EQ(cluster_of[n], n);
          EXPECT_EQ(std::count(cluster_of.begin(), cluster_of.end(), n), 1);
        }
        const auto expected = reference::contract(reference::download(h), cluster_of, pairs.num_clusters);
        h = contract(space, h, pairs);
        EXPECT_EQ(reference::download(h), expected);
        const auto coarse = to_host(h.node_sizes);
        EXPECT_TRUE(std::equal(coarse.begin(), coarse.begin() + num_terminals, sizes.begin()));
      }
    }
}

}  // namespace

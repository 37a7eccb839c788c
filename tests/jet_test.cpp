// Jet and the relief of overloaded parts against their serial twin, and by what they promise.
#include "reference/jet.hpp"

#include <gtest/gtest.h>

#include <kohypar/error.hpp>

#include "refinement/jet_state.hpp"
#include "refinement/proposals.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

/// A partition whose capacities hold about all, of which some parts may be overloaded.
struct BalancedPartition {
  Hypergraph h;
  std::vector<PartId> parts;
  std::vector<Weight> capacities;
  NodeId num_terminals;
  Weight cut_weight = 0;

  [[nodiscard]] PartId num_parts() const { return static_cast<PartId>(capacities.size()); }
  [[nodiscard]] JetLimits limits() const { return {to_device(capacities), num_terminals, cut_weight}; }
  [[nodiscard]] PartitionState state() const {
    return build_state(ExecutionSpace(), h, to_device(parts), num_parts());
  }
  [[nodiscard]] reference::JetTwin twin(const reference::SetHypergraph& sets,
                                        reference::Relief relief = reference::Relief::of_few_parts) const {
    return {sets, parts, capacities, num_terminals, cut_weight, relief};
  }
};

/// @param crowd_percent how many nodes are put in part 0
BalancedPartition random_partition(const test::RandomHypergraph& shape, std::uint64_t seed,
                                   std::uint64_t crowd_percent) {
  const ExecutionSpace space;
  std::mt19937_64 random(seed);
  constexpr PartId numbers[] = {2, 3, 5, 8, 13, 16};
  const PartId num_parts = numbers[seed % 6];
  BalancedPartition in{test::random_level(space, shape, seed),
                       test::random_parts(shape.nodes, num_parts, seed),
                       {},
                       static_cast<NodeId>(seed % 3)};
  for (PartId& part : in.parts)
    if (random() % 100 < crowd_percent) part = 0;
  const Weight share = in.h.total_node_size / num_parts + 1;
  for (PartId p = 0; p < num_parts; ++p)
    in.capacities.push_back(share + static_cast<Weight>(random() % (2 + share / 4)));
  return in;
}

std::vector<reference::Move> as_list(const Moves& moves) {
  const auto nodes = to_host(moves.nodes), targets = to_host(moves.targets);
  const auto gains = to_host(moves.gains);
  std::vector<reference::Move> list;
  for (std::size_t i = 0; i < nodes.size(); ++i) list.push_back({nodes[i], targets[i], gains[i]});
  return list;
}

void expect_equal(const std::vector<reference::Move>& a, const std::vector<reference::Move>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].node, b[i].node);
    EXPECT_EQ(a[i].target, b[i].target);
    EXPECT_EQ(a[i].gain, b[i].gain);
  }
}

class Jet : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Jet, ::testing::ValuesIn(test::random_shapes()));

TEST_P(Jet, ProposesTheBestTolerableMoves) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = random_partition(GetParam(), seed, 0);
    const reference::SetHypergraph sets(in.h);
    std::set<NodeId> excluded;
    std::vector<std::uint32_t> flags(in.h.num_nodes);
    for (NodeId n = 0; n < in.h.num_nodes; ++n) {
      flags[n] = n < in.num_terminals || mix(seed, n) % 5 == 0 ? 1 : 0;
      if (flags[n] != 0) excluded.insert(n);
    }
    ProposalRules rules;
    rules.round_seed = seed;
    rules.stay_percent = static_cast<int>(seed * 25 % 101);
    rules.excluded = to_device(flags);
    expect_equal(as_list(propose_moves(space, in.h, in.state(), Limits{}, rules, {})),
                 in.twin(sets).propose_unlimited(seed, rules.stay_percent, excluded));
  }
}

TEST_P(Jet, ProposesRelief) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = random_partition(GetParam(), seed, 40);
    const reference::SetHypergraph sets(in.h);
    std::vector<std::uint32_t> flags(in.h.num_nodes);
    std::fill_n(flags.begin(), in.num_terminals, 1);
    ProposalRules rules;
    rules.allow_full_targets = false;
    rules.round_seed = seed;
    rules.capacities = to_device(in.capacities);
    rules.excluded = to_device(flags);
    rules.only_overloaded = true;
    expect_equal(as_list(propose_moves(space, in.h, in.state(), Limits{}, rules, {})),
                 in.twin(sets).propose_relief(seed));
  }
}

using MakeState = decltype(&few_parts_state);
struct Kind {
  MakeState make;
  reference::Relief relief;
};
constexpr Kind of_few_parts{few_parts_state, reference::Relief::of_few_parts};
constexpr Kind of_many_parts{many_parts_state, reference::Relief::of_many_parts};
constexpr Kind both_kinds[] = {of_few_parts, of_many_parts};

/// A state of a partition, and its parts.
struct Refined {
  DeviceView<PartId> parts;
  std::unique_ptr<JetState> state;
};

Refined state_of(const BalancedPartition& in, MakeState make, const Tuning& tuning = {}) {
  const DeviceView<PartId> parts = to_device(in.parts);
  return {parts, make(ExecutionSpace(), in.h, parts, in.limits(), tuning)};
}

/// What a state tells is what its parts say, and terminals are where they were.
void expect_sound(const BalancedPartition& in, const Refined& refined) {
  const auto parts = to_host(refined.parts);
  const reference::SetHypergraph sets(in.h);
  const reference::JetTwin twin(sets, parts, in.capacities, in.num_terminals, in.cut_weight);
  EXPECT_EQ(refined.state->result().connectivity, twin.connectivity());
  EXPECT_EQ(refined.state->result().objective, twin.objective());
  EXPECT_EQ(refined.state->result().overload, twin.overload());
  EXPECT_TRUE(std::equal(parts.begin(), parts.begin() + in.num_terminals, in.parts.begin()));
}

TEST_P(Jet, StatesKnowTheirConnectivityAndOverload) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto in = random_partition(GetParam(), seed, seed % 2 == 0 ? 0 : 40);
    for (const Kind& kind : both_kinds) expect_sound(in, state_of(in, kind.make));
  }
}

TEST_P(Jet, StatesGoBackToWhatTheyKeep) {
  for (const Kind& kind : both_kinds) {
    const auto in = random_partition(GetParam(), 4, 0);
    const Refined refined = state_of(in, kind.make);
    refined.state->keep();
    refined.state->move_once(1, 75);
    expect_sound(in, refined);
    refined.state->restore();
    EXPECT_EQ(to_host(refined.parts), in.parts);
    expect_sound(in, refined);
  }
}

TEST_P(Jet, RelievesOverloadAsItsTwinDoes) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = random_partition(GetParam(), seed, 40);
    const reference::SetHypergraph sets(in.h);
    for (const Kind& kind : both_kinds) {
      reference::JetTwin twin = in.twin(sets, kind.relief);
      const Weight before = twin.overload();
      twin.relieve(seed);
      EXPECT_LE(twin.overload(), before);
      const Refined refined = state_of(in, kind.make);
      EXPECT_EQ(refined.state->result().overload, before);
      relieve_overload(*refined.state, seed);
      EXPECT_EQ(to_host(refined.parts), twin.parts()) << "seed " << seed;
      expect_sound(in, refined);
    }
  }
}

TEST_P(Jet, RefinesAsItsTwinDoes) {
  for (const Kind& kind : both_kinds) {
    int improved = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto in = random_partition(GetParam(), seed, seed % 2 == 0 ? 0 : 40);
      const reference::SetHypergraph sets(in.h);
      reference::JetTwin twin = in.twin(sets, kind.relief);
      const Weight connectivity = twin.connectivity(), overload = twin.overload();
      twin.refine(mix(seed, 3));
      EXPECT_LE(twin.overload(), overload);
      if (overload == 0) {
        EXPECT_LE(twin.connectivity(), connectivity);
      }
      if (twin.connectivity() < connectivity) ++improved;
      Options options;
      options.seed = seed;
      const Refined refined = state_of(in, kind.make);
      refine_by_jet(*refined.state, options, 3);
      EXPECT_EQ(to_host(refined.parts), twin.parts()) << "seed " << seed;
      expect_sound(in, refined);
    }
    EXPECT_GE(improved, 2);
  }
}

TEST_P(Jet, RefinesTheCutAsItsTwinDoes) {
  int improved = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    auto in = random_partition(GetParam(), seed, seed % 2 == 0 ? 0 : 40);
    in.cut_weight = seed % 3 == 0 ? 1 : 8;
    const reference::SetHypergraph sets(in.h);
    reference::JetTwin twin = in.twin(sets);
    const Weight objective = twin.objective();
    twin.refine(mix(seed, 3));
    if (twin.objective() < objective) ++improved;
    Options options;
    options.seed = seed;
    const Refined refined = state_of(in, few_parts_state);
    refine_by_jet(*refined.state, options, 3);
    EXPECT_EQ(to_host(refined.parts), twin.parts()) << "seed " << seed;
    expect_sound(in, refined);
  }
  EXPECT_GE(improved, 2);
}

TEST_P(Jet, IsTheSameForAnyTeamAndTile) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const auto in = random_partition(GetParam(), seed, 30);
    for (const Kind& kind : both_kinds) {
      std::vector<std::vector<PartId>> results;
      for (const Tuning tuning : {Tuning{}, Tuning{1, 3}, Tuning{2, 100}}) {
        Options options;
        options.tuning = tuning;
        const Refined refined = state_of(in, kind.make, tuning);
        refine_by_jet(*refined.state, options, 0);
        results.push_back(to_host(refined.parts));
      }
      for (const auto& result : results) EXPECT_EQ(result, results[0]);
    }
  }
}

/// A path of unit nodes.
BalancedPartition path(NodeId nodes, std::vector<PartId> parts, std::vector<Weight> capacities) {
  HostHypergraph host;
  host.num_nodes = nodes;
  host.node_sizes.assign(nodes, 1);
  for (NodeId n = 0; n + 1 < nodes; ++n) {
    host.pins.insert(host.pins.end(), {n, n + 1});
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(1);
  }
  return {upload(ExecutionSpace(), host), std::move(parts), std::move(capacities), 0};
}

TEST(JetByHand, UnravelsAlternatingParts) {
  std::vector<PartId> alternating(64);
  for (NodeId n = 0; n < 64; ++n) alternating[n] = n % 2;
  const auto in = path(64, alternating, {34, 34});
  const JetResult result = refine_by_jet(ExecutionSpace(), in.h, to_device(in.parts), in.limits(), {}, 0);
  EXPECT_LE(result.connectivity, 8);
  EXPECT_EQ(result.overload, 0);
}

TEST(JetByHand, MovesTheEndOfAPathOutOfAFullPart) {
  const auto in = path(6, {0, 0, 0, 0, 1, 1}, {3, 3});
  for (const Kind& kind : both_kinds) {
    const Refined refined = state_of(in, kind.make);
    relieve_overload(*refined.state, 1);
    EXPECT_EQ(refined.state->result().overload, 0);
    EXPECT_EQ(refined.state->result().connectivity, 1);
    EXPECT_EQ(to_host(refined.parts), (std::vector<PartId>{0, 0, 0, 1, 1, 1}));
  }
}

/// Random edges, and hyperedges too long for one thread that have all pins, or all but one, in one part.
BalancedPartition long_hyperedges(std::uint64_t seed) {
  constexpr NodeId nodes = 120, in_first = 60;
  std::mt19937_64 random(seed);
  HostHypergraph host;
  host.num_nodes = nodes;
  host.node_sizes.assign(nodes, 1);
  const auto add = [&](const std::set<NodeId>& pins) {
    host.pins.insert(host.pins.end(), pins.begin(), pins.end());
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(1 + static_cast<Weight>(random() % 3));
  };
  for (int i = 0; i < 360; ++i) {
    const auto a = static_cast<NodeId>(random() % nodes), b = static_cast<NodeId>(random() % nodes);
    if (a != b) add({a, b});
  }
  std::vector<PartId> parts(nodes, 0);
  for (NodeId n = in_first; n < nodes; ++n) parts[n] = 1 + n % 2;
  for (int i = 0; i < 8; ++i) {
    std::set<NodeId> pins;
    while (pins.size() < 40) pins.insert(static_cast<NodeId>(random() % in_first));
    if (i % 2 != 0) pins.insert(static_cast<NodeId>(in_first + random() % (nodes - in_first)));
    add(pins);
  }
  return {upload(ExecutionSpace(), host), parts, {70, 40, 40}, 0};
}

TEST(JetByHand, LongHyperedgesAsItsTwin) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    auto in = long_hyperedges(seed);
    in.cut_weight = seed % 3 == 2 ? 8 : 0;
    const reference::SetHypergraph sets(in.h);
    Options options;
    options.seed = seed;
    std::vector<Kind> kinds = {of_few_parts};
    if (in.cut_weight == 0) kinds.push_back(of_many_parts);
    for (const Kind& kind : kinds) {
      reference::JetTwin twin = in.twin(sets, kind.relief);
      twin.refine(mix(seed, 0));
      for (const Tuning tuning : {Tuning{}, Tuning{2, 100}}) {
        const Refined refined = state_of(in, kind.make, tuning);
        refine_by_jet(*refined.state, options, 0);
        EXPECT_EQ(to_host(refined.parts), twin.parts()) << "seed " << seed;
        expect_sound(in, refined);
      }
    }
  }
}

TEST(JetByHand, StopsOnRequest) {
  const auto in = path(6, {0, 1, 0, 1, 0, 1}, {3, 3});
  const std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  try {
    refine_by_jet(ExecutionSpace(), in.h, to_device(in.parts), in.limits(), options, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(JetByHand, RanksLossesBySize) {
  EXPECT_EQ(rank_of_relief(0, 1), num_relief_ranks / 2);
  EXPECT_LT(rank_of_relief(9, 1), rank_of_relief(1, 5));
  EXPECT_LT(rank_of_relief(1, 1), rank_of_relief(-1, 1));
  EXPECT_LT(rank_of_relief(-3, 3), rank_of_relief(-3, 2));
  EXPECT_EQ(rank_of_relief(-2, 2), rank_of_relief(-1, 1));
  EXPECT_EQ(rank_of_relief(-4097, 1), rank_of_relief(-4096, 1));
  std::uint32_t last = 0;
  for (int bits = 61; bits >= 0; --bits) {
    const std::uint32_t rank = rank_of_relief(Weight{1} << bits, 1);
    EXPECT_GT(rank, last);
    last = rank;
  }
  for (int bits = 0; bits < 53; ++bits) {
    const std::uint32_t rank = rank_of_relief(-(Weight{1} << bits), 1);
    EXPECT_GT(rank, last);
    last = rank;
  }
  EXPECT_LT(rank_of_relief(-max_total_weight, 1), num_relief_ranks);
}

}  // namespace

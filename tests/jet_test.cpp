// Jet and the relief of overloaded parts against their serial twin, and by what they promise.
#include "refinement/jet.hpp"

#include <gtest/gtest.h>

#include <kohypar/error.hpp>

#include "reference/jet.hpp"
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

  [[nodiscard]] PartId num_parts() const { return static_cast<PartId>(capacities.size()); }
  [[nodiscard]] JetLimits limits() const { return {to_device(capacities), num_terminals}; }
  [[nodiscard]] PartitionState state() const {
    return build_state(ExecutionSpace(), h, to_device(parts), num_parts());
  }
  [[nodiscard]] reference::JetTwin twin(const reference::SetHypergraph& sets) const {
    return {sets, parts, capacities, num_terminals};
  }
};

/// @param crowd_percent how many nodes are put in part 0
BalancedPartition random_partition(const test::RandomHypergraph& shape, std::uint64_t seed,
                                   std::uint64_t crowd_percent) {
  const ExecutionSpace space;
  std::mt19937_64 random(seed);
  const PartId num_parts = 2 + static_cast<PartId>(seed % 5);
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

/// What a state tracks is what its parts say, and terminals are where they were.
void expect_sound(const BalancedPartition& in, const PartitionState& state) {
  const auto parts = to_host(state.parts);
  const auto fresh = reference::count_state(reference::SetHypergraph(in.h), parts, in.num_parts());
  EXPECT_EQ(state.connectivity, fresh.connectivity);
  EXPECT_EQ(to_host(state.sizes), fresh.sizes);
  EXPECT_TRUE(std::equal(parts.begin(), parts.begin() + in.num_terminals, in.parts.begin()));
}

TEST_P(Jet, RelievesOverloadAsItsTwinDoes) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = random_partition(GetParam(), seed, 40);
    const reference::SetHypergraph sets(in.h);
    PartitionState state = in.state();
    const JetLimits limits = in.limits();
    const Weight before = overload_of(space, state, limits.capacities);
    reference::JetTwin twin = in.twin(sets);
    EXPECT_EQ(before, twin.overload());
    relieve_overload(space, in.h, state, limits, seed, {});
    twin.relieve(seed);
    EXPECT_EQ(to_host(state.parts), twin.parts()) << "seed " << seed;
    const Weight after = overload_of(space, state, limits.capacities);
    EXPECT_EQ(after, twin.overload());
    EXPECT_LE(after, before);
    expect_sound(in, state);
  }
}

TEST_P(Jet, RefinesAsItsTwinDoes) {
  const ExecutionSpace space;
  int improved = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto in = random_partition(GetParam(), seed, seed % 2 == 0 ? 0 : 40);
    const reference::SetHypergraph sets(in.h);
    PartitionState state = in.state();
    const Weight connectivity = state.connectivity;
    const Weight overload = in.twin(sets).overload();
    Options options;
    options.seed = seed;
    refine_by_jet(space, in.h, state, in.limits(), options, 3);
    expect_sound(in, state);
    const Weight after = overload_of(space, state, in.limits().capacities);
    EXPECT_LE(after, overload);
    if (overload == 0) {
      EXPECT_LE(state.connectivity, connectivity);
    }
    if (state.connectivity < connectivity) ++improved;
    reference::JetTwin twin = in.twin(sets);
    twin.refine(mix(seed, 3));
    EXPECT_EQ(to_host(state.parts), twin.parts()) << "seed " << seed;
  }
  EXPECT_GE(improved, 2);
}

TEST_P(Jet, IsTheSameForAnyTeamAndTile) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const auto in = random_partition(GetParam(), seed, 30);
    std::vector<std::vector<PartId>> results;
    for (const Tuning tuning : {Tuning{}, Tuning{1, 3}, Tuning{2, 100}}) {
      Options options;
      options.tuning = tuning;
      PartitionState state = in.state();
      refine_by_jet(space, in.h, state, in.limits(), options, 0);
      results.push_back(to_host(state.parts));
    }
    EXPECT_EQ(results[1], results[0]);
    EXPECT_EQ(results[2], results[0]);
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
  const ExecutionSpace space;
  std::vector<PartId> alternating(64);
  for (NodeId n = 0; n < 64; ++n) alternating[n] = n % 2;
  const auto in = path(64, alternating, {34, 34});
  PartitionState state = in.state();
  ASSERT_EQ(state.connectivity, 63);
  refine_by_jet(space, in.h, state, in.limits(), {}, 0);
  EXPECT_LE(state.connectivity, 8);
  EXPECT_EQ(overload_of(space, state, in.limits().capacities), 0);
}

TEST(JetByHand, MovesTheEndOfAPathOutOfAFullPart) {
  const ExecutionSpace space;
  const auto in = path(6, {0, 0, 0, 0, 1, 1}, {3, 3});
  PartitionState state = in.state();
  relieve_overload(space, in.h, state, in.limits(), 1, {});
  EXPECT_EQ(to_host(state.parts), (std::vector<PartId>{0, 0, 0, 1, 1, 1}));
}

TEST(JetByHand, StopsOnRequest) {
  const auto in = path(6, {0, 1, 0, 1, 0, 1}, {3, 3});
  const std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  PartitionState state = in.state();
  try {
    refine_by_jet(ExecutionSpace(), in.h, state, in.limits(), options, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

}  // namespace

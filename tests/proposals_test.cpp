// Proposed moves against trying every part.
#include "refinement/proposals.hpp"

#include <gtest/gtest.h>

#include "reference/partition_state.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class Proposals : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Proposals, ::testing::ValuesIn(test::random_shapes()));

TEST_P(Proposals, AreTheBestMovesOfEveryNode) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    const auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const reference::SetHypergraph sets(in.h);
    const ProposalRules rules{seed % 2 == 0, static_cast<int>(seed * 25 % 100), seed};
    const Moves moves = propose_moves(space, in.h, state, in.limits, rules, {});
    const auto nodes = to_host(moves.nodes), targets = to_host(moves.targets);
    const auto gains = to_host(moves.gains);
    std::size_t next = 0;
    for (NodeId n = 0; n < in.h.num_nodes; n += 1 + in.h.num_nodes / 50) {
      const auto expected =
          reference::propose(sets, in.parts, in.num_parts, n, in.limits, !rules.allow_full_targets,
                             rules.loss_percent, rules.round_seed);
      while (next < nodes.size() && nodes[next] < n) ++next;
      const bool proposed = next < nodes.size() && nodes[next] == n;
      ASSERT_EQ(proposed, expected.target != invalid_id) << "node " << n << " seed " << seed;
      if (!proposed) continue;
      EXPECT_EQ(targets[next], expected.target);
      EXPECT_EQ(gains[next], expected.gain);
    }
    EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
  }
}

TEST_P(Proposals, AreTheSameForAnyTeamAndTile) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    const auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const ProposalRules rules{seed % 2 == 0, 50, seed};
    const Moves expected = propose_moves(space, in.h, state, in.limits, rules, {});
    for (const int team_size : {0, 1, 2}) {
      for (const std::uint32_t tile_size : {1u, 2u, 5u, 64u, 1000u}) {
        const Moves moves = propose_moves(space, in.h, state, in.limits, rules, {team_size, tile_size});
        ASSERT_EQ(to_host(moves.nodes), to_host(expected.nodes));
        ASSERT_EQ(to_host(moves.targets), to_host(expected.targets));
        ASSERT_EQ(to_host(moves.gains), to_host(expected.gains));
      }
    }
  }
}

}  // namespace

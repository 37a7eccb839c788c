// Coloured rounds against the same on sets, everything recounted after each colour.
#include "refinement/colored_round.hpp"

#include <gtest/gtest.h>

#include "reference/coloring.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class ColoredRound : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, ColoredRound, ::testing::ValuesIn(test::random_shapes()));

ScoreTerms random_terms(const Limits& limits, std::uint64_t seed) {
  if (seed % 3 == 0) return {};
  const Weight below_limit = limits.max_size == unlimited ? 0 : static_cast<Weight>(seed % 4);
  return {limits.max_size - below_limit, static_cast<Weight>(seed % 5), static_cast<Weight>(seed % 2)};
}

void expect_application(const test::LimitedPartition& in, const Moves& moves,
                        const std::vector<std::uint32_t>& colors, const ScoreTerms& terms) {
  const ExecutionSpace space;
  const reference::SetHypergraph sets(in.h);
  reference::ColoredRefinement expected{sets, in.limits, terms, in.parts, in.num_parts};
  const auto nodes = to_host(moves.nodes), targets = to_host(moves.targets);
  for (std::uint32_t color = 0; color < max_colors; ++color) {
    std::vector<NodeId> color_nodes;
    std::vector<PartId> color_targets;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (colors[i] != color) continue;
      color_nodes.push_back(nodes[i]);
      color_targets.push_back(targets[i]);
    }
    expected.apply(color_nodes, color_targets);
  }
  for (const int team_size : {0, 2}) {
    auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const bool changed =
        apply_by_color(space, in.h, state, in.limits, terms, moves, to_device(colors), {team_size, 0});
    ASSERT_EQ(to_host(state.parts), expected.parts);
    EXPECT_TRUE(changed || to_host(state.parts) == in.parts);
  }
}

TEST_P(ColoredRound, AppliesRandomMovesOfProperColors) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    if (in.num_parts < 2) continue;
    const auto moves = test::random_moves(in.parts, in.num_parts, seed);
    const auto colors = to_host(color_moves(space, in.h, moves, {}, {}));
    expect_application(in, moves, colors, random_terms(in.limits, seed));
  }
}

TEST_P(ColoredRound, AppliesProposalsOfColorsThatConflict) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    const auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const auto terms = random_terms(in.limits, seed);
    const ProposalRules rules{seed % 2 == 0, 50, seed, terms};
    const auto moves = by_priority(space, propose_moves(space, in.h, state, in.limits, rules, {}), seed);
    const auto colors = to_host(color_moves(space, in.h, moves, {2, 64}, {}));
    expect_application(in, moves, colors, terms);
  }
}

TEST_P(ColoredRound, NeverLosesWithoutTerms) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const auto violations = [&] {
      return reference::count_violations(
          reference::count_state(reference::SetHypergraph(in.h), to_host(state.parts), in.num_parts),
          in.limits);
    };
    const std::size_t violations_before = violations();
    for (std::uint64_t round = 0; round < 4; ++round) {
      const Weight before = state.connectivity;
      run_colored_round(space, in.h, state, in.limits, {false, 50, mix(seed, round)}, {4, 8}, {});
      EXPECT_LE(violations(), violations_before);
      if (violations_before == 0) {
        EXPECT_LE(state.connectivity, before);
      }
    }
  }
}

}  // namespace

// Whole refinements: limits, connectivity and the tracked state, recounted by sets.
#include "refinement/refine.hpp"

#include <gtest/gtest.h>

#include <kohypar/error.hpp>

#include "reference/partition_state.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class Refine : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Refine, ::testing::ValuesIn(test::random_shapes()));

PartitionState refined(const test::LimitedPartition& in, const Options& options) {
  const ExecutionSpace space;
  auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
  refine(space, in.h, state, in.limits, options, 0);
  return state;
}

TEST_P(Refine, NeverWorsensAndKeepsLimits) {
  const ExecutionSpace space;
  std::size_t improved = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    const auto state = refined(in, {});
    const reference::SetHypergraph sets(in.h);
    const auto before = reference::count_state(sets, in.parts, in.num_parts);
    const auto after = reference::count_state(sets, to_host(state.parts), state.num_parts);
    EXPECT_EQ(state.connectivity, after.connectivity);
    EXPECT_EQ(to_host(state.sizes), after.sizes);
    EXPECT_EQ(to_host(state.inbound), after.inbound);
    const auto violations = reference::count_violations(before, in.limits);
    EXPECT_LE(reference::count_violations(after, in.limits), violations);
    if (violations == 0) {
      EXPECT_LE(after.connectivity, before.connectivity);
    }
    if (after.connectivity < before.connectivity) ++improved;
    const auto parts = to_host(state.parts);
    EXPECT_EQ(std::set<PartId>(parts.begin(), parts.end()).size(), state.num_parts);
  }
  EXPECT_GE(improved, 3u);
}

TEST_P(Refine, IsTheSameForAnyTeamAndTile) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    const auto expected = to_host(refined(in, {}).parts);
    for (const auto& [team_size, tile_size] : {std::pair{1, 3u}, std::pair{2, 1u}, std::pair{2, 100u}}) {
      Options options;
      options.tuning = {team_size, tile_size};
      EXPECT_EQ(to_host(refined(in, options).parts), expected);
    }
  }
}

TEST_P(Refine, KeepsLimitsWithLittleMemory) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    Options options;
    options.memory_limit = 1;
    const auto state = refined(in, options);
    const auto after =
        reference::count_state(reference::SetHypergraph(in.h), to_host(state.parts), state.num_parts);
    EXPECT_EQ(state.connectivity, after.connectivity);
  }
}

TEST(RefineOne, RepairsAViolatedLimit) {
  // Two pairs of nodes; the first part has one node too many.
  HostHypergraph host;
  host.num_nodes = 4;
  host.node_sizes = {1, 1, 1, 1};
  host.hyperedge_offsets = {0, 2, 4, 6};
  host.pins = {0, 1, 2, 3, 1, 2};
  host.source_counts = {0, 0, 0};
  host.hyperedge_weights = {5, 5, 1};
  const ExecutionSpace space;
  const auto h = upload(space, host);
  auto state = build_state(space, h, to_device(std::vector<PartId>{0, 0, 0, 1}), 2);
  refine(space, h, state, {.max_size = 2}, {}, 0);
  EXPECT_EQ(to_host(state.parts), (std::vector<PartId>{0, 0, 1, 1}));
  EXPECT_EQ(state.connectivity, 1);
}

TEST(RefineOne, StopsOnRequest) {
  const ExecutionSpace space;
  const auto in = test::random_limited_partition(space, {}, 3);
  const std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  try {
    refined(in, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

}  // namespace

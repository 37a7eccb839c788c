// Part-pin lists and partition states against counting by sets.
#include "reference/partition_state.hpp"

#include <gtest/gtest.h>

#include "refinement/state.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

void expect_equal(const Hypergraph& h, const PartitionState& state, const reference::SetState& expected) {
  EXPECT_EQ(state.connectivity, expected.connectivity);
  EXPECT_EQ(to_host(state.sizes), expected.sizes);
  EXPECT_EQ(to_host(state.inbound), expected.inbound);
  const auto offsets = to_host(h.hyperedge_offsets);
  const auto parts = to_host(state.part_pins.parts);
  const auto pins = to_host(state.part_pins.pins);
  const auto destination_pins = to_host(state.part_pins.destination_pins);
  const auto lambda = to_host(state.part_pins.lambda);
  for (HyperedgeId e = 0; e < h.num_hyperedges; ++e) {
    ASSERT_EQ(lambda[e], expected.lists[e].size());
    PinOffset i = offsets[e];
    for (const auto& [part, count] : expected.lists[e]) {
      EXPECT_EQ(parts[i], part);
      EXPECT_EQ(pins[i], count.pins);
      EXPECT_EQ(destination_pins[i], count.destination_pins);
      ++i;
    }
  }
}

class State : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, State, ::testing::ValuesIn(test::random_shapes()));

TEST_P(State, CountsWhatSetsCount) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto h = test::random_level(space, GetParam(), seed);
    const PartId num_parts = 1 + seed % 7;
    const auto parts = test::random_parts(h.num_nodes, num_parts, seed);
    expect_equal(h, build_state(space, h, to_device(parts), num_parts),
                 reference::count_state(reference::SetHypergraph(h), parts, num_parts));
  }
}

TEST_P(State, CountsTheSameInBatches) {
  const ExecutionSpace space;
  for (const PinOffset batch_pins : {1, 100, 777}) {
    const auto h = test::random_level(space, GetParam(), batch_pins);
    const auto parts = test::random_parts(h.num_nodes, 5, 1);
    auto state = build_state(space, h, to_device(parts), 5);
    state.part_pins = build_part_pins(space, h, state.parts, 5, batch_pins);
    expect_equal(h, state, reference::count_state(reference::SetHypergraph(h), parts, 5));
  }
}

TEST_P(State, AppliesAnyNumberOfMovesIncrementally) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto h = test::random_level(space, GetParam(), seed);
    const PartId num_parts = 2 + seed % 7;
    auto parts = test::random_parts(h.num_nodes, num_parts, seed);
    auto state = build_state(space, h, to_device(parts), num_parts);
    const reference::SetHypergraph sets(h);
    for (std::uint64_t step = 0; step < 4; ++step) {
      const auto moves = test::random_moves(parts, num_parts, 100 * seed + step);
      const std::size_t count = moves.size() / (1 + step % 2);
      apply_moves(space, h, moves, count, state);
      const auto nodes = to_host(moves.nodes), targets = to_host(moves.targets);
      for (std::size_t i = 0; i < count; ++i) parts[nodes[i]] = targets[i];
      EXPECT_EQ(to_host(state.parts), parts);
      expect_equal(h, state, reference::count_state(sets, parts, num_parts));
    }
  }
}

TEST_P(State, DropsEmptyPartsInOrder) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto h = test::random_level(space, GetParam(), seed);
    auto parts = test::random_parts(h.num_nodes, 9, seed);
    for (auto& part : parts) part = part / 3 * 3 + 1;  // parts 1, 4 and 7 only
    auto state = build_state(space, h, to_device(parts), 9);
    drop_empty_parts(space, h, state);
    std::set<PartId> used(parts.begin(), parts.end());
    for (auto& part : parts) part = static_cast<PartId>(std::distance(used.begin(), used.find(part)));
    EXPECT_EQ(state.num_parts, used.size());
    EXPECT_EQ(to_host(state.parts), parts);
    expect_equal(h, state, reference::count_state(reference::SetHypergraph(h), parts, state.num_parts));
  }
}

TEST(StateOf, NothingAtAll) {
  const ExecutionSpace space;
  const auto h = upload(space, HostHypergraph{});
  auto state = build_state(space, h, DeviceView<PartId>("parts", 0), 0);
  drop_empty_parts(space, h, state);
  EXPECT_EQ(state.num_parts, 0u);
  EXPECT_EQ(state.connectivity, 0);
}

}  // namespace

// Greedy admission in parallel against one move after the other.
#include "refinement/admission.hpp"

#include <gtest/gtest.h>

#include "reference/partition_state.hpp"
#include "refinement/proposals.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class Admission : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Admission, ::testing::ValuesIn(test::random_shapes()));

void expect_admission(const test::LimitedPartition& in, const Moves& sequence) {
  const ExecutionSpace space;
  const auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
  const auto expected =
      reference::admit(reference::SetHypergraph(in.h), in.parts, in.num_parts, to_host(sequence.nodes),
                       to_host(sequence.targets), to_host(sequence.gains), in.limits);
  for (const std::uint32_t chunk_size : {1u, 3u, 16u, 1000u}) {
    const Moves admitted = admit_moves(space, in.h, state, sequence, in.limits, chunk_size);
    EXPECT_EQ(to_host(admitted.nodes), expected.nodes);
    EXPECT_EQ(to_host(admitted.targets), expected.targets);
    EXPECT_EQ(to_host(admitted.gains), expected.gains);
  }
}

TEST_P(Admission, EqualsOneMoveAfterTheOther) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    if (in.num_parts < 2) continue;
    // What a proposal promised, from "any gain will do" to "only better than nothing".
    const auto moves = test::random_moves(in.parts, in.num_parts, seed);
    std::mt19937_64 random(seed);
    std::vector<Weight> promised(moves.size());
    for (auto& gain : promised) gain = static_cast<Weight>(random() % 20) - 15;
    expect_admission(in, {moves.nodes, moves.targets, to_device(promised)});
  }
}

TEST_P(Admission, EqualsOneMoveAfterTheOtherForProposals) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    const auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    expect_admission(in, propose_moves(space, in.h, state, in.limits, {seed % 2 == 0, 50, seed}, {}));
  }
}

}  // namespace

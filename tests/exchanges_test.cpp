// Exchanges in groups against trying everything, one change after the other.
#include "refinement/exchanges.hpp"

#include <gtest/gtest.h>

#include "reference/exchanges.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class Exchanges : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Exchanges, ::testing::ValuesIn(test::random_shapes()));

TEST_P(Exchanges, AreTheBestOfEveryTurn) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const ExchangeRules rules{static_cast<PartId>(2 + seed % 4), static_cast<PartId>(seed % 2),
                              static_cast<int>(1 + seed % 3), static_cast<int>(1 + seed % 2)};
    const Weight before = state.connectivity;
    const Weight gain = exchange_in_groups(space, in.h, state, in.limits, rules);
    const auto parts = to_host(state.parts);
    ASSERT_EQ(parts, reference::exchange_in_groups(reference::SetHypergraph(in.h), in.parts, in.num_parts,
                                                   in.limits, rules))
        << "seed " << seed;
    const auto fresh = build_state(space, in.h, to_device(parts), in.num_parts);
    EXPECT_EQ(state.connectivity, fresh.connectivity);
    EXPECT_EQ(state.connectivity, before - gain);
    EXPECT_EQ(to_host(state.sizes), to_host(fresh.sizes));
    EXPECT_EQ(to_host(state.inbound), to_host(fresh.inbound));
    EXPECT_EQ(to_host(state.part_pins.lambda), to_host(fresh.part_pins.lambda));
  }
}

}  // namespace

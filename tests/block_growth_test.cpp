// Growth in blocks against its twin.
#include "initial/block_growth.hpp"

#include <gtest/gtest.h>

#include "reference/growth.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_host;

class BlockGrowth : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, BlockGrowth, ::testing::ValuesIn(test::random_shapes()));

TEST_P(BlockGrowth, TakesTheMostAttractedNodeThatFits) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Hypergraph h = test::random_level(space, GetParam(), seed);
    const reference::SetHypergraph sets(h);
    for (const Limits& limits :
         {Limits{.max_size = 5}, Limits{.max_size = 12, .max_inbound = 30}, Limits{.max_inbound = 60}}) {
      for (const NodeId block_size : {7u, 64u, largest_growth_block}) {
        const GrownParts grown = grow_in_blocks(space, h, limits, block_size);
        const auto parts = to_host(grown.parts);
        ASSERT_EQ(parts, reference::BlockGrowth(sets, limits).run(block_size))
            << "seed " << seed << ", blocks of " << block_size;
        EXPECT_EQ(grown.num_parts, *std::max_element(parts.begin(), parts.end()) + 1);
      }
    }
  }
}

TEST(BlockGrowth, NeedsSmallParts) {
  const ExecutionSpace space;
  const auto h = test::random_level(space, {.nodes = 1000, .hyperedges = 500, .max_pins = 4}, 1);
  const NodeId block = growth_block(space, h, {.max_size = 10});
  EXPECT_GE(block, 400u);
  EXPECT_LE(block, 1024u);
  EXPECT_EQ(growth_block(space, h, {.max_size = 100}), 0u);
  EXPECT_EQ(growth_block(space, h, {}), 0u);
}

}  // namespace

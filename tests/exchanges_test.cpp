// Exchanges in groups against trying everything, one change after the other; rounds of them.
#include "refinement/exchanges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <kohypar/io.hpp>

#include "initial/starts.hpp"
#include "reference/exchanges.hpp"
#include "refinement/annealing.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class RandomExchanges : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, RandomExchanges, ::testing::ValuesIn(test::random_shapes()));

TEST_P(RandomExchanges, AreTheBestOfEveryTurn) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
    const ExchangeRules rules{.parts_per_group = static_cast<PartId>(2 + seed % 4),
                              .shift = static_cast<PartId>(seed % 2),
                              .targets = static_cast<int>(1 + seed % 4),
                              .sweeps = static_cast<int>(1 + seed % 2),
                              .temperature = static_cast<Weight>(seed % 3 * seed * 4096),
                              .cooling = 700,
                              .seed = seed};
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
  }
}

/// Compares with the twin, also where lists of only one group fit at a time.
void expect_as_reference(const Hypergraph& h, const std::vector<PartId>& parts, PartId num_parts,
                         const Limits& limits, ExchangeRules rules) {
  const ExecutionSpace space;
  const auto expected =
      reference::exchange_in_groups(reference::SetHypergraph(h), parts, num_parts, limits, rules);
  EXPECT_NE(expected, parts);
  for (const std::uint64_t list_bytes : {0, 1}) {
    rules.list_bytes = list_bytes;
    auto state = build_state(space, h, to_device(parts), num_parts);
    exchange_in_groups(space, h, state, limits, rules);
    EXPECT_EQ(to_host(state.parts), expected) << "list bytes " << list_bytes;
  }
}

TEST(Exchanges, AreTheBestInLargeGroups) {
  const auto h = test::random_level(ExecutionSpace(), {.nodes = 150, .hyperedges = 120, .max_pins = 8}, 1);
  const auto parts = test::random_parts(150, 100, 1);
  expect_as_reference(h, parts, 100, {.max_size = 3, .max_inbound = 12},
                      {.parts_per_group = max_parts_per_group, .temperature = 4096, .seed = 1});
  expect_as_reference(h, parts, 100, {.max_size = 3, .max_inbound = 12},
                      {.parts_per_group = 8, .shift = 3, .temperature = 4096, .seed = 1});
}

TEST(Exchanges, AreTheBestBesideANodeOfManyHyperedges) {
  HostHypergraph host;
  host.num_nodes = 12;
  for (NodeId e = 0; e < 2500; ++e) {  // each of node 0 and one or two others
    host.pins.push_back(0);
    host.pins.push_back(1 + e % 11);
    if (e % 3 == 0 && e % 11 < 10) host.pins.push_back(2 + e % 11);
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(1 + e % 5);
  }
  host.node_sizes.assign(12, 1);
  const ExecutionSpace space;
  expect_as_reference(upload(space, host), {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, 4, {.max_size = 4},
                      {.parts_per_group = 4, .temperature = 100 * 4096, .seed = 1});
}

TEST_P(RandomExchanges, AnnealedLeaveAValidStateThatIsNoWorse) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam(), seed);
    for (const Effort effort : {Effort::fast, Effort::standard}) {
      auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
      const Weight before = state.connectivity;
      int rounds = 0;
      anneal(space, in.h, state, in.limits, effort, seed, [&] { ++rounds; });
      EXPECT_GT(rounds, 0);
      EXPECT_LE(state.connectivity, before);
      const auto parts = to_host(state.parts);
      const auto fresh = build_state(space, in.h, to_device(parts), state.num_parts);
      EXPECT_EQ(state.connectivity, fresh.connectivity);
      EXPECT_EQ(to_host(state.sizes), to_host(fresh.sizes));
      EXPECT_EQ(to_host(state.inbound), to_host(fresh.inbound));
      EXPECT_EQ(to_host(state.part_pins.lambda), to_host(fresh.part_pins.lambda));
      const auto was_valid = [&](const auto& use, Weight limit) {
        return std::all_of(use.begin(), use.end(), [&](Weight x) { return x <= limit; });
      };
      const auto at_first = reference::count_state(reference::SetHypergraph(in.h), in.parts, in.num_parts);
      if (was_valid(at_first.sizes, in.limits.max_size) &&
          was_valid(at_first.inbound, in.limits.max_inbound)) {
        EXPECT_TRUE(was_valid(to_host(state.sizes), in.limits.max_size));
        EXPECT_TRUE(was_valid(to_host(state.inbound), in.limits.max_inbound));
      }
    }
  }
}

TEST(Annealing, IsBetterThanColdAndGoldenOnEveryBackend) {
  const ExecutionSpace space;
  const Hypergraph h = upload(space, generate_network("rand:2048:48", 1));
  const Limits limits{.max_size = 256, .max_inbound = 900};
  const Start start = fill_in_order(copy_to_host(space, h), limits);
  const auto anneal_by = [&](Effort effort) {
    auto state = build_state(space, h, to_device(start.parts), start.num_parts);
    anneal(space, h, state, limits, effort, 1, [] {});
    return state;
  };
  const auto cold = anneal_by(Effort::fast), annealed = anneal_by(Effort::standard);
  EXPECT_GT(start.num_parts, 48u);  // several groups
  EXPECT_LT(annealed.connectivity, cold.connectivity);
  // To record a new value after a change of the algorithm, copy what this prints.
  EXPECT_EQ(test::fingerprint(to_host(annealed.parts)), 4852125233901922053u);
}

TEST(ExchangeNoise, HalvesInFrequencyWithEachTemperature) {
  constexpr Weight weight = 1 << 20, temperature = 4096 * weight;
  constexpr int draws = 1 << 16;
  int above[4] = {}, above_small = 0;
  for (int i = 0; i < draws; ++i) {
    const auto node = static_cast<NodeId>(i);
    const Weight noise = exchange_noise(temperature, 1, node, stay_option());
    ASSERT_GT(noise, 0);
    for (int level = 0; level < 4; ++level) above[level] += noise >= level * weight ? 1 : 0;
    above_small += exchange_noise(2048, 1, node, stay_option()) >= 1 ? 1 : 0;  // half a weight
  }
  for (int level = 0; level < 4; ++level)  // six standard deviations
    EXPECT_NEAR(above[level], draws >> level, 6 * std::sqrt(draws / 4));
  EXPECT_NEAR(above_small, draws / 4, 6 * std::sqrt(draws / 4));
  EXPECT_GT(exchange_noise(max_temperature, 1, 1, stay_option()), 0);
  EXPECT_EQ(exchange_noise(0, 1, 1, stay_option()), 0);
}

}  // namespace

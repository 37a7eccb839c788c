// Host hypergraphs: invariants, repairs against sets, and real weights as integers.
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "hypergraph/host.hpp"
#include "io_support.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::error_of;
using test::random_hypergraph;

TEST(Validate, AcceptsRandomHypergraphs) {
  for (const auto& shape : test::random_shapes())
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      EXPECT_NO_THROW(validate(random_hypergraph(shape, seed), "h"));
}

TEST(Validate, NamesTheViolatedInvariant) {
  // Hyperedges: {0} -> {1, 2} and {2} -> {0, 1, 3}.
  const auto violated = [](const std::function<void(HostHypergraph&)>& change) {
    HostHypergraph h;
    h.num_nodes = 4;
    h.directed = true;
    h.hyperedge_offsets = {0, 3, 7};
    h.pins = {0, 1, 2, 2, 0, 1, 3};
    h.source_counts = {1, 1};
    h.hyperedge_weights = {1, 1};
    h.node_sizes = {1, 1, 1, 1};
    validate(h, "h");
    change(h);
    return error_of(ErrorKind::input, [&] { validate(h, "h"); });
  };
  EXPECT_EQ(violated([](auto& h) { h.pins[6] = 4; }), "h: hyperedge 1 has node 4 of 4 as a pin");
  EXPECT_EQ(violated([](auto& h) { h.pins[6] = 1; }),
            "h: hyperedge 1 has pins that are not ascending or repeated");
  EXPECT_EQ(violated([](auto& h) { h.pins[0] = 2; }), "h: hyperedge 0 has node 2 as source and destination");
  EXPECT_EQ(violated([](auto& h) { h.directed = false; }),
            "h: hyperedge 0 has sources in an undirected hypergraph");
  EXPECT_EQ(violated([](auto& h) { h.source_counts[1] = 5; }), "h: hyperedge 1 has more sources than pins");
  EXPECT_EQ(violated([](auto& h) { h.hyperedge_offsets[1] = 0; }), "h: hyperedge 0 has no pins");
  EXPECT_EQ(violated([](auto& h) { h.hyperedge_offsets[0] = 1; }), "h: hyperedge offsets must start with 0");
  EXPECT_EQ(violated([](auto& h) { h.pins.push_back(1); }),
            "h: the last hyperedge offset must be the number of pins");
  EXPECT_EQ(violated([](auto& h) { h.node_sizes.pop_back(); }),
            "h: node sizes must be one for each of 4 nodes");
  EXPECT_EQ(violated([](auto& h) { h.hyperedge_weights[1] = -2; }), "h: the weight of hyperedge 1 is -2");
  EXPECT_EQ(violated([](auto& h) { h.node_sizes[3] = -1; }), "h: the weight of node 3 is -1");
  EXPECT_EQ(
      violated([](auto& h) { h.hyperedge_weights[1] = max_total_weight / 4; }),
      "h: hyperedge weights are too large: the sum of weight times cardinality reaches 2^61 at hyperedge 1");
  EXPECT_EQ(violated([](auto& h) { h.node_sizes[2] = max_total_weight; }),
            "h: node weights are too large: their sum reaches 2^61 at node 2");
}

/// Pins in any order, with repetitions, also of sources among the destinations.
HostHypergraph untidy_hypergraph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  HostHypergraph h;
  h.num_nodes = 30;
  h.directed = true;
  for (HyperedgeId e = 0; e < 50; ++e) {
    const auto pins = 1 + random() % 12;
    for (std::uint64_t i = 0; i < pins; ++i) h.pins.push_back(static_cast<NodeId>(random() % h.num_nodes));
    h.hyperedge_offsets.push_back(h.pins.size());
    h.source_counts.push_back(static_cast<std::uint32_t>(random() % (pins + 1)));
    h.hyperedge_weights.push_back(1);
  }
  h.node_sizes.assign(h.num_nodes, 1);
  return h;
}

TEST(NormalizePins, EqualsSetArithmetic) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const HostHypergraph untidy = untidy_hypergraph(seed);
    HostHypergraph tidy = untidy;
    const PinRepairs repairs = normalize_pins(tidy, {.count = 2, .chunk = 1 + seed % 60});
    validate(tidy, "tidy");
    std::uint64_t also_destinations = 0;
    for (HyperedgeId e = 0; e < untidy.num_hyperedges(); ++e) {
      const NodeId* const first = untidy.pins.data() + untidy.hyperedge_offsets[e];
      const NodeId* const middle = first + untidy.source_counts[e];
      std::set<NodeId> sources(first, middle);
      const std::set<NodeId> destinations(middle, untidy.pins.data() + untidy.hyperedge_offsets[e + 1]);
      also_destinations += std::erase_if(sources, [&](NodeId n) { return destinations.contains(n); });
      std::vector<NodeId> expected(sources.begin(), sources.end());
      expected.insert(expected.end(), destinations.begin(), destinations.end());
      ASSERT_EQ(tidy.source_counts[e], sources.size());
      ASSERT_EQ(std::vector<NodeId>(tidy.pins.data() + tidy.hyperedge_offsets[e],
                                    tidy.pins.data() + tidy.hyperedge_offsets[e + 1]),
                expected);
    }
    EXPECT_EQ(repairs.sources_also_destinations, also_destinations);
    EXPECT_EQ(repairs.repeated_pins + also_destinations, untidy.num_pins() - tidy.num_pins());
    EXPECT_EQ(normalize_pins(tidy).repeated_pins, 0u);
  }
}

HostHypergraph with_real_weights(const std::vector<float>& weights, std::size_t cardinality = 3) {
  HostHypergraph h;
  h.num_nodes = static_cast<NodeId>(cardinality);
  for (std::size_t e = 0; e < weights.size(); ++e) {
    for (NodeId n = 0; n < cardinality; ++n) h.pins.push_back(n);
    h.hyperedge_offsets.push_back(h.pins.size());
  }
  h.source_counts.assign(weights.size(), 0);
  h.node_sizes.assign(cardinality, 1);
  h.real_weights.assign(weights.begin(), weights.end());
  scale_real_weights(h);
  validate(h, "scaled");
  return h;
}

TEST(ScaleRealWeights, KeepsWhatFitsExactly) {
  EXPECT_EQ(with_real_weights({1, 0, 5, 16777216}).weight_exponent, 0);
  EXPECT_EQ(with_real_weights({4, 8}).weight_exponent, 0);
  EXPECT_EQ(with_real_weights({0, 0}).weight_exponent, 0);
  EXPECT_EQ(with_real_weights({}).weight_exponent, 0);
  const HostHypergraph h = with_real_weights({0.75f, 3, 0.5f});
  EXPECT_EQ(h.weight_exponent, 2);
  EXPECT_EQ(h.hyperedge_weights, (HostArray<Weight>{3, 12, 2}));
}

TEST(ScaleRealWeights, RoundsWithinTheLimitAndKeepsPositiveOnesPositive) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> weights(1 + random() % 40);
    const int spread = static_cast<int>(random() % 120);
    for (float& weight : weights)
      weight =
          std::ldexp(static_cast<float>(random() % 0xffffff), static_cast<int>(random() % (spread + 1)) - 80);
    const HostHypergraph h = with_real_weights(weights, 1 + random() % 200);
    long double total = 0;
    for (std::size_t e = 0; e < weights.size(); ++e) {
      const long double exact = std::ldexp(static_cast<long double>(weights[e]), h.weight_exponent);
      const auto expected = weights[e] > 0 ? std::max(std::floor(exact + 0.5L), 1.0L) : 0.0L;
      ASSERT_EQ(static_cast<long double>(h.hyperedge_weights[e]), expected);
      total += exact * static_cast<long double>(h.num_nodes);
    }
    // Either every weight is an integer now, or a scale 16 times as fine might not have fitted.
    const bool all_exact = std::equal(
        weights.begin(), weights.end(), h.hyperedge_weights.begin(), [&](float real, Weight weight) {
          return std::ldexp(static_cast<long double>(real), h.weight_exponent) ==
                 static_cast<long double>(weight);
        });
    EXPECT_TRUE(all_exact || total * 4 * static_cast<long double>(weights.size()) >=
                                 static_cast<long double>(max_total_weight) / 4)
        << round;
  }
}

TEST(ScaleRealWeights, ExtremesOfFloats) {
  const float largest = std::numeric_limits<float>::max(),
              smallest = std::numeric_limits<float>::denorm_min();
  const HostHypergraph h = with_real_weights({largest, smallest, 0.0f, -0.0f, 1.0f});
  EXPECT_LT(h.weight_exponent, 0);
  EXPECT_GT(h.hyperedge_weights[0], Weight{1} << 50);
  EXPECT_EQ(h.hyperedge_weights[1], 1);
  EXPECT_EQ(h.hyperedge_weights[2], 0);
  EXPECT_EQ(h.hyperedge_weights[3], 0);
  EXPECT_EQ(h.hyperedge_weights[4], 1);
  EXPECT_EQ(with_real_weights({smallest}).hyperedge_weights[0], 1);
  EXPECT_EQ(with_real_weights({smallest}).weight_exponent, 149);
}

TEST(HostThreads, EveryChunkOnceAndTheFirstFailureWins) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::vector<std::atomic<int>> calls(1000);
    for_each_chunk({.count = threads}, calls.size(), [&](std::size_t i) { ++calls[i]; });
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto& count) { return count == 1; }));
    for (int round = 0; round < 50; ++round) try {
        for_each_chunk({.count = threads}, 1000, [](std::size_t i) {
          if (i % 100 == 37) throw i;
        });
        ADD_FAILURE();
      } catch (const std::size_t first) {
        EXPECT_EQ(first, 37u);
      }
  }
}

}  // namespace

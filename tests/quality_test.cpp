// evaluate() against sets and maps, on random hypergraphs and partitions, and on hand-counted examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <kohypar/error.hpp>
#include <kohypar/quality.hpp>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "support.hpp"

namespace kohypar::test {

namespace {

std::vector<PartId> random_parts(NodeId num_nodes, PartId num_parts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<PartId> parts(num_nodes);
  for (PartId& part : parts) part = static_cast<PartId>(random() % num_parts);
  return parts;
}

std::set<PartId> touched(const HostHypergraph& h, const std::vector<PartId>& parts, PinOffset begin,
                         PinOffset end) {
  std::set<PartId> result;
  for (PinOffset i = begin; i < end; ++i) result.insert(parts[h.pins[i]]);
  return result;
}

/// Hyperedges that have a destination in each part, and the metrics, by the definitions.
struct BruteForce {
  Weight connectivity = 0, cut_net = 0, soed = 0;
  std::map<PartId, std::set<HyperedgeId>> inbound;
  std::map<PartId, Weight> size;
  std::map<HyperedgeId, PartId> cut;

  BruteForce(const HostHypergraph& h, const std::vector<PartId>& parts) {
    for (NodeId n = 0; n < h.num_nodes; ++n) size[parts[n]] += h.node_sizes[n];
    for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
      const PinOffset begin = h.hyperedge_offsets[e], end = h.hyperedge_offsets[e + 1];
      for (const PartId p : touched(h, parts, begin + h.source_counts[e], end)) inbound[p].insert(e);
      const auto lambda = static_cast<PartId>(touched(h, parts, begin, end).size());
      if (lambda > 1) cut[e] = lambda;
    }
    for (const auto& [e, lambda] : cut) {
      connectivity += h.hyperedge_weights[e] * (lambda - 1);
      cut_net += h.hyperedge_weights[e];
      soed += h.hyperedge_weights[e] * lambda;
    }
  }
};

/// Hyperedge 0: 0 -> {1, 2}, weight 3; hyperedge 1: 2 -> {3}, weight 5; sizes 1, 2, 3, 4.
HostHypergraph small_hypergraph() {
  HostHypergraph h;
  h.num_nodes = 4;
  h.directed = true;
  h.hyperedge_offsets = {0, 3, 5};
  h.pins = {0, 1, 2, 2, 3};
  h.source_counts = {1, 1};
  h.hyperedge_weights = {3, 5};
  h.node_sizes = {1, 2, 3, 4};
  return h;
}

void expect_input_error(const HostHypergraph& h, const std::vector<PartId>& parts, const std::string& text) {
  try {
    evaluate(h, parts, Limits{});
    FAIL() << "expected an error about " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

}  // namespace

TEST(Quality, AgreesWithBruteForce) {
  for (const RandomHypergraph& shape : random_shapes())
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const HostHypergraph h = random_hypergraph(shape, seed);
      const auto parts = random_parts(h.num_nodes, 1 + seed % 7, seed);
      const Quality quality = evaluate(h, parts, Limits{});
      BruteForce expected(h, parts);
      EXPECT_EQ(quality.connectivity, expected.connectivity);
      EXPECT_EQ(quality.cut_net, expected.cut_net);
      EXPECT_EQ(quality.soed, expected.soed);
      EXPECT_EQ(quality.num_cut_hyperedges, expected.cut.size());
      EXPECT_EQ(quality.num_empty_parts, quality.num_parts - expected.size.size());
      ASSERT_EQ(quality.parts.size(), quality.num_parts);
      for (PartId p = 0; p < quality.num_parts; ++p) {
        EXPECT_EQ(quality.parts[p].size, expected.size[p]);
        EXPECT_EQ(quality.parts[p].inbound, static_cast<Weight>(expected.inbound[p].size()));
        EXPECT_EQ(quality.parts[p].num_nodes,
                  static_cast<std::uint64_t>(std::count(parts.begin(), parts.end(), p)));
      }
      std::map<HyperedgeId, PartId> cut;
      for (const CutHyperedge& c : cut_hyperedges(h, parts)) cut[c.hyperedge] = c.lambda;
      EXPECT_EQ(cut, expected.cut);
    }
}

TEST(Quality, FindsExactlyTheViolations) {
  for (const RandomHypergraph& shape : random_shapes())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const HostHypergraph h = random_hypergraph(shape, seed);
      const auto parts = random_parts(h.num_nodes, 4, seed);
      const Limits limits{static_cast<Weight>(seed), static_cast<Weight>(2 * seed), 4};
      const Quality quality = evaluate(h, parts, limits);
      std::set<std::pair<PartId, Violation::Kind>> found, expected;
      for (const Violation& v : quality.violations) found.emplace(v.part, v.kind);
      BruteForce truth(h, parts);
      for (PartId p = 0; p < 4; ++p) {
        if (truth.size[p] > limits.max_size) expected.emplace(p, Violation::Kind::size);
        if (static_cast<Weight>(truth.inbound[p].size()) > limits.max_inbound)
          expected.emplace(p, Violation::Kind::inbound);
      }
      EXPECT_EQ(found, expected);
      EXPECT_EQ(quality.violations.size(), expected.size());
      EXPECT_EQ(quality.valid(), expected.empty());
    }
}

TEST(Quality, FindsWhatBreaksABalance) {
  for (const RandomHypergraph& shape : random_shapes())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const HostHypergraph h = random_hypergraph(shape, seed);
      const auto parts = random_parts(h.num_nodes, 5, seed);
      std::mt19937_64 random(seed);
      Balance balance;
      for (PartId p = 0; p < 3 + seed % 5; ++p)
        balance.capacities.push_back(static_cast<Weight>(random() % (h.num_nodes / 2)));
      if (seed % 2 == 0)
        for (NodeId n = 0; n < h.num_nodes; ++n)
          balance.fixed.push_back(random() % 3 == 0 ? static_cast<PartId>(random() % 3) : invalid_id);
      const Quality quality = evaluate(h, parts, balance);
      BruteForce truth(h, parts);
      const PartId k = balance.num_parts(), highest = *std::max_element(parts.begin(), parts.end());
      EXPECT_EQ(quality.num_parts, std::max(k, highest + 1));
      EXPECT_EQ(quality.num_empty_parts, quality.num_parts - std::set(parts.begin(), parts.end()).size());
      std::multiset<std::tuple<Violation::Kind, PartId, Weight, Weight, NodeId>> found, expected;
      for (const Violation& v : quality.violations) found.emplace(v.kind, v.part, v.value, v.limit, v.node);
      Weight total = 0, largest = 0;
      for (PartId p = 0; p < quality.num_parts; ++p) {
        total += truth.size[p];
        largest = std::max(largest, truth.size[p]);
        if (p < k && truth.size[p] > balance.capacities[p])
          expected.emplace(Violation::Kind::size, p, truth.size[p], balance.capacities[p], invalid_id);
      }
      if (highest >= k) expected.emplace(Violation::Kind::parts, invalid_id, highest + 1, k, invalid_id);
      for (NodeId n = 0; n < balance.fixed.size(); ++n)
        if (const PartId p = balance.fixed[n]; p != invalid_id && p != parts[n])
          expected.emplace(Violation::Kind::fixed, p, parts[n], p, n);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(quality.connectivity, truth.connectivity);
      if (total > 0) {
        EXPECT_DOUBLE_EQ(quality.imbalance, static_cast<double>(largest) / ((total + k - 1) / k) - 1);
      }
    }
}

TEST(Quality, CountsEmptyPartsOfABalance) {
  const Quality quality =
      evaluate(small_hypergraph(), std::vector<PartId>{0, 2, 0, 2}, Balance{{4, 0, 6, 9, 9}, {}});
  EXPECT_TRUE(quality.valid());
  EXPECT_EQ(quality.num_parts, 5u);
  EXPECT_EQ(quality.num_empty_parts, 3u);
  EXPECT_EQ(quality.parts_near_size_limit, 3u);  // an empty part without room is full
  EXPECT_DOUBLE_EQ(quality.imbalance, 6.0 / 2 - 1);
  EXPECT_THROW(evaluate(small_hypergraph(), std::vector<PartId>{0, 0, 0, 0}, Balance{}), Error);
  EXPECT_THROW(evaluate(small_hypergraph(), std::vector<PartId>{0, 0, 0, 0}, Balance{{10}, {0, 0}}), Error);
}

TEST(Quality, CountsAHandMadeExample) {
  const std::vector<PartId> parts = {0, 2, 0, 2};
  const Quality quality = evaluate(small_hypergraph(), parts, Limits{4, 1, 2});
  EXPECT_EQ(quality.connectivity, 8);
  EXPECT_EQ(quality.soed, 16);
  EXPECT_EQ(quality.num_parts, 3u);
  EXPECT_EQ(quality.num_empty_parts, 1u);
  // A hyperedge whose source is in the part too is still inbound there.
  EXPECT_EQ(quality.parts[0].inbound, 1);
  EXPECT_EQ(quality.parts[2].inbound, 2);
  EXPECT_DOUBLE_EQ(quality.imbalance, 6.0 / 4 - 1);
  EXPECT_EQ(quality.parts_near_size_limit, 2u);
  EXPECT_EQ(quality.parts_near_inbound_limit, 2u);
  ASSERT_EQ(quality.violations.size(), 3u);
  EXPECT_EQ(quality.violations[0].kind, Violation::Kind::size);
  EXPECT_EQ(quality.violations[0].value, 6);
  EXPECT_EQ(quality.violations[1].kind, Violation::Kind::inbound);
  EXPECT_EQ(quality.violations[1].limit, 1);
  EXPECT_EQ(quality.violations[2].kind, Violation::Kind::parts);
  EXPECT_EQ(quality.violations[2].value, 3);
  EXPECT_EQ(quality.violations[2].part, invalid_id);
}

TEST(Quality, DividesScaledWeightsBack) {
  HostHypergraph h = small_hypergraph();
  h.weight_exponent = 4;
  const Quality quality = evaluate(h, std::vector<PartId>{0, 1, 1, 1}, Limits{});
  EXPECT_EQ(quality.real(quality.connectivity), 3.0 / 16);
}

TEST(Quality, RefusesWrongLengthsAndIds) {
  expect_input_error(small_hypergraph(), {0, 0, 0}, "3 entries");
  expect_input_error(small_hypergraph(), {0, 0, 0, max_id_count - 1}, "node 3");
}

TEST(Quality, AcceptsAnEmptyHypergraph) {
  const Quality quality = evaluate(HostHypergraph{}, std::vector<PartId>{}, Limits{1, 1, 1});
  EXPECT_EQ(quality.num_parts, 0u);
  EXPECT_TRUE(quality.valid());
  EXPECT_EQ(quality.imbalance, 0);
}

}  // namespace kohypar::test

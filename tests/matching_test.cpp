// Matching: the exact forest optimum of one round against brute force, and what several rounds guarantee.
#include "coarsening/matching.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "coarsening/rating.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::random_hypergraph;
using test::RandomHypergraph;
using test::to_host;

struct Proposed {
  Candidates candidates;
  std::vector<NodeId> neighbors;
  std::vector<Weight> scores;
  NodeId num_nodes = 0;
};

Proposed propose(const HostHypergraph& host, int per_node, std::uint64_t seed) {
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  const PairLimits limits{100, 1000, {}};
  Proposed p;
  p.candidates = propose_candidates(space, h, make_rating(space, h, seed, 0, 1), limits, per_node, {});
  p.neighbors = to_host(p.candidates.neighbors);
  p.scores = to_host(p.candidates.scores);
  p.num_nodes = host.num_nodes;
  return p;
}

/// Largest weight of a matching that uses only the pairs (n, target of n), by trying all.
Weight best_matching(const Proposed& p) {
  std::vector<bool> used(p.num_nodes, false);
  const std::function<Weight(NodeId)> best_from = [&](NodeId n) -> Weight {
    if (n == p.num_nodes) return 0;
    Weight best = best_from(n + 1);
    const NodeId m = p.neighbors[n];
    if (m == invalid_id || used[n] || used[m]) return best;
    used[n] = used[m] = true;
    best = std::max(best, p.scores[n] + best_from(n + 1));
    used[n] = used[m] = false;
    return best;
  };
  return best_from(0);
}

Weight weight_of(const Proposed& p, const std::vector<NodeId>& partners) {
  Weight sum = 0;
  for (NodeId n = 0; n < p.num_nodes; ++n) {
    const NodeId m = partners[n];
    if (m == invalid_id || m < n) continue;
    const bool mine = p.neighbors[n] == m;
    EXPECT_TRUE(mine || p.neighbors[m] == n) << "a pair that nobody proposed";
    sum += mine ? p.scores[n] : p.scores[m];
  }
  return sum;
}

void expect_symmetric(const std::vector<NodeId>& partners) {
  for (NodeId n = 0; n < partners.size(); ++n)
    if (partners[n] != invalid_id) {
      ASSERT_NE(partners[n], n);
      ASSERT_EQ(partners[partners[n]], n);
    }
}

TEST(Matching, OneRoundIsOptimalOnTheForest) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const RandomHypergraph shape{
        .nodes = 14, .hyperedges = static_cast<HyperedgeId>(6 + seed % 20), .max_pins = 4, .max_weight = 9};
    const Proposed p = propose(random_hypergraph(shape, seed), 1, seed);
    const auto partners = to_host(match_candidates(ExecutionSpace(), p.candidates, p.num_nodes));
    expect_symmetric(partners);
    EXPECT_EQ(weight_of(p, partners), best_matching(p)) << "seed " << seed;
  }
}

TEST(Matching, SeveralRoundsMatchOnlyProposedPairs) {
  for (const RandomHypergraph& shape : test::random_shapes()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Proposed p = propose(random_hypergraph(shape, seed), 4, seed);
      const auto partners = to_host(match_candidates(ExecutionSpace(), p.candidates, p.num_nodes));
      expect_symmetric(partners);
      for (NodeId n = 0; n < p.num_nodes; ++n) {
        if (partners[n] == invalid_id) continue;
        const auto proposed_by = [&](NodeId from, NodeId to) {
          const auto first = p.neighbors.begin() + from * 4;
          return std::find(first, first + 4, to) != first + 4;
        };
        ASSERT_TRUE(proposed_by(n, partners[n]) || proposed_by(partners[n], n));
      }
      // The best proposed pair of all is matched, or one of its ends gave a heavier matching.
      const auto heaviest = std::max_element(p.scores.begin(), p.scores.end());
      if (*heaviest >= 0) {
        const NodeId n = static_cast<NodeId>((heaviest - p.scores.begin()) / 4);
        EXPECT_TRUE(partners[n] != invalid_id ||
                    partners[p.neighbors[heaviest - p.scores.begin()]] != invalid_id);
      }
    }
  }
}

/// A path whose scores rise toward one end: one tree as deep as it has nodes.
Candidates rising_path(NodeId n) {
  std::vector<NodeId> neighbors(n);
  std::vector<Weight> scores(n);
  for (NodeId i = 0; i < n; ++i) {
    neighbors[i] = i + 1 < n ? i + 1 : n - 2;
    scores[i] = 1000 + std::min<NodeId>(i, n - 2);
  }
  return {1, test::to_device(neighbors), test::to_device(scores)};
}

TEST(Matching, LongMonotonePath) {
  const NodeId n = 100000;
  const auto partners = to_host(match_candidates(ExecutionSpace(), rising_path(n), n));
  expect_symmetric(partners);
  // An even path is matched perfectly: that is its only heaviest matching.
  for (NodeId i = 0; i < n; ++i) ASSERT_EQ(partners[i], i ^ 1u);
}

TEST(Leftovers, PairBySizeWithinLimitsAndParts) {
  HostHypergraph host = random_hypergraph({.nodes = 9, .hyperedges = 0}, 1);
  host.node_sizes = {5, 1, 4, 1, 9, 2, 2, 3, 0};
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  const PairLimits limits{6, 10, test::to_device(std::vector<PartId>{0, 0, 0, 1, 0, 0, 1, 0, 0})};
  const Candidates none = propose_candidates(space, h, make_rating(space, h, 1, 0, 1), limits, 2, {});
  const auto partners = match_candidates(space, none, h.num_nodes);
  pair_leftovers(space, h, none, limits, partners);
  // Part 0 by size: 8 (0), 1 (1), 5 (2), 7 (3), 2 (4), 0 (5), 4 (9); part 1: 3 (1), 6 (2), shifted by one
  // place.
  const auto result = to_host(partners);
  EXPECT_EQ(result[8], 1u);
  EXPECT_EQ(result[5], 7u);
  EXPECT_EQ(result[2], invalid_id);
  EXPECT_EQ(result[0], invalid_id);
  EXPECT_EQ(result[4], invalid_id);
  const auto clusters = clusters_of_pairs(space, partners);
  EXPECT_EQ(to_host(clusters.cluster_of)[0], 0u);
  EXPECT_EQ(to_host(clusters.cluster_of)[8], to_host(clusters.cluster_of)[1]);
}

TEST(TwoHop, PairsSpokesOfAHub) {
  // A star: everybody's best candidate is the hub; one spoke gets it, the others pair up.
  HostHypergraph host = random_hypergraph({.nodes = 10, .hyperedges = 0}, 1);
  for (NodeId spoke = 1; spoke < 10; ++spoke) {
    host.pins.insert(host.pins.end(), {0, spoke});
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(spoke);
  }
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  const PairLimits limits{2, 10, {}};
  const Candidates candidates = propose_candidates(space, h, make_rating(space, h, 1, 0, 1), limits, 2, {});
  const auto partners = match_candidates(space, candidates, h.num_nodes);
  pair_by_target(space, h, candidates, limits, partners);
  expect_symmetric(to_host(partners));
  EXPECT_EQ(clusters_of_pairs(space, partners).num_clusters, 5u);
}

}  // namespace

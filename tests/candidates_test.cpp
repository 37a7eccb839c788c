// Candidate proposal against its serial twin, with every kernel, tile and team size.
#include "coarsening/candidates.hpp"

#include <gtest/gtest.h>

#include <kohypar/limits.hpp>

#include "reference/candidates.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::random_hypergraph;
using test::RandomHypergraph;
using test::to_device;
using test::to_host;

void compare(const HostHypergraph& host, Weight max_size, Weight max_inbound,
             const std::vector<PartId>& within, int per_node, const Tuning& tuning,
             PinOffset longest_whole = 1 << 13, PinOffset reach = 1 << 8) {
  const ExecutionSpace space;
  const Hypergraph h = upload(space, host);
  Rating rating = make_rating(space, h, 7, 2, per_node % 3);
  rating.longest_whole = longest_whole;
  rating.reach = reach;
  const PairLimits limits{max_size, max_inbound, to_device(within)};
  const Candidates candidates = propose_candidates(space, h, rating, limits, per_node, tuning);
  const auto neighbors = to_host(candidates.neighbors);
  const auto scores = to_host(candidates.scores);
  const auto expected = test::reference_candidates(host, rating, max_size, max_inbound, within, per_node);
  for (NodeId n = 0; n < host.num_nodes; ++n) {
    for (int r = 0; r < per_node; ++r) {
      const std::size_t at = static_cast<std::size_t>(n) * per_node + r;
      const bool any = static_cast<std::size_t>(r) < expected[n].size();
      ASSERT_EQ(neighbors[at], any ? expected[n][r].first : invalid_id) << "node " << n << " rank " << r;
      ASSERT_EQ(scores[at], any ? expected[n][r].second : -1) << "node " << n << " rank " << r;
    }
  }
}

// By default hosts count over all ids; tiles of any size have them use a device's tables.
constexpr Tuning tunings[] = {{}, {.tile_size = 2048}};

TEST(Candidates, EqualTheSerialTwin) {
  for (const RandomHypergraph& shape : test::random_shapes())
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      for (const int per_node : {1, 4, 8})
        for (const Tuning& tuning : tunings)
          compare(random_hypergraph(shape, seed), 4, 12, {}, per_node, tuning);
}

TEST(Candidates, StayInsideParts) {
  for (const RandomHypergraph& shape : test::random_shapes()) {
    const HostHypergraph host = random_hypergraph(shape, 99);
    std::vector<PartId> within(host.num_nodes);
    for (NodeId n = 0; n < host.num_nodes; ++n) within[n] = n % 3;
    for (const Tuning& tuning : tunings) compare(host, 100, 1000, within, 4, tuning);
  }
}

// About 900 visits per node: the large table, in one pass and in several.
TEST(Candidates, OfDenseNodes) {
  const RandomHypergraph dense{.nodes = 900, .hyperedges = 300, .max_pins = 60, .max_sources = 2};
  for (const Tuning& tuning : tunings) compare(random_hypergraph(dense, 5), 2, 60, {}, 4, tuning);
}

// More visits than nodes: dense tiles, with tiles far smaller than the id range too.
TEST(Candidates, OfVeryDenseNodes) {
  const RandomHypergraph dense{.nodes = 300, .hyperedges = 400, .max_pins = 250, .max_sources = 3};
  const HostHypergraph host = random_hypergraph(dense, 6);
  for (const Tuning& tuning : tunings) compare(host, 2, 350, {}, 4, tuning);
  compare(host, 2, unlimited, {}, 4, {});
  compare(host, 2, 350, {}, 4, {.tile_size = 32});
  compare(host, 2, 350, {}, 4, {.team_size = 2, .tile_size = 100});
}

// As the two before, with hyperedges that rate only pairs of near destinations.
TEST(Candidates, OfLongHyperedges) {
  for (const RandomHypergraph& shape : test::random_shapes())
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (const PinOffset reach : {1, 3})
        for (const Tuning& tuning : tunings)
          compare(random_hypergraph(shape, seed), 4, 12, {}, 4, tuning, 3, reach);
  const RandomHypergraph dense{.nodes = 900, .hyperedges = 300, .max_pins = 60, .max_sources = 2};
  for (const Tuning& tuning : tunings) compare(random_hypergraph(dense, 5), 2, 60, {}, 4, tuning, 20, 10);
  const RandomHypergraph very_dense{.nodes = 300, .hyperedges = 400, .max_pins = 250, .max_sources = 3};
  for (const Tuning& tuning : {Tuning{}, Tuning{.tile_size = 2048}, Tuning{.team_size = 2, .tile_size = 32}})
    compare(random_hypergraph(very_dense, 6), 2, 350, {}, 4, tuning, 100, 80);
}

TEST(Candidates, OfEveryFifthNode) {
  const ExecutionSpace space;
  const Hypergraph h = upload(space, random_hypergraph(test::random_shapes()[0], 3));
  const Rating rating = make_rating(space, h, 7, 2, 1);
  const auto all = to_host(propose_candidates(space, h, rating, {4, 12, {}}, 1, {}).neighbors);
  const auto some = to_host(propose_candidates(space, h, rating, {4, 12, {}}, 1, {}, 5).neighbors);
  for (NodeId n = 0; n < h.num_nodes; ++n)
    ASSERT_EQ(some[n], n % 5 == 0 ? all[n] : invalid_id) << "node " << n;
}

TEST(Candidates, OfHypergraphsWithoutPairs) {
  compare(random_hypergraph({.nodes = 5, .hyperedges = 0}, 1), 10, 10, {}, 4, {});
  compare(random_hypergraph({.nodes = 1, .hyperedges = 3}, 1), 10, 10, {}, 4, {});
}

TEST(Rating, IntegerRoot) {
  for (std::uint64_t x = 0; x < 5000; ++x) {
    const std::uint64_t root = integer_root(x);
    ASSERT_LE(root * root, x);
    ASSERT_GT((root + 1) * (root + 1), x);
  }
  EXPECT_EQ(integer_root((std::uint64_t{1} << 62) - 1), (std::uint64_t{1} << 31) - 1);
}

}  // namespace

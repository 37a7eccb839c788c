// The sequential starts: limits recounted from sets, and what each start promises.
#include <gtest/gtest.h>

#include <kohypar/quality.hpp>
#include <set>

#include "initial/starts.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::random_hypergraph;
using test::RandomHypergraph;

HostLevel level_of(const HostHypergraph& host) {
  const ExecutionSpace space;
  return copy_to_host(space, upload(space, host));
}

/// Ids from 0, none empty, every part of more than one node within the limits.
void expect_valid(const HostHypergraph& host, const Start& start, const Limits& limits) {
  const Quality quality = evaluate(host, start.parts, limits);
  ASSERT_EQ(quality.num_parts, start.num_parts);
  EXPECT_EQ(quality.num_empty_parts, 0u);
  for (const Violation& violation : quality.violations)
    EXPECT_EQ(quality.parts[violation.part].num_nodes, 1u) << "part " << violation.part;
  EXPECT_EQ(quality.connectivity, connectivity_of(level_of(host), start.parts));
}

/// Limits that bind: a few nodes, or a few inbound hyperedges, a part.
std::vector<Limits> some_limits() {
  return {{.max_size = 5}, {.max_size = 12, .max_inbound = 15}, {.max_inbound = 40}, {.max_size = 1}};
}

TEST(Starts, RespectTheLimits) {
  for (const RandomHypergraph& shape : test::random_shapes()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const HostHypergraph host = random_hypergraph(shape, seed);
      const HostLevel level = level_of(host);
      for (const Limits& limits : some_limits()) {
        for (Start start : {fill_in_order(level, limits), grow_greedily(level, limits, 0),
                            grow_greedily(level, limits, seed)}) {
          expect_valid(host, start, limits);
          const Weight before = connectivity_of(level, start.parts);
          const PartId parts_before = start.num_parts;
          merge_parts(level, limits, start);
          expect_valid(host, start, limits);
          EXPECT_LE(connectivity_of(level, start.parts), before);
          EXPECT_LE(start.num_parts, parts_before);
        }
      }
    }
  }
}

TEST(Starts, InOrderEndsAPartOnlyWhereTheNextNodeDoesNotFit) {
  const HostHypergraph host = random_hypergraph({.nodes = 50, .hyperedges = 80, .max_pins = 6}, 3);
  const Limits limits{.max_size = 9, .max_inbound = 14};
  const Start start = fill_in_order(level_of(host), limits);
  std::set<HyperedgeId> inbound;
  Weight size = 0;
  const auto inbound_of = [&](NodeId n) {
    std::set<HyperedgeId> in;
    for (HyperedgeId e = 0; e < host.num_hyperedges(); ++e)
      for (PinOffset i = host.hyperedge_offsets[e] + host.source_counts[e]; i < host.hyperedge_offsets[e + 1];
           ++i)
        if (host.pins[i] == n) in.insert(e);
    return in;
  };
  for (NodeId n = 0; n < host.num_nodes; ++n) {
    std::set<HyperedgeId> with = inbound;
    with.merge(inbound_of(n));
    const bool fits = size + host.node_sizes[n] <= limits.max_size &&
                      static_cast<Weight>(with.size()) <= limits.max_inbound;
    const bool new_part = n == 0 || start.parts[n] != start.parts[n - 1];
    EXPECT_EQ(new_part, n == 0 || !fits) << "node " << n;
    size = new_part ? host.node_sizes[n] : size + host.node_sizes[n];
    inbound = new_part ? inbound_of(n) : with;
  }
}

TEST(Starts, GrowthKeepsCliquesTogether) {
  // Four cliques of five nodes, consecutive ids interleaved, joined by light hyperedges.
  HostHypergraph host;
  host.num_nodes = 20;
  host.node_sizes.assign(20, 1);
  const auto add = [&](std::vector<NodeId> pins, Weight weight) {
    host.pins.insert(host.pins.end(), pins.begin(), pins.end());
    host.hyperedge_offsets.push_back(host.pins.size());
    host.source_counts.push_back(0);
    host.hyperedge_weights.push_back(weight);
  };
  for (NodeId c = 0; c < 4; ++c) {
    add({c, c + 4, c + 8, c + 12, c + 16}, 10);
    add({c, (c + 1) % 4 + 4}, 1);
  }
  normalize_pins(host);
  const Start start = grow_greedily(level_of(host), {.max_size = 5}, 0);
  EXPECT_EQ(start.num_parts, 4u);
  for (NodeId n = 0; n < 20; ++n) EXPECT_EQ(start.parts[n], start.parts[n % 4]);
}

TEST(Starts, StrangersArePackedTogether) {
  const HostHypergraph host = random_hypergraph({.nodes = 100, .hyperedges = 0}, 1);
  const HostLevel level = level_of(host);
  const Limits limits{.max_size = 10};
  Start start{std::vector<PartId>(100), 100};
  for (NodeId n = 0; n < 100; ++n) start.parts[n] = n;
  merge_parts(level, limits, start);
  expect_valid(host, start, limits);
  EXPECT_EQ(start.num_parts, 10u);
}

}  // namespace

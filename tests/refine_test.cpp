// Whole refinements: limits, connectivity and the tracked state, recounted by sets.
#include "refinement/refine.hpp"

#include <gtest/gtest.h>

#include <kohypar/error.hpp>
#include <kohypar/io.hpp>

#include "initial/starts.hpp"
#include "reference/partition_state.hpp"
#include "refinement_support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

struct Kind {
  RefinementMethod method;
  test::RandomHypergraph shape;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const auto method : {RefinementMethod::events, RefinementMethod::coloring})
    for (const auto& shape : test::random_shapes()) all.push_back({method, shape});
  return all;
}

class Refine : public ::testing::TestWithParam<Kind> {
 protected:
  static Options options() {
    Options options;
    options.refinement = GetParam().method;
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, Refine, ::testing::ValuesIn(kinds()));

PartitionState refined(const test::LimitedPartition& in, const Options& options) {
  const ExecutionSpace space;
  auto state = build_state(space, in.h, to_device(in.parts), in.num_parts);
  refine(space, in.h, state, in.limits, options, 0);
  return state;
}

TEST_P(Refine, NeverWorsensAndKeepsLimits) {
  const ExecutionSpace space;
  std::size_t improved = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam().shape, seed);
    const auto state = refined(in, options());
    const reference::SetHypergraph sets(in.h);
    const auto before = reference::count_state(sets, in.parts, in.num_parts);
    const auto after = reference::count_state(sets, to_host(state.parts), state.num_parts);
    EXPECT_EQ(state.connectivity, after.connectivity);
    EXPECT_EQ(to_host(state.sizes), after.sizes);
    EXPECT_EQ(to_host(state.inbound), after.inbound);
    const auto violations = reference::count_violations(before, in.limits);
    EXPECT_LE(reference::count_violations(after, in.limits), violations);
    if (violations == 0) {
      EXPECT_LE(after.connectivity, before.connectivity);
    }
    if (after.connectivity < before.connectivity) ++improved;
    const auto parts = to_host(state.parts);
    EXPECT_EQ(std::set<PartId>(parts.begin(), parts.end()).size(), state.num_parts);
  }
  EXPECT_GE(improved, 3u);
}

TEST_P(Refine, IsTheSameForAnyTeamAndTile) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam().shape, seed);
    const auto expected = to_host(refined(in, options()).parts);
    for (const auto& [team_size, tile_size] : {std::pair{1, 3u}, std::pair{2, 1u}, std::pair{2, 100u}}) {
      Options tuned = options();
      tuned.tuning = {team_size, tile_size};
      EXPECT_EQ(to_host(refined(in, tuned).parts), expected);
    }
  }
}

TEST_P(Refine, KeepsLimitsWithLittleMemory) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto in = test::random_limited_partition(space, GetParam().shape, seed);
    Options limited = options();
    limited.memory_limit = 1;
    const auto state = refined(in, limited);
    const auto after =
        reference::count_state(reference::SetHypergraph(in.h), to_host(state.parts), state.num_parts);
    EXPECT_EQ(state.connectivity, after.connectivity);
  }
}

struct Network {
  const char* name;
  Limits limits;
  std::uint64_t golden;  ///< FNV-1a of the part ids, the same on every backend
};

// To record new values after a change of the algorithm, run --gtest_filter='*Golden*' and copy what it
// prints.
const Network colored_networks[] = {
    {"model:12:3:1:6", {.max_size = 128, .max_inbound = 512}, 13613951520762422226u},
    {"rand:1024:12", {.max_size = 64, .max_inbound = 300}, 721156039102452913u},
};

class RefineNetworks : public ::testing::TestWithParam<Network> {};
INSTANTIATE_TEST_SUITE_P(Kinds, RefineNetworks, ::testing::ValuesIn(colored_networks),
                         [](const auto& instance) { return "Number" + std::to_string(instance.index); });

TEST_P(RefineNetworks, ByColoringAreGoldenOnEveryBackend) {
  const auto& [name, limits, golden] = GetParam();
  const ExecutionSpace space;
  const Hypergraph h = upload(space, generate_network(name, 1));
  const Start start = fill_in_order(copy_to_host(space, h), limits);
  Options options;
  options.refinement = RefinementMethod::coloring;
  auto state = build_state(space, h, to_device(start.parts), start.num_parts);
  const Weight before = state.connectivity;
  refine(space, h, state, limits, options, 0);
  EXPECT_LT(state.connectivity, before);
  std::uint64_t hash = 14695981039346656037ull;
  for (const PartId part : to_host(state.parts)) hash = (hash ^ part) * 1099511628211ull;
  EXPECT_EQ(hash, golden) << name;
}

class RefineOne : public ::testing::TestWithParam<RefinementMethod> {};
INSTANTIATE_TEST_SUITE_P(Methods, RefineOne,
                         ::testing::Values(RefinementMethod::events, RefinementMethod::coloring));

TEST_P(RefineOne, RepairsAViolatedLimit) {
  // Two pairs of nodes; the first part has one node too many.
  HostHypergraph host;
  host.num_nodes = 4;
  host.node_sizes = {1, 1, 1, 1};
  host.hyperedge_offsets = {0, 2, 4, 6};
  host.pins = {0, 1, 2, 3, 1, 2};
  host.source_counts = {0, 0, 0};
  host.hyperedge_weights = {5, 5, 1};
  const ExecutionSpace space;
  const auto h = upload(space, host);
  auto state = build_state(space, h, to_device(std::vector<PartId>{0, 0, 0, 1}), 2);
  Options options;
  options.refinement = GetParam();
  refine(space, h, state, {.max_size = 2}, options, 0);
  EXPECT_EQ(to_host(state.parts), (std::vector<PartId>{0, 0, 1, 1}));
  EXPECT_EQ(state.connectivity, 1);
}

TEST_P(RefineOne, StopsOnRequest) {
  const ExecutionSpace space;
  const auto in = test::random_limited_partition(space, {}, 3);
  const std::atomic<bool> stop = true;
  Options options;
  options.refinement = GetParam();
  options.stop = &stop;
  try {
    refined(in, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

}  // namespace

// Random levels in host memory, and what they are as sets.
#pragma once

#include <gtest/gtest.h>

#include "host_search/problem.hpp"
#include "initial/host_level.hpp"
#include "reference/levels.hpp"
#include "refinement_support.hpp"

namespace kohypar::test {

inline HostLevel random_host_level(const RandomHypergraph& shape, std::uint64_t seed) {
  const ExecutionSpace space;
  return copy_to_host(space, random_level(space, shape, seed));
}

template <class T>
std::vector<T> copy(const HostView<T>& view) {
  return {view.data(), view.data() + view.extent(0)};
}

inline reference::Level as_sets(const HostLevel& h) {
  reference::Level level{{}, copy(h.node_sizes), copy(h.base_inbound)};
  for (HyperedgeId e = 0; e < h.num_hyperedges; ++e) {
    const NodeId* const begin = h.pins.data() + h.hyperedge_offsets(e);
    const NodeId* const destinations = begin + h.source_counts(e);
    const NodeId* const end = h.pins.data() + h.hyperedge_offsets(e + 1);
    level.hyperedges.push_back(
        {{begin, destinations}, {destinations, end}, h.hyperedge_weights(e), h.multiplicities(e)});
  }
  return level;
}

/// Calls check(level, seed) for a hundred random levels.
template <class Check>
void for_random_levels(const Check& check) {
  for (const RandomHypergraph& shape : random_shapes())
    for (std::uint64_t seed = 1; seed <= 17; ++seed) check(random_host_level(shape, seed), seed);
}

inline std::vector<Weight> part_sizes(const HostLevel& level, const HostProblem& problem,
                                      const std::vector<PartId>& parts) {
  std::vector<Weight> sizes(problem.capacities.size());
  for (NodeId n = 0; n < level.num_nodes; ++n) sizes.at(parts[n]) += level.node_sizes(n);
  return sizes;
}

inline void expect_terminals_stay(const HostProblem& problem, const std::vector<PartId>& parts) {
  for (std::size_t n = 0; n < problem.terminals.size(); ++n)
    EXPECT_EQ(parts[n], problem.terminals[n]) << "terminal " << n;
}

}  // namespace kohypar::test

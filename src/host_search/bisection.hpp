// Starts of balanced problems on coarse levels.
#pragma once

#include <atomic>

#include "host_search/problem.hpp"
#include "host_search/solution.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// Parts by recursive bisection: nodes are split in two by multilevel runs, each side, with its share of the
/// capacities, again. Hyperedges that are cut go on on both sides with the pins they have there, weighing
/// what a further part costs.
/// @param threads split sides that do not depend on each other; the result does not depend on them
/// @param tries of each side, of which the best one splits it
std::vector<PartId> bisect_recursively(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                                       const HostThreads& threads, const std::atomic<bool>* stop,
                                       std::size_t tries = 1);

/// Parts of a problem with two: one grows from a pseudo-random node, always by the node of highest gain, to
/// its share, and a local search follows; the best of several.
std::vector<PartId> grow_in_two(const HostLevel& level, const HostProblem& problem, std::uint64_t seed);

}  // namespace kohypar

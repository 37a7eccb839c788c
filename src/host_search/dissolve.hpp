// Fewer parts, where they cost little connectivity.
#pragma once

#include "host_search/evolution.hpp"

namespace kohypar {

/// The connectivity that having one part fewer is worth: a third of its share.
inline Weight part_price(Weight connectivity, PartId num_parts) {
  return connectivity / (3 * static_cast<Weight>(num_parts));
}

/// Dissolves parts, smallest first, that cost no more than their part_price: their nodes move to where they
/// gain most within the limits, and local searches start from them.
HostSolution dissolve_parts(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                            HostSolution solution);

/// Adds to each solution what dissolve_parts makes of it, if that has fewer parts.
void add_dissolved(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                   const HostThreads& threads, std::vector<HostSolution>& solutions);

}  // namespace kohypar

// Starts on levels whose nodes may be nearly as large as parts.
#pragma once

#include "host_search/problem.hpp"
#include "host_search/solution.hpp"

namespace kohypar {

/// Parts of a constrained problem filled one after the other in the order of node ids, then merged where they
/// fit together.
HostSolution solution_in_order(const HostLevel& level, const HostProblem& problem);

/// Parts grown greedily one after the other, then merged where they fit together; the best of several
/// variants. Of a balanced problem, if that makes too many, the smallest parts' nodes go where they gain
/// most, whatever the capacities: finer levels have smaller nodes to bring parts back within them.
HostSolution grow_parts(const HostLevel& level, const HostProblem& problem, std::uint64_t seed);

/// Whether parts of a problem can be grown, which know neither terminals nor different capacities.
bool can_grow_parts(const HostProblem& problem);

}  // namespace kohypar

// Refinement of balanced parts by the minimum cuts between pairs of them.
#pragma once

#include <atomic>

#include "host_search/pair_cut.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// Looks for smaller cuts between adjacent parts, those with the largest cut first, in rounds: each looks at
/// the pairs of which the one before has changed a part, until one gains less than a thousandth (active block
/// scheduling: Sanders, Schulz, "Engineering Multilevel Graph Partitioning Algorithms", ESA 2011). What local
/// searches leave, which move node by node, is cut anew here as a whole. Pairs without a part in common are
/// looked at side by side; the result does not depend on threads.
/// @param problem balanced; what it minimises must be connectivity
/// @param stop ends it with an interrupted Error, if not null
/// @param parts per node; those within their capacities stay so
/// @return how much connectivity has fallen
Weight refine_by_flows(const HostLevel& level, const HostProblem& problem, const PairCutEffort& effort,
                       const HostThreads& threads, const std::atomic<bool>* stop, std::vector<PartId>& parts);

}  // namespace kohypar

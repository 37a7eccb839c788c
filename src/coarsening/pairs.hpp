// One level of coarsening by pairs.
#pragma once

#include "coarsening/candidates.hpp"
#include "coarsening/clustering.hpp"
#include "phase_clock.hpp"

namespace kohypar {

/// Pairs a level's nodes: candidates, matching, leftovers, spokes of hubs. Times its phases.
Clustering cluster_in_pairs(const ExecutionSpace& space, PhaseClock& clock, const Hypergraph& hypergraph,
                            const Rating& rating, const PairLimits& limits, int candidates_per_node,
                            const Tuning& tuning);

}  // namespace kohypar

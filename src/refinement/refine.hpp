// Refinement of one level.
#pragma once

#include <kohypar/options.hpp>

#include "refinement/state.hpp"

namespace kohypar {

/// Up to options.refinement_rounds rounds of proposals, chains, events and application of the best valid
/// prefix. Never worsens connectivity of a valid state; a state that violates limits is repaired as far as
/// found.
/// @param settled the parts were searched on a level nearly as fine: no losing moves, and the first round
/// that changes nothing is the last
void refine(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
            const Limits& limits, const Options& options, int level, bool settled = false);

}  // namespace kohypar

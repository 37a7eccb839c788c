// Order of moves: chains whose moves vacate what the next one fills.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// Reorders moves into chains (paths and cycles), chains by descending total gain (arXiv 2605.20497, section
/// VI).
Moves sequence_by_chains(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const PartitionState& state, const Moves& moves);

}  // namespace kohypar

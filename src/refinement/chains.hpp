// Order of moves: chains whose moves vacate what the next one fills.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// Rounds of linking, and how many moves a loose chain end looks at in each (the paper's values).
inline constexpr int chain_rounds = 16;
inline constexpr std::uint32_t chain_window = 256;

/// Reorders moves into chains (paths and cycles), chains by descending total gain (arXiv 2605.20497, section
/// VI).
///
/// A successor of a move leaves the part that the move enters; the sizes of both nodes lie in the same power
/// of two. In every round each move without a successor looks at the first moves without a predecessor that
/// qualify, by (-gain, position), takes the best by (gain, -distance, -position), and the closest, then the
/// first of those that chose the same successor gets it. A chain comes out from its last move to its first,
/// so that every move but the first of a chain fills what the one before has vacated; a cycle comes out as if
/// it began with its first move by position. Ties between chains go to the position of their last move.
Moves sequence_by_chains(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const PartitionState& state, const Moves& moves);

}  // namespace kohypar

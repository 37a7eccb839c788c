// The moves of a sequence that a greedy pass would make one after the other, found in parallel.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// Candidates decided together; the result does not depend on it. Within a chunk decisions wait for each
/// other, so it should hold a few moves per part.
std::uint32_t admission_chunk(PartId num_parts);

/// Goes through the sequence in order and admits a move if, after all moves admitted before it, its target
/// still holds it within both limits and its exact gain is positive, or at least the gain it was proposed
/// with, or its part violates a limit. Returns the admitted moves in their order, with their exact gains:
/// every prefix of them is valid if the state is, and no part gets into a limit's violation or deeper.
///
/// One move at a time this is sequential. Here the sequence is cut into chunks; within a chunk all decisions
/// are made anew from those of the iteration before until none changes. In each iteration at least the first
/// wrong decision becomes right, usually all but a few: the only fixed point is the sequential result.
/// Time and memory: two sorts of two events per incidence of a moved node, some 60 bytes each.
Moves admit_moves(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                  const Moves& sequence, const Limits& limits, std::uint32_t chunk_size);

}  // namespace kohypar

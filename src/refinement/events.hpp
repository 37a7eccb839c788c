// Exact gains and validity of a sequence of moves, by sorted events.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// A prefix of a sequence of moves.
struct Prefix {
  std::size_t length = 0;
  Weight gain = 0;  ///< exact change of connectivity (positive: better) when the prefix is applied
};

/// The valid prefix of largest exact gain, the shortest of those; {0, 0} if no prefix gains. A prefix is
/// valid if no limit is violated after it or, where the state itself violates limits, if fewer limits are
/// violated than before; then one that violates fewest wins before gain counts, even if it loses gain.
Prefix best_valid_prefix(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const PartitionState& state, const Moves& sequence, const Limits& limits);

/// Exact gain of every move of the sequence, given that all before it are applied (arXiv 2605.20497, section
/// VI).
DeviceView<Weight> in_sequence_gains(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                     const PartitionState& state, const Moves& sequence);

}  // namespace kohypar

// Exact gains and validity of a sequence of moves, by sorted events (arXiv 2605.20497, section VI).
//
// All functions here want a sequence of distinct nodes, each to a part other than its own and below
// state.num_parts, with fewer than 2^30 moves and 2^27 incidences in sum; they take some 50 bytes per
// incidence of temporary memory.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// A prefix of a sequence of moves.
struct Prefix {
  std::size_t length = 0;
  Weight gain = 0;  ///< exact change of connectivity (positive: better) when the prefix is applied
};

/// What happens to a state when the moves of a sequence are applied one after the other; all arrays have one
/// entry per move. A limit is a pair of a part and one of its two limits (size, inbound).
struct Evaluation {
  DeviceView<Weight> gains;               ///< exact gain of the move, given that all before it are applied
  DeviceView<Weight> violations;          ///< violated limits after the move
  DeviceView<std::uint32_t> repaired_at;  ///< see below
  Prefix best;                            ///< as best_valid_prefix returns it

  /// repaired_at(i) is i unless move i overfills its parts, that is, adds to what a part has of a limit and
  /// leaves it above that limit. Then it is the move after which that part is first within its limit again
  /// (the later one for two limits), or never_repaired.
  static constexpr std::uint32_t never_repaired = invalid_id;
};

/// How many limits the state violates.
Weight count_violations(const ExecutionSpace& space, const PartitionState& state, const Limits& limits);

/// Evaluates every move and every prefix of the sequence.
Evaluation evaluate_sequence(const ExecutionSpace& space, const Hypergraph& hypergraph,
                             const PartitionState& state, const Moves& sequence, const Limits& limits);

/// The sequence without the moves that overfill a part for more than `patience` moves: what remains,
/// evaluated again, has longer valid prefixes. Any finite patience drops the overfills that are never
/// repaired; 0 drops all, also those in the middle of an exchange.
Moves without_overfills(const ExecutionSpace& space, const Moves& sequence, const Evaluation& evaluation,
                        std::uint32_t patience);

/// The valid prefix of largest exact gain, the shortest of those; {0, 0} if no prefix gains. A prefix is
/// valid if no limit is violated after it or, where the state itself violates limits, if fewer limits are
/// violated than before; then one that violates fewest wins before gain counts, even if it loses gain.
Prefix best_valid_prefix(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const PartitionState& state, const Moves& sequence, const Limits& limits);

/// Exact gain of every move of the sequence, given that all before it are applied.
DeviceView<Weight> in_sequence_gains(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                     const PartitionState& state, const Moves& sequence);

}  // namespace kohypar

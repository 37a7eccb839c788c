// The move every node would rather make, each for itself.
#pragma once

#include <kohypar/options.hpp>

#include "refinement/state.hpp"

namespace kohypar {

/// What makes a target better or worse besides the gain. Price times total node size and inbound weight times
/// total multiplicity must stay below 2^61.
struct ScoreTerms {
  Weight soft_size = unlimited;  ///< size up to which a part costs nothing
  Weight overfill_price = 0;     ///< for every unit of a node's size that comes to stand above soft_size
  Weight inbound_weight = 0;     ///< an eighth of it for every inbound hyperedge of a node that the part has

  /// Score less gain of a move.
  /// @param size_after of the target
  KOKKOS_FUNCTION Weight operator()(Weight size_after, Weight node_size, Weight shared_inbound) const {
    const Weight above = size_after > soft_size ? size_after - soft_size : 0;
    return inbound_weight * shared_inbound / 8 - overfill_price * (above < node_size ? above : node_size);
  }
};

/// basis * percent / 100, rounded down, without overflow.
KOKKOS_INLINE_FUNCTION Weight percent_of(Weight basis, Weight percent) {
  return basis / 100 * percent + basis % 100 * percent / 100;
}

struct ProposalRules {
  bool allow_full_targets = true;  ///< propose also moves that alone would break a limit of the target part
  int loss_percent = 0;            ///< keep moves with gain >= -saving * loss_percent / 100 (τ)
  std::uint64_t round_seed = 0;    ///< ties go to the part with the higher hash of (part, round_seed)
  ScoreTerms terms = {};           ///< the score, gain and terms, then takes the gain's place
  /// Unless negative, keep moves with gain >= -stay * stay_percent / 100 instead, where stay is the weight of
  /// hyperedges that the node shares with others of its part: Jet's filter.
  int stay_percent = -1;
  DeviceView<Weight> capacities = {};       ///< unless empty: by part, in the place of limits.max_size
  DeviceView<std::uint32_t> excluded = {};  ///< unless empty: by node, nonzero where it must not move
  bool only_overloaded = false;             ///< only nodes of parts that violate a limit
  int num_choices = 1;                      ///< how many targets to find for a node, up to most_choices
};

inline constexpr int most_choices = 4;

/// For every node its best targets, the best first, and their gains. Unused places hold invalid_id.
struct Choices {
  int per_node = 1;
  DeviceView<PartId> targets;  ///< num_nodes * per_node
  DeviceView<Weight> gains;    ///< likewise; not set where there is no target
};

/// Best moves per node by exact gain of that move alone, over the parts that share a hyperedge of positive
/// weight with it. Whether the move alone breaks a limit of its target is checked exactly too. Interior nodes
/// (all hyperedges inside their part) propose nothing. Nodes of a part that violates a limit propose only
/// targets that hold them, at any loss.
/// @param tuning team size and entries of the scratch accumulators; neither changes the result.
Choices find_choices(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                     const Limits& limits, const ProposalRules& rules, const Tuning& tuning);

/// The best move of every node that has one, ordered by node.
Moves best_of(const ExecutionSpace& space, const Choices& choices);

inline Moves propose_moves(const ExecutionSpace& space, const Hypergraph& hypergraph,
                           const PartitionState& state, const Limits& limits, const ProposalRules& rules,
                           const Tuning& tuning) {
  return best_of(space, find_choices(space, hypergraph, state, limits, rules, tuning));
}

}  // namespace kohypar

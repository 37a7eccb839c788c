// The move every node would rather make, each for itself.
#pragma once

#include <kohypar/options.hpp>

#include "refinement/state.hpp"

namespace kohypar {

struct ProposalRules {
  bool allow_full_targets = true;  ///< propose also moves that alone would break a limit of the target part
  int loss_percent = 0;            ///< keep moves with gain >= -saving * loss_percent / 100 (τ)
  std::uint64_t round_seed = 0;    ///< ties go to the part with the higher hash of (part, round_seed)
};

/// Best move per node by exact gain of that move alone, over the parts that share a hyperedge with it.
/// Interior nodes (all hyperedges inside their part) propose nothing. Ordered by node.
Moves propose_moves(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                    const Limits& limits, const ProposalRules& rules, const Tuning& tuning);

}  // namespace kohypar

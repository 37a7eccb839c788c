// What a sequence of moves does to the pins of hyperedges in parts.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// Index of what move i does to its source part (enters false) or its target in arrays of two entries per
/// move.
KOKKOS_INLINE_FUNCTION constexpr std::size_t side_of_move(std::size_t i, bool enters) {
  return 2 * i + (enters ? 1 : 0);
}

/// Adds to gains(i) the exact gain of move i after all moves before it and, unless inbound_changes is empty,
/// to its two entries per move the change of the part's distinct inbound hyperedges (with multiplicities,
/// without base_inbound). Time and memory: one sort of two events per incidence of a moved node.
void count_pin_events(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                      const Moves& sequence, const DeviceView<Weight>& gains,
                      const DeviceView<Weight>& inbound_changes);

}  // namespace kohypar

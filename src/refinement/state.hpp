// A partition of one level with everything refinement keeps beside it.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>

#include "refinement/part_pins.hpp"

namespace kohypar {

struct PartitionState {
  DeviceView<PartId> parts;    ///< num_nodes
  PartId num_parts = 0;        ///< parts may be empty during refinement
  DeviceView<Weight> sizes;    ///< num_parts: sum of node sizes
  DeviceView<Weight> inbound;  ///< num_parts: distinct inbound hyperedges, dropped ones included
                               ///< (base_inbound); empty if nobody limits them
  PartPins part_pins;
  Weight connectivity = 0;
};

/// Counts everything afresh from the parts, which the state keeps and changes in place from then on.
PartitionState build_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                           const DeviceView<PartId>& parts, PartId num_parts, bool counts_inbound = true);

/// Moves of distinct nodes to other parts, all arrays of one length.
struct Moves {
  DeviceView<NodeId> nodes;
  DeviceView<PartId> targets;
  DeviceView<Weight> gains;  ///< as proposed, each for itself
  [[nodiscard]] std::size_t size() const { return nodes.extent(0); }
};

/// The moves at the given positions, in that order.
Moves choose_moves(const ExecutionSpace& space, const Moves& moves,
                   const DeviceView<std::uint32_t>& positions);

/// Applies the first `count` moves and recounts only what they touch. The incremental values equal those of a
/// fresh build_state.
void apply_moves(const ExecutionSpace& space, const Hypergraph& hypergraph, const Moves& moves,
                 std::size_t count, PartitionState& state);

/// Drops parts without nodes; the others keep their order.
void drop_empty_parts(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state);

}  // namespace kohypar

// What a sequence of moves does to the pins of hyperedges in parts.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

// One event: a pin of a hyperedge enters or leaves a part. The word holds the position of the move in the
// sequence, whether the pin is a destination, and whether it enters.
KOKKOS_INLINE_FUNCTION std::uint32_t pack_event(std::size_t position, bool is_destination, bool enters) {
  return static_cast<std::uint32_t>(position << 2) | (is_destination ? 2u : 0u) | (enters ? 1u : 0u);
}
KOKKOS_INLINE_FUNCTION std::size_t position_of(std::uint32_t event) {
  return event >> 2;
}
KOKKOS_INLINE_FUNCTION bool is_destination(std::uint32_t event) {
  return (event & 2u) != 0;
}
KOKKOS_INLINE_FUNCTION bool enters(std::uint32_t event) {
  return (event & 1u) != 0;
}

// Pins in the lower half of a word, destination pins in the upper: one sum counts both. A negative pin
// borrows from the upper half, which the next count that is not negative gives back.
KOKKOS_INLINE_FUNCTION std::uint64_t pack_counts(std::uint64_t pins, std::uint64_t destination_pins) {
  return pins + (destination_pins << 32);
}

/// Events by (hyperedge, part), in the order of the sequence within such a segment.
struct PinEvents {
  DeviceView<std::uint64_t> keys;    ///< hyperedge, then part in the lowest part_bits
  DeviceView<std::uint32_t> events;  ///< pack_event
  int part_bits = 0;
};

/// Events of a sequence by (hyperedge, part), in the order of the sequence within each.
PinEvents sorted_pin_events(const ExecutionSpace& space, const Hypergraph& hypergraph,
                            const PartitionState& state, const Moves& sequence);

/// Pins (pack_counts) of a key's hyperedge in its part before any event.
KOKKOS_INLINE_FUNCTION std::uint64_t pins_in_part(const DeviceView<PinOffset>& hyperedge_offsets,
                                                  const PartPins& lists, std::uint64_t key, int part_bits) {
  const std::uint64_t e = key >> part_bits;
  const PartId part = static_cast<PartId>(key & ((std::uint64_t{1} << part_bits) - 1));
  const PinOffset begin = hyperedge_offsets(e), end = begin + lists.lambda(e);
  const PinOffset entry = find_part(lists, begin, lists.lambda(e), part);
  if (entry == end || lists.parts(entry) != part) return 0;
  return pack_counts(lists.pins(entry), lists.destination_pins(entry));
}

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

// For every hyperedge the parts it touches, sparse: never a parts-by-hyperedges matrix.
#pragma once

#include <kohypar/hypergraph.hpp>

namespace kohypar {

/// The list of hyperedge e stands at [hyperedge_offsets(e), hyperedge_offsets(e) + lambda(e)), ascending by
/// part; the arrays are as long as the pins, so that lists change in place.
struct PartPins {
  DeviceView<PartId> parts;
  DeviceView<std::uint32_t> pins;              ///< pins of e in the part, >= 1
  DeviceView<std::uint32_t> destination_pins;  ///< of which destinations
  DeviceView<std::uint32_t> lambda;            ///< num_hyperedges
};

/// Position of `part` in the list of e, or of where it would stand (check parts(i) == part and i < end).
KOKKOS_INLINE_FUNCTION PinOffset find_part(const PartPins& lists, PinOffset begin, std::uint32_t lambda,
                                           PartId part) {
  PinOffset low = begin, high = begin + lambda;
  while (low < high) {
    const PinOffset middle = low + (high - low) / 2;
    if (lists.parts(middle) < part) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Pins that are sorted together take 16 bytes each meanwhile.
inline constexpr PinOffset sorted_together = PinOffset{1} << 27;

/// Counts the lists of all hyperedges afresh. All part ids are below num_parts.
/// @param batch_pins most pins to sort at a time; the result does not depend on it
PartPins build_part_pins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const DeviceView<PartId>& parts, PartId num_parts,
                         PinOffset batch_pins = sorted_together);

/// Counts afresh the lists of the given hyperedges (distinct ids) after some nodes changed part.
void update_part_pins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                      const DeviceView<PartId>& parts, PartId num_parts,
                      const DeviceView<HyperedgeId>& touched, PartPins& lists,
                      PinOffset batch_pins = sorted_together);

}  // namespace kohypar

// Messages about some vertices and, of each, some sources: one value for every pair, and nothing for others.
#pragma once

#include "betweenness/exchange.hpp"
#include "betweenness/frontier.hpp"

namespace kohypar {

/// Vertices and sources, in groups by the process that they are sent to or came from. Values of the pairs
/// lie one after the other, those of entry e from offsets(e) on. Sender and receiver of a list have the same,
/// but for the vertices' numbers, so that values need no labels, whichever way they go.
struct PackedList {
  DeviceView<VertexId> ids;
  DeviceView<SourceMask> masks;
  DeviceView<PinOffset> offsets;  ///< one more than entries
  Sizes entries, values;          ///< by process

  [[nodiscard]] std::size_t size() const { return ids.extent(0); }
  [[nodiscard]] Frontier frontier() const { return {ids, masks}; }
  [[nodiscard]] std::size_t num_values() const {
    return std::accumulate(values.begin(), values.end(), std::size_t{0});
  }
};

/// @param entries by process
PackedList pack(const ExecutionSpace& space, const DeviceView<VertexId>& ids,
                const DeviceView<SourceMask>& masks, const Sizes& entries);

/// Values of a list's pairs.
template <class Number>
struct PackedValues {
  DeviceView<SourceMask> masks;
  DeviceView<PinOffset> offsets;
  DeviceView<Number> values;

  PackedValues(const PackedList& list, const DeviceView<Number>& all)
      : masks(list.masks), offsets(list.offsets), values(all) {}

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Number& operator()(std::size_t entry, int lane) const {
    const SourceMask lower = masks(entry) & ((SourceMask{1} << lane) - 1);
    return values(offsets(entry) + static_cast<std::size_t>(Kokkos::popcount(lower)));
  }
};

}  // namespace kohypar

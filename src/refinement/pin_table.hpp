// The pins of every hyperedge in every part, where parts are few, and the moves that are made there.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Something of every part, in registers as long as loops over it are unrolled.
template <class T, int width>
struct OfParts {
  T of[width] = {};

  KOKKOS_INLINE_FUNCTION void add(PartId part, T value) {
    for (int p = 0; p < width; ++p) of[p] += static_cast<PartId>(p) == part ? value : 0;
  }
  KOKKOS_INLINE_FUNCTION T operator()(PartId part) const {
    T found = 0;
    for (int p = 0; p < width; ++p) found = static_cast<PartId>(p) == part ? of[p] : found;
    return found;
  }
  KOKKOS_INLINE_FUNCTION OfParts& operator+=(const OfParts& other) {
    for (int p = 0; p < width; ++p) of[p] += other.of[p];
    return *this;
  }
};

/// Pins of every hyperedge in every part, a row of `width` a hyperedge, and in one word what gains depend on.
template <int width>
struct PinTable {
  static constexpr int several_shift = 16;

  DeviceView<std::uint32_t> counts;
  /// By hyperedge: bit p is set where part p has a pin, bit several_shift + p where it has several.
  DeviceView<std::uint32_t> words;

  KOKKOS_INLINE_FUNCTION static std::uint32_t word_of(const OfParts<std::uint32_t, width>& counts) {
    std::uint32_t word = 0;
    for (int p = 0; p < width; ++p)
      word |= (counts.of[p] > 0 ? 1u : 0u) << p | (counts.of[p] > 1 ? 1u : 0u) << (several_shift + p);
    return word;
  }
  /// Bits of the parts that have pins.
  KOKKOS_INLINE_FUNCTION static std::uint32_t present(std::uint32_t word) {
    return word & ((1u << width) - 1);
  }
  KOKKOS_INLINE_FUNCTION static bool has_several(std::uint32_t word, PartId part) {
    return (word >> (several_shift + part) & 1) != 0;
  }

  struct alignas(width < 4 ? 8 : 16) Row {  // loaded in few instructions
    std::uint32_t of[width];
  };
  KOKKOS_INLINE_FUNCTION Row row(std::size_t e) const {
    return reinterpret_cast<const Row*>(counts.data())[e];
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t& at(std::size_t e, PartId part) const {
    return counts(e * width + part);
  }

  /// One pin more or less in a part. Bits are flipped by whom the count passes their threshold with: of
  /// several at once in any order, so that they end as the count does.
  /// @return pins before
  KOKKOS_INLINE_FUNCTION std::uint32_t add_pin(std::size_t e, PartId part) const {
    const std::uint32_t before = Kokkos::atomic_fetch_add(&at(e, part), 1u);
    if (before < 2) flip(e, part, before);
    return before;
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t take_pin(std::size_t e, PartId part) const {
    const std::uint32_t before = Kokkos::atomic_fetch_sub(&at(e, part), 1u);
    if (before <= 2) flip(e, part, before - 1);
    return before;
  }

 private:
  /// @param fewer of the two pin counts between which the threshold lies
  KOKKOS_INLINE_FUNCTION void flip(std::size_t e, PartId part, std::uint32_t fewer) const {
    Kokkos::atomic_fetch_xor(&words(e), 1u << (fewer == 0 ? part : several_shift + part));
  }
};

// Where totals stand: connectivity, moves made so far, weight of cut hyperedges, sizes.
constexpr int connectivity_at = 0, moves_at = 1, cut_at = 2, sizes_at = 3;

/// What everything that moves nodes works on.
template <int width>
struct FewParts {
  PartId num_parts = 0;
  NodeId num_terminals = 0;
  DeviceView<PartId> parts;         ///< num_nodes
  DeviceView<Weight> totals;        ///< sizes_at + width
  DeviceView<Weight> capacities;    ///< num_parts
  DeviceView<PartId> targets;       ///< by node, what its move is; invalid_id: it has none
  DeviceView<Weight> gains;         ///< of moves, or their ranks
  DeviceView<Weight> after;         ///< in-sequence gains of moves; those below 0 are not made
  DeviceView<std::uint32_t> moved;  ///< whether a node was moved by the last round of moves

  KOKKOS_INLINE_FUNCTION Weight size(PartId part) const { return totals(sizes_at + part); }
};

}  // namespace kohypar

// Identical hyperedges and identical lists of hyperedges.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Which entries of a row count.
enum class RowPart {
  both,      ///< all, and rows that divide equal entries differently are different
  leading,   ///< a hyperedge's sources, a node's inbound hyperedges
  trailing,  ///< a hyperedge's destinations, a node's outbound hyperedges
};

/// Rows of ids in compressed form. A row has leading entries, then trailing ones, each part strictly
/// ascending.
struct Rows {
  DeviceView<PinOffset> offsets;             ///< number of rows + 1
  DeviceView<std::uint32_t> entries;         ///< ids
  DeviceView<std::uint32_t> leading_counts;  ///< one per row
  RowPart part = RowPart::both;

  [[nodiscard]] std::size_t size() const { return leading_counts.extent(0); }
  KOKKOS_FUNCTION PinOffset begin(std::size_t row) const {
    return offsets(row) + (part == RowPart::trailing ? leading_counts(row) : 0);
  }
  KOKKOS_FUNCTION PinOffset end(std::size_t row) const {
    return part == RowPart::leading ? offsets(row) + leading_counts(row) : offsets(row + 1);
  }
  /// Where the trailing entries start that must not be taken for leading ones.
  KOKKOS_FUNCTION PinOffset divide(std::size_t row) const {
    return part == RowPart::both ? offsets(row) + leading_counts(row) : begin(row);
  }
};

/// For each row the smallest index of a row identical to it (its own if there is none before it).
/// Candidates are found by hash and confirmed by comparing: k identical rows cost k - 1 comparisons.
DeviceView<std::uint32_t> find_identical_rows(const ExecutionSpace& space, const Rows& rows);

namespace detail {
/// The same with hashes reduced to the bits of `hash_mask`, so that tests can make different rows collide.
DeviceView<std::uint32_t> find_identical_rows(const ExecutionSpace& space, const Rows& rows,
                                              std::uint64_t hash_mask);
}  // namespace detail

}  // namespace kohypar

// Rows of ids from sorted (row, id) keys.
#pragma once

#include <kohypar/types.hpp>

#include "parallel/scan.hpp"
#include "parallel/search.hpp"

namespace kohypar {

/// Offsets of `num_rows` rows in ascending keys that hold the row above their lowest `shift` bits.
inline DeviceView<PinOffset> offsets_of_sorted_rows(const ExecutionSpace& space, const std::string& label,
                                                    const DeviceView<std::uint64_t>& keys,
                                                    std::size_t num_rows, int shift) {
  auto offsets = uninitialized<PinOffset>(label, num_rows + 1);
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, num_rows + 1),
      KOKKOS_LAMBDA(const std::size_t row) {
        offsets(row) = first_at_least(keys, std::uint64_t{row} << shift);
      });
  return offsets;
}

}  // namespace kohypar

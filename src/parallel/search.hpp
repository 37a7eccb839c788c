// Binary search.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Position of the first element in [low, high) of an ascending view that is at least `value`; high if none
/// is.
template <class T>
KOKKOS_INLINE_FUNCTION std::size_t first_at_least(const DeviceView<T>& sorted, std::size_t low,
                                                  std::size_t high, T value) {
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (sorted(middle) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The same for a whole view.
template <class T>
KOKKOS_INLINE_FUNCTION std::size_t first_at_least(const DeviceView<T>& sorted, T value) {
  return first_at_least(sorted, 0, sorted.extent(0), value);
}

}  // namespace kohypar

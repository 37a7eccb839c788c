// Binary search.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Position of the first element of an ascending view that is at least `value`; its length if none is.
template <class T>
KOKKOS_INLINE_FUNCTION std::size_t first_at_least(const DeviceView<T>& sorted, T value) {
  std::size_t low = 0, high = sorted.extent(0);
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

}  // namespace kohypar

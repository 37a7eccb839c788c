// Prefix sums within segments of an array.
#pragma once

#include <kohypar/types.hpp>
#include <string>

#include "parallel/scan.hpp"

namespace kohypar {

/// Replaces every value by the sum of all values up to and including it.
template <class T>
void inclusive_sums(const ExecutionSpace& space, const std::string& label, const DeviceView<T>& values) {
  Kokkos::parallel_scan(
      label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, T& sum, const bool final) {
        sum += values(i);
        if (final) values(i) = sum;
      });
}

namespace detail {
/// The larger index wins, whatever the order in which a scan joins its blocks.
struct LatestIndex {
  std::uint32_t index = 0;
  KOKKOS_INLINE_FUNCTION LatestIndex& operator+=(const LatestIndex& other) {
    if (other.index > index) index = other.index;
    return *this;
  }
};
}  // namespace detail

/// For every i < n the last j <= i with marked(j), or 0 if there is none; n at most 2^32.
template <class Marked>
DeviceView<std::uint32_t> last_marked(const ExecutionSpace& space, const std::string& label, std::size_t n,
                                      const Marked& marked) {
  const auto last = uninitialized<std::uint32_t>(label, n);
  Kokkos::parallel_scan(
      label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i, detail::LatestIndex& latest, const bool final) {
        if (marked(i)) latest += detail::LatestIndex{static_cast<std::uint32_t>(i)};
        if (final) last(i) = latest.index;
      });
  return last;
}

/// The sum from the start of the segment of i up to and including i, as a difference of prefix sums: exact
/// for integers, modulo 2^64 for unsigned ones even where the plain prefix sums wrap around.
template <class T>
struct SegmentedSums {
  DeviceView<T> prefix;              ///< inclusive sums over the whole array
  DeviceView<std::uint32_t> starts;  ///< first index of the segment of i

  KOKKOS_INLINE_FUNCTION T operator()(std::size_t i) const {
    const std::uint32_t start = starts(i);
    return start == 0 ? prefix(i) : prefix(i) - prefix(start - 1);
  }
};

/// Segmented inclusive sums; `starts` as from last_marked; the values are overwritten.
template <class T>
SegmentedSums<T> segmented_sums(const ExecutionSpace& space, const std::string& label,
                                const DeviceView<T>& values, const DeviceView<std::uint32_t>& starts) {
  inclusive_sums(space, label, values);
  return {values, starts};
}

}  // namespace kohypar

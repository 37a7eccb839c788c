// Prefix sums and compaction.
#pragma once

#include <kohypar/types.hpp>
#include <string>

#include "parallel/memory_pool.hpp"

namespace kohypar {

/// A view without the fill; every element must be written before it is read.
template <class T>
DeviceView<T> uninitialized(const std::string& label, std::size_t size) {
  return MemoryPool::allocate<T>(label, size);
}

template <class T>
DeviceView<T> filled(const ExecutionSpace& space, const std::string& label, std::size_t size, T value) {
  auto view = uninitialized<T>(label, size);
  Kokkos::deep_copy(space, view, value);
  return view;
}

template <class T>
DeviceView<T> copy_of(const ExecutionSpace& space, const std::string& label, const DeviceView<T>& from) {
  auto copy = uninitialized<T>(label, from.extent(0));
  Kokkos::deep_copy(space, copy, from);
  return copy;
}

/// 0, 1, ..., count - 1.
inline DeviceView<std::uint32_t> all_ids(const ExecutionSpace& space, std::uint32_t count) {
  auto ids = uninitialized<std::uint32_t>("KoHyPar::all_ids", count);
  Kokkos::parallel_for(
      "KoHyPar::all_ids", Kokkos::RangePolicy<ExecutionSpace>(space, 0, count),
      KOKKOS_LAMBDA(const std::uint32_t i) { ids(i) = i; });
  return ids;
}

/// Offsets of rows: `count(i)` entries in row i give size n + 1 offsets; `total` receives the last one.
template <class Count>
DeviceView<PinOffset> offsets_from_counts(const ExecutionSpace& space, const std::string& label,
                                          std::size_t n, const Count& count, PinOffset& total) {
  auto offsets = uninitialized<PinOffset>(label, n + 1);
  total = 0;
  Kokkos::parallel_scan(
      label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, n + 1),
      KOKKOS_LAMBDA(const std::size_t i, PinOffset& sum, const bool final) {
        if (final) offsets(i) = sum;
        if (i < n) sum += static_cast<PinOffset>(count(i));
      },
      total);
  return offsets;
}

/// The indices i < n, ascending, for which keep(i) holds.
template <class Keep>
DeviceView<std::uint32_t> select(const ExecutionSpace& space, const std::string& label, std::size_t n,
                                 const Keep& keep) {
  const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>> range(space, 0, n);
  std::size_t total = 0;
  Kokkos::parallel_reduce(
      label, range, KOKKOS_LAMBDA(const std::size_t i, std::size_t& sum) { sum += keep(i) ? 1 : 0; }, total);
  auto chosen = uninitialized<std::uint32_t>(label, total);
  Kokkos::parallel_scan(
      label, range, KOKKOS_LAMBDA(const std::size_t i, std::size_t& sum, const bool final) {
        if (!keep(i)) return;
        if (final) chosen(sum) = static_cast<std::uint32_t>(i);
        ++sum;
      });
  return chosen;
}

/// The entries of `from` at the indices i for which keep(i) holds, in order.
template <class T, class Keep>
DeviceView<T> compact(const ExecutionSpace& space, const std::string& label, const DeviceView<T>& from,
                      const Keep& keep) {
  const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>> range(space, 0, from.extent(0));
  std::size_t total = 0;
  Kokkos::parallel_reduce(
      label, range, KOKKOS_LAMBDA(const std::size_t i, std::size_t& sum) { sum += keep(i) ? 1 : 0; }, total);
  auto kept = uninitialized<T>(label, total);
  Kokkos::parallel_scan(
      label, range, KOKKOS_LAMBDA(const std::size_t i, std::size_t& sum, const bool final) {
        if (!keep(i)) return;
        if (final) kept(sum) = from(i);
        ++sum;
      });
  return kept;
}

}  // namespace kohypar

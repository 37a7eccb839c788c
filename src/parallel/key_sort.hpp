// Sorting of packed 64-bit keys, with the same result on every backend.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Sorts keys ascending; only their lowest `bits` bits may be set.
/// Linear work: radix sort on CUDA (CUB) and on hosts (ours, blocked by thread), Kokkos::sort elsewhere.
void sort_keys(const ExecutionSpace& space, const DeviceView<std::uint64_t>& keys, int bits);

/// Sorts (key, value) pairs by key, ascending and stable: equal keys keep the order of their values.
/// Only the keys' lowest `bits` bits may be set; at most 2^32 pairs.
void stable_sort_by_key(const ExecutionSpace& space, const DeviceView<std::uint64_t>& keys,
                        const DeviceView<std::uint32_t>& values, int bits);

namespace detail {
/// The backend-independent way, reachable on every backend for tests.
void sort_keys_portable(const ExecutionSpace& space, const DeviceView<std::uint64_t>& keys);
void stable_sort_by_key_portable(const ExecutionSpace& space, const DeviceView<std::uint64_t>& keys,
                                 const DeviceView<std::uint32_t>& values);
}  // namespace detail

}  // namespace kohypar

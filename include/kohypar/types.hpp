// Ids, weights and memory spaces that every other header uses.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace kohypar {

using ExecutionSpace = Kokkos::DefaultExecutionSpace;
using MemorySpace = ExecutionSpace::memory_space;

using NodeId = std::uint32_t;
using HyperedgeId = std::uint32_t;
using PartId = std::uint32_t;
using PinOffset = std::uint64_t;

/// Weights, sizes, gains and ratings are 64-bit integers: the same sums on every backend, in any order.
using Weight = std::int64_t;

/// "No node", "no hyperedge", "no part".
inline constexpr std::uint32_t invalid_id = std::numeric_limits<std::uint32_t>::max();

/// Ids stay below 2^31, so that two of them and a flag pack into one 64-bit sort key.
inline constexpr std::uint32_t max_id_count = std::uint32_t{1} << 31;

/// Total node size and total of weight times cardinality stay below this (see algorithm notes in README).
inline constexpr Weight max_total_weight = Weight{1} << 61;

template <class T>
using DeviceView = Kokkos::View<T*, MemorySpace>;

template <class T>
using HostView = Kokkos::View<T*, Kokkos::HostSpace>;

/// Leaves new elements uninitialised: readers fill every element of arrays that can be gigabytes.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  template <class U>
  void construct(U* where) noexcept {
    ::new (static_cast<void*>(where)) U;
  }
  template <class U, class... Args>
  void construct(U* where, Args&&... args) {
    std::allocator_traits<std::allocator<T>>::construct(*this, where, std::forward<Args>(args)...);
  }
};

/// Host storage for the large arrays of a hypergraph. `HostArray<T> a(n)` does not zero.
template <class T>
using HostArray = std::vector<T, UninitializedAllocator<T>>;

}  // namespace kohypar

// Sums that a team shares.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Adds to memory of a team that other threads of it add to as well; read it after a barrier. Devices add to
/// 32 bits of scratch memory in one instruction, but to 64 bits in a loop of compare and exchange: there two
/// halves are added one after the other, and whoever makes the lower one overflow carries.
template <class T>
KOKKOS_INLINE_FUNCTION void add_shared(T* where, T value) {
  if constexpr (sizeof(T) == 8) {
    KOKKOS_IF_ON_DEVICE(
        (auto* halves = reinterpret_cast<std::uint32_t*>(where);  // devices are little-endian
         const auto low = static_cast<std::uint32_t>(value);
         const std::uint32_t carry = Kokkos::atomic_fetch_add(halves, low) + low < low ? 1 : 0;
         const std::uint32_t high =
             static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32) + carry;
         if (high != 0) Kokkos::atomic_add(halves + 1, high);))
    KOKKOS_IF_ON_HOST((Kokkos::atomic_add(where, value);))
  } else {
    Kokkos::atomic_add(where, value);
  }
}

/// Likewise for kernels whose teams on hosts are one thread.
template <class T>
KOKKOS_INLINE_FUNCTION void team_add(T* where, T value) {
  KOKKOS_IF_ON_DEVICE((add_shared(where, value);))
  KOKKOS_IF_ON_HOST((*where += value;))
}

/// Sets bits, likewise. @return the bits before
KOKKOS_INLINE_FUNCTION std::uint32_t team_or(std::uint32_t* where, std::uint32_t bits) {
  KOKKOS_IF_ON_DEVICE((return Kokkos::atomic_fetch_or(where, bits);))
  KOKKOS_IF_ON_HOST((const std::uint32_t before = *where; *where |= bits; return before;))
}

/// Adds one, likewise. @return the count before
KOKKOS_INLINE_FUNCTION std::uint32_t team_count(std::uint32_t* where) {
  KOKKOS_IF_ON_DEVICE((return Kokkos::atomic_fetch_add(where, 1u);))
  KOKKOS_IF_ON_HOST((return (*where)++;))
}

}  // namespace kohypar

// Pseudo-random values as pure functions of ids and seeds: no generator state, the same on every backend.
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace kohypar {

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection of 64-bit words.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// A hash of an ordered pair of words.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return mix(mix(a) + b);
}

}  // namespace kohypar

// Widths of packed keys.
#pragma once

#include <Kokkos_Macros.hpp>
#include <bit>
#include <cstdint>

namespace kohypar {

/// Bits that hold every id below `count` (at least 1).
constexpr int bits_for(std::uint64_t count) {
  return count <= 2 ? 1 : std::bit_width(count - 1);
}

}  // namespace kohypar

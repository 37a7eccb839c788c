// High-water mark of device memory.
#pragma once

#include <cstdint>

namespace kohypar::memory_meter {

/// Starts counting Kokkos allocations in MemorySpace (through Kokkos Tools' callbacks; a loaded tool keeps
/// getting its own). Calls after the first do nothing. Needs Kokkos initialised.
void install();

/// Bytes allocated now, since install().
std::uint64_t current();

/// Largest value of current() since the last reset_peak().
std::uint64_t peak();
void reset_peak();

/// Throws Error(out_of_memory) if peak() is above a limit; 0: none.
void check(std::uint64_t limit);
void check(std::uint64_t peak, std::uint64_t limit);

}  // namespace kohypar::memory_meter

// Fewer page faults where gigabytes are filled for the first time.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <kohypar/types.hpp>

namespace kohypar {

/// Asks for huge pages under an array that is about to be filled: otherwise half the time of reading a large
/// binary file goes to page faults. Where the system has none to give, nothing changes.
template <class T>
void prefer_huge_pages(HostArray<T>& array) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(array.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t end = (begin + array.size() * sizeof(T)) / page * page;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#else
  (void)array;
#endif
}

}  // namespace kohypar

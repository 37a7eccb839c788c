// Work on host memory by plain threads: files are read before, or without, Kokkos being initialised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <kohypar/types.hpp>

namespace kohypar {

/// How host work is split. Results never depend on it.
struct HostThreads {
  unsigned count = 0;                        ///< 0: as many as the machine has
  std::size_t chunk = std::size_t{1} << 20;  ///< bytes or pins that a thread takes at a time, at least 1
};

/// Calls work(i) once for each i below num_chunks; free threads take the chunks in ascending order.
/// If calls throw, the exception of the smallest i is rethrown: the first error of a file is reported,
/// whatever the number of threads.
void for_each_chunk(const HostThreads& threads, std::size_t num_chunks,
                    const std::function<void(std::size_t)>& work);

/// Calls work(begin, end) on disjoint ranges that cover all indices below `size`.
template <class Work>
void for_each_range(const HostThreads& threads, std::size_t size, const Work& work) {
  const std::size_t num_chunks = (size + threads.chunk - 1) / threads.chunk;
  for_each_chunk(threads, num_chunks,
                 [&](std::size_t i) { work(i * threads.chunk, std::min(size, (i + 1) * threads.chunk)); });
}

/// Calls work(begin, end) on disjoint ranges of hyperedges that cover all of them, each with about
/// threads.chunk pins and hyperedges together.
template <class Work>
void for_each_hyperedge_range(const HostThreads& threads, const HostArray<PinOffset>& hyperedge_offsets,
                              const Work& work) {
  const std::size_t num_hyperedges = hyperedge_offsets.size() - 1;
  const std::size_t total = num_hyperedges + hyperedge_offsets.back();
  const std::size_t num_chunks = (total + threads.chunk - 1) / threads.chunk;
  const auto boundary = [&](std::size_t chunk) {
    std::size_t low = 0, high = num_hyperedges;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (hyperedge_offsets[middle] + middle < chunk * threads.chunk) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  for_each_chunk(threads, num_chunks, [&](std::size_t i) { work(boundary(i), boundary(i + 1)); });
}

}  // namespace kohypar

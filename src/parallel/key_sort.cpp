#include "parallel/key_sort.hpp"

#include <Kokkos_Sort.hpp>
#include <type_traits>

#include "parallel/scan.hpp"
#include "parallel/search.hpp"
#include "parallel/work_meter.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace kohypar {

namespace {

using Keys = DeviceView<std::uint64_t>;
using Values = DeviceView<std::uint32_t>;
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

// Below this many keys one thread sorts: starting the others costs more (a few microseconds per pass).
constexpr std::size_t blocked_sort_minimum = 1 << 14;
constexpr int digit_bits = 8;
constexpr std::size_t num_digits = std::size_t{1} << digit_bits;

/// Least-significant-digit radix sort: per block a histogram, one scan over (digit, block), per block a
/// stable scatter. Blocks are as many as threads, which does not show in the result.
void radix_sort_on_host(const ExecutionSpace& space, Keys keys, Values values, int bits) {
  const std::size_t n = keys.extent(0);
  const bool with_values = values.extent(0) == n && n > 0;
  const std::size_t blocks = n < blocked_sort_minimum ? 1 : static_cast<std::size_t>(space.concurrency());
  const std::size_t block_size = (n + blocks - 1) / blocks;
  auto keys_out = uninitialized<std::uint64_t>("KoHyPar::sort::keys", n);
  auto values_out = uninitialized<std::uint32_t>("KoHyPar::sort::values", with_values ? n : 0);
  auto starts = uninitialized<std::size_t>("KoHyPar::sort::digit_starts", num_digits * blocks);
  Keys from = keys, to = keys_out;
  Values values_from = values, values_to = values_out;
  for (int shift = 0; shift < bits; shift += digit_bits) {
    Kokkos::parallel_for(
        "KoHyPar::sort::histogram", Range(space, 0, blocks), KOKKOS_LAMBDA(const std::size_t block) {
          std::size_t count[num_digits] = {};
          const std::size_t end = Kokkos::min(n, (block + 1) * block_size);
          for (std::size_t i = block * block_size; i < end; ++i)
            ++count[(from(i) >> shift) & (num_digits - 1)];
          for (std::size_t d = 0; d < num_digits; ++d) starts(d * blocks + block) = count[d];
        });
    space.fence("KoHyPar::sort::histogram");
    std::size_t sum = 0;
    bool one_digit = false;  // a digit that all keys share moves nothing
    for (std::size_t d = 0; d < num_digits; ++d) {
      const std::size_t before = sum;
      for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t count = starts(d * blocks + b);
        starts(d * blocks + b) = sum;
        sum += count;
      }
      one_digit = one_digit || sum - before == n;
    }
    if (one_digit) continue;
    Kokkos::parallel_for(
        "KoHyPar::sort::scatter", Range(space, 0, blocks), KOKKOS_LAMBDA(const std::size_t block) {
          std::size_t next[num_digits];
          for (std::size_t d = 0; d < num_digits; ++d) next[d] = starts(d * blocks + block);
          const std::size_t end = Kokkos::min(n, (block + 1) * block_size);
          for (std::size_t i = block * block_size; i < end; ++i) {
            const std::size_t where = next[(from(i) >> shift) & (num_digits - 1)]++;
            to(where) = from(i);
            if (with_values) values_to(where) = values_from(i);
          }
        });
    space.fence("KoHyPar::sort::scatter");
    std::swap(from, to);
    std::swap(values_from, values_to);
  }
  if (from.data() != keys.data()) {
    Kokkos::deep_copy(space, keys, from);
    if (with_values) Kokkos::deep_copy(space, values, values_from);
  }
  space.fence("KoHyPar::sort::done");
}

#ifdef KOKKOS_ENABLE_CUDA
void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) Kokkos::abort((std::string(what) + ": " + cudaGetErrorString(status)).c_str());
}

void radix_sort_on_cuda(const ExecutionSpace& space, const Keys& keys, const Values& values, int bits) {
  const std::size_t n = keys.extent(0);
  const bool with_values = values.extent(0) == n;
  const cudaStream_t stream = space.cuda_stream();
  auto keys_out = uninitialized<std::uint64_t>("KoHyPar::sort::keys", n);
  auto values_out = uninitialized<std::uint32_t>("KoHyPar::sort::values", with_values ? n : 0);
  cub::DoubleBuffer<std::uint64_t> key_buffers(keys.data(), keys_out.data());
  cub::DoubleBuffer<std::uint32_t> value_buffers(values.data(), values_out.data());
  const auto run = [&](void* temporary, std::size_t& bytes) {
    return with_values ? cub::DeviceRadixSort::SortPairs(temporary, bytes, key_buffers, value_buffers, n, 0,
                                                         bits, stream)
                       : cub::DeviceRadixSort::SortKeys(temporary, bytes, key_buffers, n, 0, bits, stream);
  };
  std::size_t bytes = 0;
  check(run(nullptr, bytes), "KoHyPar::sort: size of temporary storage");
  auto temporary = uninitialized<std::byte>("KoHyPar::sort::temporary", bytes);
  check(run(temporary.data(), bytes), "KoHyPar::sort");
  if (key_buffers.Current() != keys.data()) Kokkos::deep_copy(space, keys, keys_out);
  if (with_values && value_buffers.Current() != values.data()) Kokkos::deep_copy(space, values, values_out);
  space.fence("KoHyPar::sort::done");  // the buffers end here
}
#endif

}  // namespace

void sort_keys(const ExecutionSpace& space, const Keys& keys, int bits) {
  if (keys.extent(0) < 2) return;
  work_meter::add_sorted_bytes(keys.extent(0) * sizeof(std::uint64_t));
  if constexpr (on_host) {
    radix_sort_on_host(space, keys, {}, bits);
  } else {
#ifdef KOKKOS_ENABLE_CUDA
    radix_sort_on_cuda(space, keys, {}, bits);
#else
    detail::sort_keys_portable(space, keys);
#endif
  }
}

void stable_sort_by_key(const ExecutionSpace& space, const Keys& keys, const Values& values, int bits) {
  if (keys.extent(0) < 2) return;
  work_meter::add_sorted_bytes(keys.extent(0) * (sizeof(std::uint64_t) + sizeof(std::uint32_t)));
  if constexpr (on_host) {
    radix_sort_on_host(space, keys, values, bits);
  } else {
#ifdef KOKKOS_ENABLE_CUDA
    radix_sort_on_cuda(space, keys, values, bits);
#else
    detail::stable_sort_by_key_portable(space, keys, values);
#endif
  }
}

namespace detail {

void sort_keys_portable(const ExecutionSpace& space, const Keys& keys) {
  if (keys.extent(0) > 1) Kokkos::sort(space, keys);
  space.fence("KoHyPar::sort::done");
}

void stable_sort_by_key_portable(const ExecutionSpace& space, const Keys& keys, const Values& values) {
  const std::size_t n = keys.extent(0);
  if (n < 2) return;
  const auto sorted = copy_of(space, "KoHyPar::sort::sorted", keys);
  sort_keys_portable(space, sorted);
  // (rank of the key, position) is a unique key in 64 bits, so an unstable sort orders it the same
  // everywhere.
  auto ranked = uninitialized<std::uint64_t>("KoHyPar::sort::ranked", n);
  Kokkos::parallel_for(
      "KoHyPar::sort::rank", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        ranked(i) = (std::uint64_t{first_at_least(sorted, keys(i))} << 32) | i;
      });
  sort_keys_portable(space, ranked);
  auto moved = uninitialized<std::uint32_t>("KoHyPar::sort::values", n);
  Kokkos::parallel_for(
      "KoHyPar::sort::gather", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { moved(i) = values(ranked(i) & 0xFFFFFFFFu); });
  Kokkos::deep_copy(space, values, moved);
  Kokkos::deep_copy(space, keys, sorted);
  space.fence("KoHyPar::sort::done");
}

}  // namespace detail

}  // namespace kohypar

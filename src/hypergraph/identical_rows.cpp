#include "hypergraph/identical_rows.hpp"

#include "parallel/bits.hpp"
#include "parallel/hash.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/search.hpp"

namespace kohypar {

namespace {

using Keys = DeviceView<std::uint64_t>;

/// Hashes of the rows as sets. A leading entry hashes differently from a trailing one: in a clique of nodes
/// that each send to all others, all hyperedges have the same pins.
Keys hash_rows(const ExecutionSpace& space, const Rows& rows, std::uint64_t hash_mask) {
  auto hashes = uninitialized<std::uint64_t>("KoHyPar::identical_rows::hashes", rows.size());
  for_each_row(
      space, "KoHyPar::identical_rows::hash", rows.size(),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t row) {
        const PinOffset divide = rows.divide(row);
        std::uint64_t hash = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, rows.begin(row), rows.end(row)),
            [&](const PinOffset i, std::uint64_t& sum) {
              sum += mix((std::uint64_t{rows.entries(i)} << 1) | (i < divide ? 1 : 0));
            },
            hash);
        Kokkos::single(Kokkos::PerThread(thread), [&] { hashes(row) = mix(hash) & hash_mask; });
      });
  return hashes;
}

/// Unique keys, sorted: as many bits of a row's hash as there is room for, then the row. Identical rows
/// follow one another, ascending.
Keys sorted_keys(const ExecutionSpace& space, const Keys& hashes, int row_bits) {
  const std::size_t n = hashes.extent(0);
  auto keys = uninitialized<std::uint64_t>("KoHyPar::identical_rows::keys", n);
  Kokkos::parallel_for(
      "KoHyPar::identical_rows::keys",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t row) { keys(row) = ((hashes(row) >> row_bits) << row_bits) | row; });
  sort_keys(space, keys, 64);
  return keys;
}

/// Compares every pending row with the first pending one of the same hash bits: its representative becomes
/// that row if they are identical, else stays invalid_id. Returns how many did.
std::size_t compare_with_first(const ExecutionSpace& space, const Rows& rows, const Keys& hashes,
                               const Keys& pending, int row_bits,
                               const DeviceView<std::uint32_t>& representatives) {
  const std::uint64_t row_mask = (std::uint64_t{1} << row_bits) - 1;
  for_each_row(
      space, "KoHyPar::identical_rows::compare", pending.extent(0),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) {
        const std::uint64_t key = pending(i);
        const std::size_t row = key & row_mask;
        const std::size_t first = pending(first_at_least(pending, key & ~row_mask)) & row_mask;
        const PinOffset begin = rows.begin(row), first_begin = rows.begin(first);
        const PinOffset length = rows.end(row) - begin;
        std::uint32_t differences = hashes(row) != hashes(first) || length != rows.end(first) - first_begin ||
                                    rows.divide(row) - begin != rows.divide(first) - first_begin;
        if (row != first && differences == 0) {
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(thread, length),
              [&](const PinOffset j, std::uint32_t& sum) {
                sum += rows.entries(begin + j) != rows.entries(first_begin + j) ? 1 : 0;
              },
              differences);
        }
        Kokkos::single(Kokkos::PerThread(thread), [&] {
          representatives(row) = differences == 0 ? static_cast<std::uint32_t>(first) : invalid_id;
        });
      });
  std::size_t different = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::identical_rows::different",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, pending.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& sum) {
        sum += representatives(pending(i) & row_mask) == invalid_id ? 1 : 0;
      },
      different);
  return different;
}

}  // namespace

DeviceView<std::uint32_t> find_identical_rows(const ExecutionSpace& space, const Rows& rows) {
  return detail::find_identical_rows(space, rows, ~std::uint64_t{0});
}

DeviceView<std::uint32_t> detail::find_identical_rows(const ExecutionSpace& space, const Rows& rows,
                                                      std::uint64_t hash_mask) {
  const int row_bits = bits_for(rows.size());
  const std::uint64_t row_mask = (std::uint64_t{1} << row_bits) - 1;
  auto representatives =
      uninitialized<std::uint32_t>("KoHyPar::identical_rows::representatives", rows.size());
  const Keys hashes = hash_rows(space, rows, hash_mask);
  Keys pending = sorted_keys(space, hashes, row_bits);
  // Different rows of equal hash bits are rare: a round or two more resolves them.
  while (compare_with_first(space, rows, hashes, pending, row_bits, representatives) > 0) {
    const Keys compared = pending;
    pending = compact(
        space, "KoHyPar::identical_rows::pending", compared,
        KOKKOS_LAMBDA(const std::size_t i) { return representatives(compared(i) & row_mask) == invalid_id; });
  }
  return representatives;
}

}  // namespace kohypar

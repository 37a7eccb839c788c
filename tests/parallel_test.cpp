// Sorting, scans and compaction against the standard library.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

struct SortCase {
  std::size_t size;
  int bits;
};

/// The sum of the values, added up in scratch memory by all threads of a team.
Weight sum_in_a_team(const ExecutionSpace& space, const DeviceView<Weight>& values) {
  using Scratch =
      Kokkos::View<Weight*, ExecutionSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const DeviceView<Weight> result("sum", 1);
  auto policy = team_policy(space, 1, 8, 16);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(1)));
  Kokkos::parallel_for(
      "sum_in_a_team", policy, KOKKOS_LAMBDA(const Kokkos::TeamPolicy<ExecutionSpace>::member_type& team) {
        const Scratch sum(team.team_scratch(0), 1);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sum(0) = 0; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, values.extent(0)),
                             [&](const std::size_t i) { add_shared(&sum(0), values(i)); });
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] { result(0) = sum(0); });
      });
  return to_host(result)[0];
}

TEST(TeamAdd, CarriesAndBorrows) {
  std::mt19937_64 random(5);
  std::vector<Weight> values(10000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Weight>(random() >> (14 + i % 50)) * (i % 3 == 0 ? -1 : 1);
  EXPECT_EQ(sum_in_a_team(ExecutionSpace(), to_device(values)),
            std::accumulate(values.begin(), values.end(), Weight{0}));
}

class KeySort : public ::testing::TestWithParam<SortCase> {};

TEST_P(KeySort, EveryWayEqualsStandardStableSort) {
  const auto [size, bits] = GetParam();
  std::mt19937_64 random(size * 65 + bits);
  std::vector<std::uint64_t> keys(size);
  for (auto& key : keys) key = bits == 64 ? random() : random() & ((std::uint64_t{1} << bits) - 1);
  std::vector<std::uint32_t> values(size);
  std::iota(values.begin(), values.end(), 0u);

  std::vector<std::uint32_t> expected_values = values;
  std::stable_sort(expected_values.begin(), expected_values.end(),
                   [&](auto a, auto b) { return keys[a] < keys[b]; });
  std::vector<std::uint64_t> expected_keys = keys;
  std::sort(expected_keys.begin(), expected_keys.end());

  const ExecutionSpace space;
  const auto only_keys = to_device(keys);
  sort_keys(space, only_keys, bits);
  EXPECT_EQ(to_host(only_keys), expected_keys);
  const auto portable_keys = to_device(keys);
  detail::sort_keys_portable(space, portable_keys);
  EXPECT_EQ(to_host(portable_keys), expected_keys);

  const auto pair_keys = to_device(keys);
  const auto pair_values = to_device(values);
  stable_sort_by_key(space, pair_keys, pair_values, bits);
  EXPECT_EQ(to_host(pair_keys), expected_keys);
  EXPECT_EQ(to_host(pair_values), expected_values);

  const auto ported_keys = to_device(keys);
  const auto ported_values = to_device(values);
  detail::stable_sort_by_key_portable(space, ported_keys, ported_values);
  EXPECT_EQ(to_host(ported_keys), expected_keys);
  EXPECT_EQ(to_host(ported_values), expected_values);
}

INSTANTIATE_TEST_SUITE_P(Sizes, KeySort,
                         ::testing::Values(SortCase{0, 8}, SortCase{1, 8}, SortCase{2, 1}, SortCase{1000, 3},
                                           SortCase{1000, 64}, SortCase{40000, 5}, SortCase{100003, 33},
                                           SortCase{100003, 64}));

// Device lambdas may not stand in a test's (private) body.
DeviceView<PinOffset> offsets_of_sevenths(const ExecutionSpace& space, std::size_t n, PinOffset& total) {
  return offsets_from_counts(
      space, "test", n, KOKKOS_LAMBDA(std::size_t i) { return i % 7; }, total);
}
DeviceView<std::uint32_t> select_thirds(const ExecutionSpace& space, std::size_t n) {
  return select(
      space, "test", n, KOKKOS_LAMBDA(std::size_t i) { return i % 3 == 1; });
}

TEST(Scan, OffsetsAndSelection) {
  const ExecutionSpace space;
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{5000}}) {
    PinOffset total = 0;
    const auto offsets = to_host(offsets_of_sevenths(space, n, total));
    PinOffset sum = 0;
    std::vector<std::uint32_t> odd;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(offsets[i], sum);
      sum += i % 7;
      if (i % 3 == 1) odd.push_back(static_cast<std::uint32_t>(i));
    }
    EXPECT_EQ(offsets[n], sum);
    EXPECT_EQ(total, sum);
    EXPECT_EQ(to_host(select_thirds(space, n)), odd);
  }
}

TEST(Bits, HoldEveryIdBelowTheCount) {
  for (std::uint64_t count = 1; count < 70; ++count) EXPECT_GE(std::uint64_t{1} << bits_for(count), count);
  EXPECT_EQ(bits_for(1), 1);
  EXPECT_EQ(bits_for(256), 8);
  EXPECT_EQ(bits_for(257), 9);
}

}  // namespace

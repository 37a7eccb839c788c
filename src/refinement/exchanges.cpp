#include "refinement/exchanges.hpp"

#include <algorithm>
#include <vector>

#include "parallel/memory_pool.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"
#include "refinement/search_group.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

// Of lists of one group. The same everywhere, for it decides what is searched.
constexpr std::uint64_t most_list_bytes = std::uint64_t{1} << 32;

/// For the sake of memory alone: groups don't concern each other. Hosts search in few at once.
std::uint64_t default_list_bytes(const ExecutionSpace& space) {
  if (!runs_on_host) return most_list_bytes;
  constexpr std::uint64_t per_thread = std::uint64_t{1} << 25;
  return std::clamp<std::uint64_t>(per_thread * static_cast<std::uint64_t>(space.concurrency()),
                                   16 * per_thread, most_list_bytes);
}

using SearchPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<max_team_lanes>>;

/// Of each team at most: where TurnMemory fits into what devices have on their cores, it takes nothing else.
std::uint64_t scratch_bytes(const GroupedNodes& grouped) {
  return TurnMemory::bytes(grouped) + NodeMemory::bytes(grouped);
}

/// Not by team_policy: teams of so many threads need the kernel to keep within their share of registers.
void search_groups(const ExecutionSpace& space, const GroupRange& range, SearchGroup search) {
  const std::size_t num_groups = range.last - range.first;
  SearchPolicy policy(space, static_cast<int>(num_groups), runs_on_host ? 1 : max_team_lanes);
  const GroupedNodes& grouped = search.lists.grouped;
  const std::size_t fast = TurnMemory::bytes(grouped), slow = NodeMemory::bytes(grouped);
  search.scratch_level = fast <= static_cast<std::size_t>(policy.scratch_size_max(0)) ? 0 : 1;
  if (search.scratch_level == 0) policy.set_scratch_size(0, Kokkos::PerTeam(fast));
  const std::size_t in_memory = search.scratch_level == 0 ? slow : fast + slow;
  policy.set_scratch_size(1, Kokkos::PerTeam(in_memory));
  MemoryPool::make_room(num_groups * in_memory);
  Kokkos::parallel_for("KoHyPar::exchanges::search", policy, search);
}

/// Cuts groups into ranges whose lists take about as much as each other and no more than `most_bytes`, but
/// for single groups. Leaves out those that are too large.
std::vector<GroupRange> cut_by_bytes(const GroupedNodes& grouped, const GroupRows& rows,
                                     const GroupRange& all, std::uint64_t most_bytes) {
  const std::uint64_t scratch = scratch_bytes(grouped);
  std::uint64_t total = 0;
  for (std::size_t group = all.first; group < all.last; ++group) {
    const std::uint64_t lists = bytes_of_lists(grouped, rows, group);
    if (lists <= most_list_bytes) total += lists + scratch;
  }
  const std::uint64_t even = total / (total / most_bytes + 1) + 1;
  std::vector<GroupRange> ranges;
  std::uint64_t bytes = 0;
  for (std::size_t group = all.first; group < all.last; ++group) {
    const std::uint64_t lists = bytes_of_lists(grouped, rows, group);
    if (lists > most_list_bytes) continue;
    if (ranges.empty() || ranges.back().last != group || bytes + lists + scratch > even) {
      ranges.push_back({group, group});
      bytes = 0;
    }
    bytes += lists + scratch;
    ++ranges.back().last;
  }
  return ranges;
}

/// Calls body(rows, range) for all groups, so many at a time that their rows fit.
template <class Body>
void for_each_batch(const ExecutionSpace& space, const GroupedNodes& grouped, std::uint64_t most_bytes,
                    const Body& body) {
  const Hypergraph& h = grouped.hypergraph;
  const std::size_t num_groups = grouped.groups.size();
  const std::uint64_t row_bytes = std::uint64_t{12} * h.num_hyperedges + 4 * h.num_pins / num_groups + 1;
  const std::size_t at_once = std::clamp<std::size_t>(most_bytes / row_bytes, 1, num_groups);
  for (std::size_t first = 0; first < num_groups; first += at_once) {
    const GroupRange batch{first, std::min(first + at_once, num_groups)};
    body(list_rows(space, grouped, batch), batch);
  }
}

}  // namespace

Weight exchange_in_groups(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                          const Limits& limits, const ExchangeRules& rules) {
  if (state.num_parts == 0) return 0;
  const PartGroups groups{state.num_parts, rules.parts_per_group, rules.shift};
  const GroupedNodes grouped = group_nodes(space, h, state.parts, groups);
  const auto gains = filled<Weight>(space, "KoHyPar::exchanges::gains", groups.size(), 0);
  const std::uint64_t most_bytes = rules.list_bytes > 0 ? rules.list_bytes : default_list_bytes(space);
  for_each_batch(space, grouped, most_bytes, [&](const GroupRows& rows, const GroupRange& batch) {
    for (const GroupRange& range : cut_by_bytes(grouped, rows, batch, most_bytes)) {
      const ExchangeLists lists = list_neighbors(space, grouped, rows, range);
      search_groups(space, range, {limits, rules, lists, 0, state.sizes, state.inbound, gains});
    }
  });
  Weight gain = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::exchanges::gain", Range(space, 0, groups.size()),
      KOKKOS_LAMBDA(const std::size_t group, Weight& sum) { sum += gains(group); }, gain);
  state.connectivity -= gain;
  return gain;
}

bool lists_fit(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
               const ExchangeRules& rules) {
  if (state.num_parts == 0) return true;
  const GroupedNodes grouped =
      group_nodes(space, h, state.parts, {state.num_parts, rules.parts_per_group, rules.shift});
  bool fit = true;
  for_each_batch(space, grouped, default_list_bytes(space),
                 [&](const GroupRows& rows, const GroupRange& batch) {
                   for (std::size_t group = batch.first; group < batch.last; ++group)
                     fit = fit && bytes_of_lists(grouped, rows, group) <= most_list_bytes;
                 });
  return fit;
}

}  // namespace kohypar

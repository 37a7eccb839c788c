#include "refinement/exchange_groups.hpp"

#include <algorithm>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;
using Member = Team::member_type;

/// Rows of groups, found by their nodes.
struct RowsOfNodes {
  GroupedNodes grouped;
  std::size_t first_group;
  std::uint32_t first_position;
  DeviceView<PinOffset> offsets;
  DeviceView<std::uint32_t> pins;

  /// Of the i-th node since the first.
  KOKKOS_FUNCTION NodeId node(std::size_t i) const { return grouped.nodes(first_position + i); }
  KOKKOS_FUNCTION std::size_t group(std::size_t i) const {
    return grouped.groups.group_of(grouped.parts(node(i)));
  }
  KOKKOS_FUNCTION std::size_t row(std::size_t i, HyperedgeId e) const {
    return (group(i) - first_group) * grouped.hypergraph.num_hyperedges + e;
  }
};

/// Which of many threads' pins come first in a row doesn't matter.
struct FillRows {
  RowsOfNodes rows;
  DeviceView<std::uint32_t> counts;  ///< per row: pins that are not listed yet

  KOKKOS_FUNCTION void count(const RowThread& thread, std::size_t i) const {
    const Hypergraph& h = rows.grouped.hypergraph;
    const NodeId n = rows.node(i);
    Kokkos::parallel_for(
        Kokkos::ThreadVectorRange(thread, h.node_offsets(n), h.node_offsets(n + 1)),
        [&](const PinOffset at) { Kokkos::atomic_inc(&counts(rows.row(i, h.incident(at)))); });
  }

  KOKKOS_FUNCTION void list(const RowThread& thread, std::size_t i) const {
    const Hypergraph& h = rows.grouped.hypergraph;
    const NodeId n = rows.node(i);
    const PinOffset begin = h.node_offsets(n), inbound_end = begin + h.inbound_counts(n);
    const std::size_t position = rows.first_position + i - rows.grouped.start_of_group(rows.group(i));
    const auto pin = static_cast<std::uint32_t>(position) * 2;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, begin, h.node_offsets(n + 1)),
                         [&](const PinOffset at) {
                           const std::size_t row = rows.row(i, h.incident(at));
                           const std::uint32_t left = Kokkos::atomic_fetch_sub(&counts(row), 1u);
                           rows.pins(rows.offsets(row + 1) - left) = pin + (at < inbound_end ? 1 : 0);
                         });
  }
};

/// A team lists a node's neighbours and adds up what it shares with places.
struct ListNode {
  RowsOfNodes rows;
  ExchangeLists lists;

  static constexpr std::uint32_t tile = 512;  ///< hyperedges at a time

  struct Memory {
    Scratch<std::uint32_t> pins, destinations;  ///< two words a hyperedge: places of others
    Scratch<Weight> shares;
    Scratch<std::uint32_t> listed;  ///< neighbours so far

    KOKKOS_FUNCTION explicit Memory(const ExecutionSpace::scratch_memory_space& memory)
        : pins(memory, 2 * tile),
          destinations(memory, 2 * tile),
          shares(memory, 2 * max_parts_per_group),
          listed(memory, 1) {}
    static std::size_t bytes() {
      return 2 * Scratch<std::uint32_t>::shmem_size(2 * tile) +
             Scratch<Weight>::shmem_size(2 * max_parts_per_group) + Scratch<std::uint32_t>::shmem_size(1);
    }
  };

  /// The node of a team.
  struct Node {
    std::size_t i;
    NodeId id;
    std::size_t group;
    std::uint32_t start;  ///< of its group: a position
  };

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Hypergraph& h = lists.grouped.hypergraph;
    const auto i = static_cast<std::size_t>(team.league_rank());
    const std::size_t group = rows.group(i);
    const Node node{i, rows.node(i), group, lists.grouped.start_of_group(group)};
    const PinOffset begin = h.node_offsets(node.id), end = h.node_offsets(node.id + 1);
    const std::uint32_t num_shares = 2 * lists.grouped.groups.parts_per_group;
    const Memory memory(team.team_scratch(0));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, num_shares),
                         [&](const std::uint32_t k) { memory.shares(k) = 0; });
    Kokkos::single(Kokkos::PerTeam(team), [&] { memory.listed(0) = 0; });
    for (PinOffset first = begin; first < end; first += tile) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 2 * tile), [&](const std::uint32_t word) {
        memory.pins(word) = memory.destinations(word) = 0;
      });
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, Kokkos::min<PinOffset>(first + tile, end)),
                           [&](const PinOffset at) {
                             list_row(team, memory, node, at, static_cast<std::uint32_t>(at - first));
                           });
      team.team_barrier();
    }
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, num_shares),
                         [&](const std::uint32_t k) { lists.shares(i * num_shares + k) = memory.shares(k); });
  }

  /// The pin that is the first at a place adds to what is shared with it.
  KOKKOS_FUNCTION void list_row(const Member& team, const Memory& memory, const Node& node, PinOffset at,
                                std::uint32_t in_tile) const {
    const Hypergraph& h = lists.grouped.hypergraph;
    const HyperedgeId e = h.incident(at);
    const std::size_t row = rows.row(node.i, e);
    const PinOffset first = rows.offsets(row), last = rows.offsets(row + 1);
    const auto j = static_cast<std::uint32_t>(at - h.node_offsets(node.id));
    const bool is_inbound = j < h.inbound_counts(node.id);
    const Weight weight = h.hyperedge_weights(e), multiplicity = h.multiplicities(e);
    std::uint32_t listed = 0;
    Kokkos::single(
        Kokkos::PerThread(team),
        [&](std::uint32_t& before) {
          before = Kokkos::atomic_fetch_add(&memory.listed(0), static_cast<std::uint32_t>(last - first));
        },
        listed);
    const PinOffset into = lists.neighbor_offsets(node.i) + listed;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, first, last), [&](const PinOffset k) {
      const std::uint32_t pin = rows.pins(k);
      lists.neighbors(into + (k - first)) = ExchangeLists::pack({pin / 2, pin % 2 == 1, j});
      const std::uint32_t position = node.start + pin / 2;
      if (position - lists.first_position == node.i) return;
      const PartId place =
          lists.grouped.groups.place_of(node.group, lists.grouped.parts(lists.grouped.nodes(position)));
      const std::uint32_t word = 2 * in_tile + place / 32, bit = 1u << place % 32;
      if ((team_or(&memory.pins(word), bit) & bit) == 0) team_add(&memory.shares(2 * place), weight);
      if (!is_inbound || pin % 2 == 0) return;
      if ((team_or(&memory.destinations(word), bit) & bit) == 0)
        team_add(&memory.shares(2 * place + 1), multiplicity);
    });
  }
};

std::uint32_t most_hyperedges(const ExecutionSpace& space, const Hypergraph& h) {
  std::uint32_t most = 0;
  const auto offsets = h.node_offsets;
  Kokkos::parallel_reduce(
      "KoHyPar::exchanges::most_hyperedges", Range(space, 0, h.num_nodes),
      KOKKOS_LAMBDA(const std::size_t n, std::uint32_t& found) {
        found = Kokkos::max(found, static_cast<std::uint32_t>(offsets(n + 1) - offsets(n)));
      },
      Kokkos::Max<std::uint32_t>(most));
  return most;
}

/// By group, from its rows.
std::vector<PinOffset> count_neighbors(const ExecutionSpace& space, const DeviceView<PinOffset>& offsets,
                                       std::size_t num_groups, std::size_t num_hyperedges) {
  const auto counts = uninitialized<PinOffset>("KoHyPar::exchanges::num_neighbors", num_groups);
  Kokkos::parallel_for(
      "KoHyPar::exchanges::num_neighbors", team_policy(space, num_groups, 16, 32),
      KOKKOS_LAMBDA(const Member& team) {
        const std::size_t group = static_cast<std::size_t>(team.league_rank());
        PinOffset sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, group * num_hyperedges, (group + 1) * num_hyperedges),
            [&](const std::size_t row, PinOffset& into) {
              const PinOffset length = offsets(row + 1) - offsets(row);
              into += length * length;
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { counts(group) = sum; });
      });
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return {on_host.data(), on_host.data() + num_groups};
}

}  // namespace

GroupedNodes group_nodes(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<PartId>& parts,
                         const PartGroups& groups) {
  const std::size_t n = h.num_nodes;
  const PartId num_parts = groups.num_parts;
  const auto nodes = uninitialized<NodeId>("KoHyPar::exchanges::nodes", n);
  const auto starts = uninitialized<std::uint32_t>("KoHyPar::exchanges::starts", num_parts + std::size_t{1});
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::exchanges::keys", n);
  Kokkos::parallel_for(
      "KoHyPar::exchanges::keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        keys(i) = parts(i);
        nodes(i) = static_cast<NodeId>(i);
      });
  stable_sort_by_key(space, keys, nodes, bits_for(num_parts));
  Kokkos::parallel_for(
      "KoHyPar::exchanges::starts", Range(space, 0, n + 1), KOKKOS_LAMBDA(const std::size_t i) {
        const PartId first = i == 0 ? 0 : static_cast<PartId>(keys(i - 1) + 1);
        const PartId last = i == n ? num_parts : static_cast<PartId>(keys(i));
        for (PartId p = first; p <= last; ++p) starts(p) = static_cast<std::uint32_t>(i);
      });
  GroupedNodes grouped{h,      parts,
                       groups, nodes,
                       starts, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), starts),
                       0,      most_hyperedges(space, h)};
  for (std::size_t group = 0; group < groups.size(); ++group)
    grouped.most_nodes = std::max(
        grouped.most_nodes, grouped.host_start_of_group(group + 1) - grouped.host_start_of_group(group));
  return grouped;
}

GroupRows list_rows(const ExecutionSpace& space, const GroupedNodes& grouped, const GroupRange& range) {
  const std::size_t num_groups = range.last - range.first;
  const std::size_t num_rows = num_groups * grouped.hypergraph.num_hyperedges;
  const std::uint32_t begin = grouped.host_start_of_group(range.first),
                      end = grouped.host_start_of_group(range.last);
  const auto counts = filled<std::uint32_t>(space, "KoHyPar::exchanges::row_counts", num_rows, 0);
  const FillRows counting{{grouped, range.first, begin, {}, {}}, counts};
  for_each_row(
      space, "KoHyPar::exchanges::count_rows", end - begin,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) { counting.count(thread, i); });
  PinOffset num_pins = 0;
  const auto offsets = offsets_from_counts(
      space, "KoHyPar::exchanges::rows", num_rows,
      KOKKOS_LAMBDA(const std::size_t row) { return counts(row); }, num_pins);
  const auto pins = uninitialized<std::uint32_t>("KoHyPar::exchanges::row_pins", num_pins);
  const FillRows listing{{grouped, range.first, begin, offsets, pins}, counts};
  for_each_row(
      space, "KoHyPar::exchanges::list_rows", end - begin,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) { listing.list(thread, i); });
  return {range.first, offsets, pins,
          count_neighbors(space, offsets, num_groups, grouped.hypergraph.num_hyperedges)};
}

std::uint64_t bytes_of_lists(const GroupedNodes& grouped, const GroupRows& rows, std::size_t group) {
  const std::uint64_t num_nodes = grouped.host_start_of_group(group + 1) - grouped.host_start_of_group(group);
  return 8 * rows.num_neighbors[group - rows.first_group] +
         16 * num_nodes * (grouped.groups.parts_per_group + 1);
}

ExchangeLists list_neighbors(const ExecutionSpace& space, const GroupedNodes& grouped, const GroupRows& rows,
                             const GroupRange& range) {
  const std::uint32_t begin = grouped.host_start_of_group(range.first);
  const std::size_t num_nodes = grouped.host_start_of_group(range.last) - begin;
  const RowsOfNodes rows_of_nodes{grouped, rows.first_group, begin, rows.offsets, rows.pins};
  const auto counts = uninitialized<PinOffset>("KoHyPar::exchanges::neighbor_counts", num_nodes);
  const Hypergraph h = grouped.hypergraph;
  for_each_row(
      space, "KoHyPar::exchanges::count_neighbors", num_nodes,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) {
        const NodeId n = rows_of_nodes.node(i);
        PinOffset count = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, h.node_offsets(n), h.node_offsets(n + 1)),
            [&](const PinOffset at, PinOffset& sum) {
              const std::size_t row = rows_of_nodes.row(i, h.incident(at));
              sum += rows_of_nodes.offsets(row + 1) - rows_of_nodes.offsets(row);
            },
            count);
        Kokkos::single(Kokkos::PerThread(thread), [&] { counts(i) = count; });
      });
  PinOffset num_neighbors = 0;
  const auto offsets = offsets_from_counts(
      space, "KoHyPar::exchanges::neighbors", num_nodes,
      KOKKOS_LAMBDA(const std::size_t i) { return counts(i); }, num_neighbors);
  const ExchangeLists lists{
      grouped,
      range.first,
      begin,
      offsets,
      uninitialized<std::uint64_t>("KoHyPar::exchanges::neighbors", num_neighbors),
      uninitialized<Weight>("KoHyPar::exchanges::shares", 2 * num_nodes * grouped.groups.parts_per_group)};
  auto policy = team_policy(space, num_nodes, 16, 8);
  policy.set_scratch_size(0, Kokkos::PerTeam(ListNode::Memory::bytes()));
  Kokkos::parallel_for("KoHyPar::exchanges::list_neighbors", policy, ListNode{rows_of_nodes, lists});
  return lists;
}

}  // namespace kohypar

#include "coarsening/twins.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include "hypergraph/identical_rows.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/search.hpp"
#include "parallel/sorted_rows.hpp"

namespace kohypar {

namespace {

using Keys = DeviceView<std::uint64_t>;
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// A node per kind of twins, one entry per node; invalid_id for nodes that stay alone.
using Kinds = DeviceView<NodeId>;

/// What nodes take from the limits of a cluster.
struct Demand {
  DeviceView<Weight> sizes;
  Weight max_size;
  DeviceView<Weight> inbound;      ///< what each node adds to the inbound hyperedges of a cluster
  DeviceView<Weight> max_inbound;  ///< the most that may come together; the same for all nodes of a kind
};

/// Nodes that may be clustered, sorted by (kind, node): the kind in the upper 32 bits, the node in the lower.
Keys sorted_members(const ExecutionSpace& space, const Kinds& kinds) {
  const auto nodes = select(
      space, "KoHyPar::twins::members", kinds.extent(0),
      KOKKOS_LAMBDA(const std::size_t n) { return kinds(n) != invalid_id; });
  auto members = uninitialized<std::uint64_t>("KoHyPar::twins::members", nodes.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::twins::members", Range(space, 0, nodes.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { members(i) = (std::uint64_t{kinds(nodes(i))} << 32) | nodes(i); });
  sort_keys(space, members, 32 + bits_for(kinds.extent(0)));
  return members;
}

DeviceView<PinOffset> prefix_sums(const ExecutionSpace& space, const std::string& label, const Keys& members,
                                  const DeviceView<Weight>& values) {
  PinOffset total = 0;
  return offsets_from_counts(
      space, label, members.extent(0),
      KOKKOS_LAMBDA(const std::size_t i) { return values(static_cast<NodeId>(members(i))); }, total);
}

/// For every member the first one that doesn't fit into a cluster that starts with it.
DeviceView<std::uint32_t> run_ends(const ExecutionSpace& space, const Keys& members, const Demand& demand) {
  const auto size_sums = prefix_sums(space, "KoHyPar::twins::size_sums", members, demand.sizes);
  const auto inbound_sums = prefix_sums(space, "KoHyPar::twins::inbound_sums", members, demand.inbound);
  auto ends = uninitialized<std::uint32_t>("KoHyPar::twins::run_ends", members.extent(0) + 1);
  Kokkos::parallel_for(
      "KoHyPar::twins::run_ends", Range(space, 0, members.extent(0) + 1), KOKKOS_LAMBDA(const std::size_t i) {
        if (i == members.extent(0)) {
          ends(i) = static_cast<std::uint32_t>(i);
          return;
        }
        const auto last_within = [&](const DeviceView<PinOffset>& sums, const Weight limit) {
          return first_at_least(sums, sums(i) + static_cast<PinOffset>(limit) + 1) - 1;
        };
        const Weight max_inbound = demand.max_inbound(static_cast<NodeId>(members(i)));
        const std::size_t end_of_kind = first_at_least(members, ((members(i) >> 32) + 1) << 32);
        const std::size_t end = Kokkos::min(end_of_kind, Kokkos::min(last_within(size_sums, demand.max_size),
                                                                     last_within(inbound_sums, max_inbound)));
        ends(i) = static_cast<std::uint32_t>(Kokkos::max(i + 1, end));
      });
  return ends;
}

/// Marks the members that start a cluster when clusters are filled one after the other: those that the first
/// one of a kind reaches by going from end to end. Each round doubles the steps that have been gone.
DeviceView<std::uint32_t> cluster_starts(const ExecutionSpace& space, const Keys& members,
                                         DeviceView<std::uint32_t> ends) {
  const std::size_t n = members.extent(0);
  auto starts = uninitialized<std::uint32_t>("KoHyPar::twins::starts", n + 1);
  Kokkos::parallel_for(
      "KoHyPar::twins::starts", Range(space, 0, n + 1), KOKKOS_LAMBDA(const std::size_t i) {
        starts(i) = i == 0 || i == n || members(i - 1) >> 32 != members(i) >> 32 ? 1 : 0;
      });
  auto next_ends = uninitialized<std::uint32_t>("KoHyPar::twins::run_ends", n + 1);
  for (int round = 0; round < bits_for(n); ++round) {
    const auto from = ends;
    const auto to = next_ends;
    Kokkos::parallel_for(
        "KoHyPar::twins::double_steps", Range(space, 0, n + 1), KOKKOS_LAMBDA(const std::size_t i) {
          // A start that another thread has just marked is one in any case: the order does not matter.
          if (Kokkos::atomic_load(&starts(i)) != 0) Kokkos::atomic_store(&starts(from(i)), 1u);
          to(i) = from(from(i));
        });
    std::swap(ends, next_ends);
  }
  return starts;
}

/// Fills clusters with the nodes of each kind in id order.
Clustering cluster_kinds(const ExecutionSpace& space, const Kinds& kinds, const Demand& demand) {
  const Keys members = sorted_members(space, kinds);
  const auto starts = cluster_starts(space, members, run_ends(space, members, demand));
  const Keys first_members = compact(
      space, "KoHyPar::twins::first_members", members,
      KOKKOS_LAMBDA(const std::size_t i) { return starts(i) != 0; });
  auto leaders = uninitialized<NodeId>("KoHyPar::twins::leaders", kinds.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::twins::alone", Range(space, 0, kinds.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) { leaders(n) = static_cast<NodeId>(n); });
  Kokkos::parallel_scan(
      "KoHyPar::twins::leaders", Range(space, 0, members.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, std::uint32_t& clusters, const bool final) {
        clusters += starts(i);
        if (final)
          leaders(static_cast<NodeId>(members(i))) = static_cast<NodeId>(first_members(clusters - 1));
      });
  return number_clusters(space, leaders);
}

/// Nodes by their inbound hyperedges.
Kinds in_kinds(const ExecutionSpace& space, const Hypergraph& h) {
  const Kinds kinds =
      find_identical_rows(space, {h.node_offsets, h.incident, h.inbound_counts, RowPart::leading});
  for_each_row(
      space, "KoHyPar::twins::in_kinds", h.num_nodes,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t n) {
        const PinOffset begin = h.node_offsets(n);
        const PinOffset outbound = begin + h.inbound_counts(n);
        Weight inbound_excess = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, begin, h.node_offsets(n + 1)),
            [&](const PinOffset i, Weight& sum) {
              const Weight weight = h.hyperedge_weights(h.incident(i));
              sum += i < outbound ? weight : -weight;
            },
            inbound_excess);
        Kokkos::single(Kokkos::PerThread(thread), [&] {
          if (outbound == begin || inbound_excess < 0) kinds(n) = invalid_id;
        });
      });
  return kinds;
}

/// Sorted, distinct keys of (source node, destination set of one of its outbound hyperedges), where the
/// smallest id of a hyperedge with these destinations, in the lowest `set_bits` bits, stands for the set.
Keys destination_sets(const ExecutionSpace& space, const Hypergraph& h, int set_bits) {
  const auto sets =
      find_identical_rows(space, {h.hyperedge_offsets, h.pins, h.source_counts, RowPart::trailing});
  PinOffset total = 0;
  const auto offsets = offsets_from_counts(
      space, "KoHyPar::twins::source_offsets", h.num_hyperedges,
      KOKKOS_LAMBDA(const std::size_t e) {
        const PinOffset sources = h.source_counts(e);
        return h.hyperedge_offsets(e) + sources < h.hyperedge_offsets(e + 1) ? sources : 0;
      },
      total);
  auto keys = uninitialized<std::uint64_t>("KoHyPar::twins::destination_sets", total);
  for_each_row(
      space, "KoHyPar::twins::destination_sets", h.num_hyperedges,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t e) {
        const PinOffset begin = offsets(e), pins = h.hyperedge_offsets(e);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, offsets(e + 1) - begin),
                             [&](const PinOffset i) {
                               keys(begin + i) = (std::uint64_t{h.pins(pins + i)} << set_bits) | sets(e);
                             });
      });
  sort_keys(space, keys, bits_for(h.num_nodes) + set_bits);
  return compact(
      space, "KoHyPar::twins::destination_sets", keys,
      KOKKOS_LAMBDA(const std::size_t i) { return i == 0 || keys(i) != keys(i - 1); });
}

/// Nodes by the destination sets of their outbound hyperedges.
Kinds out_kinds(const ExecutionSpace& space, const Hypergraph& h) {
  const int set_bits = bits_for(h.num_hyperedges);
  const Keys keys = destination_sets(space, h, set_bits);
  Rows rows;
  rows.offsets = offsets_of_sorted_rows(space, "KoHyPar::twins::set_offsets", keys, h.num_nodes, set_bits);
  rows.entries = uninitialized<std::uint32_t>("KoHyPar::twins::sets", keys.extent(0));
  rows.leading_counts = filled<std::uint32_t>(space, "KoHyPar::twins::no_leading", h.num_nodes, 0);
  const auto offsets = rows.offsets;
  const auto entries = rows.entries;
  Kokkos::parallel_for(
      "KoHyPar::twins::sets", Range(space, 0, keys.extent(0)), KOKKOS_LAMBDA(const std::size_t i) {
        entries(i) = static_cast<std::uint32_t>(keys(i) & ((std::uint64_t{1} << set_bits) - 1));
      });
  const Kinds kinds = find_identical_rows(space, rows);
  Kokkos::parallel_for(
      "KoHyPar::twins::out_kinds", Range(space, 0, h.num_nodes), KOKKOS_LAMBDA(const std::size_t n) {
        if (offsets(n) == offsets(n + 1)) kinds(n) = invalid_id;
      });
  return kinds;
}

/// How much base inbound counts of a cluster may add to what its twins share.
DeviceView<Weight> base_inbound_limits(const ExecutionSpace& space, const Hypergraph& h,
                                       Weight max_cluster_inbound) {
  auto limits = uninitialized<Weight>("KoHyPar::twins::base_inbound_limits", h.num_nodes);
  Kokkos::parallel_for(
      "KoHyPar::twins::base_inbound_limits", Range(space, 0, h.num_nodes),
      KOKKOS_LAMBDA(const std::size_t n) {
        const Weight shared = h.inbound_sizes(n) - h.base_inbound(n);
        limits(n) = Kokkos::max(Weight{0}, max_cluster_inbound - shared);
      });
  return limits;
}

}  // namespace

Clustering cluster_in_twins(const ExecutionSpace& space, const Hypergraph& h, Weight max_cluster_size,
                            Weight max_cluster_inbound) {
  const Kokkos::Profiling::ScopedRegion region("KoHyPar::in_twins");
  Clustering result = cluster_kinds(
      space, in_kinds(space, h),
      {h.node_sizes, max_cluster_size, h.base_inbound, base_inbound_limits(space, h, max_cluster_inbound)});
  result.equal_inbound = true;
  return result;
}

Clustering cluster_out_twins(const ExecutionSpace& space, const Hypergraph& h, Weight max_cluster_size,
                             Weight max_cluster_inbound) {
  const Kokkos::Profiling::ScopedRegion region("KoHyPar::out_twins");
  return cluster_kinds(
      space, out_kinds(space, h),
      {h.node_sizes, max_cluster_size, h.inbound_sizes,
       filled<Weight>(space, "KoHyPar::twins::inbound_limits", h.num_nodes, max_cluster_inbound)});
}

}  // namespace kohypar

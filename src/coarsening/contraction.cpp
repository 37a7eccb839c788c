#include "coarsening/contraction.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include "coarsening/redundancy.hpp"
#include "hypergraph/incidence.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/sorted_rows.hpp"
#include "parallel/work_meter.hpp"

namespace kohypar {

namespace {

using Keys = DeviceView<std::uint64_t>;
using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// The smallest node of every cluster.
DeviceView<NodeId> smallest_members(const ExecutionSpace& space, const Clustering& clustering) {
  const auto cluster_of = clustering.cluster_of;
  auto smallest =
      filled<NodeId>(space, "KoHyPar::contraction::smallest", clustering.num_clusters, invalid_id);
  Kokkos::parallel_for(
      "KoHyPar::contraction::smallest", Range(space, 0, cluster_of.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) {
        Kokkos::atomic_min(&smallest(cluster_of(n)), static_cast<NodeId>(n));
      });
  return smallest;
}

/// Pins that tell all there is to know if a cluster's nodes have equal inbound hyperedges: all or none of
/// them are destinations of a hyperedge, and the smallest stands for them.
struct TellingPins {
  DeviceView<NodeId> pins;
  DeviceView<NodeId> cluster_of;
  DeviceView<NodeId> smallest;

  KOKKOS_FUNCTION bool contain(PinOffset i, bool is_source) const {
    return is_source || smallest(cluster_of(pins(i))) == pins(i);
  }
};

/// The hypergraph, incidence aside, with telling pins only: on convolutional networks a hundredth of all,
/// which saves sorting the others.
Hypergraph with_telling_pins(const ExecutionSpace& space, const Hypergraph& h, const Clustering& clustering) {
  const TellingPins telling{h.pins, clustering.cluster_of, smallest_members(space, clustering)};
  auto counts = uninitialized<PinOffset>("KoHyPar::contraction::telling_counts", h.num_hyperedges);
  for_each_row(
      space, "KoHyPar::contraction::telling_counts", h.num_hyperedges,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t e) {
        const PinOffset begin = h.hyperedge_offsets(e), destinations = begin + h.source_counts(e);
        PinOffset count = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, begin, h.hyperedge_offsets(e + 1)),
            [&](const PinOffset i, PinOffset& sum) { sum += telling.contain(i, i < destinations) ? 1 : 0; },
            count);
        Kokkos::single(Kokkos::PerThread(thread), [&] { counts(e) = count; });
      });
  Hypergraph result = h;
  result.hyperedge_offsets = offsets_from_counts(
      space, "KoHyPar::contraction::telling_offsets", h.num_hyperedges,
      KOKKOS_LAMBDA(const std::size_t e) { return counts(e); }, result.num_pins);
  result.pins = uninitialized<NodeId>("KoHyPar::contraction::telling_pins", result.num_pins);
  const auto offsets = result.hyperedge_offsets;
  const auto pins = result.pins;
  for_each_row(
      space, "KoHyPar::contraction::telling_pins", h.num_hyperedges,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t e) {
        const PinOffset begin = h.hyperedge_offsets(e), sources = h.source_counts(e);
        Kokkos::parallel_scan(Kokkos::ThreadVectorRange(thread, h.hyperedge_offsets(e + 1) - begin),
                              [&](const PinOffset j, PinOffset& before, const bool final) {
                                if (!telling.contain(begin + j, j < sources)) return;
                                if (final) pins(offsets(e) + before) = h.pins(begin + j);
                                ++before;
                              });
      });
  return result;
}

/// A sorted key per coarse pin: hyperedge, cluster, and in the last bit whether it is a source. That bit
/// orders a destination before a source of the same cluster, so that the first of them is the one that stays.
Keys coarse_pin_keys(const ExecutionSpace& space, const Hypergraph& h, const Clustering& clustering) {
  const int cluster_bits = bits_for(clustering.num_clusters);
  const auto cluster_of = clustering.cluster_of;
  auto keys = uninitialized<std::uint64_t>("KoHyPar::contraction::pin_keys", h.num_pins);
  for_each_row(
      space, "KoHyPar::contraction::pin_keys", h.num_hyperedges,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t e) {
        const PinOffset begin = h.hyperedge_offsets(e);
        const PinOffset destinations = begin + h.source_counts(e);
        const std::uint64_t row = std::uint64_t{e} << cluster_bits;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, begin, h.hyperedge_offsets(e + 1)),
                             [&](const PinOffset i) {
                               const std::uint64_t is_source = i < destinations ? 1 : 0;
                               keys(i) = ((row | cluster_of(h.pins(i))) << 1) | is_source;
                             });
      });
  sort_keys(space, keys, bits_for(h.num_hyperedges) + cluster_bits + 1);
  return compact(
      space, "KoHyPar::contraction::coarse_pin_keys", keys,
      KOKKOS_LAMBDA(const std::size_t i) { return i == 0 || keys(i) >> 1 != keys(i - 1) >> 1; });
}

/// Writes the pins of every hyperedge from its sorted keys, sources first.
void place_pins(const ExecutionSpace& space, const Keys& keys, int cluster_bits, Hypergraph& result) {
  result.num_pins = keys.extent(0);
  result.hyperedge_offsets = offsets_of_sorted_rows(space, "KoHyPar::contraction::hyperedge_offsets", keys,
                                                    result.num_hyperedges, cluster_bits + 1);
  result.pins = uninitialized<NodeId>("KoHyPar::contraction::pins", result.num_pins);
  result.source_counts =
      uninitialized<std::uint32_t>("KoHyPar::contraction::source_counts", result.num_hyperedges);
  const auto offsets = result.hyperedge_offsets;
  const auto pins = result.pins;
  const auto source_counts = result.source_counts;
  const std::uint64_t cluster_mask = (std::uint64_t{1} << cluster_bits) - 1;
  for_each_row(
      space, "KoHyPar::contraction::pins", result.num_hyperedges,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t e) {
        const PinOffset begin = offsets(e);
        const PinOffset length = offsets(e + 1) - begin;
        PinOffset sources = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, length),
            [&](const PinOffset i, PinOffset& sum) { sum += keys(begin + i) & 1; }, sources);
        Kokkos::single(Kokkos::PerThread(thread),
                       [&] { source_counts(e) = static_cast<std::uint32_t>(sources); });
        Kokkos::parallel_scan(Kokkos::ThreadVectorRange(thread, length),
                              [&](const PinOffset i, PinOffset& sources_before, const bool final) {
                                const std::uint64_t key = keys(begin + i);
                                const PinOffset rank =
                                    (key & 1) != 0 ? sources_before : sources + i - sources_before;
                                if (final) pins(begin + rank) = static_cast<NodeId>(key >> 1 & cluster_mask);
                                sources_before += key & 1;
                              });
      });
}

/// Sums of `values` over the members of every cluster.
DeviceView<Weight> cluster_sums(const ExecutionSpace& space, const std::string& label,
                                const DeviceView<Weight>& values, const Clustering& clustering) {
  auto sums = filled<Weight>(space, label, clustering.num_clusters, 0);
  const auto cluster_of = clustering.cluster_of;
  Kokkos::parallel_for(
      label, Range(space, 0, values.extent(0)), KOKKOS_LAMBDA(const std::size_t n) {
        if (values(n) != 0) Kokkos::atomic_add(&sums(cluster_of(n)), values(n));
      });
  return sums;
}

}  // namespace

Hypergraph contract(const ExecutionSpace& space, const Hypergraph& hypergraph, const Clustering& clustering) {
  const Kokkos::Profiling::ScopedRegion region("KoHyPar::contraction");
  work_meter::add_visited_pins(hypergraph.num_pins);
  Hypergraph result;
  result.num_nodes = clustering.num_clusters;
  result.num_hyperedges = hypergraph.num_hyperedges;
  result.directed = hypergraph.directed;
  result.hyperedge_weights = hypergraph.hyperedge_weights;
  result.multiplicities = hypergraph.multiplicities;
  result.node_sizes =
      cluster_sums(space, "KoHyPar::contraction::node_sizes", hypergraph.node_sizes, clustering);
  result.base_inbound =
      cluster_sums(space, "KoHyPar::contraction::base_inbound", hypergraph.base_inbound, clustering);
  const Hypergraph fine =
      clustering.equal_inbound ? with_telling_pins(space, hypergraph, clustering) : hypergraph;
  place_pins(space, coarse_pin_keys(space, fine, clustering), bits_for(clustering.num_clusters), result);
  result = without_redundant_hyperedges(space, result);
  build_incidence(space, result);
  return result;
}

}  // namespace kohypar

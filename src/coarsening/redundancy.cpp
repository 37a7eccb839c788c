#include "coarsening/redundancy.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include "hypergraph/identical_rows.hpp"
#include "hypergraph/incidence.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// Copies `values` and adds those of merged hyperedges at their representatives.
DeviceView<Weight> merged_sums(const ExecutionSpace& space, const std::string& label,
                               const DeviceView<Weight>& values,
                               const DeviceView<std::uint32_t>& representatives) {
  const auto sums = copy_of(space, label, values);
  Kokkos::parallel_for(
      label, Range(space, 0, values.extent(0)), KOKKOS_LAMBDA(const std::size_t e) {
        if (representatives(e) != e) Kokkos::atomic_add(&sums(representatives(e)), values(e));
      });
  return sums;
}

/// Base inbound counts after single-pin hyperedges are gone.
DeviceView<Weight> base_without_single_pins(const ExecutionSpace& space, const Hypergraph& h) {
  const auto base = copy_of(space, "KoHyPar::redundancy::base_inbound", h.base_inbound);
  Kokkos::parallel_for(
      "KoHyPar::redundancy::base_inbound", Range(space, 0, h.num_hyperedges),
      KOKKOS_LAMBDA(const std::size_t e) {
        const PinOffset begin = h.hyperedge_offsets(e);
        if (h.hyperedge_offsets(e + 1) - begin != 1 || h.source_counts(e) == 1) return;
        Kokkos::atomic_add(&base(h.pins(begin)), h.multiplicities(e));
      });
  return base;
}

template <class T>
DeviceView<T> gather(const ExecutionSpace& space, const std::string& label, const DeviceView<T>& values,
                     const DeviceView<std::uint32_t>& indices) {
  auto result = uninitialized<T>(label, indices.extent(0));
  Kokkos::parallel_for(
      label, Range(space, 0, indices.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { result(i) = values(indices(i)); });
  return result;
}

/// Fills offsets and pins of `result` with the rows of the kept hyperedges.
void copy_kept_rows(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<std::uint32_t>& kept,
                    Hypergraph& result) {
  const auto from = h.hyperedge_offsets;
  const auto old_pins = h.pins;
  result.hyperedge_offsets = offsets_from_counts(
      space, "KoHyPar::redundancy::hyperedge_offsets", kept.extent(0),
      KOKKOS_LAMBDA(const std::size_t i) { return from(kept(i) + 1) - from(kept(i)); }, result.num_pins);
  result.pins = uninitialized<NodeId>("KoHyPar::redundancy::pins", result.num_pins);
  const auto to = result.hyperedge_offsets;
  const auto pins = result.pins;
  for_each_row(
      space, "KoHyPar::redundancy::pins", kept.extent(0),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) {
        const PinOffset begin = to(i), old_begin = from(kept(i));
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, to(i + 1) - begin),
                             [&](const PinOffset j) { pins(begin + j) = old_pins(old_begin + j); });
      });
}

}  // namespace

Hypergraph without_redundant_hyperedges(const ExecutionSpace& space, const Hypergraph& h) {
  const auto representatives =
      find_identical_rows(space, {h.hyperedge_offsets, h.pins, h.source_counts, RowPart::both});
  const auto offsets = h.hyperedge_offsets;
  const auto kept = select(
      space, "KoHyPar::redundancy::kept", h.num_hyperedges, KOKKOS_LAMBDA(const std::size_t e) {
        return offsets(e + 1) - offsets(e) > 1 && representatives(e) == e;
      });
  if (kept.extent(0) == h.num_hyperedges) return h;

  Hypergraph result = h;
  result.num_hyperedges = static_cast<HyperedgeId>(kept.extent(0));
  copy_kept_rows(space, h, kept, result);
  result.source_counts = gather(space, "KoHyPar::redundancy::source_counts", h.source_counts, kept);
  result.hyperedge_weights = gather(
      space, "KoHyPar::redundancy::hyperedge_weights",
      merged_sums(space, "KoHyPar::redundancy::merged_weights", h.hyperedge_weights, representatives), kept);
  result.multiplicities = gather(
      space, "KoHyPar::redundancy::multiplicities",
      merged_sums(space, "KoHyPar::redundancy::merged_multiplicities", h.multiplicities, representatives),
      kept);
  result.base_inbound = base_without_single_pins(space, h);
  return result;
}

Hypergraph remove_redundant_hyperedges(const ExecutionSpace& space, const Hypergraph& hypergraph) {
  const Kokkos::Profiling::ScopedRegion region("KoHyPar::redundancy");
  Hypergraph result = without_redundant_hyperedges(space, hypergraph);
  if (result.num_hyperedges != hypergraph.num_hyperedges) build_incidence(space, result);
  return result;
}

}  // namespace kohypar

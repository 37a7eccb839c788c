#include "betweenness/core.hpp"

#include "betweenness/degree_one.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

DeviceView<VertexId> core_ids(const ExecutionSpace& space, VertexId num_vertices,
                              const DeviceView<VertexId>& vertices) {
  const auto ids = filled(space, "KoHyPar::core::ids", num_vertices, invalid_id);
  Kokkos::parallel_for(
      "KoHyPar::core::ids", Kokkos::RangePolicy<ExecutionSpace>(space, 0, vertices.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { ids(vertices(i)) = static_cast<VertexId>(i); });
  return ids;
}

/// Where the row of a vertex begins, and its length; invalid_id has an empty one.
struct RowExtent {
  PinOffset begin = 0;
  VertexId degree = 0;

  KOKKOS_INLINE_FUNCTION RowExtent(const CompressedRows& rows, VertexId v) {
    if (v == invalid_id) return;
    begin = rows.offsets(v);
    degree = static_cast<VertexId>(rows.offsets(v + 1) - begin);
  }
};

std::vector<TraversalSource> core_sources(const ExecutionSpace& space, const DeviceView<VertexId>& vertices,
                                          const DeviceView<VertexId>& source_counts) {
  const std::size_t n = vertices.extent(0);
  const auto sources = select(
      space, "KoHyPar::core::sources", n,
      KOKKOS_LAMBDA(const std::size_t v) { return source_counts(vertices(v)) > 0; });
  const DeviceView<TraversalSource> entries("KoHyPar::core::source_entries", sources.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::core::sources", Kokkos::RangePolicy<ExecutionSpace>(space, 0, sources.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        entries(i) = {sources(i), source_counts(vertices(sources(i)))};
      });
  std::vector<TraversalSource> result(sources.extent(0));
  Kokkos::deep_copy(space, HostView<TraversalSource>(result.data(), result.size()), entries);
  space.fence("KoHyPar::core::sources");
  return result;
}

}  // namespace

CompressedRows restrict_rows(const ExecutionSpace& space, const CompressedRows& rows,
                             const DeviceView<VertexId>& vertices, const DeviceView<VertexId>& numbers,
                             HostMemory* memory) {
  const std::size_t n = vertices.extent(0);
  const auto counts = uninitialized<VertexId>("KoHyPar::core::degrees", n);
  for_each_row(
      space, "KoHyPar::core::degrees", n, KOKKOS_LAMBDA(const RowThread& thread, const std::size_t v) {
        const RowExtent row(rows, vertices(v));
        VertexId count = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, row.degree),
            [&](const VertexId i, VertexId& sum) {
              sum += numbers(rows.neighbors(row.begin + i)) != invalid_id ? 1 : 0;
            },
            count);
        Kokkos::single(Kokkos::PerThread(thread), [&]() { counts(v) = count; });
      });
  CompressedRows restricted;
  PinOffset total = 0;
  restricted.offsets = offsets_from_counts(
      space, "KoHyPar::core::offsets", n, KOKKOS_LAMBDA(const std::size_t v) { return counts(v); }, total);
  restricted.neighbors = memory != nullptr ? memory->allocate(total)
                                           : uninitialized<VertexId>("KoHyPar::core::neighbors", total);
  const CompressedRows target = restricted;
  for_each_row(
      space, "KoHyPar::core::neighbors", n, KOKKOS_LAMBDA(const RowThread& thread, const std::size_t v) {
        const RowExtent row(rows, vertices(v));
        Kokkos::parallel_scan(Kokkos::ThreadVectorRange(thread, row.degree),
                              [&](const VertexId i, VertexId& sum, const bool final) {
                                const VertexId number = numbers(rows.neighbors(row.begin + i));
                                if (number == invalid_id) return;
                                if (final) target.neighbors(target.offsets(v) + sum) = number;
                                ++sum;
                              });
      });
  return restricted;
}

Core make_core(const ExecutionSpace& space, const Graph& graph, const SourceSet& sources, bool degree_one) {
  Core core;
  DeviceView<VertexId> source_counts = sources.is_source, weights;
  if (degree_one && !graph.directed) {
    const Folding folding = fold_trees(space, graph.out, sources.is_source);
    const auto degrees = folding.degrees;
    core.vertices = select(
        space, "KoHyPar::core::vertices", graph.num_vertices,
        KOKKOS_LAMBDA(const std::size_t v) { return degrees(v) > 0; });
    core.own_paths = folding.own_paths;
    core.num_folded = folding.num_folded;
    source_counts = folding.source_counts;
    weights = folding.weights;
  } else {
    const auto out = graph.out.offsets, in = graph.in.offsets;
    core.vertices = select(
        space, "KoHyPar::core::vertices", graph.num_vertices,
        KOKKOS_LAMBDA(const std::size_t v) { return out(v + 1) > out(v) || in(v + 1) > in(v); });
    weights = filled<VertexId>(space, "KoHyPar::core::unit_weights", graph.num_vertices, 1);
  }
  const auto vertices = core.vertices;
  const DeviceView<double> core_weights(
      Kokkos::view_alloc("KoHyPar::core::weights", Kokkos::WithoutInitializing), vertices.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::core::weights", Kokkos::RangePolicy<ExecutionSpace>(space, 0, vertices.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) { core_weights(v) = weights(vertices(v)); });
  core.weights = core_weights;
  const auto ids = core_ids(space, graph.num_vertices, vertices);
  if (graph.host_memory) core.host_memory = std::make_shared<HostMemory>();
  HostMemory* const memory = core.host_memory.get();
  core.out = restrict_rows(space, graph.out, vertices, ids, memory);
  core.in = graph.directed ? restrict_rows(space, graph.in, vertices, ids, memory) : core.out;
  core.sources = core_sources(space, vertices, source_counts);
  return core;
}

}  // namespace kohypar

#include "betweenness/core.hpp"

#include "betweenness/degree_one.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"

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

/// How many neighbours of each of `vertices` have a number.
DeviceView<VertexId> numbered_neighbors(const ExecutionSpace& space, const CompressedRows& rows,
                                        const DeviceView<VertexId>& vertices,
                                        const DeviceView<VertexId>& numbers) {
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
  return counts;
}

/// Rows to be written, as the numbers of those neighbours that have one.
struct NumberedRows {
  CompressedRows rows;
  DeviceView<VertexId> vertices, numbers, counts;
  CompressedRows target;

  /// Nothing of the row is dropped, so that every entry's place is known.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool is_whole(std::size_t v, const RowExtent& row) const {
    return counts(v) == row.degree;
  }

  /// More than a warp should go through alone, place by place.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool is_long(std::size_t v) const {
    constexpr VertexId longest_of_warp = 2048;
    const RowExtent row(rows, vertices(v));
    return row.degree > longest_of_warp && !is_whole(v, row);
  }

  /// For Kokkos::parallel_scan over the row.
  KOKKOS_INLINE_FUNCTION void put(const RowExtent& row, PinOffset begin, VertexId i, VertexId& sum,
                                  bool final) const {
    const VertexId number = numbers(rows.neighbors(row.begin + i));
    if (number == invalid_id) return;
    if (final) target.neighbors(begin + sum) = number;
    ++sum;
  }
};

void write_short_rows(const ExecutionSpace& space, const NumberedRows& numbered) {
  for_each_row(
      space, "KoHyPar::core::neighbors", numbered.vertices.extent(0),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t v) {
        const RowExtent row(numbered.rows, numbered.vertices(v));
        const PinOffset begin = numbered.target.offsets(v);
        if (numbered.is_whole(v, row)) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, row.degree), [&](const VertexId i) {
            numbered.target.neighbors(begin + i) = numbered.numbers(numbered.rows.neighbors(row.begin + i));
          });
        } else if (!numbered.is_long(v)) {
          Kokkos::parallel_scan(Kokkos::ThreadVectorRange(thread, row.degree),
                                [&](const VertexId i, VertexId& sum, const bool final) {
                                  numbered.put(row, begin, i, sum, final);
                                });
        }
      });
}

/// The others, a team each.
void write_long_rows(const ExecutionSpace& space, const NumberedRows& numbered) {
  const auto long_rows = select(
      space, "KoHyPar::core::long_rows", numbered.vertices.extent(0),
      KOKKOS_LAMBDA(const std::size_t v) { return numbered.is_long(v); });
  if (long_rows.extent(0) == 0) return;
  constexpr int threads = 256;
  using Team = Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  Kokkos::parallel_for(
      "KoHyPar::core::long_neighbors", team_policy(space, long_rows.extent(0), threads, 1),
      KOKKOS_LAMBDA(const Team& team) {
        const VertexId v = long_rows(team.league_rank());
        const RowExtent row(numbered.rows, numbered.vertices(v));
        const PinOffset begin = numbered.target.offsets(v);
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, row.degree),
                              [&](const VertexId i, VertexId& sum, const bool final) {
                                numbered.put(row, begin, i, sum, final);
                              });
      });
}

/// The rows of `vertices` with the neighbours that have a number, of which there are `counts`.
CompressedRows numbered_rows(const ExecutionSpace& space, const CompressedRows& rows,
                             const DeviceView<VertexId>& vertices, const DeviceView<VertexId>& numbers,
                             const DeviceView<VertexId>& counts, HostMemory* memory) {
  CompressedRows target;
  PinOffset total = 0;
  target.offsets = offsets_from_counts(
      space, "KoHyPar::core::offsets", vertices.extent(0),
      KOKKOS_LAMBDA(const std::size_t v) { return counts(v); }, total);
  target.neighbors = memory != nullptr ? memory->allocate(total)
                                       : uninitialized<VertexId>("KoHyPar::core::neighbors", total);
  const NumberedRows numbered{rows, vertices, numbers, counts, target};
  write_short_rows(space, numbered);
  write_long_rows(space, numbered);
  return target;
}

/// What is left of the rows of a core's vertices, which is the rows themselves if all vertices are its own.
/// @param degrees neighbours left of each vertex of the graph; none: all
CompressedRows core_rows(const ExecutionSpace& space, const CompressedRows& rows,
                         const DeviceView<VertexId>& vertices, const DeviceView<VertexId>& ids,
                         const DeviceView<VertexId>& degrees, HostMemory* memory) {
  const std::size_t n = vertices.extent(0);
  if (n == rows.num_rows()) return rows;
  const auto counts = uninitialized<VertexId>("KoHyPar::core::degrees", n);
  const bool are_given = degrees.extent(0) > 0;
  Kokkos::parallel_for(
      "KoHyPar::core::counts", Kokkos::RangePolicy<ExecutionSpace>(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t v) {
        counts(v) = are_given ? degrees(vertices(v)) : RowExtent(rows, vertices(v)).degree;
      });
  return numbered_rows(space, rows, vertices, ids, counts, memory);
}

}  // namespace

CompressedRows restrict_rows(const ExecutionSpace& space, const CompressedRows& rows,
                             const DeviceView<VertexId>& vertices, const DeviceView<VertexId>& numbers,
                             HostMemory* memory) {
  return numbered_rows(space, rows, vertices, numbers, numbered_neighbors(space, rows, vertices, numbers),
                       memory);
}

Core make_core(const ExecutionSpace& space, const Graph& graph, const SourceSet& sources, bool degree_one) {
  Core core;
  DeviceView<VertexId> source_counts = sources.is_source, weights, degrees;
  if (degree_one && !graph.directed) {
    const Folding folding = fold_trees(space, graph.out, sources.is_source);
    degrees = folding.degrees;
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
  const auto core_weights = uninitialized<double>("KoHyPar::core::weights", vertices.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::core::weights", Kokkos::RangePolicy<ExecutionSpace>(space, 0, vertices.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) { core_weights(v) = weights(vertices(v)); });
  core.weights = core_weights;
  const auto ids = core_ids(space, graph.num_vertices, vertices);
  const bool is_whole = vertices.extent(0) == graph.num_vertices;
  if (graph.host_memory)
    core.host_memory =
        is_whole ? std::static_pointer_cast<HostMemory>(graph.host_memory) : std::make_shared<HostMemory>();
  HostMemory* const memory = core.host_memory.get();
  core.out = core_rows(space, graph.out, vertices, ids, degrees, memory);
  core.in = graph.directed ? core_rows(space, graph.in, vertices, ids, degrees, memory) : core.out;
  core.sources = core_sources(space, vertices, source_counts);
  return core;
}

}  // namespace kohypar

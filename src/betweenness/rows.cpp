#include "betweenness/rows.hpp"

#include <kohypar/error.hpp>

#include "betweenness/host_memory.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// Sorts and drops loops and repetitions; undirected edges get their smaller end first. Counts what it drops.
EdgeKeys distinct_edges(const ExecutionSpace& space, const EdgeKeys& keys, const EdgePacking packing,
                        Graph& graph) {
  const bool directed = graph.directed;
  if (!directed)
    Kokkos::parallel_for(
        "KoHyPar::graph::orient", WideRange(space, 0, keys.extent(0)), KOKKOS_LAMBDA(const std::size_t i) {
          const VertexId a = packing.row(keys(i)), b = packing.neighbor(keys(i));
          keys(i) = packing.key(Kokkos::min(a, b), Kokkos::max(a, b));
        });
  const auto no_loops = compact(
      space, "KoHyPar::graph::no_loops", keys,
      KOKKOS_LAMBDA(const std::size_t i) { return packing.row(keys(i)) != packing.neighbor(keys(i)); });
  sort_keys(space, no_loops, 2 * packing.shift);
  auto distinct = compact(
      space, "KoHyPar::graph::distinct", no_loops,
      KOKKOS_LAMBDA(const std::size_t i) { return i == 0 || no_loops(i) != no_loops(i - 1); });
  graph.dropped_loops = keys.extent(0) - no_loops.extent(0);
  graph.dropped_repetitions = no_loops.extent(0) - distinct.extent(0);
  return distinct;
}

/// The same edges in the other direction, after `kept` of the given ones.
EdgeKeys with_mirrored(const ExecutionSpace& space, const EdgeKeys& keys, const EdgePacking packing,
                       std::size_t kept) {
  const auto all = uninitialized<std::uint64_t>("KoHyPar::graph::mirrored", kept + keys.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::graph::mirror", WideRange(space, 0, keys.extent(0)), KOKKOS_LAMBDA(const std::size_t i) {
        if (i < kept) all(i) = keys(i);
        all(kept + i) = packing.key(packing.neighbor(keys(i)), packing.row(keys(i)));
      });
  return all;
}

}  // namespace

CompressedRows rows_from_keys(const ExecutionSpace& space, const EdgeKeys& keys, std::size_t num_rows,
                              const EdgePacking& packing) {
  sort_keys(space, keys, 2 * packing.shift);
  CompressedRows rows;
  rows.offsets = offsets_of_sorted_rows(space, "KoHyPar::graph::row_offsets", keys, num_rows, packing.shift);
  rows.neighbors = uninitialized<VertexId>("KoHyPar::graph::neighbors", keys.extent(0));
  const auto neighbors = rows.neighbors;
  const EdgePacking unpacking = packing;
  Kokkos::parallel_for(
      "KoHyPar::graph::neighbors", WideRange(space, 0, keys.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { neighbors(i) = unpacking.neighbor(keys(i)); });
  return rows;
}

Graph graph_from_keys(const ExecutionSpace& space, EdgeKeys keys, VertexId num_vertices, bool directed) {
  const EdgePacking packing(num_vertices);
  Graph graph;
  graph.num_vertices = num_vertices;
  graph.directed = directed;
  keys = distinct_edges(space, keys, packing, graph);
  graph.num_edges = keys.extent(0);
  if (directed) {
    graph.in = rows_from_keys(space, with_mirrored(space, keys, packing, 0), num_vertices, packing);
    graph.out = rows_from_keys(space, keys, num_vertices, packing);
  } else {
    graph.out =
        rows_from_keys(space, with_mirrored(space, keys, packing, keys.extent(0)), num_vertices, packing);
    graph.in = graph.out;
  }
  return graph;
}

std::uint64_t device_bytes_to_build(VertexId num_vertices, std::uint64_t num_edges) {
  // Keys of both directions and their sorted copies; offsets and what is known of a vertex while trees are
  // folded.
  constexpr std::uint64_t per_edge = 32, per_vertex = 64;
  return per_edge * num_edges + per_vertex * num_vertices;
}

Graph build_graph(const ExecutionSpace& space, const EdgeList& list, bool directed, GraphMemory memory) {
  memory_meter::install();
  if (memory == GraphMemory::host) return build_graph_on_host(space, list, directed);
  const std::size_t num_edges = list.edges.size();
  const VertexId num_vertices = list.num_vertices;
  const DeviceView<Edge> edges(Kokkos::view_alloc("KoHyPar::graph::edges", Kokkos::WithoutInitializing),
                               num_edges);
  Kokkos::deep_copy(space, edges,
                    Kokkos::View<const Edge*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        list.edges.data(), num_edges));
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::graph::keys", num_edges);
  const EdgePacking packing(num_vertices);
  std::uint64_t outside = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::graph::keys", WideRange(space, 0, num_edges),
      KOKKOS_LAMBDA(const std::size_t i, std::uint64_t& sum) {
        keys(i) = packing.key(edges(i).from, edges(i).to);
        if (edges(i).from >= num_vertices || edges(i).to >= num_vertices) ++sum;
      },
      outside);
  if (outside > 0)
    throw Error(ErrorKind::input, std::to_string(outside) + " edges have an end that is no vertex");
  return graph_from_keys(space, keys, num_vertices, directed);
}

}  // namespace kohypar

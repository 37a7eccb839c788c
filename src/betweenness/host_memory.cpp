#include "betweenness/host_memory.hpp"

#include <algorithm>
#include <kohypar/error.hpp>

#include "parallel/host_threads.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

constexpr HostThreads threads{.count = 0, .chunk = 1 << 14};

/// Rows with repetitions, of one direction or both; loops left out.
struct Lists {
  HostArray<PinOffset> offsets;
  HostArray<VertexId> neighbors;
};

enum class Direction { forth, back, both };

Lists list_neighbors(const EdgeList& list, Direction direction) {
  const bool forth = direction != Direction::back, back = direction != Direction::forth;
  Lists lists;
  lists.offsets.assign(std::size_t{list.num_vertices} + 2, 0);
  const auto for_each_end = [&](const auto& visit) {
    for (const Edge& edge : list.edges) {
      if (edge.from == edge.to) continue;
      if (forth) visit(edge.from, edge.to);
      if (back) visit(edge.to, edge.from);
    }
  };
  // Offsets stand one row ahead, so that filling the rows brings them to their places.
  for_each_end([&](VertexId v, VertexId) { ++lists.offsets[std::size_t{v} + 2]; });
  for (std::size_t v = 2; v < lists.offsets.size(); ++v) lists.offsets[v] += lists.offsets[v - 1];
  lists.neighbors.resize(lists.offsets.back());
  for_each_end([&](VertexId v, VertexId u) { lists.neighbors[lists.offsets[std::size_t{v} + 1]++] = u; });
  lists.offsets.pop_back();
  return lists;
}

/// Sorts rows, drops repetitions, and keeps the neighbours in `memory`.
CompressedRows distinct_rows(const ExecutionSpace& space, Lists&& lists, HostMemory& memory) {
  const std::size_t n = lists.offsets.size() - 1;
  HostArray<PinOffset> offsets(n + 1, 0);
  const auto begin_of = [&](std::size_t v) { return lists.neighbors.data() + lists.offsets[v]; };
  for_each_range(threads, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      std::sort(begin_of(v), begin_of(v + 1));
      offsets[v + 1] = static_cast<PinOffset>(std::unique(begin_of(v), begin_of(v + 1)) - begin_of(v));
    }
  });
  for (std::size_t v = 0; v < n; ++v) offsets[v + 1] += offsets[v];
  CompressedRows rows;
  rows.neighbors = memory.allocate(offsets.back());
  for_each_range(threads, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v)
      std::copy_n(begin_of(v), offsets[v + 1] - offsets[v], rows.neighbors.data() + offsets[v]);
  });
  rows.offsets = uninitialized<PinOffset>("KoHyPar::graph::offsets", offsets.size());
  Kokkos::deep_copy(space, rows.offsets, HostView<PinOffset>(offsets.data(), offsets.size()));
  space.fence("KoHyPar::graph::on_host");
  return rows;
}

}  // namespace

DeviceView<VertexId> HostMemory::allocate(std::size_t size) {
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
  using Block = Kokkos::View<VertexId*, Kokkos::SharedHostPinnedSpace>;
  const auto block = std::make_shared<Block>(
      Kokkos::view_alloc("KoHyPar::graph::on_host", Kokkos::WithoutInitializing), size);
#else
  const auto block = std::make_shared<HostArray<VertexId> >(size);
#endif
  blocks_.push_back(block);
  return DeviceView<VertexId>(block->data(), size);
}

Graph build_graph_on_host(const ExecutionSpace& space, const EdgeList& list, bool directed) {
  std::uint64_t outside = 0;
  Graph graph;
  for (const Edge& edge : list.edges) {
    if (edge.from >= list.num_vertices || edge.to >= list.num_vertices) ++outside;
    if (edge.from == edge.to) ++graph.dropped_loops;
  }
  if (outside > 0)
    throw Error(ErrorKind::input, std::to_string(outside) + " edges have an end that is no vertex");
  const auto memory = std::make_shared<HostMemory>();
  graph.num_vertices = list.num_vertices;
  graph.directed = directed;
  graph.host_memory = memory;
  graph.out =
      distinct_rows(space, list_neighbors(list, directed ? Direction::forth : Direction::both), *memory);
  graph.in = directed ? distinct_rows(space, list_neighbors(list, Direction::back), *memory) : graph.out;
  graph.num_edges = graph.out.neighbors.extent(0) / (directed ? 1 : 2);
  graph.dropped_repetitions = list.edges.size() - graph.dropped_loops - graph.num_edges;
  return graph;
}

}  // namespace kohypar

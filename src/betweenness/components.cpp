#include "betweenness/components.hpp"

#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// The root of a vertex; on the way every vertex is attached to its grandparent. Parents only ever become
/// smaller, so that what another thread wrote meanwhile does no harm.
KOKKOS_INLINE_FUNCTION VertexId find_root(const DeviceView<VertexId>& parents, VertexId vertex) {
  VertexId parent = Kokkos::atomic_load(&parents(vertex));
  while (parent != vertex) {
    const VertexId grandparent = Kokkos::atomic_load(&parents(parent));
    if (grandparent != parent) Kokkos::atomic_store(&parents(vertex), grandparent);
    vertex = parent;
    parent = grandparent;
  }
  return vertex;
}

KOKKOS_INLINE_FUNCTION void unite(const DeviceView<VertexId>& parents, VertexId a, VertexId b) {
  while (true) {
    a = find_root(parents, a);
    b = find_root(parents, b);
    if (a == b) return;
    const VertexId low = Kokkos::min(a, b), high = Kokkos::max(a, b);
    if (Kokkos::atomic_compare_exchange(&parents(high), high, low) == high) return;
  }
}

}  // namespace

DeviceView<VertexId> connected_components(const ExecutionSpace& space, const CompressedRows& rows) {
  const auto num_vertices = static_cast<VertexId>(rows.num_rows());
  const auto parents = all_ids(space, num_vertices);
  for_each_row(
      space, "KoHyPar::components::unite", num_vertices,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t v) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, rows.offsets(v), rows.offsets(v + 1)),
                             [&](const PinOffset i) {
                               if (rows.neighbors(i) < v)
                                 unite(parents, static_cast<VertexId>(v), rows.neighbors(i));
                             });
      });
  Kokkos::parallel_for(
      "KoHyPar::components::flatten", Kokkos::RangePolicy<ExecutionSpace>(space, 0, num_vertices),
      KOKKOS_LAMBDA(const VertexId v) {
        VertexId root = Kokkos::atomic_load(&parents(v));
        for (VertexId next; (next = Kokkos::atomic_load(&parents(root))) != root;) root = next;
        Kokkos::atomic_store(&parents(v), root);
      });
  return parents;
}

}  // namespace kohypar

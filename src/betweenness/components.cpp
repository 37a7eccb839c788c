#include "betweenness/components.hpp"

#include <algorithm>
#include <array>

#include "parallel/hash.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// Enough to find most of a large component: Sutton, Ben-Nun, Barak.
constexpr PinOffset sampled_neighbors = 2;

/// The root of a vertex; on the way every vertex is attached to its grandparent. Parents only ever give way
/// to their own ancestors, so that what another thread wrote meanwhile does no harm.
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

/// Attaches every vertex to its root.
void flatten(const ExecutionSpace& space, const DeviceView<VertexId>& parents) {
  Kokkos::parallel_for(
      "KoHyPar::components::flatten", Kokkos::RangePolicy<ExecutionSpace>(space, 0, parents.extent(0)),
      KOKKOS_LAMBDA(const VertexId v) {
        VertexId parent = Kokkos::atomic_load(&parents(v));
        // Written at every step, so that long chains become shorter for all that are on them.
        for (VertexId next; (next = Kokkos::atomic_load(&parents(parent))) != parent; parent = next)
          Kokkos::atomic_store(&parents(v), next);
      });
}

/// Unites every vertex with its first neighbours, up to sampled_neighbors.
void unite_first(const ExecutionSpace& space, const CompressedRows& rows, const Forest& forest) {
  const auto parents = forest.parents, degrees = forest.degrees;
  Kokkos::parallel_for(
      "KoHyPar::components::unite_first", Kokkos::RangePolicy<ExecutionSpace>(space, 0, parents.extent(0)),
      KOKKOS_LAMBDA(const VertexId v) {
        if (degrees(v) == 0) return;
        const PinOffset begin = rows.offsets(v), end = rows.offsets(v + std::size_t{1});
        const PinOffset last = end - begin > sampled_neighbors ? begin + sampled_neighbors : end;
        for (PinOffset at = begin; at < last; ++at) unite(parents, v, rows.neighbors(at));
      });
  flatten(space, parents);
}

/// The root that most of some vertices have, the smallest of such roots.
VertexId most_common_root(const ExecutionSpace& space, const DeviceView<VertexId>& parents) {
  const std::size_t n = parents.extent(0);
  std::array<VertexId, 1024> roots{};
  const auto drawn = uninitialized<VertexId>("KoHyPar::components::drawn", roots.size());
  Kokkos::parallel_for(
      "KoHyPar::components::draw", Kokkos::RangePolicy<ExecutionSpace>(space, 0, roots.size()),
      KOKKOS_LAMBDA(const std::size_t i) { drawn(i) = parents(mix(1, i) % n); });
  Kokkos::deep_copy(space, HostView<VertexId>(roots.data(), roots.size()), drawn);
  space.fence("KoHyPar::components::draw");
  std::sort(roots.begin(), roots.end());
  VertexId common = roots[0];
  std::size_t most = 0;
  for (auto first = roots.begin(); first != roots.end();) {
    const auto last = std::upper_bound(first, roots.end(), *first);
    const auto count = static_cast<std::size_t>(last - first);
    if (count > most) common = *first;
    most = std::max(most, count);
    first = last;
  }
  return common;
}

}  // namespace

VertexId find_components(const ExecutionSpace& space, const CompressedRows& rows, const Forest& forest) {
  const auto parents = forest.parents, degrees = forest.degrees;
  if (parents.extent(0) == 0) return invalid_id;
  unite_first(space, rows, forest);
  VertexId common = most_common_root(space, parents);
  // An edge that joins the common component to another is in the rows of both.
  const auto others = select(
      space, "KoHyPar::components::others", parents.extent(0), KOKKOS_LAMBDA(const std::size_t v) {
        const bool has_more = degrees(v) > 0 && rows.offsets(v + 1) - rows.offsets(v) > sampled_neighbors;
        return has_more && parents(v) != common;
      });
  for_each_row(
      space, "KoHyPar::components::unite", others.extent(0),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) {
        const VertexId v = others(i);
        const PinOffset begin = rows.offsets(v) + sampled_neighbors, end = rows.offsets(v + std::size_t{1});
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, begin, end),
                             [&](const PinOffset at) { unite(parents, v, rows.neighbors(at)); });
      });
  if (others.extent(0) == 0) return common;
  flatten(space, parents);
  Kokkos::deep_copy(space, Kokkos::View<VertexId, Kokkos::HostSpace>(&common),
                    Kokkos::subview(parents, common));
  space.fence("KoHyPar::components::common");
  return common;
}

}  // namespace kohypar

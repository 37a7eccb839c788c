#include "betweenness/degree_one.hpp"

#include "betweenness/components.hpp"
#include "betweenness/rows.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace>;
using Sums = DeviceView<std::uint64_t>;

/// The trees while they are folded. All changes are sums of integers: any order gives the same.
struct Trees {
  DeviceView<VertexId> parents;  ///< what each vertex was folded into; its own if it was not
  DeviceView<VertexId> degrees;  ///< neighbours left; 0 for those that are folded
  DeviceView<VertexId> weights, source_counts;
  Sums products;  ///< sum of k_i W_i
};

Trees unfolded(const ExecutionSpace& space, const CompressedRows& rows,
               const DeviceView<VertexId>& is_source) {
  const std::size_t n = rows.num_rows();
  Trees trees{all_ids(space, static_cast<VertexId>(n)),
              uninitialized<VertexId>("KoHyPar::degree_one::degrees", n),
              filled<VertexId>(space, "KoHyPar::degree_one::weights", n, 1),
              uninitialized<VertexId>("KoHyPar::degree_one::source_counts", n),
              filled<std::uint64_t>(space, "KoHyPar::degree_one::products", n, 0)};
  Kokkos::deep_copy(space, trees.source_counts, is_source);
  Kokkos::parallel_for(
      "KoHyPar::degree_one::start", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t v) {
        trees.degrees(v) = static_cast<VertexId>(rows.offsets(v + 1) - rows.offsets(v));
      });
  return trees;
}

/// The only neighbour that each leaf has left, or invalid_id where the leaf stays: of two leaves that are
/// each other's neighbours, the larger one goes.
DeviceView<VertexId> roots_of(const ExecutionSpace& space, const CompressedRows& rows, const Trees& trees,
                              const DeviceView<VertexId>& leaves) {
  const auto roots = uninitialized<VertexId>("KoHyPar::degree_one::roots", leaves.extent(0));
  for_each_row(
      space, "KoHyPar::degree_one::choose", leaves.extent(0),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t i) {
        const VertexId leaf = leaves(i);
        VertexId root = 0;  // all but one add nothing
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, rows.offsets(leaf), rows.offsets(leaf + std::size_t{1})),
            [&](const PinOffset at, VertexId& sum) {
              const VertexId neighbor = rows.neighbors(at);
              if (trees.degrees(neighbor) > 0) sum += neighbor;
            },
            root);
        Kokkos::single(Kokkos::PerThread(thread), [&]() {
          const bool stays = trees.degrees(leaf) != 1 || (trees.degrees(root) == 1 && leaf < root);
          roots(i) = stays ? invalid_id : root;
        });
      });
  return roots;
}

/// Folds the leaves, each into its neighbour, and returns those that became leaves by it.
DeviceView<VertexId> fold_leaves(const ExecutionSpace& space, const CompressedRows& rows, const Trees& trees,
                                 const DeviceView<VertexId>& leaves) {
  const auto num_leaves = static_cast<VertexId>(leaves.extent(0));
  const auto roots = roots_of(space, rows, trees, leaves);
  const auto next = uninitialized<VertexId>("KoHyPar::degree_one::next_leaves", num_leaves);
  const auto num_next = filled<VertexId>(space, "KoHyPar::degree_one::num_next", 1, 0);
  Kokkos::parallel_for(
      "KoHyPar::degree_one::fold", Range(space, 0, num_leaves), KOKKOS_LAMBDA(const VertexId i) {
        if (roots(i) == invalid_id) return;
        const VertexId leaf = leaves(i), root = roots(i);
        const VertexId weight = trees.weights(leaf), sources = trees.source_counts(leaf);
        trees.degrees(leaf) = 0;
        trees.parents(leaf) = root;
        Kokkos::atomic_add(&trees.weights(root), weight);
        Kokkos::atomic_add(&trees.source_counts(root), sources);
        Kokkos::atomic_add(&trees.products(root), std::uint64_t{sources} * weight);
        if (Kokkos::atomic_fetch_sub(&trees.degrees(root), VertexId{1}) == 2)
          next(Kokkos::atomic_fetch_add(&num_next(0), VertexId{1})) = root;
      });
  VertexId count = 0;
  Kokkos::deep_copy(space, Kokkos::View<VertexId, Kokkos::HostSpace>(&count), Kokkos::subview(num_next, 0));
  space.fence("KoHyPar::degree_one::num_next");
  return Kokkos::subview(next, std::pair(VertexId{0}, count));
}

/// T of every vertex; see Folding. Changes trees.parents.
Sums count_own_paths(const ExecutionSpace& space, const CompressedRows& rows, const Trees& trees,
                     const DeviceView<VertexId>& is_source) {
  const auto n = static_cast<VertexId>(rows.num_rows());
  const VertexId common = find_components(space, rows, {trees.parents, trees.degrees});
  const auto roots = trees.parents;
  const auto sizes = filled<VertexId>(space, "KoHyPar::degree_one::component_sizes", n, 0);
  const auto sources = filled<VertexId>(space, "KoHyPar::degree_one::component_sources", n, 0);
  // Not all vertices of a large component add to the same two numbers.
  VertexId common_size = 0, common_sources = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::degree_one::components", Range(space, 0, n),
      KOKKOS_LAMBDA(const VertexId v, VertexId& size_sum, VertexId& source_sum) {
        const VertexId root = roots(v);
        if (root == common) {
          ++size_sum;
          source_sum += is_source(v);
        } else {
          Kokkos::atomic_inc(&sizes(root));
          if (is_source(v) != 0) Kokkos::atomic_inc(&sources(root));
        }
      },
      common_size, common_sources);
  const auto paths = uninitialized<std::uint64_t>("KoHyPar::degree_one::own_paths", n);
  Kokkos::parallel_for(
      "KoHyPar::degree_one::own_paths", Range(space, 0, n), KOKKOS_LAMBDA(const VertexId v) {
        const VertexId root = roots(v);
        const std::uint64_t others = (root == common ? common_size : sizes(root)) - std::uint64_t{1};
        const std::uint64_t folded_sources = trees.source_counts(v) - is_source(v);
        const std::uint64_t outer_sources =
            (root == common ? common_sources : sources(root)) - trees.source_counts(v);
        paths(v) = others * folded_sources - trees.products(v) +
                   outer_sources * (trees.weights(v) - std::uint64_t{1});
      });
  return paths;
}

}  // namespace

Folding fold_trees(const ExecutionSpace& space, const CompressedRows& rows,
                   const DeviceView<VertexId>& is_source) {
  const std::size_t n = rows.num_rows();
  const Trees trees = unfolded(space, rows, is_source);
  Folding folding{trees.degrees, trees.weights, trees.source_counts, {}};
  auto leaves = select(
      space, "KoHyPar::degree_one::leaves", n,
      KOKKOS_LAMBDA(const std::size_t v) { return trees.degrees(v) == 1; });
  if (leaves.extent(0) == 0) return folding;
  while (leaves.extent(0) > 0) leaves = fold_leaves(space, rows, trees, leaves);
  folding.own_paths = count_own_paths(space, rows, trees, is_source);
  Kokkos::parallel_reduce(
      "KoHyPar::degree_one::num_folded", WideRange(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t v, VertexId& sum) {
        if (trees.degrees(v) == 0 && rows.offsets(v + 1) > rows.offsets(v)) ++sum;
      },
      folding.num_folded);
  return folding;
}

}  // namespace kohypar

#include "coarsening/clustering.hpp"

#include "parallel/scan.hpp"

namespace kohypar {

Clustering number_clusters(const ExecutionSpace& space, const DeviceView<NodeId>& leaders) {
  const std::size_t n = leaders.extent(0);
  auto rank = uninitialized<NodeId>("KoHyPar::clustering::rank", n);
  Clustering result{uninitialized<NodeId>("KoHyPar::clustering::cluster_of", n), 0};
  Kokkos::parallel_scan(
      "KoHyPar::clustering::rank", Kokkos::RangePolicy<ExecutionSpace>(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i, NodeId& sum, const bool final) {
        if (leaders(i) != i) return;
        if (final) rank(i) = sum;
        ++sum;
      },
      result.num_clusters);
  const auto cluster_of = result.cluster_of;
  Kokkos::parallel_for(
      "KoHyPar::clustering::cluster_of", Kokkos::RangePolicy<ExecutionSpace>(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { cluster_of(i) = rank(leaders(i)); });
  return result;
}

}  // namespace kohypar

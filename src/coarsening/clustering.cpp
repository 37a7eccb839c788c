#include "coarsening/clustering.hpp"

#include "parallel/key_sort.hpp"
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

Clustering split_by_parts(const ExecutionSpace& space, const Clustering& clustering,
                          const DeviceView<PartId>& parts) {
  const std::size_t n = parts.extent(0);
  const Kokkos::RangePolicy<ExecutionSpace> range(space, 0, n);
  const auto cluster_of = clustering.cluster_of;
  auto keys = uninitialized<std::uint64_t>("KoHyPar::clustering::keys", n);
  auto nodes = uninitialized<NodeId>("KoHyPar::clustering::nodes", n);
  Kokkos::parallel_for(
      "KoHyPar::clustering::keys", range, KOKKOS_LAMBDA(const std::size_t i) {
        keys(i) = (static_cast<std::uint64_t>(cluster_of(i)) << 32) | parts(i);
        nodes(i) = static_cast<NodeId>(i);
      });
  stable_sort_by_key(space, keys, nodes, 64);
  // The first node of a run of equal keys has the smallest id and leads the run.
  auto run_of = uninitialized<std::uint32_t>("KoHyPar::clustering::run_of", n);
  auto first_of_run = uninitialized<NodeId>("KoHyPar::clustering::first_of_run", n);
  auto leaders = uninitialized<NodeId>("KoHyPar::clustering::leaders", n);
  Kokkos::parallel_scan(
      "KoHyPar::clustering::runs", range,
      KOKKOS_LAMBDA(const std::size_t i, std::uint32_t& runs, const bool final) {
        const bool first = i == 0 || keys(i) != keys(i - 1);
        runs += first ? 1 : 0;
        if (!final) return;
        run_of(i) = runs - 1;
        if (first) first_of_run(runs - 1) = nodes(i);
      });
  Kokkos::parallel_for(
      "KoHyPar::clustering::leaders", range,
      KOKKOS_LAMBDA(const std::size_t i) { leaders(nodes(i)) = first_of_run(run_of(i)); });
  return number_clusters(space, leaders);
}

DeviceView<PartId> restrict_parts(const ExecutionSpace& space, const Clustering& clustering,
                                  const DeviceView<PartId>& parts) {
  auto result = uninitialized<PartId>("KoHyPar::clustering::parts", clustering.num_clusters);
  const auto cluster_of = clustering.cluster_of;
  Kokkos::parallel_for(
      "KoHyPar::clustering::restrict", Kokkos::RangePolicy<ExecutionSpace>(space, 0, parts.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) { Kokkos::atomic_store(&result(cluster_of(n)), parts(n)); });
  return result;
}

DeviceView<PartId> project_parts(const ExecutionSpace& space, const Clustering& clustering,
                                 const DeviceView<PartId>& cluster_parts) {
  const auto cluster_of = clustering.cluster_of;
  auto result = uninitialized<PartId>("KoHyPar::clustering::parts", cluster_of.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::clustering::project", Kokkos::RangePolicy<ExecutionSpace>(space, 0, cluster_of.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) { result(n) = cluster_parts(cluster_of(n)); });
  return result;
}

}  // namespace kohypar

#include "hypergraph/totals.hpp"

namespace kohypar {

Weight total_hyperedge_weight(const ExecutionSpace& space, const Hypergraph& hypergraph) {
  const auto weights = hypergraph.hyperedge_weights;
  Weight total = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::total_hyperedge_weight",
      Kokkos::RangePolicy<ExecutionSpace>(space, 0, hypergraph.num_hyperedges),
      KOKKOS_LAMBDA(const HyperedgeId e, Weight& sum) { sum += weights(e); }, total);
  return total;
}

}  // namespace kohypar

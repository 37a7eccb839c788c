#include "coarsening/pairs.hpp"

#include "coarsening/matching.hpp"

namespace kohypar {

Clustering cluster_in_pairs(const ExecutionSpace& space, PhaseClock& clock, const Hypergraph& hypergraph,
                            const Rating& rating, const PairLimits& limits, int candidates_per_node,
                            const Tuning& tuning) {
  const auto candidates = clock.time("coarsening/candidates", [&] {
    return propose_candidates(space, hypergraph, rating, limits, candidates_per_node, tuning);
  });
  return clock.time("coarsening/matching", [&] {
    const auto partners = match_candidates(space, candidates, hypergraph.num_nodes);
    pair_leftovers(space, hypergraph, candidates, limits, partners);
    pair_by_target(space, hypergraph, candidates, limits, partners);
    return clusters_of_pairs(space, partners);
  });
}

}  // namespace kohypar

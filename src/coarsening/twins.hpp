// Nodes that are interchangeable, found by hashing before the first level.
#pragma once

#include <kohypar/hypergraph.hpp>

#include "coarsening/clustering.hpp"

namespace kohypar {

/// Clusters nodes with equal, non-empty inbound hyperedges, in id order, at most `max_cluster_size` in size.
Clustering cluster_in_twins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                            Weight max_cluster_size);

/// Clusters nodes whose outbound hyperedges reach the same non-empty set of destinations, in id order, at
/// most `max_cluster_size` in size and with at most `max_cluster_inbound` distinct inbound hyperedges per
/// cluster (bounded by the sum of the members' counts).
Clustering cluster_out_twins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                             Weight max_cluster_size, Weight max_cluster_inbound);

}  // namespace kohypar

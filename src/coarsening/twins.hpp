// Nodes that are interchangeable, found by hashing before the first level.
#pragma once

#include <kohypar/hypergraph.hpp>

#include "coarsening/clustering.hpp"

namespace kohypar {

/// Clusters nodes with the same, non-empty set of inbound hyperedges. Nodes whose outbound hyperedges weigh
/// more than their inbound ones stay alone: they may belong elsewhere.
///
/// Clusters take nodes of a kind in id order, as many as `max_cluster_size`, the sum of node sizes, and
/// `max_cluster_inbound`, distinct inbound hyperedges, allow. Twins share their inbound hyperedges, so only
/// base inbound counts add up. A node above a limit stays alone.
Clustering cluster_in_twins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                            Weight max_cluster_size, Weight max_cluster_inbound);

/// Clusters nodes whose outbound hyperedges have the same, non-empty collection of destination sets.
/// Limits as above; the inbound hyperedges of a cluster are bounded by the sum over its nodes.
Clustering cluster_out_twins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                             Weight max_cluster_size, Weight max_cluster_inbound);

}  // namespace kohypar

// Contraction of a clustering to the next coarser hypergraph.
#pragma once

#include <kohypar/hypergraph.hpp>

#include "coarsening/clustering.hpp"

namespace kohypar {

/// The hypergraph of clusters: pins are the clusters' images without duplicates, a cluster that is source and
/// destination of a hyperedge stays a destination, sizes and base inbound counts add up; then single-pin and
/// identical hyperedges go as in remove_redundant_hyperedges (which it ends with).
Hypergraph contract(const ExecutionSpace& space, const Hypergraph& hypergraph, const Clustering& clustering);

}  // namespace kohypar

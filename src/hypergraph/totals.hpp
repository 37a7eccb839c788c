// Sums over a hypergraph.
#pragma once

#include <kohypar/hypergraph.hpp>

namespace kohypar {

Weight total_hyperedge_weight(const ExecutionSpace& space, const Hypergraph& hypergraph);

}  // namespace kohypar

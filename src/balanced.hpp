// Balanced partitioning from within the partitioner.
#pragma once

#include <kohypar/partition.hpp>

namespace kohypar {

/// As partition() for a balance, of a hypergraph with nodes, without its checks: the balance fits the
/// hypergraph, and parts of the result may be above their capacities where no balanced partition was found.
Partition search_balanced(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance,
                          const Options& options);

}  // namespace kohypar

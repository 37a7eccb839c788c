// What coarsening phases hand to contraction.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// A map of nodes to clusters. Clusters are numbered by their smallest member, so that coarse ids keep the
/// locality of the input's ids and are the same on every backend.
struct Clustering {
  DeviceView<NodeId> cluster_of;  ///< one per node, below num_clusters
  NodeId num_clusters = 0;
};

/// Numbers clusters from a leader per node: leaders(n) is the smallest member of n's cluster.
Clustering number_clusters(const ExecutionSpace& space, const DeviceView<NodeId>& leaders);

}  // namespace kohypar

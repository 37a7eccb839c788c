// What coarsening phases hand to contraction.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// A map of nodes to clusters. Clusters are numbered by their smallest member, so that coarse ids keep the
/// locality of the input's ids and are the same on every backend.
struct Clustering {
  DeviceView<NodeId> cluster_of;  ///< one per node, below num_clusters
  NodeId num_clusters = 0;
  /// Whether all nodes of a cluster have the same inbound hyperedges; contraction is cheaper if it knows.
  bool equal_inbound = false;
};

/// Numbers clusters from a leader per node: leaders(n) is the smallest member of n's cluster.
Clustering number_clusters(const ExecutionSpace& space, const DeviceView<NodeId>& leaders);

/// Splits every cluster by the parts of its members, so that no cluster crosses parts.
Clustering split_by_parts(const ExecutionSpace& space, const Clustering& clustering,
                          const DeviceView<PartId>& parts);

/// What the clusters inherit from their members where all members agree, such as the part: values(n) to the
/// cluster of n.
DeviceView<PartId> restrict_parts(const ExecutionSpace& space, const Clustering& clustering,
                                  const DeviceView<PartId>& parts);

/// The parts of nodes from those of their clusters.
DeviceView<PartId> project_parts(const ExecutionSpace& space, const Clustering& clustering,
                                 const DeviceView<PartId>& cluster_parts);

}  // namespace kohypar

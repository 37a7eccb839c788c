// Sequential clustering, for levels so small that launching kernels takes longer than the work.
#pragma once

#include <kohypar/limits.hpp>
#include <span>
#include <vector>

#include "coarsening/candidates.hpp"
#include "initial/host_level.hpp"

namespace kohypar {

/// What clusters must respect and how their neighbours are scored.
struct ClusterRules {
  Weight max_size = unlimited;     ///< of a cluster
  Weight max_inbound = unlimited;  ///< likewise, distinct inbound hyperedges counted exactly
  std::uint64_t seed = 0;          ///< of the order in which nodes choose
  int size_power = 0;              ///< how often scores are divided by the root of the sizes' product
  NodeId least_clusters = 0;       ///< stop there
  /// Hyperedges of more pins are not scored: they say little about who belongs together, and walking them for
  /// each pin is quadratic.
  PinOffset largest_rated = 1024;
  std::vector<PartId> within;  ///< per node, if not empty: no cluster crosses these parts
};

struct HostClusters {
  std::vector<NodeId> cluster_of;  ///< per node; numbered by the smallest member
  NodeId num_clusters = 0;
};

/// Nodes, in pseudo-random order, each join the neighbouring cluster of highest rating that has room, sum of
/// weight / |e| over shared hyperedges e, until only 2/5 as many clusters as nodes are left (a level then
/// shrinks enough, and evenly).
HostClusters cluster_nodes(const HostLevel& level, const ClusterRules& rules);

/// The parts of nodes from those of their clusters.
std::vector<PartId> project_parts(const std::vector<PartId>& coarse, std::span<const NodeId> cluster_of);

}  // namespace kohypar

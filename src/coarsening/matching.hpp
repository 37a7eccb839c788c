// Pairs of nodes to contract, from the candidates each node proposed.
#pragma once

#include <kohypar/hypergraph.hpp>

#include "coarsening/candidates.hpp"
#include "coarsening/clustering.hpp"

namespace kohypar {

/// Matches nodes in rounds: each unmatched node targets its best candidate that is still unmatched; on the
/// forest of targets (whose only cycles are mutual pairs, as pairs have one strict order) a maximum-weight
/// matching is found exactly, by dynamic programming (arXiv 2605.20497, section V-D). As many rounds as
/// candidates per node.
/// @return the partner of every node, or invalid_id.
DeviceView<NodeId> match_candidates(const ExecutionSpace& space, const Candidates& candidates,
                                    NodeId num_nodes);

/// Pairs unmatched nodes that had no candidate at all, neighbours in the order of (part, size, id), where the
/// sum of sizes and the sum of inbound counts stay within the limits. Changes `partners`.
void pair_leftovers(const ExecutionSpace& space, const Hypergraph& hypergraph, const Candidates& candidates,
                    const PairLimits& limits, const DeviceView<NodeId>& partners);

/// Pairs unmatched nodes that have the same best candidate (two-hop matching: spokes of a hub that only one
/// of them could be matched with), neighbours in the order of (part, candidate, id), within the limits as
/// pair_leftovers counts. Changes `partners`.
void pair_by_target(const ExecutionSpace& space, const Hypergraph& hypergraph, const Candidates& candidates,
                    const PairLimits& limits, const DeviceView<NodeId>& partners);

/// Clusters of matched pairs and single nodes.
Clustering clusters_of_pairs(const ExecutionSpace& space, const DeviceView<NodeId>& partners);

}  // namespace kohypar

// Serial twin of twin clustering, in set arithmetic.
#pragma once

#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "reference/levels.hpp"

namespace kohypar::reference {

/// What nodes of one kind have in common, or nothing for a node that stays alone.
using Kind = std::optional<std::set<std::set<NodeId>>>;

inline std::vector<Kind> in_kinds(const Level& level) {
  std::vector<std::set<NodeId>> inbound(level.node_sizes.size());
  std::vector<Weight> excess(level.node_sizes.size());
  for (HyperedgeId e = 0; e < level.hyperedges.size(); ++e) {
    for (const NodeId n : level.hyperedges[e].destinations) inbound[n].insert(e);
    for (const NodeId n : level.hyperedges[e].destinations) excess[n] += level.hyperedges[e].weight;
    for (const NodeId n : level.hyperedges[e].sources) excess[n] -= level.hyperedges[e].weight;
  }
  std::vector<Kind> kinds(level.node_sizes.size());
  for (NodeId n = 0; n < kinds.size(); ++n)
    if (!inbound[n].empty() && excess[n] >= 0) kinds[n] = {inbound[n]};
  return kinds;
}

inline std::vector<Kind> out_kinds(const Level& level) {
  std::vector<Kind> kinds(level.node_sizes.size());
  for (const Hyperedge& e : level.hyperedges)
    for (const NodeId n : e.sources) {
      if (e.destinations.empty()) continue;
      if (!kinds[n]) kinds[n].emplace();
      kinds[n]->insert(e.destinations);
    }
  return kinds;
}

/// Fills clusters one after the other. `shared[n]` inbound hyperedges are common to all nodes of n's kind,
/// `added[n]` come on top for each node. Returns the smallest member of each node's cluster.
inline std::vector<NodeId> fill_clusters(const Level& level, const std::vector<Kind>& kinds,
                                         const std::vector<Weight>& shared, const std::vector<Weight>& added,
                                         Weight max_size, Weight max_inbound) {
  struct Open {
    NodeId leader;
    Weight size, added;
  };
  std::map<std::set<std::set<NodeId>>, Open> open;
  std::vector<NodeId> leaders(kinds.size());
  std::iota(leaders.begin(), leaders.end(), 0u);
  for (NodeId n = 0; n < kinds.size(); ++n) {
    if (!kinds[n]) continue;
    const auto [found, is_new] = open.try_emplace(*kinds[n], Open{n, level.node_sizes[n], added[n]});
    Open& cluster = found->second;
    if (is_new) continue;
    const Weight size = cluster.size + level.node_sizes[n], sum = cluster.added + added[n];
    if (size <= max_size && sum <= std::max(Weight{0}, max_inbound - shared[n])) {
      cluster = {cluster.leader, size, sum};
      leaders[n] = cluster.leader;
    } else {
      cluster = {n, level.node_sizes[n], added[n]};
    }
  }
  return leaders;
}

inline std::vector<NodeId> in_twin_leaders(const Level& level, Weight max_size, Weight max_inbound) {
  std::vector<Weight> shared = inbound_sizes(level);
  for (NodeId n = 0; n < shared.size(); ++n) shared[n] -= level.base_inbound[n];
  return fill_clusters(level, in_kinds(level), shared, level.base_inbound, max_size, max_inbound);
}

inline std::vector<NodeId> out_twin_leaders(const Level& level, Weight max_size, Weight max_inbound) {
  return fill_clusters(level, out_kinds(level), std::vector<Weight>(level.node_sizes.size()),
                       inbound_sizes(level), max_size, max_inbound);
}

}  // namespace kohypar::reference

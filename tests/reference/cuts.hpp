// Minimum cuts by trying all.
#pragma once

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "host_search/flow_network.hpp"
#include "reference/levels.hpp"

namespace kohypar::reference {

/// Capacity from a set of vertices to all others.
inline Weight cut_capacity(const std::vector<FlowNetwork::Edge>& edges, const std::vector<bool>& is_in_set) {
  Weight sum = 0;
  for (const FlowNetwork::Edge& edge : edges) {
    if (is_in_set[edge.from] && !is_in_set[edge.to]) sum += edge.capacity;
    if (is_in_set[edge.to] && !is_in_set[edge.from]) sum += edge.reverse_capacity;
  }
  return sum;
}

/// The least capacity from a set with all sources to one with all sinks. Up to some 12 vertices.
inline Weight least_cut(FlowNetwork::Vertex num_vertices, const std::vector<FlowNetwork::Edge>& edges,
                        const std::set<FlowNetwork::Vertex>& sources,
                        const std::set<FlowNetwork::Vertex>& sinks) {
  Weight least = std::numeric_limits<Weight>::max();
  std::vector<bool> is_in_set(num_vertices);
  for (std::uint32_t bits = 0; bits < 1u << num_vertices; ++bits) {
    for (FlowNetwork::Vertex v = 0; v < num_vertices; ++v) is_in_set[v] = (bits >> v & 1) != 0;
    if (std::all_of(sources.begin(), sources.end(), [&](auto v) { return is_in_set[v]; }) &&
        std::none_of(sinks.begin(), sinks.end(), [&](auto v) { return is_in_set[v]; }))
      least = std::min(least, cut_capacity(edges, is_in_set));
  }
  return least;
}

/// The least connectivity where the nodes of two parts that are not among the first `num_terminals` are in
/// either of both. Up to some 12 such nodes.
inline Weight least_connectivity(const Level& level, std::vector<PartId> parts, PartId a, PartId b,
                                 std::size_t num_terminals) {
  std::vector<NodeId> free;
  for (auto n = static_cast<NodeId>(num_terminals); n < parts.size(); ++n)
    if (parts[n] == a || parts[n] == b) free.push_back(n);
  Weight least = std::numeric_limits<Weight>::max();
  for (std::uint32_t bits = 0; bits < 1u << free.size(); ++bits) {
    for (std::size_t i = 0; i < free.size(); ++i) parts[free[i]] = (bits >> i & 1) != 0 ? a : b;
    least = std::min(least, connectivity(level, parts));
  }
  return least;
}

}  // namespace kohypar::reference

// Betweenness centrality as in Brandes, "A Faster Algorithm for Betweenness Centrality", J. Math. Sociol. 25
// (2001), algorithm 1: one source at a time, with a queue and lists of predecessors; long double throughout.
#pragma once

#include <algorithm>
#include <kohypar/betweenness.hpp>
#include <set>
#include <vector>

namespace kohypar::reference {

using Adjacency = std::vector<std::vector<VertexId>>;

/// Without loops and parallel edges.
inline Adjacency adjacency_of(const EdgeList& list, bool directed) {
  std::vector<std::set<VertexId>> neighbors(list.num_vertices);
  for (const Edge& edge : list.edges) {
    if (edge.from == edge.to) continue;
    neighbors[edge.from].insert(edge.to);
    if (!directed) neighbors[edge.to].insert(edge.from);
  }
  Adjacency result;
  for (const auto& row : neighbors) result.emplace_back(row.begin(), row.end());
  return result;
}

/// The dependencies of one source on all vertices.
inline std::vector<long double> dependencies(const Adjacency& adjacency, VertexId source) {
  const std::size_t n = adjacency.size();
  std::vector<std::vector<VertexId>> predecessors(n);
  std::vector<long double> sigma(n, 0), delta(n, 0);
  std::vector<int> distance(n, -1);
  std::vector<VertexId> queue = {source};
  sigma[source] = 1;
  distance[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const VertexId v = queue[head];
    for (const VertexId w : adjacency[v]) {
      if (distance[w] < 0) {
        distance[w] = distance[v] + 1;
        queue.push_back(w);
      }
      if (distance[w] == distance[v] + 1) {
        sigma[w] += sigma[v];
        predecessors[w].push_back(v);
      }
    }
  }
  for (std::size_t i = queue.size(); i-- > 0;) {
    const VertexId w = queue[i];
    for (const VertexId v : predecessors[w]) delta[v] += sigma[v] / sigma[w] * (1 + delta[w]);
  }
  delta[source] = 0;
  return delta;
}

/// The sum over the sources; undirected graphs count each pair once.
inline std::vector<double> betweenness(const EdgeList& list, bool directed,
                                       const std::vector<VertexId>& sources) {
  const Adjacency adjacency = adjacency_of(list, directed);
  std::vector<long double> sums(list.num_vertices, 0);
  for (const VertexId source : sources) {
    const auto delta = dependencies(adjacency, source);
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += delta[v];
  }
  std::vector<double> scores;
  for (const long double sum : sums) scores.push_back(static_cast<double>(directed ? sum : sum / 2));
  return scores;
}

inline std::vector<double> betweenness(const EdgeList& list, bool directed) {
  std::vector<VertexId> all(list.num_vertices);
  for (VertexId v = 0; v < list.num_vertices; ++v) all[v] = v;
  return betweenness(list, directed, all);
}

}  // namespace kohypar::reference

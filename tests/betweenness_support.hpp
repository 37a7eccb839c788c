// Small graphs, and comparisons of scores.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <kohypar/betweenness.hpp>
#include <random>
#include <string>
#include <vector>

#include "support.hpp"

namespace kohypar::test {

inline void connect(EdgeList& list, VertexId from, VertexId to) {
  list.edges.push_back({from, to});
  list.num_vertices = std::max({list.num_vertices, from + 1, to + 1});
}

inline EdgeList path_graph(VertexId n) {
  EdgeList list;
  list.num_vertices = n;
  for (VertexId v = 1; v < n; ++v) connect(list, v - 1, v);
  return list;
}

inline EdgeList star_graph(VertexId leaves) {
  EdgeList list;
  for (VertexId v = 1; v <= leaves; ++v) connect(list, v, 0);
  return list;
}

inline EdgeList cycle_graph(VertexId n) {
  EdgeList list = path_graph(n);
  connect(list, n - 1, 0);
  return list;
}

inline EdgeList grid_graph(VertexId rows, VertexId columns) {
  EdgeList list;
  list.num_vertices = rows * columns;
  for (VertexId v = 0; v < rows * columns; ++v) {
    if (v % columns + 1 < columns) connect(list, v, v + 1);
    if (v + columns < rows * columns) connect(list, v, v + columns);
  }
  return list;
}

inline EdgeList random_tree(VertexId n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  EdgeList list;
  list.num_vertices = n;
  for (VertexId v = 1; v < n; ++v) connect(list, static_cast<VertexId>(random() % v), v);
  return list;
}

/// Loops and repetitions included.
inline EdgeList random_graph(VertexId n, std::size_t num_edges, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  EdgeList list;
  list.num_vertices = n;
  for (std::size_t i = 0; i < num_edges; ++i)
    connect(list, static_cast<VertexId>(random() % n), static_cast<VertexId>(random() % n));
  return list;
}

/// `steps` times `width` paths of two edges side by side, one bundle after the other: width^steps shortest
/// paths from end to end.
inline EdgeList ladder_graph(VertexId steps, VertexId width = 2) {
  EdgeList list;
  for (VertexId i = 0; i < steps; ++i)
    for (VertexId middle = 1; middle <= width; ++middle) {
      connect(list, (width + 1) * i, (width + 1) * i + middle);
      connect(list, (width + 1) * i + middle, (width + 1) * (i + 1));
    }
  return list;
}

/// A vertex whose row has several pieces, among others.
inline EdgeList hub_graph() {
  EdgeList list = random_graph(400, 900, 7);
  for (VertexId v = 1; v < 400; ++v) connect(list, 0, v);
  return list;
}

/// One beside the other.
inline EdgeList disjoint_union(const std::vector<EdgeList>& parts) {
  EdgeList list;
  for (const EdgeList& part : parts) {
    const VertexId first = list.num_vertices;
    for (const Edge& edge : part.edges) list.edges.push_back({first + edge.from, first + edge.to});
    list.num_vertices = first + part.num_vertices;
  }
  return list;
}

struct NamedGraph {
  std::string name;
  EdgeList edges;
};

inline std::vector<NamedGraph> small_graphs() {
  std::vector<NamedGraph> graphs = {
      {"empty", {}},
      {"one vertex", path_graph(1)},
      {"one edge", path_graph(2)},
      {"isolated vertices", EdgeList{.num_vertices = 5, .edges = {}, .labels = {}}},
      {"path", path_graph(41)},
      {"star", star_graph(700)},  // a row of several pieces
      {"cycle", cycle_graph(30)},
      {"grid", grid_graph(7, 9)},
      {"tree", random_tree(120, 3)},
      {"ladder", ladder_graph(20)},
      {"two components", disjoint_union({grid_graph(4, 4), path_graph(3)})},
      {"many components", disjoint_union({path_graph(1), random_tree(9, 1), cycle_graph(5), path_graph(2),
                                          random_graph(30, 45, 4), random_graph(20, 60, 5), star_graph(4)})},
  };
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const VertexId n = 10 + 17 * static_cast<VertexId>(seed);
    graphs.push_back({"sparse " + std::to_string(seed), random_graph(n, n + n / 8, seed)});
    graphs.push_back({"dense " + std::to_string(seed), random_graph(n, 6 * n, 100 + seed)});
  }
  graphs.push_back({"hub", hub_graph()});
  return graphs;
}

inline Betweenness run_betweenness(const EdgeList& edges, bool directed,
                                   const BetweennessOptions& options = {}) {
  const ExecutionSpace space;
  return betweenness(space, build_graph(space, edges, directed), options);
}

inline std::vector<double> scores_of(const EdgeList& edges, bool directed,
                                     const BetweennessOptions& options = {}) {
  return to_host(run_betweenness(edges, directed, options).scores);
}

/// Within 1e-9 of every value; zeros are exact.
inline void expect_close(const std::vector<double>& scores, const std::vector<double>& expected) {
  ASSERT_EQ(scores.size(), expected.size());
  for (std::size_t v = 0; v < scores.size(); ++v)
    ASSERT_NEAR(scores[v], expected[v], 1e-9 * std::abs(expected[v])) << "vertex " << v;
}

}  // namespace kohypar::test

// Folding of trees: what a vertex with one neighbour adds to scores is known without a search. Bernaschi,
// Bisson, Mastrostefano, Vella, "Multilevel Parallelism for the Exploration of Large-Scale Graphs", 2018;
// here for any number of components, any set of sources, and repeated until no such vertex is left.
#pragma once

#include <kohypar/betweenness.hpp>

namespace kohypar {

/// What folding leaves of an undirected graph. Let W(v) be the vertices folded into v, v included, k(v) the
/// sources among them, N and K the vertices and sources of v's component, and i the subtrees folded into v.
/// Paths from sources through v that start or end in its subtrees number
///   T(v) = sum_i k_i (N - 1 - W_i) + (K - k(v)) (W(v) - 1),
/// whether v is folded itself or not. What the searches add is the rest.
struct Folding {
  DeviceView<VertexId> degrees;         ///< neighbours left; 0 for folded vertices and whole trees
  DeviceView<VertexId> weights;         ///< W
  DeviceView<VertexId> source_counts;   ///< k
  DeviceView<std::uint64_t> own_paths;  ///< T
  VertexId num_folded = 0;
};

/// Folds all trees of an undirected graph.
/// @param is_source 1 for sources, 0 for others
Folding fold_trees(const ExecutionSpace& space, const CompressedRows& rows,
                   const DeviceView<VertexId>& is_source);

}  // namespace kohypar

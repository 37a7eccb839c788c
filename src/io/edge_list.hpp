// Readers of graphs and of lists of vertices, from memory.
#pragma once

#include <kohypar/betweenness.hpp>
#include <string>
#include <vector>

#include "io/formats.hpp"

namespace kohypar {

/// A list of edges as SNAP publishes them. Throws Error(input) naming the line, as do the others.
EdgeList read_edge_list(const Input& input);

/// The entries of a square Matrix Market matrix; if directed, what symmetry implies as well.
EdgeList read_mtx_edges(const Input& input, bool directed);

/// One vertex a line, as the graph's file names it (`.graph` and `.mtx`: from 0), `#` comments.
std::vector<VertexId> parse_sources(const Input& input, const EdgeList& graph);
std::vector<VertexId> read_sources(const std::string& path, const EdgeList& graph);

}  // namespace kohypar

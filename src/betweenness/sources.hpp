// Which vertices paths are counted from.
#pragma once

#include <kohypar/betweenness.hpp>

namespace kohypar {

struct SourceSet {
  DeviceView<VertexId> is_source;    ///< 1 or 0 for every vertex
  std::uint64_t size = 0;            ///< sources with an edge
  std::uint64_t num_candidates = 0;  ///< vertices with an edge; no other one changes a score
  bool is_all = false;               ///< of the candidates
};

/// As the options say. A number above that of the candidates means all of them. Throws Error(usage).
SourceSet choose_sources(const ExecutionSpace& space, const Graph& graph, const BetweennessOptions& options);

}  // namespace kohypar

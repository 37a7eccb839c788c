// Connected components.
#pragma once

#include <kohypar/betweenness.hpp>

namespace kohypar {

/// Trees that are known to be parts of components.
struct Forest {
  DeviceView<VertexId> parents;  ///< roots are their own
  DeviceView<VertexId> degrees;  ///< neighbours left; 0: all its edges are edges of the forest
};

/// Connected components of an undirected graph: `parents` become the roots of components, which are the
/// smallest of their forest's roots. By union-find without locks, every root hooked under a smaller one:
/// Jaiganesh, Burtscher, "A High-Performance Connected Components Implementation for GPUs" (ECL-CC), HPDC
/// 2018. Where a few neighbours of each vertex show most of a component, its vertices' other edges are not
/// looked at: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
/// Sampling" (Afforest), IPDPS 2018.
/// @return the root of a component that is large, if one is; invalid_id without vertices
VertexId find_components(const ExecutionSpace& space, const CompressedRows& rows, const Forest& forest);

}  // namespace kohypar

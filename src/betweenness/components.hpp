// Connected components.
#pragma once

#include <kohypar/betweenness.hpp>

namespace kohypar {

struct Components {
  DeviceView<VertexId> roots;    ///< the smallest vertex of each vertex's component
  VertexId common = invalid_id;  ///< root of a component that is large, if one is
};

/// Connected components of an undirected graph. By union-find without locks, every root hooked under a
/// smaller one: Jaiganesh, Burtscher, "A High-Performance Connected Components Implementation for GPUs"
/// (ECL-CC), HPDC 2018. Where a few neighbours of each vertex show most of a component, its vertices' other
/// edges are not looked at: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via
/// Subgraph Sampling" (Afforest), IPDPS 2018.
Components connected_components(const ExecutionSpace& space, const CompressedRows& rows);

}  // namespace kohypar

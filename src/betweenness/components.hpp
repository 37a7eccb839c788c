// Connected components.
#pragma once

#include <kohypar/betweenness.hpp>

namespace kohypar {

/// The smallest vertex of each vertex's component, of an undirected graph. By union-find without locks, every
/// root hooked under a smaller one: Jaiganesh, Burtscher, "A High-Performance Connected Components
/// Implementation for GPUs" (ECL-CC), HPDC 2018.
DeviceView<VertexId> connected_components(const ExecutionSpace& space, const CompressedRows& rows);

}  // namespace kohypar

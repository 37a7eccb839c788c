// Graphs whose edges need more memory than a device has: they stay with the host until processes have divided
// them.
#pragma once

#include <kohypar/betweenness.hpp>
#include <memory>
#include <vector>

namespace kohypar {

/// Memory of the host that kernels of the device read and write in place.
class HostMemory {
 public:
  /// Lives as long as this object.
  DeviceView<VertexId> allocate(std::size_t size);

 private:
  std::vector<std::shared_ptr<void>> blocks_;
};

/// As build_graph, on the host but for the offsets.
Graph build_graph_on_host(const ExecutionSpace& space, const EdgeList& edges, bool directed);

}  // namespace kohypar

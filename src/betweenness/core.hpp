// What is left to traverse: vertices with an edge that no folding removed, numbered anew.
#pragma once

#include <kohypar/betweenness.hpp>

#include "betweenness/host_memory.hpp"
#include "betweenness/sources.hpp"

namespace kohypar {

/// A vertex that paths are counted from, and how many sources it stands for.
struct TraversalSource {
  VertexId vertex = 0;
  VertexId multiplicity = 1;
};

struct Core {
  CompressedRows out, in;                   ///< of core vertices; the same views if undirected
  DeviceView<VertexId> vertices;            ///< of the graph, ascending until they are placed (placement.hpp)
  DeviceView<double> weights;               ///< vertices that each stands for, itself included
  std::vector<TraversalSource> sources;     ///< in the order of the graph's vertices
  std::shared_ptr<HostMemory> host_memory;  ///< of the neighbours, if the graph's are there too
  DeviceView<std::uint64_t> own_paths;  ///< of all vertices of the graph (see Folding); empty without folding
  VertexId num_folded = 0;

  [[nodiscard]] VertexId num_vertices() const { return static_cast<VertexId>(vertices.extent(0)); }
};

/// The rows of `vertices` with the neighbours that have a number, as these numbers. invalid_id stands for an
/// empty row, and for no number. Rows keep their order.
/// @param memory where neighbours go; nullptr: the device's
CompressedRows restrict_rows(const ExecutionSpace& space, const CompressedRows& rows,
                             const DeviceView<VertexId>& vertices, const DeviceView<VertexId>& numbers,
                             HostMemory* memory = nullptr);

/// @param degree_one fold trees first; undirected graphs only
Core make_core(const ExecutionSpace& space, const Graph& graph, const SourceSet& sources, bool degree_one);

}  // namespace kohypar

// Compressed rows from lists of edges.
#pragma once

#include <kohypar/betweenness.hpp>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/sorted_rows.hpp"

namespace kohypar {

using EdgeKeys = DeviceView<std::uint64_t>;
using WideRange = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// Edges as (row, neighbour) keys, the row above the lowest `shift` bits.
struct EdgePacking {
  int shift = 1;

  explicit EdgePacking(std::uint64_t num_vertices) : shift(bits_for(num_vertices)) {}

  KOKKOS_INLINE_FUNCTION std::uint64_t key(VertexId row, VertexId neighbor) const {
    return (std::uint64_t{row} << shift) | neighbor;
  }
  KOKKOS_INLINE_FUNCTION VertexId row(std::uint64_t key) const { return static_cast<VertexId>(key >> shift); }
  KOKKOS_INLINE_FUNCTION VertexId neighbor(std::uint64_t key) const {
    return static_cast<VertexId>(key & ((std::uint64_t{1} << shift) - 1));
  }
};

/// Rows from keys of distinct edges, which it sorts.
CompressedRows rows_from_keys(const ExecutionSpace& space, const EdgeKeys& keys, std::size_t num_rows,
                              const EdgePacking& packing);

/// A graph from the keys of its edges, loops and repetitions included; they are overwritten.
Graph graph_from_keys(const ExecutionSpace& space, EdgeKeys keys, VertexId num_vertices, bool directed);

}  // namespace kohypar

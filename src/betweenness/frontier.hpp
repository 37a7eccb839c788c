// The vertices that searches from several sources reach at one distance, and how their rows are cut.
#pragma once

#include <kohypar/betweenness.hpp>

#include "parallel/search.hpp"

namespace kohypar {

/// Sources that are searched from at once: bit s of a mask stands for the s-th of them.
using SourceMask = std::uint32_t;
inline constexpr int max_lanes = 32;

/// Edges of a piece of a row. Sums go along a piece in order, then over a row's pieces in order: the result
/// depends on neither threads nor sources. 256 keep the partial sums of long rows below an eighth of the
/// reads.
inline constexpr PinOffset piece_length = 256;

KOKKOS_INLINE_FUNCTION PinOffset count_pieces(PinOffset degree) {
  return degree <= piece_length ? 1 : (degree + piece_length - 1) / piece_length;
}

/// Rows with a place for the partial sums of each piece of the rows that have several.
struct DividedRows {
  CompressedRows rows;
  DeviceView<PinOffset> slots;  ///< of a row's first piece
  PinOffset num_slots = 0;
};

DividedRows divide_rows(const ExecutionSpace& space, const CompressedRows& rows);

/// A piece of the row of a frontier's entry.
struct RowPiece {
  std::size_t entry = 0;
  PinOffset piece = 0;   ///< among the row's
  bool is_whole = true;  ///< the row's only one
};

/// Numbers for the pieces of some rows: first the first ones, in the order of the rows, so that they need no
/// search for their owners; then the others, entry e's beginning with number `num_entries + offsets(e)`.
struct PieceMap {
  DeviceView<PinOffset> offsets;
  DeviceView<VertexId> divided;  ///< entries with several pieces, ascending
  std::size_t num_entries = 0;
  std::size_t num_pieces = 0;
  std::uint64_t num_edges = 0;

  [[nodiscard]] KOKKOS_INLINE_FUNCTION RowPiece locate(std::size_t number) const {
    if (number < num_entries) return {number, 0, offsets(number) == offsets(number + 1)};
    const PinOffset place = number - num_entries;
    const std::size_t entry = first_at_least(offsets, place + 1) - 1;
    return {entry, place - offsets(entry) + 1, false};
  }
};

PieceMap map_pieces(const ExecutionSpace& space, const CompressedRows& rows, const DeviceView<VertexId>& ids);

/// Vertices, ascending, and the sources that reach each of them at this distance.
struct Frontier {
  DeviceView<VertexId> ids;
  DeviceView<SourceMask> masks;

  [[nodiscard]] std::size_t size() const { return ids.extent(0); }
};

/// The vertices with a bit in `found`: moves the bits to `visited`.
Frontier take_frontier(const ExecutionSpace& space, const DeviceView<SourceMask>& found,
                       const DeviceView<SourceMask>& visited);

/// Writes the masks to, or zero into, the places of the frontier's vertices.
void scatter_masks(const ExecutionSpace& space, const Frontier& frontier,
                   const DeviceView<SourceMask>& masks);
void clear_masks(const ExecutionSpace& space, const Frontier& frontier, const DeviceView<SourceMask>& masks);

/// Pairs of a vertex and a source that reaches it.
std::uint64_t count_members(const ExecutionSpace& space, const Frontier& frontier);

/// Adds to `found` the sources that reach a neighbour of the frontier and have not visited it before.
void discover(const ExecutionSpace& space, const CompressedRows& rows, const Frontier& frontier,
              const PieceMap& pieces, const DeviceView<SourceMask>& visited,
              const DeviceView<SourceMask>& found);

/// The same from the other side (Beamer, Asanovic, Patterson, SC 2012): every vertex that some of the sources
/// have not visited looks at its neighbours until it has found all of these.
/// @param rows the other way round
/// @param present masks of the frontier, by vertex
/// @param found all zero
void discover_backward(const ExecutionSpace& space, const CompressedRows& rows,
                       const DeviceView<SourceMask>& present, SourceMask sources,
                       const DeviceView<SourceMask>& visited, const DeviceView<SourceMask>& found);

/// How many edges that may look at.
std::uint64_t count_unfinished_edges(const ExecutionSpace& space, const CompressedRows& rows,
                                     SourceMask sources, const DeviceView<SourceMask>& visited);

}  // namespace kohypar

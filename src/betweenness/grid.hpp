// Processes in a grid of R rows and C columns that share one copy of a graph, in two dimensions: Bernaschi,
// Bisson, Mastrostefano, Vella, "Multilevel Parallelism for the Exploration of Large-Scale Graphs", 2018.
//
// Vertices are cut into R C blocks of equal size; block j R + i belongs to process (i, j). That process has
// the edges from vertices of its column's blocks, j R to j R + R - 1, to those of its row's, i, R + i, 2 R +
// i, ... Searches go from column vertices to row vertices: what a level finds is folded along the row to the
// owner, and expanded by the owner along its column. The backward sweep does the same the other way round.
// Only vertices with an edge where they are sent to are sent, of these only the sources that reach them: what
// a good partition of the vertices saves is not sent.
#pragma once

#include <kohypar/betweenness.hpp>

#include "betweenness/core.hpp"
#include "betweenness/exchange.hpp"
#include "betweenness/packed_list.hpp"

namespace kohypar {

/// The groups that a process of a grid talks to.
class Grid {
 public:
  /// @param processes rows * columns of them, row by row
  Grid(const ExecutionSpace& space, std::unique_ptr<Communicator> processes, int rows, int columns)
      : rows_(rows),
        columns_(columns),
        row_(processes->rank() / columns),
        column_(processes->rank() % columns),
        along_row_(space, processes->split(row_, column_)),
        along_column_(space, processes->split(column_, row_)),
        whole_(space, std::move(processes)) {}

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int row() const { return row_; }
  [[nodiscard]] int column() const { return column_; }
  [[nodiscard]] Exchange& along_row() { return along_row_; }
  [[nodiscard]] Exchange& along_column() { return along_column_; }
  [[nodiscard]] Exchange& whole() { return whole_; }
  [[nodiscard]] std::uint64_t bytes_sent() const {
    return along_row_.bytes_sent() + along_column_.bytes_sent() + whole_.bytes_sent();
  }

 private:
  int rows_, columns_, row_, column_;
  Exchange along_row_, along_column_, whole_;
};

/// What one process has of a core. Row and column vertices have local numbers, block after block; the owned
/// block stands in both.
struct Block {
  CompressedRows in;           ///< of row vertices: column vertices with an edge to them
  CompressedRows out;          ///< of column vertices: row vertices that they have an edge to
  DeviceView<double> weights;  ///< of owned vertices
  VertexId size = 0;           ///< vertices of a block; the last ones may be short
  VertexId first_own = 0;      ///< the first owned vertex, by number in the core
  VertexId own_row = 0;        ///< the same among the row vertices,
  VertexId own_column = 0;     ///< and among the column vertices
  int rows = 1, columns = 1, row = 0, column = 0;

  [[nodiscard]] VertexId num_own() const { return static_cast<VertexId>(weights.extent(0)); }
  [[nodiscard]] bool is_whole() const { return rows * columns == 1; }

  /// Local numbers of a core vertex, or invalid_id.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION VertexId row_vertex(VertexId v) const {
    const VertexId block = v / size;
    return block % rows == static_cast<VertexId>(row) ? block / rows * size + v % size : invalid_id;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION VertexId column_vertex(VertexId v) const {
    const VertexId block = v / size;
    return block / rows == static_cast<VertexId>(column) ? block % rows * size + v % size : invalid_id;
  }
  /// The place of a core vertex among the owned ones, or invalid_id.
  [[nodiscard]] VertexId own_vertex(VertexId v) const {
    return v >= first_own && v - first_own < num_own() ? v - first_own : invalid_id;
  }
};

/// Whether they are the same views, as those of both directions are in an undirected graph.
bool share_rows(const CompressedRows& a, const CompressedRows& b);

/// On the device, wherever the core's rows are.
/// @param grid nullptr: one process has all
Block make_block(const ExecutionSpace& space, const Core& core, const Grid* grid);

/// How many of the ascending ids lie in each of `count` consecutive blocks.
std::vector<std::size_t> sizes_by_block(const ExecutionSpace& space, const DeviceView<VertexId>& ids,
                                        VertexId block_size, int count);

/// By process of the column and own vertex: 1 where that process has edges from the vertex, so that it needs
/// to know when a search has reached it.
DeviceView<std::byte> find_takers(const ExecutionSpace& space, Exchange& along_column, const Block& block);

/// The owned vertices of a frontier for each process of the column that takes them.
PackedList list_for_takers(const ExecutionSpace& space, const Frontier& own,
                           const DeviceView<std::byte>& takers, VertexId block_size, int processes);

/// Leaves only what is new of what processes of the row have found, and numbers it by own vertex; adds it to
/// `found`.
/// @param first the row number of the first own vertex
void take_new(const ExecutionSpace& space, const Frontier& entries, VertexId first,
              const DeviceView<SourceMask>& visited, const DeviceView<SourceMask>& found);

/// Adds the bits of owned vertices to what the process knows as visited, by row number.
void mark_visited(const ExecutionSpace& space, const Frontier& own, VertexId first,
                  const DeviceView<SourceMask>& visited);

}  // namespace kohypar

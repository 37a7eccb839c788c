// Brandes' two sweeps from several sources at once.
//
// Forward, level by level: the frontier's neighbours are discovered with one bit a source, then each of them
// adds up the path counts sigma of its neighbours on the level before. Backward: with W(v) the vertices that
// v stands for (see core.hpp) and
//   g(v) = W(v) / sigma(v) + S(v),   S(v) = sum of g over the successors of v,
// the dependency of the source on v is sigma(v) S(v). That is Brandes' recursion divided by sigma; successors
// are the neighbours one level on, so that no lists of predecessors are kept. Nothing multiplies and adds in
// one expression, which compilers would contract differently.
#pragma once

#include <span>

#include "betweenness/gather.hpp"
#include "betweenness/grid.hpp"
#include "betweenness/packed_list.hpp"
#include "betweenness/wide_double.hpp"

namespace kohypar {

/// The vertices that some searches reach at one distance. One process alone owns all: its row vertices are
/// its column vertices.
struct SearchLevel {
  Frontier own;         ///< by own number
  Frontier rows;        ///< that this process has found, by row number
  Frontier columns;     ///< that it searches on from, by column number
  PieceMap out_pieces;  ///< of columns; kept for the backward sweep

  // In a grid, where values go forth in the search and back in the backward sweep:
  PackedList found;     ///< along the row to owners: `rows`
  PackedList taken;     ///< from those who have found them, by own number
  PackedList expanded;  ///< along the column to those who search on, by own number
  PackedList searched;  ///< from owners: `columns`
};

struct SweepOptions {
  RowMapping mapping = RowMapping::active_edges;
  bool keep_offsets = true;
  bool search_backward = true;
  int lanes = max_lanes;
};

/// About the device memory of searches in a block: what any take, and what each source searched from at once
/// adds. Half as many sources of wider numbers beside take about the same again, which is counted. Of levels
/// there may be as many as vertices, and each takes some kilobytes more.
struct SearchMemory {
  std::uint64_t fixed, per_source;  ///< bytes; per_source > 0
};
SearchMemory memory_of_searches(const Block& block);

/// Searches from up to `lanes` sources at once. Number is double or WideDouble. The processes of a grid call
/// the same members with the same arguments.
template <class Number>
class Sweep {
 public:
  /// @param grid nullptr: the block is the whole graph; else it must outlive the sweep
  Sweep(const ExecutionSpace& space, const Block& block, Grid* grid, const SweepOptions& options);

  /// Adds the dependencies of the sources (at most `lanes` core vertices, distinct), in their order, to the
  /// scores of the owned vertices, and the owned vertices reached to `profile`. False, and nothing added,
  /// where a path count leaves Number's range.
  bool add_dependencies(std::span<const TraversalSource> sources, const DeviceView<double>& scores,
                        std::vector<LevelProfile>& profile);

  /// Gives back what the last searches hold.
  void forget_levels() { levels_.clear(); }

 private:
  void start(std::span<const TraversalSource> sources);
  void search();
  bool find_next_level(SearchLevel& next);
  bool is_backward_cheaper(const SearchLevel& last) const;
  void unite_found(SearchLevel& next);
  void count_paths(const SearchLevel& last, SearchLevel& next);
  void fold_path_counts(const PackedValues<Number>& counts, SearchLevel& next);
  void expand(SearchLevel& next);
  void accumulate();
  void fold_dependencies(const PackedValues<Number>& sums, const SearchLevel& level);
  void finish_dependencies(const SearchLevel& level);
  bool has_left_range();
  LaneValues<Number> own_part(const LaneValues<Number>& values, VertexId first) const;
  PackedValues<Number> packed_values(const PackedList& list) const;
  GatherTask<Number> task(const DividedRows& rows, const Frontier& frontier, const PieceMap& pieces,
                          const LaneValues<Number>& values) const;

  ExecutionSpace space_;
  Block block_;
  Grid* grid_;
  SweepOptions options_;
  DividedRows out_, in_;
  /// By row vertex. In a grid, what the process itself has found: only owners know all.
  DeviceView<SourceMask> visited_, found_;
  DeviceView<SourceMask> own_visited_, own_found_;  ///< by own vertex, in a grid
  DeviceView<std::byte> takers_;                    ///< see find_takers
  DeviceView<SourceMask> present_;                  ///< whose values are summed up: column, then row vertices
  LaneValues<Number> sigma_;                  ///< by column vertex: path counts; in the end dependencies
  LaneValues<Number> ratio_;                  ///< by row vertex: g; sums S of owned vertices before
  LaneValues<Number> own_sigma_, own_ratio_;  ///< the owned vertices' part of them
  LaneValues<Number> partial_;
  DeviceView<double> multiplicities_;  ///< by lane
  DeviceView<VertexId> left_range_;    ///< one flag
  SourceMask sources_ = 0;             ///< the lanes in use
  std::vector<SearchLevel> levels_;
};

extern template class Sweep<double>;
extern template class Sweep<WideDouble>;

}  // namespace kohypar

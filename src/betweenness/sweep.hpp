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

#include "betweenness/core.hpp"
#include "betweenness/gather.hpp"
#include "betweenness/wide_double.hpp"

namespace kohypar {

/// The vertices that some searches reach at one distance.
struct SearchLevel {
  Frontier frontier;
  PieceMap out_pieces;  ///< kept for the backward sweep
};

struct SweepOptions {
  RowMapping mapping = RowMapping::active_edges;
  bool keep_offsets = true;
  int lanes = max_lanes;
};

/// Searches from up to `lanes` sources at once. Number is double or WideDouble.
template <class Number>
class Sweep {
 public:
  Sweep(const ExecutionSpace& space, const Core& core, const SweepOptions& options);

  /// Adds the dependencies of the sources, in their order, to `scores` by core vertex; at most `lanes`
  /// sources. Adds the vertices reached to `profile`. False, and nothing added, where a path count leaves
  /// Number's range.
  bool add_dependencies(std::span<const TraversalSource> sources, const DeviceView<double>& scores,
                        std::vector<LevelProfile>& profile);

  /// Bytes of device memory for a vertex and source.
  static constexpr std::size_t bytes_per_value = 2 * sizeof(Number);

 private:
  void start(std::span<const TraversalSource> sources);
  void search();
  void accumulate();
  GatherTask<Number> task(const DividedRows& rows, const Frontier& frontier, const PieceMap& pieces,
                          const DeviceView<SourceMask>& present, const LaneValues<Number>& values) const;

  ExecutionSpace space_;
  SweepOptions options_;
  DividedRows out_, in_;
  DeviceView<double> weights_;
  DeviceView<SourceMask> visited_, found_, present_;
  LaneValues<Number> sigma_;  ///< path counts; after the backward sweep dependencies
  LaneValues<Number> ratio_;  ///< g
  LaneValues<Number> partial_;
  DeviceView<double> multiplicities_;  ///< by lane
  DeviceView<VertexId> left_range_;    ///< one flag
  std::vector<SearchLevel> levels_;
};

extern template class Sweep<double>;
extern template class Sweep<WideDouble>;

}  // namespace kohypar

#include "betweenness/sweep.hpp"

#include <algorithm>

#include "betweenness/sweep_kernels.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

template <class Number>
LaneValues<Number> lane_values(const std::string& label, std::size_t vertices, int lanes) {
  return {DeviceView<Number>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                             vertices * static_cast<std::size_t>(lanes)),
          lanes};
}

template <class Number>
LaneValues<Number> zeros(const ExecutionSpace& space, const std::string& label, std::size_t vertices,
                         int lanes) {
  const auto values = lane_values<Number>(label, vertices, lanes);
  Kokkos::deep_copy(space, values.values, Number(0.0));
  return values;
}

template <class T>
void copy_to_device(const ExecutionSpace& space, const std::vector<T>& from, const DeviceView<T>& to) {
  Kokkos::deep_copy(space, to,
                    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        from.data(), from.size()));
  space.fence("KoHyPar::betweenness::copy_to_device");
}

/// The sources that have a local number, each with its own bit.
template <class Local>
Frontier local_sources(const ExecutionSpace& space, std::span<const TraversalSource> sources,
                       const Local& local_number) {
  std::vector<VertexId> ids;
  std::vector<SourceMask> masks;
  for (std::size_t lane = 0; lane < sources.size(); ++lane) {
    const VertexId number = local_number(sources[lane].vertex);
    if (number == invalid_id) continue;
    ids.push_back(number);
    masks.push_back(SourceMask{1} << lane);
  }
  const Frontier frontier{uninitialized<VertexId>("KoHyPar::betweenness::source_ids", ids.size()),
                          uninitialized<SourceMask>("KoHyPar::betweenness::source_masks", ids.size())};
  copy_to_device(space, ids, frontier.ids);
  copy_to_device(space, masks, frontier.masks);
  return frontier;
}

bool share_rows(const CompressedRows& a, const CompressedRows& b) {
  return a.offsets.data() == b.offsets.data();
}

/// The part of a list that a process owns.
std::pair<std::size_t, std::size_t> own_range(const std::vector<std::size_t>& sizes, int rank) {
  std::size_t begin = 0;
  for (int i = 0; i < rank; ++i) begin += sizes[static_cast<std::size_t>(i)];
  return {begin, begin + sizes[static_cast<std::size_t>(rank)]};
}

}  // namespace

template <class Number>
Sweep<Number>::Sweep(const ExecutionSpace& space, const Block& block, Grid* grid, const SweepOptions& options)
    : space_(space),
      block_(block),
      grid_(grid),
      options_(options),
      out_(divide_rows(space, block.out)),
      in_(share_rows(block.in, block.out) ? out_ : divide_rows(space, block.in)),
      multiplicities_("KoHyPar::betweenness::multiplicities", static_cast<std::size_t>(options.lanes)),
      left_range_("KoHyPar::betweenness::left_range", 1) {
  const std::size_t rows = block.in.num_rows(), columns = block.out.num_rows();
  visited_ = uninitialized<SourceMask>("KoHyPar::betweenness::visited", rows);
  found_ = filled<SourceMask>(space, "KoHyPar::betweenness::found", rows, 0);
  present_ = filled<SourceMask>(space, "KoHyPar::betweenness::present", std::max(rows, columns), 0);
  sigma_ = lane_values<Number>("KoHyPar::betweenness::sigma", columns, options.lanes);
  ratio_ = lane_values<Number>("KoHyPar::betweenness::ratio", rows, options.lanes);
  partial_ = lane_values<Number>("KoHyPar::betweenness::partial", std::max(out_.num_slots, in_.num_slots),
                                 options.lanes);
}

template <class Number>
bool Sweep<Number>::add_dependencies(std::span<const TraversalSource> sources,
                                     const DeviceView<double>& scores, std::vector<LevelProfile>& profile) {
  start(sources);
  search();
  if (has_left_range()) return false;
  accumulate();
  add_lanes(space_, sigma_, block_.own_column, scores);
  if (profile.size() < levels_.size()) profile.resize(levels_.size());
  if (grid_ == nullptr || grid_->whole().rank() == 0) profile[0].vertices += sources.size();
  for (std::size_t i = 1; i < levels_.size(); ++i)
    profile[i].vertices += count_members(space_, owned(levels_[i]));
  return true;
}

/// The level of the sources alone.
template <class Number>
void Sweep<Number>::start(std::span<const TraversalSource> sources) {
  std::vector<double> multiplicities(static_cast<std::size_t>(options_.lanes), 0);
  for (std::size_t lane = 0; lane < sources.size(); ++lane) multiplicities[lane] = sources[lane].multiplicity;
  copy_to_device(space_, multiplicities, multiplicities_);
  Kokkos::deep_copy(space_, left_range_, 0);
  Kokkos::deep_copy(space_, visited_, 0);
  Kokkos::deep_copy(space_, sigma_.values, Number(0.0));

  SearchLevel level;
  level.columns = local_sources(space_, sources, [&](VertexId v) { return block_.column_vertex(v); });
  level.rows = level.columns;
  if (grid_ != nullptr)
    level.rows = local_sources(space_, sources, [&](VertexId v) { return block_.row_vertex(v); });
  level.out_pieces = map_pieces(space_, out_.rows, level.columns.ids);
  scatter_masks(space_, level.rows, visited_);
  set_at_sources(space_, level.columns, sigma_, 1);
  levels_.assign(1, level);
}

template <class Number>
GatherTask<Number> Sweep<Number>::task(const DividedRows& rows, const Frontier& frontier,
                                       const PieceMap& pieces, const LaneValues<Number>& values) const {
  return {rows, frontier, pieces, present_, values, partial_};
}

template <class Number>
void Sweep<Number>::search() {
  for (SearchLevel next; find_next_level(next); levels_.push_back(next)) count_paths(levels_.back(), next);
}

/// The row vertices one step on; false if no process has any.
template <class Number>
bool Sweep<Number>::find_next_level(SearchLevel& next) {
  const SearchLevel& last = levels_.back();
  discover(space_, out_.rows, last.columns, last.out_pieces, visited_, found_);
  if (grid_ != nullptr) unite_found(space_, grid_->along_row(), block_, visited_, found_);
  next.rows = take_frontier(space_, found_, visited_);
  return (grid_ != nullptr ? grid_->whole().sum(next.rows.size()) : next.rows.size()) > 0;
}

template <class Number>
void Sweep<Number>::count_paths(const SearchLevel& last, SearchLevel& next) {
  const PieceMap in_pieces = map_pieces(space_, in_.rows, next.rows.ids);
  const GatherTask<Number> sum_up = task(in_, next.rows, in_pieces, sigma_);
  const char* const label = "KoHyPar::betweenness::count_paths";
  scatter_masks(space_, last.columns, present_);
  if (grid_ == nullptr) {
    gather(space_, label, options_.mapping, sum_up, StorePathCount<Number>{sigma_, left_range_});
    next.columns = next.rows;
    next.out_pieces =
        share_rows(in_.rows, out_.rows) ? in_pieces : map_pieces(space_, out_.rows, next.columns.ids);
  } else {
    const auto counts =
        zeros<Number>(space_, "KoHyPar::betweenness::row_counts", next.rows.size(), options_.lanes);
    gather(space_, label, options_.mapping, sum_up, StoreByEntry<Number>{counts});
    fold_path_counts(counts.values, next);
    next.out_pieces = map_pieces(space_, out_.rows, next.columns.ids);
  }
  clear_masks(space_, last.columns, present_);
}

/// Along the row to the owner, then along the column to all that search on from there.
template <class Number>
void Sweep<Number>::fold_path_counts(const DeviceView<Number>& counts, SearchLevel& next) {
  Exchange &row = grid_->along_row(), &column = grid_->along_column();
  next.row_sizes = sizes_by_block(space_, next.rows.ids, block_.size, block_.columns);
  const auto own_counts = fold(space_, row, counts, next.row_sizes, options_.lanes);
  const auto own = own_range(next.row_sizes, row.rank());
  const auto own_ids =
      shifted(space_, Kokkos::subview(next.rows.ids, own), block_.own_column - block_.own_row);
  const DeviceView<SourceMask> own_masks = Kokkos::subview(next.rows.masks, own);

  const std::vector<std::uint64_t> sizes = column.gather(own_ids.extent(0));
  next.column_sizes.assign(sizes.begin(), sizes.end());
  std::vector<std::size_t> value_sizes = next.column_sizes;
  for (std::size_t& size : value_sizes) size *= static_cast<std::size_t>(options_.lanes);
  next.columns.ids = column.start_all_gather(own_ids, next.column_sizes);
  next.columns.masks = column.start_all_gather(own_masks, next.column_sizes);
  const LaneValues<Number> received{column.start_all_gather(own_counts, value_sizes), options_.lanes};
  column.finish();
  finish_each(space_, "KoHyPar::betweenness::store_counts", next.columns, received,
              StorePathCount<Number>{sigma_, left_range_});
}

/// Whether a path count of any process has.
template <class Number>
bool Sweep<Number>::has_left_range() {
  VertexId flag = 0;
  Kokkos::deep_copy(space_, Kokkos::View<VertexId, Kokkos::HostSpace>(&flag),
                    Kokkos::subview(left_range_, 0));
  space_.fence("KoHyPar::betweenness::left_range");
  return (grid_ != nullptr ? grid_->whole().sum(flag) : flag) != 0;
}

/// From the farthest level to the one after the sources, whose own dependencies count for nothing.
template <class Number>
void Sweep<Number>::accumulate() {
  const StoreDependency<Number> store{
      .sigma = sigma_, .ratio = ratio_, .weights = block_.weights, .multiplicities = multiplicities_};
  const char* const label = "KoHyPar::betweenness::add_successors";
  for (std::size_t i = levels_.size() - 1; i > 0; --i) {
    SearchLevel& level = levels_[i];
    const bool is_last = i + 1 == levels_.size();
    if (is_last && grid_ == nullptr) {
      finish_each(space_, label, level.columns, Zero<Number>(), store);
      continue;
    }
    const Frontier successors = is_last ? Frontier() : levels_[i + 1].rows;
    if (!options_.keep_offsets) level.out_pieces = map_pieces(space_, out_.rows, level.columns.ids);
    const GatherTask<Number> sum_up = task(out_, level.columns, level.out_pieces, ratio_);
    scatter_masks(space_, successors, present_);
    if (grid_ == nullptr) {
      gather(space_, label, options_.mapping, sum_up, store);
    } else {
      const auto sums =
          zeros<Number>(space_, "KoHyPar::betweenness::column_sums", level.columns.size(), options_.lanes);
      if (!is_last) gather(space_, label, options_.mapping, sum_up, StoreByEntry<Number>{sums});
      fold_dependencies(sums.values, level);
    }
    clear_masks(space_, successors, present_);
  }
  set_at_sources(space_, levels_.front().columns, sigma_, 0);
}

/// Along the column to the owner, then along the row to all whose edges lead there.
template <class Number>
void Sweep<Number>::fold_dependencies(const DeviceView<Number>& sums, const SearchLevel& level) {
  Exchange &row = grid_->along_row(), &column = grid_->along_column();
  const LaneValues<Number> own_sums{fold(space_, column, sums, level.column_sizes, options_.lanes),
                                    options_.lanes};
  const auto own = own_range(level.column_sizes, column.rank());
  const Frontier own_columns{Kokkos::subview(level.columns.ids, own),
                             Kokkos::subview(level.columns.masks, own)};
  const auto own_ratios =
      zeros<Number>(space_, "KoHyPar::betweenness::own_ratios", own_columns.size(), options_.lanes);
  finish_each(
      space_, "KoHyPar::betweenness::store_dependencies", own_columns, own_sums,
      StoreDependency<Number>{sigma_, own_ratios, true, block_.weights, block_.own_column, multiplicities_});
  std::vector<std::size_t> sizes = level.row_sizes;
  for (std::size_t& size : sizes) size *= static_cast<std::size_t>(options_.lanes);
  const LaneValues<Number> received{row.all_gather(own_ratios.values, sizes), options_.lanes};
  finish_each(space_, "KoHyPar::betweenness::store_ratios", level.rows, received,
              StoreByVertex<Number>{ratio_});
}

template <class Number>
Frontier Sweep<Number>::owned(const SearchLevel& level) const {
  if (grid_ == nullptr) return level.rows;
  const auto own = own_range(level.row_sizes, grid_->along_row().rank());
  return {Kokkos::subview(level.rows.ids, own), Kokkos::subview(level.rows.masks, own)};
}

template class Sweep<double>;
template class Sweep<WideDouble>;

}  // namespace kohypar

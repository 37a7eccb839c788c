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

/// Sends a list of vertices, numbered alike in all processes of a group, to `entries` of each of them, and
/// returns those that came.
PackedList exchange_list(const ExecutionSpace& space, Exchange& group, const DeviceView<VertexId>& ids,
                         const DeviceView<SourceMask>& masks, const Sizes& entries) {
  const Sizes coming = group.all_to_all(entries);
  const auto ids_received = group.start_all_to_all(ids, entries, coming);
  const auto masks_received = group.start_all_to_all(masks, entries, coming);
  group.finish();
  return pack(space, ids_received, masks_received, coming);
}

}  // namespace

SearchMemory memory_of_searches(const Block& block) {
  const std::uint64_t rows = block.in.num_rows(), columns = block.out.num_rows();
  const std::uint64_t longest = std::max(block.in.neighbors.extent(0), block.out.neighbors.extent(0));
  // Rows of more than one piece have a slot for each: fewer than twice the full ones.
  std::uint64_t values = rows + columns + 2 * longest / piece_length;
  // A search has every vertex on one level: in its frontier and piece map there, or in its lists.
  std::uint64_t list_bytes = 20 * columns;
  if (!block.is_whole()) {
    values += std::max(rows, columns);  // sent, and received
    list_bytes = 44 * (rows + columns);
  }
  // Slots and masks, of wider numbers again, and what vertices of a level are selected with. Pooled memory is
  // rounded up by an eighth or less.
  constexpr std::uint64_t fixed_bytes = 64;
  const auto pooled = [](std::uint64_t bytes) { return bytes / 8 * 9; };
  return {pooled(fixed_bytes * (rows + columns)), 1 + pooled(2 * sizeof(double) * values + list_bytes)};
}

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
  own_sigma_ = own_part(sigma_, block.own_column);
  own_ratio_ = own_part(ratio_, block.own_row);
  if (grid == nullptr) return;
  own_visited_ = uninitialized<SourceMask>("KoHyPar::betweenness::own_visited", block.size);
  own_found_ = filled<SourceMask>(space, "KoHyPar::betweenness::own_found", block.size, 0);
  takers_ = find_takers(space, grid->along_column(), block);
}

/// The values of the owned vertices, the first of which has the given number.
template <class Number>
LaneValues<Number> Sweep<Number>::own_part(const LaneValues<Number>& values, VertexId first) const {
  const auto lanes = static_cast<std::size_t>(values.lanes);
  const std::size_t begin = first * lanes;
  return {Kokkos::subview(values.values, std::pair(begin, begin + block_.num_own() * lanes)), values.lanes};
}

template <class Number>
PackedValues<Number> Sweep<Number>::packed_values(const PackedList& list) const {
  return {list, uninitialized<Number>("KoHyPar::betweenness::packed_values", list.num_values())};
}

template <class Number>
bool Sweep<Number>::add_dependencies(std::span<const TraversalSource> sources,
                                     const DeviceView<double>& scores, std::vector<LevelProfile>& profile) {
  start(sources);
  search();
  if (has_left_range()) return false;
  accumulate();
  add_lanes(space_, own_sigma_, scores);
  if (profile.size() < levels_.size()) profile.resize(levels_.size());
  if (grid_ == nullptr || grid_->whole().rank() == 0) profile[0].vertices += sources.size();
  for (std::size_t i = 1; i < levels_.size(); ++i)
    profile[i].vertices += count_members(space_, levels_[i].own);
  return true;
}

/// The level of the sources alone.
template <class Number>
void Sweep<Number>::start(std::span<const TraversalSource> sources) {
  std::vector<double> multiplicities(static_cast<std::size_t>(options_.lanes), 0);
  for (std::size_t lane = 0; lane < sources.size(); ++lane) multiplicities[lane] = sources[lane].multiplicity;
  copy_to_device(space_, multiplicities, multiplicities_);
  sources_ = static_cast<SourceMask>((std::uint64_t{1} << sources.size()) - 1);
  Kokkos::deep_copy(space_, left_range_, 0);
  Kokkos::deep_copy(space_, visited_, 0);
  Kokkos::deep_copy(space_, sigma_.values, Number(0.0));

  SearchLevel level;
  level.columns = local_sources(space_, sources, [&](VertexId v) { return block_.column_vertex(v); });
  level.rows = level.columns;
  if (grid_ != nullptr)
    level.rows = local_sources(space_, sources, [&](VertexId v) { return block_.row_vertex(v); });
  level.out_pieces = map_pieces(space_, out_.rows, level.columns.ids);
  level.own = level.columns;
  scatter_masks(space_, level.rows, visited_);
  if (grid_ != nullptr) {
    level.own = local_sources(space_, sources, [&](VertexId v) { return block_.own_vertex(v); });
    Kokkos::deep_copy(space_, own_visited_, 0);
    scatter_masks(space_, level.own, own_visited_);
  }
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
  clear_masks(space_, levels_.back().columns, present_);
}

/// Whether unvisited vertices find the next level with fewer looks at edges: about half of theirs are enough.
template <class Number>
bool Sweep<Number>::is_backward_cheaper(const SearchLevel& last) const {
  constexpr std::uint64_t few = 8;  // of a frontier with less than an eighth of all edges, nobody need ask
  const std::uint64_t edges = last.out_pieces.num_edges;
  if (!options_.search_backward || few * edges < out_.rows.neighbors.extent(0)) return false;
  return 2 * edges >= count_unfinished_edges(space_, in_.rows, sources_, visited_);
}

/// The row vertices one step on; false if no process has any. Leaves the last level's masks in `present_`.
template <class Number>
bool Sweep<Number>::find_next_level(SearchLevel& next) {
  const SearchLevel& last = levels_.back();
  scatter_masks(space_, last.columns, present_);
  if (is_backward_cheaper(last)) {
    discover_backward(space_, in_.rows, present_, sources_, visited_, found_);
  } else {
    discover(space_, out_.rows, last.columns, last.out_pieces, visited_, found_);
  }
  if (grid_ == nullptr) {
    next.own = next.rows = take_frontier(space_, found_, visited_);
    return next.own.size() > 0;
  }
  unite_found(next);
  return grid_->whole().sum(next.own.size()) > 0;
}

/// Tells owners what this process has found. They take what is new, whoever found it, and say so.
template <class Number>
void Sweep<Number>::unite_found(SearchLevel& next) {
  Exchange& row = grid_->along_row();
  const Frontier mine = take_frontier(space_, found_, visited_);
  const Sizes entries = sizes_by_block(space_, mine.ids, block_.size, block_.columns);
  const Sizes coming = row.all_to_all(entries);
  const auto ids = row.start_all_to_all(mine.ids, entries, coming);
  const auto masks = row.start_all_to_all(mine.masks, entries, coming);
  row.finish();
  take_new(space_, {ids, masks}, block_.own_row, own_visited_, own_found_);
  next.own = take_frontier(space_, own_found_, own_visited_);
  next.taken = pack(space_, ids, masks, coming);
  next.found = pack(space_, mine.ids, row.all_to_all(masks, coming, entries), entries);
  next.rows = next.found.frontier();
  // What others have found of the own vertices needs no finding either.
  mark_visited(space_, next.own, block_.own_row, visited_);
}

template <class Number>
void Sweep<Number>::count_paths(const SearchLevel& last, SearchLevel& next) {
  const PieceMap in_pieces = map_pieces(space_, in_.rows, next.rows.ids);
  const GatherTask<Number> sum_up = task(in_, next.rows, in_pieces, sigma_);
  const char* const label = "KoHyPar::betweenness::count_paths";
  if (grid_ == nullptr) {
    gather(space_, label, options_.mapping, sum_up, StorePathCount<Number>{sigma_, left_range_});
    next.columns = next.rows;
    next.out_pieces =
        share_rows(in_.rows, out_.rows) ? in_pieces : map_pieces(space_, out_.rows, next.columns.ids);
  } else {
    const PackedValues<Number> counts = packed_values(next.found);
    gather(space_, label, options_.mapping, sum_up, StorePacked<Number>{counts});
    fold_path_counts(counts, next);
    expand(next);
    next.out_pieces = map_pieces(space_, out_.rows, next.columns.ids);
  }
  clear_masks(space_, last.columns, present_);
}

/// Along the row to the owners.
template <class Number>
void Sweep<Number>::fold_path_counts(const PackedValues<Number>& counts, SearchLevel& next) {
  const auto received = grid_->along_row().all_to_all(counts.values, next.found.values, next.taken.values);
  add_groups(space_, next.taken, received, own_sigma_);
  finish_each(space_, "KoHyPar::betweenness::check_counts", next.own,
              ByVertex<Number>{next.own.ids, own_sigma_}, StorePathCount<Number>{own_sigma_, left_range_});
}

/// Along the column to all that search on from the owned vertices.
template <class Number>
void Sweep<Number>::expand(SearchLevel& next) {
  Exchange& column = grid_->along_column();
  next.expanded = list_for_takers(space_, next.own, takers_, block_.size, column.size());
  next.searched = exchange_list(space_, column, shifted(space_, next.expanded.ids, block_.own_column),
                                next.expanded.masks, next.expanded.entries);
  next.columns = next.searched.frontier();

  const PackedValues<Number> counts = packed_values(next.expanded);
  finish_each(space_, "KoHyPar::betweenness::send_counts", next.expanded.frontier(),
              ByVertex<Number>{next.expanded.ids, own_sigma_}, StorePacked<Number>{counts});
  const PackedValues<Number> received(
      next.searched, column.all_to_all(counts.values, next.expanded.values, next.searched.values));
  finish_each(space_, "KoHyPar::betweenness::store_counts", next.columns, received,
              StoreByVertex<Number>{sigma_});
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
  const StoreDependency<Number> store{sigma_, ratio_, block_.weights, multiplicities_};
  const char* const label = "KoHyPar::betweenness::add_successors";
  for (std::size_t i = levels_.size() - 1; i > 0; --i) {
    SearchLevel& level = levels_[i];
    if (i + 1 == levels_.size()) {
      if (grid_ == nullptr) {
        finish_each(space_, label, level.own, Zero<Number>(), store);
      } else {
        finish_each(space_, label, level.own, Zero<Number>(), StoreByVertex<Number>{own_ratio_});
        finish_dependencies(level);
      }
      continue;
    }
    const Frontier& successors = levels_[i + 1].rows;
    if (!options_.keep_offsets) level.out_pieces = map_pieces(space_, out_.rows, level.columns.ids);
    const GatherTask<Number> sum_up = task(out_, level.columns, level.out_pieces, ratio_);
    scatter_masks(space_, successors, present_);
    if (grid_ == nullptr) {
      gather(space_, label, options_.mapping, sum_up, store);
    } else {
      const PackedValues<Number> sums = packed_values(level.searched);
      gather(space_, label, options_.mapping, sum_up, StorePacked<Number>{sums});
      fold_dependencies(sums, level);
      finish_dependencies(level);
    }
    clear_masks(space_, successors, present_);
  }
  set_at_sources(space_, levels_.front().columns, sigma_, 0);
}

/// Along the column to the owners.
template <class Number>
void Sweep<Number>::fold_dependencies(const PackedValues<Number>& sums, const SearchLevel& level) {
  const auto received =
      grid_->along_column().all_to_all(sums.values, level.searched.values, level.expanded.values);
  finish_each(space_, "KoHyPar::betweenness::clear_sums", level.own, Zero<Number>(),
              StoreByVertex<Number>{own_ratio_});
  add_groups(space_, level.expanded, received, own_ratio_);
}

/// Turns the owned vertices' sums into g; then along the row to all whose edges lead there.
template <class Number>
void Sweep<Number>::finish_dependencies(const SearchLevel& level) {
  finish_each(space_, "KoHyPar::betweenness::store_dependencies", level.own,
              ByVertex<Number>{level.own.ids, own_ratio_},
              StoreDependency<Number>{own_sigma_, own_ratio_, block_.weights, multiplicities_});
  const PackedValues<Number> ratios = packed_values(level.taken);
  finish_each(space_, "KoHyPar::betweenness::send_ratios", level.taken.frontier(),
              ByVertex<Number>{level.taken.ids, own_ratio_}, StorePacked<Number>{ratios});
  const PackedValues<Number> received(
      level.found, grid_->along_row().all_to_all(ratios.values, level.taken.values, level.found.values));
  finish_each(space_, "KoHyPar::betweenness::store_ratios", level.rows, received,
              StoreByVertex<Number>{ratio_});
}

template class Sweep<double>;
template class Sweep<WideDouble>;

}  // namespace kohypar

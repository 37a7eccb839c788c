#include "betweenness/sweep.hpp"

#include <algorithm>

#include "betweenness/rows.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

template <class Number>
LaneValues<Number> lane_values(const std::string& label, std::size_t vertices, int lanes) {
  return {DeviceView<Number>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                             vertices * static_cast<std::size_t>(lanes)),
          lanes};
}

template <class T>
void copy_to_device(const ExecutionSpace& space, const std::vector<T>& from, const DeviceView<T>& to) {
  Kokkos::deep_copy(space, to,
                    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        from.data(), from.size()));
  space.fence("KoHyPar::betweenness::copy_to_device");
}

/// Stores a vertex' path count.
template <class Number>
struct StorePathCount {
  LaneValues<Number> sigma;
  DeviceView<VertexId> left_range;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t, VertexId vertex, int lane, const Number& sum) const {
    sigma(vertex, lane) = sum;
    if (leaves_range(sum)) left_range(0) = 1;
  }
};

/// Turns S into g and the dependency, which takes the place of the path count.
template <class Number>
struct StoreDependency {
  LaneValues<Number> sigma, ratio;
  DeviceView<double> weights, multiplicities;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t, VertexId vertex, int lane, const Number& sum) const {
    const Number count = sigma(vertex, lane);
    Number own = weights(vertex) / count;
    own += sum;
    ratio(vertex, lane) = own;
    sigma(vertex, lane) = Number(to_double(count * sum) * multiplicities(static_cast<std::size_t>(lane)));
  }
};

/// As gather where no vertex has a successor.
template <class Number, class Finish>
void finish_last_level(const ExecutionSpace& space, const Frontier& frontier, const Finish& finish) {
  for_each_row(
      space, "KoHyPar::betweenness::last_level", frontier.size(),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t entry) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, max_lanes), [&](const int lane) {
          if ((frontier.masks(entry) >> lane & 1) != 0) finish(entry, frontier.ids(entry), lane, Number(0.0));
        });
      });
}

/// Adds the lanes' values in order. The row of a source holds nothing for itself by then.
template <class Number>
void add_lanes(const ExecutionSpace& space, const LaneValues<Number>& dependencies,
               const DeviceView<double>& scores) {
  Kokkos::parallel_for(
      "KoHyPar::betweenness::add_lanes", WideRange(space, 0, scores.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) {
        double sum = scores(v);
        for (int lane = 0; lane < dependencies.lanes; ++lane) sum += to_double(dependencies(v, lane));
        scores(v) = sum;
      });
}

/// Sets the value of each source of the first level.
template <class Number>
void set_at_sources(const ExecutionSpace& space, const Frontier& sources, const LaneValues<Number>& values,
                    double value) {
  Kokkos::parallel_for(
      "KoHyPar::betweenness::sources", WideRange(space, 0, sources.size()),
      KOKKOS_LAMBDA(const std::size_t e) {
        for (SourceMask bits = sources.masks(e); bits != 0; bits &= bits - 1)
          values(sources.ids(e), Kokkos::countr_zero(bits)) = Number(value);
      });
}

}  // namespace

template <class Number>
Sweep<Number>::Sweep(const ExecutionSpace& space, const Core& core, const SweepOptions& options)
    : space_(space),
      options_(options),
      out_(divide_rows(space, core.out)),
      in_(core.in.offsets.data() == core.out.offsets.data() ? out_ : divide_rows(space, core.in)),
      weights_(core.weights),
      visited_(uninitialized<SourceMask>("KoHyPar::betweenness::visited", core.num_vertices())),
      found_(filled<SourceMask>(space, "KoHyPar::betweenness::found", core.num_vertices(), 0)),
      present_(filled<SourceMask>(space, "KoHyPar::betweenness::present", core.num_vertices(), 0)),
      sigma_(lane_values<Number>("KoHyPar::betweenness::sigma", core.num_vertices(), options.lanes)),
      ratio_(lane_values<Number>("KoHyPar::betweenness::ratio", core.num_vertices(), options.lanes)),
      partial_(lane_values<Number>("KoHyPar::betweenness::partial", std::max(out_.num_slots, in_.num_slots),
                                   options.lanes)),
      multiplicities_("KoHyPar::betweenness::multiplicities", static_cast<std::size_t>(options.lanes)),
      left_range_("KoHyPar::betweenness::left_range", 1) {}

template <class Number>
bool Sweep<Number>::add_dependencies(std::span<const TraversalSource> sources,
                                     const DeviceView<double>& scores, std::vector<LevelProfile>& profile) {
  start(sources);
  search();
  VertexId left_range = 0;
  Kokkos::deep_copy(space_, Kokkos::View<VertexId, Kokkos::HostSpace>(&left_range),
                    Kokkos::subview(left_range_, 0));
  space_.fence("KoHyPar::betweenness::left_range");
  if (left_range != 0) return false;
  accumulate();
  add_lanes(space_, sigma_, scores);
  if (profile.size() < levels_.size()) profile.resize(levels_.size());
  for (std::size_t i = 0; i < levels_.size(); ++i)
    profile[i].vertices += count_members(space_, levels_[i].frontier);
  return true;
}

/// The level of the sources alone.
template <class Number>
void Sweep<Number>::start(std::span<const TraversalSource> sources) {
  std::vector<VertexId> ids;
  std::vector<SourceMask> masks;
  std::vector<double> multiplicities(static_cast<std::size_t>(options_.lanes), 0);
  for (std::size_t lane = 0; lane < sources.size(); ++lane) {  // ascending
    ids.push_back(sources[lane].vertex);
    masks.push_back(SourceMask{1} << lane);
    multiplicities[lane] = sources[lane].multiplicity;
  }
  const Frontier frontier{uninitialized<VertexId>("KoHyPar::betweenness::source_ids", ids.size()),
                          uninitialized<SourceMask>("KoHyPar::betweenness::source_masks", ids.size())};
  copy_to_device(space_, ids, frontier.ids);
  copy_to_device(space_, masks, frontier.masks);
  copy_to_device(space_, multiplicities, multiplicities_);
  Kokkos::deep_copy(space_, left_range_, 0);
  Kokkos::deep_copy(space_, visited_, 0);
  scatter_masks(space_, frontier, visited_);
  Kokkos::deep_copy(space_, sigma_.values, Number(0.0));
  set_at_sources(space_, frontier, sigma_, 1);
  levels_.assign(1, {frontier, map_pieces(space_, out_.rows, frontier.ids)});
}

template <class Number>
GatherTask<Number> Sweep<Number>::task(const DividedRows& rows, const Frontier& frontier,
                                       const PieceMap& pieces, const DeviceView<SourceMask>& present,
                                       const LaneValues<Number>& values) const {
  return {rows, frontier, pieces, present, values, partial_};
}

template <class Number>
void Sweep<Number>::search() {
  const bool symmetric = in_.rows.offsets.data() == out_.rows.offsets.data();
  while (true) {
    const SearchLevel& last = levels_.back();
    discover(space_, out_.rows, last.frontier, last.out_pieces, visited_, found_);
    const Frontier frontier = take_frontier(space_, found_, visited_);
    if (frontier.size() == 0) return;
    SearchLevel next{frontier, map_pieces(space_, out_.rows, frontier.ids)};
    const PieceMap in_pieces = symmetric ? next.out_pieces : map_pieces(space_, in_.rows, frontier.ids);
    scatter_masks(space_, last.frontier, present_);
    gather(space_, "KoHyPar::betweenness::count_paths", options_.mapping,
           task(in_, frontier, in_pieces, present_, sigma_), StorePathCount<Number>{sigma_, left_range_});
    clear_masks(space_, last.frontier, present_);
    levels_.push_back(next);
  }
}

/// From the farthest level to the one after the sources, whose own dependencies count for nothing.
template <class Number>
void Sweep<Number>::accumulate() {
  const StoreDependency<Number> store{sigma_, ratio_, weights_, multiplicities_};
  for (std::size_t level = levels_.size() - 1; level > 0; --level) {
    SearchLevel& here = levels_[level];
    if (level + 1 == levels_.size()) {
      finish_last_level<Number>(space_, here.frontier, store);
      continue;
    }
    const Frontier& successors = levels_[level + 1].frontier;
    if (!options_.keep_offsets) here.out_pieces = map_pieces(space_, out_.rows, here.frontier.ids);
    scatter_masks(space_, successors, present_);
    gather(space_, "KoHyPar::betweenness::add_successors", options_.mapping,
           task(out_, here.frontier, here.out_pieces, present_, ratio_), store);
    clear_masks(space_, successors, present_);
  }
  set_at_sources(space_, levels_.front().frontier, sigma_, 0);
}

template class Sweep<double>;
template class Sweep<WideDouble>;

}  // namespace kohypar

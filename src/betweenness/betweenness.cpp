#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <kohypar/betweenness.hpp>
#include <kohypar/error.hpp>
#include <memory>

#include "betweenness/core.hpp"
#include "betweenness/rows.hpp"
#include "betweenness/sweep.hpp"
#include "parallel/device_memory.hpp"
#include "parallel/memory_pool.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// As many sources at once as options ask for, or as take at most 40 % of the device's memory.
int choose_lanes(const ExecutionSpace& space, const Core& core, const BetweennessOptions& options) {
  if (options.sources_at_once < 0 || options.sources_at_once > max_lanes)
    throw Error(ErrorKind::usage, "from 1 to " + std::to_string(max_lanes) + " sources at once are possible");
  if (options.sources_at_once > 0) return options.sources_at_once;
  const std::uint64_t budget = device_memory_bytes(space) / 5 * 2;
  const std::uint64_t per_lane =
      std::max<std::uint64_t>(1, Sweep<double>::bytes_per_value * core.num_vertices());
  const std::uint64_t wanted = std::max<std::uint64_t>(1, core.sources.size());
  return static_cast<int>(
      std::clamp<std::uint64_t>(budget / per_lane, 1, std::min<std::uint64_t>(wanted, max_lanes)));
}

/// Searches from all sources of a core, batch by batch, again with wider numbers where path counts are large.
class Traversal {
 public:
  Traversal(const ExecutionSpace& space, const Core& core, const BetweennessOptions& options, int lanes)
      : space_(space),
        core_(core),
        options_(options),
        sweep_options_{options.mapping, options.keep_offsets, lanes},
        sweep_(space, core, sweep_options_),
        scores_("KoHyPar::betweenness::core_scores", core.num_vertices()) {}

  /// Scores by core vertex, ordered pairs counted.
  DeviceView<double> run(Betweenness& result) {
    const std::span<const TraversalSource> all(core_.sources);
    const auto lanes = static_cast<std::size_t>(sweep_options_.lanes);
    for (std::size_t done = 0; done < all.size(); done += lanes) {
      if (options_.stop != nullptr && *options_.stop) throw Error(ErrorKind::interrupted, "interrupted");
      if (options_.on_progress) options_.on_progress({done, all.size()});
      const auto batch = all.subspan(done, std::min(lanes, all.size() - done));
      if (sweep_.add_dependencies(batch, scores_, result.levels)) continue;
      add_wide(batch, result);
    }
    return scores_;
  }

 private:
  void add_wide(std::span<const TraversalSource> batch, Betweenness& result) {
    SweepOptions options = sweep_options_;
    options.lanes = std::max(1, options.lanes / 2);  // twice the bytes, half the lanes
    if (!wide_) wide_ = std::make_unique<Sweep<WideDouble>>(space_, core_, options);
    const auto lanes = static_cast<std::size_t>(options.lanes);
    for (std::size_t done = 0; done < batch.size(); done += lanes)
      wide_->add_dependencies(batch.subspan(done, std::min(lanes, batch.size() - done)), scores_,
                              result.levels);
    result.wide_traversals += batch.size();
  }

  ExecutionSpace space_;
  const Core& core_;
  const BetweennessOptions& options_;
  SweepOptions sweep_options_;
  Sweep<double> sweep_;
  std::unique_ptr<Sweep<WideDouble>> wide_;
  DeviceView<double> scores_;
};

/// What a sum over sources and ordered pairs is multiplied by.
double score_factor(const Graph& graph, const SourceSet& sources, bool normalize) {
  double factor = graph.directed ? 1 : 0.5;
  if (!sources.is_all && sources.size > 0)
    factor *= static_cast<double>(sources.num_candidates) / static_cast<double>(sources.size);
  const double n = graph.num_vertices;
  if (normalize && n > 2) factor *= (graph.directed ? 1 : 2) / ((n - 1) * (n - 2));
  return factor;
}

DeviceView<double> final_scores(const ExecutionSpace& space, const Graph& graph, const Core& core,
                                const DeviceView<double>& core_scores, double factor) {
  const DeviceView<double> scores("KoHyPar::betweenness::scores", graph.num_vertices);
  const auto vertices = core.vertices;
  Kokkos::parallel_for(
      "KoHyPar::betweenness::core_scores", WideRange(space, 0, vertices.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) { scores(vertices(v)) = core_scores(v); });
  const auto own_paths = core.own_paths;
  const bool has_own_paths = own_paths.extent(0) > 0;
  Kokkos::parallel_for(
      "KoHyPar::betweenness::scores", WideRange(space, 0, scores.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) {
        const double own = has_own_paths ? static_cast<double>(own_paths(v)) : 0;
        scores(v) = (scores(v) + own) * factor;
      });
  return scores;
}

}  // namespace

Betweenness betweenness(const ExecutionSpace& space, const Graph& graph, const BetweennessOptions& options) {
  const MemoryPool::Scope pool(space);
  const Kokkos::Timer timer;
  Betweenness result;
  const Kokkos::Profiling::ScopedRegion region("KoHyPar::betweenness");

  const SourceSet sources = choose_sources(space, graph, options);
  const Core core = make_core(space, graph, sources, options.degree_one);
  space.fence("KoHyPar::betweenness::core");
  result.reduction_seconds = timer.seconds();

  result.is_estimate = !sources.is_all;
  result.num_sources = sources.size;
  result.num_traversals = core.sources.size();
  result.num_folded = core.num_folded;
  result.sources_at_once = choose_lanes(space, core, options);
  const DeviceView<double> core_scores = Traversal(space, core, options, result.sources_at_once).run(result);
  result.scores =
      final_scores(space, graph, core, core_scores, score_factor(graph, sources, options.normalize));
  space.fence("KoHyPar::betweenness::done");
  result.seconds = timer.seconds();
  result.traversal_seconds = result.seconds - result.reduction_seconds;
  return result;
}

}  // namespace kohypar

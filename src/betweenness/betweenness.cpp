#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <kohypar/betweenness.hpp>

#include "betweenness/core.hpp"
#include "betweenness/placement.hpp"
#include "betweenness/rows.hpp"
#include "betweenness/traversal.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/memory_pool.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

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
      KOKKOS_LAMBDA(const std::size_t v) {
        if (vertices(v) != invalid_id) scores(vertices(v)) = core_scores(v);
      });
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

Betweenness betweenness(const ExecutionSpace& space, const Graph& graph, const BetweennessOptions& options,
                        const Distribution& distribution) {
  memory_meter::install();
  memory_meter::reset_peak();
  const Team team(space, distribution);
  const MemoryPool::Scope pool(space, options.memory_limit);
  const Kokkos::Profiling::ScopedRegion region("KoHyPar::betweenness");
  const Kokkos::Timer timer;
  Betweenness result;

  const SourceSet sources = choose_sources(space, graph, options);
  Core core = make_core(space, graph, sources, options.degree_one);
  space.fence("KoHyPar::betweenness::core");
  memory_meter::check(options.memory_limit);
  result.reduction_seconds = timer.seconds();
  core = place(space, core, graph, distribution, team, options);
  space.fence("KoHyPar::betweenness::placement");
  result.placement_seconds = timer.seconds() - result.reduction_seconds;

  result.is_estimate = !sources.is_all;
  result.num_sources = sources.size;
  result.num_traversals = core.sources.size();
  result.num_folded = core.num_folded;
  const DeviceView<double> core_scores = traverse(space, core, team, options, result);
  result.scores =
      final_scores(space, graph, core, core_scores, score_factor(graph, sources, options.normalize));
  space.fence("KoHyPar::betweenness::done");
  result.seconds = timer.seconds();
  result.traversal_seconds = result.seconds - result.reduction_seconds - result.placement_seconds;
  result.bytes_sent = team.bytes_sent();
  result.peak_device_bytes = team.gather(memory_meter::peak());
  for (const std::uint64_t peak : result.peak_device_bytes)  // all processes fail if one does
    memory_meter::check(peak, options.memory_limit);
  return result;
}

}  // namespace kohypar

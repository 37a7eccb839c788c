#include "host_search/multilevel_run.hpp"

#include <algorithm>

#include "coarsening/cluster_growth.hpp"
#include "host_search/balance.hpp"
#include "host_search/bisection.hpp"
#include "host_search/growth.hpp"
#include "host_search/stop.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

std::vector<PartId> restricted(const HostClusters& clusters, const std::vector<PartId>& parts) {
  std::vector<PartId> coarse(clusters.num_clusters);
  for (std::size_t n = 0; n < parts.size(); ++n) coarse[clusters.cluster_of[n]] = parts[n];
  return coarse;
}

// Where parts are bisected, so many nodes a part are coarse enough: fewer leave little choice, more take
// longer than they are worth. (Gottesbueren and Hamann, Euro-Par 2022, coarsen to 160 too.)
constexpr std::uint64_t nodes_per_part = 160;

// Where most hyperedges are small, as in circuits, those of more pins than this tell nothing. (Nine circuits
// by k = 2, 4, 8, 16: hyperedges of up to 20, 64, 200 pins give 0.969, 0.953, 0.962 times the connectivity of
// Mt-KaHyPar.)
constexpr PinOffset largest_of_small = 64;

}  // namespace

MultilevelRun::MultilevelRun(const HostLevel& finest, const HostProblem& problem, Coarsening coarsening,
                             const SearchEffort& effort, std::uint64_t seed, const HostThreads& threads,
                             const std::atomic<bool>* stop)
    : finest_(finest),
      problem_(problem),
      coarsening_(can_grow_parts(problem) ? coarsening : Coarsening::shallow),
      effort_(effort),
      seed_(seed),
      threads_(threads),
      stop_(stop) {
  set_rules();
}

void MultilevelRun::set_rules() {
  const std::uint64_t kind = mix(seed_, 1) % 9;
  rules_.size_power = static_cast<int>(kind / 3);
  if (problem_.is_balanced() && !has_large_hyperedges(finest_.num_pins, finest_.num_hyperedges))
    rules_.largest_rated = largest_of_small;
  if (coarsening_ == Coarsening::deep) {
    const auto denominator = static_cast<Weight>(1 + kind % 3);
    rules_.max_size = cluster_cap(problem_.capacity(0), denominator);
    rules_.max_inbound = cluster_cap(problem_.limits.max_inbound, denominator);
  } else {
    const std::uint64_t coarsest = nodes_per_part * problem_.capacities.size();
    rules_.least_clusters = static_cast<NodeId>(std::min<std::uint64_t>(coarsest, finest_.num_nodes));
    rules_.max_size = std::max<Weight>(
        2, static_cast<Weight>(1 + kind % 2) * total_size(finest_) / static_cast<Weight>(coarsest));
  }
}

HostSolution MultilevelRun::started(const HostLevel& on) const {
  if (coarsening_ == Coarsening::deep) return grow_parts(on, problem_, seed_);
  const auto num_parts = static_cast<PartId>(problem_.capacities.size());
  if (num_parts == 1) return {std::vector<PartId>(on.num_nodes, 0), 1};
  return {num_parts == 2 ? grow_in_two(on, problem_, seed_)
                         : bisect_recursively(on, problem_, seed_, threads_, stop_, effort_.bisections),
          num_parts};
}

HostSolution MultilevelRun::from_scratch() {
  coarsen();
  return refine_upward(started(level(coarser_.size())), nullptr);
}

HostSolution MultilevelRun::from_scratch_or(const HostSolution& other) {
  coarsen();
  HostSolution start = started(level(coarser_.size()));
  if (start.objective <= other.objective) return refine_upward(std::move(start), nullptr);
  return MultilevelRun(finest_, problem_, coarsening_, effort_, seed_, threads_, stop_)
      .inside(other, other.parts, Settled::no);
}

HostSolution MultilevelRun::inside(const HostSolution& start, std::vector<PartId> labels, Settled settled) {
  rules_.within = std::move(labels);
  coarsen();
  HostSolution coarse = start;
  for (const HostClusters& clusters : clusters_) coarse.parts = restricted(clusters, coarse.parts);
  return refine_upward(std::move(coarse), settled == Settled::yes ? &start.parts : nullptr);
}

void MultilevelRun::coarsen() {
  if (!problem_.terminals.empty()) {  // they join nobody
    rules_.within.resize(finest_.num_nodes, 0);
    for (std::size_t i = 0; i < problem_.terminals.size(); ++i)
      rules_.within[i] = invalid_id - static_cast<PartId>(i);
  }
  for (;;) {
    check_stop(stop_);
    const HostLevel& fine = level(coarser_.size());
    if (fine.num_nodes <= rules_.least_clusters) return;
    rules_.seed = mix(seed_, coarser_.size());
    HostClusters clusters = cluster_nodes(fine, rules_);
    if (!shrinks_enough(fine.num_nodes, clusters.num_clusters)) return;
    if (!rules_.within.empty()) rules_.within = restricted(clusters, rules_.within);
    coarser_.push_back(OwnedLevel::contract(fine, clusters.cluster_of, clusters.num_clusters));
    clusters_.push_back(std::move(clusters));
  }
}

HostSolution MultilevelRun::flat(HostSolution start) {
  return refine_upward(std::move(start), nullptr);
}

HostSolution MultilevelRun::refine_upward(HostSolution current, const std::vector<PartId>* settled) {
  for (std::size_t i = coarser_.size() + 1; i-- > 0;) {
    check_stop(stop_);
    if (i < coarser_.size()) current.parts = project_parts(current.parts, clusters_[i].cluster_of);
    HostState state(level(i), problem_, std::move(current.parts), current.num_parts);
    if (problem_.is_balanced()) repair_balance(level(i), problem_, state);
    search_locally(level(i), problem_, effort_, mix(seed_, i), state, i == 0 ? settled : nullptr);
    current.parts = state.parts();
    current.objective = state.objective();
    current.overload = state.overload();
  }
  if (!problem_.is_balanced()) drop_empty_parts(current);
  return current;
}

}  // namespace kohypar

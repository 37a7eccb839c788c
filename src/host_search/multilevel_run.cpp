#include "host_search/multilevel_run.hpp"

#include <algorithm>
#include <kohypar/error.hpp>

#include "coarsening/cluster_growth.hpp"
#include "host_search/local_search.hpp"
#include "initial/starts.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

// Growth is tried from as many nodes as stay within this many pins, but no more than most_variants.
constexpr std::uint64_t growth_budget = 1 << 17;
constexpr std::uint64_t most_variants = 16;

std::vector<PartId> restricted(const HostClusters& clusters, const std::vector<PartId>& parts) {
  std::vector<PartId> coarse(clusters.num_clusters);
  for (std::size_t n = 0; n < parts.size(); ++n) coarse[clusters.cluster_of[n]] = parts[n];
  return coarse;
}

HostSolution solution_of(const HostLevel& level, const Limits& limits, Start start) {
  merge_parts(level, limits, start);
  const Weight connectivity = connectivity_of(level, start.parts);
  return {std::move(start.parts), start.num_parts, connectivity};
}

}  // namespace

MultilevelRun::MultilevelRun(const HostLevel& finest, const Limits& limits, std::uint64_t seed,
                             const std::atomic<bool>* stop)
    : finest_(finest), limits_(limits), seed_(seed), stop_(stop) {
  const std::uint64_t kind = mix(seed, 1) % 9;
  const auto denominator = static_cast<Weight>(1 + kind % 3);
  rules_.max_size = cluster_cap(limits.max_size, denominator);
  rules_.max_inbound = cluster_cap(limits.max_inbound, denominator);
  rules_.size_power = static_cast<int>(kind / 3);
}

HostSolution solution_in_order(const HostLevel& level, const Limits& limits) {
  return solution_of(level, limits, fill_in_order(level, limits));
}

HostSolution MultilevelRun::from_scratch(const HostSolution& in_order) {
  coarsen();
  HostSolution start = grown(level(coarser_.size()));
  if (start.connectivity <= in_order.connectivity) return refine_upward(std::move(start), nullptr);
  return MultilevelRun(finest_, limits_, seed_, stop_).inside(in_order, in_order.parts, Settled::no);
}

HostSolution MultilevelRun::inside(const HostSolution& start, std::vector<PartId> labels, Settled settled) {
  rules_.within = std::move(labels);
  coarsen();
  HostSolution coarse = start;
  for (const HostClusters& clusters : clusters_) coarse.parts = restricted(clusters, coarse.parts);
  return refine_upward(std::move(coarse), settled == Settled::yes ? &start.parts : nullptr);
}

void MultilevelRun::check_stop() const {
  if (stop_ != nullptr && stop_->load()) throw Error(ErrorKind::interrupted, "interrupted");
}

void MultilevelRun::coarsen() {
  for (;;) {
    check_stop();
    const HostLevel& fine = level(coarser_.size());
    rules_.seed = mix(seed_, coarser_.size());
    HostClusters clusters = cluster_nodes(fine, rules_);
    if (!shrinks_enough(fine.num_nodes, clusters.num_clusters)) return;
    if (!rules_.within.empty()) rules_.within = restricted(clusters, rules_.within);
    coarser_.push_back(OwnedLevel::contract(fine, clusters.cluster_of, clusters.num_clusters));
    clusters_.push_back(std::move(clusters));
  }
}

HostSolution MultilevelRun::grown(const HostLevel& on) const {
  HostSolution best;
  const std::uint64_t variants =
      std::clamp<std::uint64_t>(growth_budget / (on.num_pins + 1), 1, most_variants);
  for (std::uint64_t variant = 0; variant < variants; ++variant) {
    HostSolution other =
        solution_of(on, limits_, grow_greedily(on, limits_, variant == 0 ? 0 : mix(seed_, variant)));
    if (variant == 0 || better(other, best, limits_)) best = std::move(other);
  }
  return best;
}

HostSolution MultilevelRun::flat(HostSolution start) {
  return refine_upward(std::move(start), nullptr);
}

HostSolution MultilevelRun::refine_upward(HostSolution current, const std::vector<PartId>* settled) {
  for (std::size_t i = coarser_.size() + 1; i-- > 0;) {
    check_stop();
    if (i < coarser_.size()) current.parts = project_parts(current.parts, clusters_[i].cluster_of);
    HostState state(level(i), limits_, std::move(current.parts), current.num_parts);
    search_locally(level(i), limits_, mix(seed_, i), state, i == 0 ? settled : nullptr);
    current.parts = state.parts();
    current.connectivity = state.connectivity();
  }
  drop_empty_parts(current);
  return current;
}

}  // namespace kohypar

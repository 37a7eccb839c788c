// The V: coarsening, initial partition, refinement. The only file that knows the order of the phases, and the
// owner of every level.
#include <algorithm>
#include <kohypar/error.hpp>
#include <kohypar/partition.hpp>

#include "coarsening/candidates.hpp"
#include "coarsening/clustering.hpp"
#include "coarsening/contraction.hpp"
#include "coarsening/matching.hpp"
#include "coarsening/redundancy.hpp"
#include "coarsening/twins.hpp"
#include "feasibility.hpp"
#include "initial/starts.hpp"
#include "parallel/hash.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/scan.hpp"
#include "phase_clock.hpp"
#include "refinement/refine.hpp"

namespace kohypar {

namespace {

// Twins are merged up to this fraction of the limits: larger chunks fragment the packing, smaller ones cost
// time and gain nothing (vgg11, Ω 4096: 1/32 gives 1 % more connectivity, 1/2 4 % more).
constexpr Weight twin_fraction = 8;

/// Clusters of pairs grow to a fraction of the limits; parts are then assembled from them with exact unions.
/// Smaller clusters pack into fewer parts, larger ones cut less.
struct ClusterFraction {
  Weight numerator, denominator;
};
constexpr ClusterFraction half{1, 2}, whole{1, 1}, quarter{1, 4};

/// What an effort buys: coarsenings from scratch, of which the best result is kept, and then V-cycles inside
/// it, which end early when one gains nothing.
struct SearchPlan {
  std::vector<ClusterFraction> coarsenings;
  int v_cycles;
};

SearchPlan plan_of(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return {{half}, 0};
    case Effort::standard:
      return {{half, whole}, 1};
    case Effort::high:
      return {{half, whole, quarter, half, whole}, 6};
  }
  return {{half}, 0};
}

// A level that shrinks by less than this percentage is the last.
constexpr std::uint64_t least_shrink_percent = 3;

// Growth is tried from as many nodes as stay within this many pins, but no more than most_variants.
constexpr std::uint64_t growth_budget = 1 << 19;
constexpr std::uint64_t most_variants = 32;

struct Level {
  Hypergraph hypergraph;
  Clustering to_next;  ///< of this level's nodes; empty at the coarsest
};

/// Parts of the nodes of one level.
struct Assignment {
  DeviceView<PartId> parts;
  PartId num_parts = 0;
  Weight connectivity = 0;
};

class Multilevel {
 public:
  Multilevel(const ExecutionSpace& space, const Limits& limits, const Options& options)
      : space_(space), limits_(limits), options_(options), clock_(space) {}

  Partition partition(const Hypergraph& input, const DeviceView<PartId>& initial, PartId num_initial_parts);

 private:
  void shrink(const Hypergraph& input, const DeviceView<PartId>& initial);
  void merge_twins(Clustering twins, DeviceView<PartId>& parts);
  Assignment search(const Hypergraph& core);
  Assignment v_cycle(const Hypergraph& core, const Assignment& within);
  std::vector<Level> coarsen(const Hypergraph& core, DeviceView<PartId> within);
  bool coarsen_once(std::vector<Level>& levels, DeviceView<PartId>& within);
  bool better(const Assignment& a, const Assignment& b) const;
  Assignment start_from(const Hypergraph& coarsest);
  Assignment start_in_order(const Hypergraph& core);
  Assignment upload_start(const HostLevel& level, const Start& start);
  void refine_level(const Hypergraph& hypergraph, Assignment& assignment, int level);
  void report(const char* phase, int level, const Hypergraph& hypergraph, const Assignment* assignment);

  const ExecutionSpace& space_;
  const Limits& limits_;
  const Options& options_;
  PhaseClock clock_;
  std::vector<Level> fine_;  ///< the input without redundancy, then twins merged; the core is the last
  ClusterFraction fraction_ = half;
  std::uint64_t seed_ = 0;  ///< of the current cycle: each sees other noise
  int num_levels_ = 0;
};

void Multilevel::report(const char* phase, int level, const Hypergraph& h, const Assignment* assignment) {
  if (options_.stop != nullptr && options_.stop->load()) throw Error(ErrorKind::interrupted, "interrupted");
  if (options_.memory_limit != 0 && memory_meter::peak() > options_.memory_limit)
    throw Error(ErrorKind::out_of_memory, "needs " + std::to_string(memory_meter::peak()) +
                                              " bytes of device memory or more, above the limit of " +
                                              std::to_string(options_.memory_limit));
  if (!options_.on_progress) return;
  Progress progress{phase, level, h.num_nodes, h.num_hyperedges, h.num_pins, 0, -1};
  if (assignment != nullptr) {
    progress.num_parts = assignment->num_parts;
    progress.connectivity = assignment->connectivity;
  }
  options_.on_progress(progress);
}

/// A fraction of a limit that clusters may reach, but never so little that nothing pairs.
Weight cluster_cap(Weight limit, ClusterFraction fraction) {
  if (limit == unlimited) return unlimited;
  return std::min(limit, std::max<Weight>(limit / fraction.denominator * fraction.numerator, 2));
}

/// Removes redundancy and merges twins. A given partition is kept: no cluster crosses its parts.
void Multilevel::shrink(const Hypergraph& input, const DeviceView<PartId>& initial) {
  const Weight size_cap = cluster_cap(limits_.max_size, {1, twin_fraction});
  const Weight inbound_cap = cluster_cap(limits_.max_inbound, {1, twin_fraction});
  fine_ = {
      {clock_.time("coarsening/redundancy", [&] { return remove_redundant_hyperedges(space_, input); }), {}}};
  report("coarsening", 0, fine_.back().hypergraph, nullptr);
  DeviceView<PartId> parts = initial;
  merge_twins(
      clock_.time("coarsening/twins",
                  [&] { return cluster_in_twins(space_, fine_.back().hypergraph, size_cap, inbound_cap); }),
      parts);
  merge_twins(
      clock_.time("coarsening/twins",
                  [&] { return cluster_out_twins(space_, fine_.back().hypergraph, size_cap, inbound_cap); }),
      parts);
}

void Multilevel::merge_twins(Clustering twins, DeviceView<PartId>& parts) {
  Level& level = fine_.back();
  if (twins.num_clusters == level.hypergraph.num_nodes) return;
  if (parts.extent(0) != 0) {
    twins = split_by_parts(space_, twins, parts);
    parts = restrict_parts(space_, twins, parts);
  }
  level.to_next = twins;
  const Hypergraph coarse =
      clock_.time("coarsening/contraction", [&] { return contract(space_, level.hypergraph, twins); });
  fine_.push_back({coarse, {}});
  report("coarsening", static_cast<int>(fine_.size()) - 1, coarse, nullptr);
}

bool Multilevel::coarsen_once(std::vector<Level>& levels, DeviceView<PartId>& within) {
  const Hypergraph h = levels.back().hypergraph;
  const int level = static_cast<int>(fine_.size() + levels.size()) - 1;
  const PairLimits pair_limits{cluster_cap(limits_.max_size, fraction_),
                               cluster_cap(limits_.max_inbound, fraction_), within};
  const auto candidates = clock_.time("coarsening/candidates", [&] {
    return propose_candidates(space_, h, make_rating(space_, h, seed_, level), pair_limits,
                              options_.candidates, options_.tuning);
  });
  const Clustering clusters = clock_.time("coarsening/matching", [&] {
    const auto partners = match_candidates(space_, candidates, h.num_nodes);
    pair_leftovers(space_, h, candidates, pair_limits, partners);
    pair_by_target(space_, h, candidates, pair_limits, partners);
    return clusters_of_pairs(space_, partners);
  });
  if (std::uint64_t{clusters.num_clusters} * 100 > std::uint64_t{h.num_nodes} * (100 - least_shrink_percent))
    return false;
  levels.back().to_next = clusters;
  if (within.extent(0) != 0) within = restrict_parts(space_, clusters, within);
  levels.push_back(
      {clock_.time("coarsening/contraction", [&] { return contract(space_, h, clusters); }), {}});
  report("coarsening", level + 1, levels.back().hypergraph, nullptr);
  return true;
}

std::vector<Level> Multilevel::coarsen(const Hypergraph& core, DeviceView<PartId> within) {
  std::vector<Level> levels = {{core, {}}};
  while (levels.back().hypergraph.num_nodes > 2 && coarsen_once(levels, within)) {
  }
  return levels;
}

Assignment Multilevel::upload_start(const HostLevel& level, const Start& start) {
  auto parts = uninitialized<PartId>("KoHyPar::initial::parts", start.parts.size());
  Kokkos::deep_copy(space_, parts, HostView<const PartId>(start.parts.data(), start.parts.size()));
  space_.fence("KoHyPar::initial::upload");
  return {parts, start.num_parts, connectivity_of(level, start.parts)};
}

Assignment Multilevel::start_from(const Hypergraph& coarsest) {
  return clock_.time("initial/grow", [&] {
    const HostLevel level = copy_to_host(space_, coarsest);
    Start best;
    Weight least = 0;
    const std::uint64_t variants =
        std::clamp<std::uint64_t>(growth_budget / (level.num_pins + 1), 1, most_variants);
    for (std::uint64_t variant = 0; variant < variants; ++variant) {
      Start start = grow_greedily(level, limits_, variant == 0 ? 0 : mix(seed_, variant));
      merge_parts(level, limits_, start);
      const Weight connectivity = connectivity_of(level, start.parts);
      if (variant > 0 && connectivity >= least) continue;
      least = connectivity;
      best = std::move(start);
    }
    return upload_start(level, best);
  });
}

Assignment Multilevel::start_in_order(const Hypergraph& core) {
  return clock_.time("initial/in_order", [&] {
    const HostLevel level = copy_to_host(space_, core);
    Start start = fill_in_order(level, limits_);
    merge_parts(level, limits_, start);
    return upload_start(level, start);
  });
}

void Multilevel::refine_level(const Hypergraph& h, Assignment& assignment, int level) {
  clock_.time("refinement", [&] {
    PartitionState state = build_state(space_, h, assignment.parts, assignment.num_parts);
    Options options = options_;
    options.seed = seed_;
    refine(space_, h, state, limits_, options, level);
    assignment = {state.parts, state.num_parts, state.connectivity};
  });
  report("refinement", level, h, &assignment);
}

/// Coarsens inside the parts of `within` if it has any, else starts afresh from the coarsest level, and
/// refines upward.
Assignment Multilevel::v_cycle(const Hypergraph& core, const Assignment& within) {
  const std::vector<Level> levels = coarsen(core, within.parts);
  num_levels_ = std::max(num_levels_, static_cast<int>(fine_.size() + levels.size()) - 1);
  Assignment assignment;
  if (within.num_parts > 0) {
    assignment = within;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
      assignment.parts = restrict_parts(space_, levels[i].to_next, assignment.parts);
  } else {
    assignment = start_from(levels.back().hypergraph);
    const Assignment in_order = start_in_order(core);
    if (in_order.connectivity < assignment.connectivity) return v_cycle(core, in_order);
  }
  report("initial partition", num_levels_ - 1, levels.back().hypergraph, &assignment);
  for (std::size_t i = levels.size(); i-- > 0;) {
    if (i + 1 < levels.size()) assignment.parts = project_parts(space_, levels[i].to_next, assignment.parts);
    refine_level(levels[i].hypergraph, assignment, static_cast<int>(fine_.size() + i) - 1);
  }
  return assignment;
}

/// Fewer parts than allowed first, then connectivity, then parts.
bool Multilevel::better(const Assignment& a, const Assignment& b) const {
  const bool few_a = a.num_parts <= limits_.max_parts, few_b = b.num_parts <= limits_.max_parts;
  if (few_a != few_b) return few_a;
  return a.connectivity != b.connectivity ? a.connectivity < b.connectivity : a.num_parts < b.num_parts;
}

Assignment Multilevel::search(const Hypergraph& core) {
  const SearchPlan plan = plan_of(options_.effort);
  Assignment best;
  std::uint64_t cycle = 0;
  for (const ClusterFraction& fraction : plan.coarsenings) {
    fraction_ = fraction;
    seed_ = mix(options_.seed, cycle++);
    const Assignment next = v_cycle(core, {});
    if (best.num_parts == 0 || better(next, best)) best = next;
  }
  fraction_ = half;
  for (int i = 0; i < plan.v_cycles; ++i) {
    seed_ = mix(options_.seed, cycle++);
    const Assignment next = v_cycle(core, best);
    if (!better(next, best)) break;
    best = next;
  }
  return best;
}

Partition Multilevel::partition(const Hypergraph& input, const DeviceView<PartId>& initial,
                                PartId num_initial_parts) {
  shrink(input, initial);
  const Hypergraph core = fine_.back().hypergraph;
  Assignment assignment;
  if (num_initial_parts > 0) {
    assignment = {initial, num_initial_parts, 0};
    for (std::size_t i = 0; i + 1 < fine_.size(); ++i)
      assignment.parts = restrict_parts(space_, fine_[i].to_next, assignment.parts);
    assignment = v_cycle(core, assignment);
  } else {
    assignment = search(core);
  }
  for (std::size_t i = fine_.size() - 1; i-- > 0;) {
    assignment.parts = project_parts(space_, fine_[i].to_next, assignment.parts);
    refine_level(fine_[i].hypergraph, assignment, static_cast<int>(i));
  }
  Partition result;
  result.parts = assignment.parts;
  result.num_parts = drop_empty_parts(space_, assignment.parts, assignment.num_parts);
  result.connectivity = assignment.connectivity;
  result.num_levels = num_levels_;
  result.timings = clock_.timings();
  result.peak_device_bytes = memory_meter::peak();
  if (result.num_parts > limits_.max_parts)
    throw Error(ErrorKind::infeasible,
                "no valid partition with at most " + std::to_string(limits_.max_parts) +
                    " parts was found: the best one has " + std::to_string(result.num_parts));
  return result;
}

}  // namespace

Partition partition(const ExecutionSpace& space, const Hypergraph& hypergraph, const Limits& limits,
                    const Options& options) {
  memory_meter::install();
  memory_meter::reset_peak();
  check_options(options);
  check_nodes_fit(space, hypergraph, limits);
  if (hypergraph.num_nodes == 0) return {};
  return Multilevel(space, limits, options).partition(hypergraph, {}, 0);
}

Partition improve(const ExecutionSpace& space, const Hypergraph& hypergraph,
                  const DeviceView<PartId>& initial, const Limits& limits, const Options& options) {
  memory_meter::install();
  memory_meter::reset_peak();
  check_options(options);
  check_nodes_fit(space, hypergraph, limits);
  if (initial.extent(0) != hypergraph.num_nodes)
    throw Error(ErrorKind::usage, "the initial partition has " + std::to_string(initial.extent(0)) +
                                      " entries for " + std::to_string(hypergraph.num_nodes) + " nodes");
  if (hypergraph.num_nodes == 0) return {};
  auto parts = uninitialized<PartId>("KoHyPar::initial::parts", initial.extent(0));
  Kokkos::deep_copy(space, parts, initial);
  const PartId num_parts = number_parts(space, parts);
  return Multilevel(space, limits, options).partition(hypergraph, parts, num_parts);
}

}  // namespace kohypar

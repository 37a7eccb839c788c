// The V: coarsening, initial partition, refinement. The only file that knows the order of the phases, and the
// owner of every level.
#include <algorithm>
#include <kohypar/error.hpp>
#include <kohypar/partition.hpp>
#include <optional>

#include "coarsening/candidates.hpp"
#include "coarsening/cluster_growth.hpp"
#include "coarsening/clustering.hpp"
#include "coarsening/contraction.hpp"
#include "coarsening/pairs.hpp"
#include "coarsening/redundancy.hpp"
#include "coarsening/twins.hpp"
#include "feasibility.hpp"
#include "host_search/cluster.hpp"
#include "host_search/dissolve.hpp"
#include "host_search/evolution.hpp"
#include "host_search/plan.hpp"
#include "initial/block_growth.hpp"
#include "initial/starts.hpp"
#include "parallel/hash.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/memory_pool.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"
#include "phase_clock.hpp"
#include "refinement/annealing.hpp"
#include "refinement/refine.hpp"
#include "size_limited.hpp"

namespace kohypar {

namespace {

// Twins are merged up to this fraction of the limits: larger chunks fragment the packing, smaller ones cost
// time. (vgg11, Ω 4096, connectivity after the second twins are split again: 1/5 gives 31450, 1/8 31230, 1/12
// 29950, 1/16 30200, 1/32 30400.)
constexpr Weight twin_fraction = 12;

// Where such chunks have many nodes, a level of smaller ones lies between them and the input: there the
// search on the host still sees all that is to be gained from cutting a kind of nodes elsewhere, which moves
// of single nodes do not. (vgg11 before the input, mean of seeds 1 to 4: without 30152, with chunks up to
// 1/32 of the limits 30230, 1/64 30054, 1/128 29920, 1/256 30139; 1/128 and 1/64 29904 in 1.25 times the
// time.)
constexpr Weight chunk_fraction = 128, least_chunk = 16;

// Clusters of pairs grow to the limits divided by one of these; parts are then assembled from them with exact
// unions. Smaller clusters pack into fewer parts, larger ones cut less.
constexpr Weight half = 2, whole = 1;

/// What an effort buys: pairs of searches from scratch (with clusters up to half and to all of the limits,
/// and another rating for each pair), each with V-cycles inside its result that end when one gains nothing;
/// then every result is recombined with the best.
struct SearchPlan {
  int pairs;
  int v_cycles;
};

SearchPlan plan_of(Effort effort, const Hypergraph& core, bool grows_in_blocks) {
  constexpr PinOffset medium = PinOffset{1} << 20, large = PinOffset{1} << 23;
  constexpr NodeId many_nodes = NodeId{1} << 16;
  if (effort == Effort::fast || grows_in_blocks) return {0, 0};  // an effort then buys exchanges
  if (effort == Effort::standard && core.num_nodes > many_nodes) return {0, 0};
  const int pairs = core.num_pins <= medium ? 2 : core.num_pins <= large ? 1 : 0;
  return effort == Effort::high ? SearchPlan{2 * std::max(pairs, 1), 6} : SearchPlan{pairs, 1};
}

// So many of the searches' results, the best by what they reach on the core, are refined on the next finer
// level too before the best of them goes on.
constexpr std::size_t finalists = 4;

// Growth is tried from as many nodes as stay within this many pins, but no more than most_variants.
constexpr std::uint64_t growth_budget = 1 << 19;
constexpr std::uint64_t most_variants = 32;

// From so many pins parts are grown on the device, not on the host.
constexpr PinOffset least_pins_for_blocks = PinOffset{1} << 20;

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

/// Whether a is the better one: no more parts than allowed, then connectivity, then parts.
bool better(const Assignment& a, const Assignment& b, const Limits& limits) {
  const bool few_a = a.num_parts <= limits.max_parts, few_b = b.num_parts <= limits.max_parts;
  if (few_a != few_b) return few_a;
  return a.connectivity != b.connectivity ? a.connectivity < b.connectivity : a.num_parts < b.num_parts;
}

class Multilevel {
 public:
  Multilevel(const ExecutionSpace& space, const Limits& limits, const Options& options)
      : space_(space), limits_(limits), options_(options), clock_(space) {}

  Partition partition(const Hypergraph& input, const DeviceView<PartId>& initial, PartId num_initial_parts);

 private:
  void shrink(const Hypergraph& input, const DeviceView<PartId>& initial);
  void merge_twins(Clustering twins, DeviceView<PartId>& parts);
  void drop_chunks();
  Assignment search(Weight fraction, int size_power, int v_cycles);
  std::optional<Partition> search_by_size(const Hypergraph& input);
  Assignment search_on_device();
  [[nodiscard]] bool may_search_on_host() const {
    return options_.refinement == RefinementMethod::events && options_.host_search_pin_pairs > 0;
  }
  bool search_on_host(Assignment& found);
  void descend(Assignment& assignment, std::size_t from, std::size_t to, bool settled = false);
  Assignment v_cycle(const Hypergraph& core, const Assignment& start, const DeviceView<PartId>& within);
  Assignment recombine(const Assignment& best, const Assignment& other);
  std::vector<Level> coarsen(const Hypergraph& core, DeviceView<PartId> within);
  bool coarsen_once(std::vector<Level>& levels, DeviceView<PartId>& within);
  Assignment start_from(const Hypergraph& coarsest);
  Assignment start_in_order(const Hypergraph& core);
  Assignment upload(const HostSolution& solution);
  Assignment upload_start(const HostLevel& level, Start start);
  NodeId block_to_grow_in(const Hypergraph& level) const;
  Assignment start_in_blocks(const Hypergraph& level);
  bool blocks_suffice(const Hypergraph& core);
  void refine_level(const Hypergraph& hypergraph, Assignment& assignment, int level, bool settled = false);
  void exchange_nodes(const Hypergraph& core, Assignment& assignment);
  void report(const char* phase, int level, const Hypergraph& hypergraph, const Assignment* assignment);

  const ExecutionSpace& space_;
  const Limits& limits_;
  const Options& options_;
  PhaseClock clock_;
  std::vector<Level> fine_;  ///< the input without redundancy, then twins merged; the core is the last
  bool has_chunks_ = false;  ///< whether the second of them is for the search on the host alone
  Weight fraction_ = half;   ///< of the limits that clusters may reach, its denominator
  int size_power_ = 1;       ///< of the rating
  std::uint64_t cycle_ = 0;  ///< coarsenings so far
  std::uint64_t seed_ = 0;   ///< of the current one: each sees other noise
  int num_levels_ = 0;
};

void Multilevel::report(const char* phase, int level, const Hypergraph& h, const Assignment* assignment) {
  check_may_go_on(options_);
  if (!options_.on_progress) return;
  Progress progress{phase, level, h.num_nodes, h.num_hyperedges, h.num_pins, 0, -1};
  if (assignment != nullptr) {
    progress.num_parts = assignment->num_parts;
    progress.connectivity = assignment->connectivity;
  }
  options_.on_progress(progress);
}

/// Removes redundancy and merges twins. A given partition is kept: no cluster crosses its parts.
void Multilevel::shrink(const Hypergraph& input, const DeviceView<PartId>& initial) {
  fine_ = {
      {clock_.time("coarsening/redundancy", [&] { return remove_redundant_hyperedges(space_, input); }), {}}};
  report("coarsening", 0, fine_.back().hypergraph, nullptr);
  DeviceView<PartId> parts = initial;
  const auto merge = [&](const auto& cluster, Weight fraction) {
    merge_twins(clock_.time("coarsening/twins",
                            [&] {
                              return cluster(space_, fine_.back().hypergraph,
                                             cluster_cap(limits_.max_size, fraction),
                                             cluster_cap(limits_.max_inbound, fraction));
                            }),
                parts);
  };
  if (cluster_cap(limits_.max_size, chunk_fraction) >= least_chunk && may_search_on_host() &&
      initial.extent(0) == 0) {
    merge(cluster_in_twins, chunk_fraction);
    has_chunks_ = fine_.size() > 1;
  }
  merge(cluster_in_twins, twin_fraction);
  merge(cluster_out_twins, twin_fraction);
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

/// Takes the level of chunks out, which is for the host alone, unless it is the core.
void Multilevel::drop_chunks() {
  if (!has_chunks_ || fine_.size() < 3) return;
  const Clustering& next = fine_[1].to_next;
  fine_[0].to_next = {project_parts(space_, fine_[0].to_next, next.cluster_of), next.num_clusters};
  fine_.erase(fine_.begin() + 1);
  has_chunks_ = false;
}

bool Multilevel::coarsen_once(std::vector<Level>& levels, DeviceView<PartId>& within) {
  const Hypergraph h = levels.back().hypergraph;
  const int level = static_cast<int>(fine_.size() + levels.size()) - 1;
  const PairLimits pair_limits{cluster_cap(limits_.max_size, fraction_),
                               cluster_cap(limits_.max_inbound, fraction_), within};
  Rating rating = make_rating(space_, h, seed_, level, size_power_);
  if (options_.leave_out.noise) rating.noise = 1;
  const Clustering clusters =
      cluster_in_pairs(space_, clock_, h, rating, pair_limits, options_.candidates, options_.tuning);
  if (!shrinks_enough(h.num_nodes, clusters.num_clusters)) return false;
  levels.back().to_next = clusters;
  if (within.extent(0) != 0) within = restrict_parts(space_, clusters, within);
  levels.push_back(
      {clock_.time("coarsening/contraction", [&] { return contract(space_, h, clusters); }), {}});
  report("coarsening", level + 1, levels.back().hypergraph, nullptr);
  return true;
}

/// Whether at least a quarter of the nodes with a candidate (one each at most) have it less than `distance`
/// ids away.
bool many_are_near(const ExecutionSpace& space, const Candidates& candidates, NodeId distance) {
  const auto neighbors = candidates.neighbors;
  std::size_t near = 0, far = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::initial::near",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<NodeId>>(space, 0, neighbors.extent(0)),
      KOKKOS_LAMBDA(const NodeId n, std::size_t& near_sum, std::size_t& far_sum) {
        const NodeId m = neighbors(n);
        if (m == invalid_id) return;
        const bool is_near = (m > n ? m - n : n - m) < distance;
        near_sum += is_near ? 1 : 0;
        far_sum += is_near ? 0 : 1;
      },
      near, far);
  return near > 0 && 3 * near >= far;
}

std::vector<Level> Multilevel::coarsen(const Hypergraph& core, DeviceView<PartId> within) {
  std::vector<Level> levels = {{core, {}}};
  while (levels.back().hypergraph.num_nodes > 2 && coarsen_once(levels, within)) {
  }
  return levels;
}

Assignment Multilevel::upload(const HostSolution& solution) {
  return {copy_to_device(space_, "KoHyPar::initial::parts", solution.parts), solution.num_parts,
          solution.objective};
}

Assignment Multilevel::upload_start(const HostLevel& level, Start start) {
  const Weight connectivity = connectivity_of(level, start.parts);
  return upload({std::move(start.parts), start.num_parts, connectivity, 0});
}

/// 0 where the host grows the parts: of small levels, or of large parts.
NodeId Multilevel::block_to_grow_in(const Hypergraph& h) const {
  return h.num_pins < least_pins_for_blocks ? 0 : growth_block(space_, h, limits_);
}

/// No parts where the host grows them.
Assignment Multilevel::start_in_blocks(const Hypergraph& h) {
  return clock_.time("initial/blocks", [&]() -> Assignment {
    const NodeId block = block_to_grow_in(h);
    if (block == 0) return {};
    const GrownParts grown = grow_in_blocks(space_, h, limits_, block);
    return {grown.parts, grown.num_parts, build_state(space_, h, grown.parts, grown.num_parts).connectivity};
  });
}

/// Whether ids carry locality, so that coarsening could tell blocks little: in a sample of nodes many have
/// their best partners at hand, far more than by chance. (rand:16384:127 40 %, rand:65536:191 56 %,
/// rand:262144:256 74 %.)
bool Multilevel::blocks_suffice(const Hypergraph& core) {
  constexpr NodeId sample = 1024, least_blocks = 16;
  return clock_.time("initial/locality", [&] {
    const NodeId block = block_to_grow_in(core);
    if (block == 0 || core.num_nodes / block < least_blocks) return false;
    const PairLimits pair_limits{
        cluster_cap(limits_.max_size, fraction_), cluster_cap(limits_.max_inbound, fraction_), {}};
    const auto best = propose_candidates(space_, core, make_rating(space_, core, seed_, 0, size_power_),
                                         pair_limits, 1, options_.tuning, core.num_nodes / sample + 1);
    return many_are_near(space_, best, block);
  });
}

Assignment Multilevel::start_from(const Hypergraph& coarsest) {
  const Assignment grown = start_in_blocks(coarsest);
  if (grown.num_parts > 0) return grown;
  return clock_.time("initial/grow", [&] {
    const HostLevel level = copy_to_host(space_, coarsest);
    Start best;
    Weight least = 0;
    const std::uint64_t variants =
        std::clamp<std::uint64_t>(growth_budget / (level.num_pins + 1), 1, most_variants);
    for (std::uint64_t variant = 0; variant < variants; ++variant) {
      Start start = grow_greedily(level, limits_, variant == 0 ? 0 : mix(seed_, variant));
      if (!options_.leave_out.merging) merge_parts(level, limits_, start);
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
    if (!options_.leave_out.merging) merge_parts(level, limits_, start);
    return upload_start(level, start);
  });
}

void Multilevel::refine_level(const Hypergraph& h, Assignment& assignment, int level, bool settled) {
  clock_.time("refinement", [&] {
    PartitionState state = build_state(space_, h, assignment.parts, assignment.num_parts);
    Options options = options_;
    options.seed = seed_;
    refine(space_, h, state, limits_, options, level, settled);
    assignment = {state.parts, state.num_parts, state.connectivity};
  });
  report("refinement", level, h, &assignment);
}

void Multilevel::exchange_nodes(const Hypergraph& h, Assignment& assignment) {
  clock_.time("refinement/exchanges", [&] {
    PartitionState state = build_state(space_, h, assignment.parts, assignment.num_parts);
    anneal(space_, h, state, limits_, options_.effort, seed_, [&] { check_may_go_on(options_); });
    assignment = {state.parts, state.num_parts, state.connectivity};
  });
  report("refinement", static_cast<int>(fine_.size()) - 1, h, &assignment);
}

/// Coarsens inside the parts `within` if there are any, and refines upward from `start`, or where that is
/// empty from a start on the coarsest level. No part of `within` may cross parts of `start`.
Assignment Multilevel::v_cycle(const Hypergraph& core, const Assignment& start,
                               const DeviceView<PartId>& within) {
  if (start.num_parts == 0 && blocks_suffice(core)) {
    num_levels_ = std::max(num_levels_, static_cast<int>(fine_.size()));
    Assignment in_blocks = start_in_blocks(core);
    exchange_nodes(core, in_blocks);
    return in_blocks;
  }
  const std::vector<Level> levels = coarsen(core, within);
  num_levels_ = std::max(num_levels_, static_cast<int>(fine_.size() + levels.size()) - 1);
  Assignment assignment;
  if (start.num_parts > 0) {
    assignment = start;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
      assignment.parts = restrict_parts(space_, levels[i].to_next, assignment.parts);
  } else {
    assignment = start_from(levels.back().hypergraph);
    Assignment in_blocks = start_in_blocks(core);
    if (in_blocks.num_parts > 0 && in_blocks.connectivity < assignment.connectivity) {
      // Parts are full: moves of clusters find nothing, exchanges of nodes do.
      exchange_nodes(core, in_blocks);
      return in_blocks;
    }
    const Assignment in_order = start_in_order(core);
    if (in_order.connectivity < assignment.connectivity) return v_cycle(core, in_order, in_order.parts);
  }
  report("initial partition", num_levels_ - 1, levels.back().hypergraph, &assignment);
  for (std::size_t i = levels.size(); i-- > 0;) {
    if (i + 1 < levels.size()) assignment.parts = project_parts(space_, levels[i].to_next, assignment.parts);
    refine_level(levels[i].hypergraph, assignment, static_cast<int>(fine_.size() + i) - 1);
  }
  return assignment;
}

/// One search from scratch on the core and V-cycles inside its result.
Assignment Multilevel::search(Weight fraction, int size_power, int v_cycles) {
  const Hypergraph core = fine_.back().hypergraph;
  fraction_ = fraction;
  size_power_ = size_power;
  seed_ = mix(options_.seed, cycle_++);
  Assignment best = v_cycle(core, {}, {});
  for (int i = 0; i < v_cycles; ++i) {
    seed_ = mix(options_.seed, cycle_++);
    const Assignment next = v_cycle(core, best, best.parts);
    if (!better(next, best, limits_)) break;
    best = next;
  }
  return best;
}

/// A V-cycle from the better of two partitions of the core that keeps together only what both keep together:
/// what they agree on becomes coarse nodes, and what they differ in can move (Andre, Schlag, Schulz, GECCO
/// 2018).
Assignment Multilevel::recombine(const Assignment& best, const Assignment& other) {
  seed_ = mix(options_.seed, cycle_++);
  const Clustering agreement = split_by_parts(space_, Clustering{best.parts, best.num_parts}, other.parts);
  return v_cycle(fine_.back().hypergraph, best, agreement.cluster_of);
}

/// Projects parts of one of the fine levels to a finer one, refining on the way.
void Multilevel::descend(Assignment& assignment, std::size_t from, std::size_t to, bool settled) {
  for (std::size_t i = from; i-- > to;) {
    assignment.parts = project_parts(space_, fine_[i].to_next, assignment.parts);
    refine_level(fine_[i].hypergraph, assignment, static_cast<int>(i), settled);
  }
}

/// Searches a small core and the levels above it, but for the input, on the host. Returns false if the core
/// is too large for that, or another refinement is asked for than the host's.
bool Multilevel::search_on_host(Assignment& found) {
  if (!may_search_on_host()) return false;
  std::size_t i = fine_.size() - 1;
  if (fine_[i].hypergraph.num_pins > options_.host_search_pin_pairs) return false;
  HostLevel level = copy_to_host(space_, fine_[i].hypergraph);
  const std::uint64_t pairs = pin_pairs(level);
  const PinOffset input_pins = fine_[0].hypergraph.num_pins;
  if (pairs > options_.host_search_pin_pairs ||
      (!is_like_circuits(level, input_pins) &&
       !has_few_gains(level.num_nodes, fill_in_order(level, limits_).num_parts)))
    return false;
  const HostProblem problem = constrained(limits_);
  EvolutionPlan plan = evolution_plan(options_, input_pins, level, pairs);
  plan.threads = search_threads(space_, options_.tuning);
  plan.on_progress = [&](const HostSolution& best) {
    const Assignment assignment{{}, best.num_parts, best.objective};
    report("search", static_cast<int>(i), fine_[i].hypergraph, &assignment);
  };
  auto solutions = clock_.time("search/evolution", [&] { return evolve(level, problem, plan); });
  keep_distinct(solutions, plan.finalists);
  const auto offer_fewer_parts = [&] {
    clock_.time("search/dissolution",
                [&] { add_dissolved(level, problem, plan.seed, plan.threads, solutions); });
  };
  offer_fewer_parts();
  while (i > 1 && has_few_gains(fine_[i - 1].hypergraph.num_nodes, solutions[0].num_parts)) {
    --i;
    level = copy_to_host(space_, fine_[i].hypergraph);
    const auto cluster_of = copy_to_host(space_, fine_[i].to_next.cluster_of);
    for (HostSolution& solution : solutions)
      solution.parts = project_parts(solution.parts, {cluster_of.data(), cluster_of.extent(0)});
    solutions =
        clock_.time("search/polish", [&] { return polish(level, problem, plan, std::move(solutions)); });
    keep_distinct(solutions, plan.crossed_finalists);
    if (!is_large(level)) offer_fewer_parts();
  }
  num_levels_ = static_cast<int>(fine_.size());
  found = upload(best_by_price(solutions, limits_));
  descend(found, i, 0, true);
  return true;
}

/// Searches balanced parts where inbound hyperedges hardly limit them and ids say little. Parts are assembled
/// by moves that respect limits one by one, which takes hundreds of thousands of small kernels for a large
/// circuit and ends higher. (ibm10 x16, Ω 4096, on an H200: 14.6 s, 1973840 in 275 parts; so 3.2 s, 1917827
/// in 277.)
std::optional<Partition> Multilevel::search_by_size(const Hypergraph& input) {
  if (!may_search_on_host() || !size_is_what_limits(space_, fine_.back().hypergraph, limits_) ||
      blocks_suffice(fine_.back().hypergraph))
    return {};
  fine_.clear();  // for their memory
  std::optional<Partition> found = partition_by_size(space_, input, limits_, options_);
  if (!found) {
    shrink(input, {});
    return {};
  }
  for (const PhaseTiming& timing : found->timings) clock_.add(timing);
  found->timings = clock_.timings();
  return found;
}

/// The best of the plan's searches, compared where the finest level, which twins make by far the largest,
/// comes next.
Assignment Multilevel::search_on_device() {
  drop_chunks();
  const std::size_t core = fine_.size() - 1, compared = std::min<std::size_t>(core, 1);
  const SearchPlan plan =
      plan_of(options_.effort, fine_[core].hypergraph, block_to_grow_in(fine_[core].hypergraph) > 0);
  constexpr int size_powers[] = {1, 0, 2};
  std::vector<Assignment> results;
  for (int i = 0; i < std::max(1, 2 * plan.pairs); ++i)
    results.push_back(search(i % 2 == 0 ? half : whole, size_powers[i / 2 % 3], plan.v_cycles));
  const auto by_quality = [&](const Assignment& a, const Assignment& b) { return better(a, b, limits_); };
  std::stable_sort(results.begin(), results.end(), by_quality);
  for (std::size_t i = 1; i < results.size(); ++i) {
    const Assignment child = recombine(results[0], results[i]);
    if (better(child, results[0], limits_)) results[0] = child;
  }
  results.resize(std::min(results.size(), compared < core ? finalists : 1));
  for (Assignment& result : results) descend(result, core, compared);
  Assignment best = *std::min_element(results.begin(), results.end(), by_quality);
  descend(best, compared, 0);
  return best;
}

Partition Multilevel::partition(const Hypergraph& input, const DeviceView<PartId>& initial,
                                PartId num_initial_parts) {
  shrink(input, initial);
  Assignment assignment;
  if (num_initial_parts > 0) {
    assignment = {initial, num_initial_parts, 0};
    for (std::size_t i = 0; i + 1 < fine_.size(); ++i)
      assignment.parts = restrict_parts(space_, fine_[i].to_next, assignment.parts);
    assignment = v_cycle(fine_.back().hypergraph, assignment, assignment.parts);
    descend(assignment, fine_.size() - 1, 0);
  } else if (!search_on_host(assignment)) {
    if (std::optional<Partition> found = search_by_size(input)) return *found;
    assignment = search_on_device();
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
  start_run(options);
  check_nodes_fit(space, hypergraph, limits);
  if (hypergraph.num_nodes == 0) return {};
  const MemoryPool::Scope pool(space, options.memory_limit);
  return Multilevel(space, limits, options).partition(hypergraph, {}, 0);
}

Partition improve(const ExecutionSpace& space, const Hypergraph& hypergraph,
                  const DeviceView<PartId>& initial, const Limits& limits, const Options& options) {
  start_run(options);
  check_nodes_fit(space, hypergraph, limits);
  check_initial(hypergraph, initial);
  if (hypergraph.num_nodes == 0) return {};
  const MemoryPool::Scope pool(space, options.memory_limit);
  const auto parts = copy_of(space, "KoHyPar::initial::parts", initial);
  const PartId num_parts = number_parts(space, parts);
  return Multilevel(space, limits, options).partition(hypergraph, parts, num_parts);
}

}  // namespace kohypar

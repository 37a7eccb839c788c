// Balanced k-way partitioning: coarsening on the device, a memetic search of the core on the host, refinement
// upward. The only file that knows the order of these phases, and the owner of every level.
#include "balanced.hpp"

#include <algorithm>
#include <cmath>
#include <kohypar/error.hpp>
#include <span>
#include <tuple>

#include "coarsening/cluster_growth.hpp"
#include "coarsening/contraction.hpp"
#include "coarsening/pairs.hpp"
#include "feasibility.hpp"
#include "host_search/balance.hpp"
#include "host_search/cluster.hpp"
#include "host_search/evolution.hpp"
#include "host_search/flow_refinement.hpp"
#include "host_search/multilevel_run.hpp"
#include "host_search/owned_level.hpp"
#include "host_search/plan.hpp"
#include "hypergraph/totals.hpp"
#include "initial/starts.hpp"
#include "parallel/hash.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/memory_pool.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"
#include "phase_clock.hpp"
#include "refinement/jet.hpp"

namespace kohypar {

namespace {

// The device coarsens until a level is small enough to be searched on the host, or so coarse that little else
// is left to choose. Where it still has more pins, the host searches it with the heaviest hyperedges alone.
// Large levels are coarsened to a quarter of the nodes: Jet on two levels more is cheaper than the host's
// search. (ibm01 and ibm05 x16 with 2 and 4 parts, two seeds, geometric mean: half the nodes 117744, this
// 118055 in 0.4 times the time of the search.)
constexpr PinOffset core_pins = PinOffset{1} << 18;
constexpr PinOffset core_pins_per_part = core_pins / many_parts;  // where parts are many
constexpr PinOffset heaviest_pins_per_node = 4;

// Large hyperedges are too few to leave most of them out. (lenet read as undirected, 12 parts, with those of
// the heaviest on the core that make 2^23, 2^24 and all 2^26 pin pairs: 1610, 1488 and 1224.)
constexpr std::uint64_t heaviest_pin_pairs = std::uint64_t{1} << 26;

/// How many pins of a core's heaviest hyperedges the host searches; all, where that are no fewer.
PinOffset most_searched_pins(const HostLevel& core, PartId num_parts, bool has_large_hyperedges) {
  if (has_large_hyperedges) {
    const std::uint64_t pairs = pin_pairs(core);
    return pairs <= heaviest_pin_pairs ? core.num_pins : core.num_pins * heaviest_pin_pairs / pairs;
  }
  const bool is_dense = core.num_pins > std::max(core_pins, core_pins_per_part * num_parts);
  return is_dense ? heaviest_pins_per_node * core.num_nodes : core.num_pins;
}

/// How far levels are coarsened: to so many nodes a part, clusters reaching the share of so many.
struct Coarseness {
  std::uint64_t least_nodes_per_part, clusters_per_part;
};

// Where parts are many, bisections take longest. (ibm01 x16 and ibm10 with 256 parts: 256 and 160 nodes a
// part 297964 and 28214, 128 and 128 297807 and 28535 with half the bisections' work.)
Coarseness coarseness(PartId num_parts) {
  return num_parts > many_parts ? Coarseness{128, 128} : Coarseness{256, 160};
}

// How many times as much as connectivity a cut hyperedge counts where that is the objective: connectivity
// still guides the search to hyperedges that are nearly uncut.
constexpr Weight cut_weight = 8;

/// The same as far as objectives stay below 2^62.
Weight bounded_cut_weight(const ExecutionSpace& space, const Hypergraph& h) {
  const Weight total = total_hyperedge_weight(space, h);
  return std::min(cut_weight, max_total_weight / (total + 1));
}

/// Weight of the hyperedges in more than one part.
Weight cut_of(const HostLevel& level, std::span<const PartId> parts) {
  Weight cut = 0;
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) {
    const PinOffset begin = level.hyperedge_offsets(e), end = level.hyperedge_offsets(e + 1);
    const PartId first = parts[level.pins(begin)];
    if (std::any_of(&level.pins(begin), &level.pins(begin) + (end - begin),
                    [&](NodeId n) { return parts[n] != first; }))
      cut += level.hyperedge_weights(e);
  }
  return cut;
}

struct Level {
  Hypergraph hypergraph;
  Clustering to_next;  ///< of this level's nodes; empty at the core
};

/// Labels that let a terminal join nobody, and the other nodes only those of the same given part if there are
/// any; empty if all may join.
DeviceView<PartId> labels_of(const ExecutionSpace& space, NodeId num_nodes, NodeId num_terminals,
                             const DeviceView<PartId>& given) {
  const bool has_parts = given.extent(0) > 0;
  if (num_terminals == 0 && !has_parts) return {};
  const auto labels = uninitialized<PartId>("KoHyPar::balanced::labels", num_nodes);
  Kokkos::parallel_for(
      "KoHyPar::balanced::labels", Kokkos::RangePolicy<ExecutionSpace>(space, 0, num_nodes),
      KOKKOS_LAMBDA(const NodeId n) {
        labels(n) = n < num_terminals ? n + 1 : num_terminals + 1 + (has_parts ? given(n) : 0);
      });
  return labels;
}

std::vector<PartId> on_host(const ExecutionSpace& space, const DeviceView<PartId>& parts) {
  const auto copied = copy_to_host(space, parts);
  return {copied.data(), copied.data() + copied.extent(0)};
}

DeviceView<Weight> sizes_of_parts(const ExecutionSpace& space, const Hypergraph& h,
                                  const DeviceView<PartId>& parts, PartId num_parts) {
  const auto sizes = filled<Weight>(space, "KoHyPar::balanced::sizes", num_parts, 0);
  const auto node_sizes = h.node_sizes;
  Kokkos::parallel_for(
      "KoHyPar::balanced::sizes", Kokkos::RangePolicy<ExecutionSpace>(space, 0, h.num_nodes),
      KOKKOS_LAMBDA(const NodeId n) { Kokkos::atomic_add(&sizes(parts(n)), node_sizes(n)); });
  return sizes;
}

class Balanced {
 public:
  Balanced(const ExecutionSpace& space, const Balance& balance, const Options& options)
      : space_(space), balance_(balance), options_(options), clock_(space) {}

  /// @param initial empty, or a part per node of the input, from which the search starts
  Partition partition(const Hypergraph& input, const DeviceView<PartId>& initial) {
    gather_terminals(input);
    if (optimizes_cut()) cut_weight_ = bounded_cut_weight(space_, input);
    if (initial.extent(0) > 0) take_over(initial);
    while (coarsen_once()) {
    }
    const Assignment best = optimizes_cut() ? least_cut() : ascend(search_core());
    return finish(best);
  }

 private:
  /// Of the first level below the input.
  struct Assignment {
    DeviceView<PartId> parts;
    Weight connectivity = 0;
  };

  void gather_terminals(const Hypergraph& input);
  void take_over(const DeviceView<PartId>& initial);
  [[nodiscard]] bool is_core(const Hypergraph& h) const;
  bool coarsen_once();
  DeviceView<PartId> search_core();
  DeviceView<PartId> improve_core(const HostLevel& level, const HostProblem& problem,
                                  const EvolutionPlan& plan);
  Assignment ascend(DeviceView<PartId> parts);
  Assignment least_cut();
  [[nodiscard]] bool is_refined_on_host() const;
  DeviceView<PartId> refine(const Hypergraph& h, const DeviceView<PartId>& parts, int level);
  DeviceView<PartId> refine_on_device(const Hypergraph& h, const DeviceView<PartId>& parts, int level);
  DeviceView<PartId> refine_on_host(const Hypergraph& h, const DeviceView<PartId>& parts, int level);
  DeviceView<PartId> cut_anew(const Hypergraph& h, const DeviceView<PartId>& parts, int level);
  [[nodiscard]] HostProblem host_problem() const;
  /// Rather than connectivity, which is the same for two parts.
  [[nodiscard]] bool optimizes_cut() const {
    return objective_ == Objective::cut && balance_.num_parts() > 2;
  }
  /// Of what is searched now.
  [[nodiscard]] Weight searched_cut_weight() const { return optimizes_cut() ? cut_weight_ : 0; }
  Partition finish(const Assignment& best);
  void report(const char* phase, int level, const Hypergraph& h, Weight connectivity);

  const ExecutionSpace& space_;
  const Balance& balance_;
  const Options& options_;
  PhaseClock clock_;
  Objective objective_ = options_.objective;  ///< of what is searched now
  Weight cut_weight_ = 0;                     ///< where that is the cut
  std::vector<PartId> terminals_;             ///< part of each of the first nodes below the input
  DeviceView<PartId> initial_;                ///< if given: parts of the first level below the input,
  DeviceView<PartId> given_;       ///< and of the coarsest level, none of whose nodes is in two of them
  Weight connectivity_ = 0;        ///< of the level refined last
  bool core_is_searched_ = false;  ///< by the host, with all its hyperedges
  std::vector<Level> levels_;      ///< the input; the same with fixed nodes as terminals; coarser ones
};

void Balanced::report(const char* phase, int level, const Hypergraph& h, Weight connectivity) {
  check_may_go_on(options_);
  if (!options_.on_progress) return;
  options_.on_progress({phase, level, h.num_nodes, h.num_hyperedges, h.num_pins,
                        connectivity < 0 ? 0 : balance_.num_parts(), connectivity});
}

/// The first level below the input: undirected, without redundancy, the fixed nodes of every part one
/// terminal, which come first.
void Balanced::gather_terminals(const Hypergraph& input) {
  std::vector<NodeId> terminal_of(balance_.num_parts(), invalid_id);
  for (const PartId p : balance_.fixed)
    if (p != invalid_id) terminal_of[p] = 0;
  for (PartId p = 0; p < balance_.num_parts(); ++p) {
    if (terminal_of[p] == invalid_id) continue;
    terminal_of[p] = static_cast<NodeId>(terminals_.size());
    terminals_.push_back(p);
  }
  std::vector<NodeId> cluster_of(input.num_nodes);
  auto next = static_cast<NodeId>(terminals_.size());
  for (NodeId n = 0; n < input.num_nodes; ++n) {
    const PartId p = balance_.fixed.empty() ? invalid_id : balance_.fixed[n];
    cluster_of[n] = p == invalid_id ? next++ : terminal_of[p];
  }
  const Clustering clustering{copy_to_device(space_, "KoHyPar::balanced::terminals", cluster_of), next};
  Hypergraph undirected = input;
  undirected.directed = false;
  undirected.source_counts =
      filled<std::uint32_t>(space_, "KoHyPar::balanced::source_counts", input.num_hyperedges, 0);
  levels_ = {
      {input, clustering},
      {clock_.time("coarsening/redundancy", [&] { return contract(space_, undirected, clustering); }), {}}};
  report("coarsening", 0, levels_.back().hypergraph, -1);
}

/// Fixed nodes are where they are fixed, whatever their given parts.
void Balanced::take_over(const DeviceView<PartId>& initial) {
  initial_ = restrict_parts(space_, levels_[0].to_next, initial);
  if (!terminals_.empty())
    Kokkos::deep_copy(space_, Kokkos::subview(initial_, std::make_pair(std::size_t{0}, terminals_.size())),
                      copy_to_device(space_, "KoHyPar::balanced::terminals", terminals_));
  given_ = initial_;
}

bool Balanced::is_core(const Hypergraph& h) const {
  if (h.num_nodes <= options_.balanced_core_nodes && h.num_pins <= core_pins) return true;
  return h.num_nodes <= std::max<std::uint64_t>(
                            options_.balanced_core_nodes / 4,
                            coarseness(balance_.num_parts()).least_nodes_per_part * balance_.num_parts());
}

bool Balanced::coarsen_once() {
  const Hypergraph h = levels_.back().hypergraph;
  if (is_core(h)) return false;
  const int level = static_cast<int>(levels_.size()) - 2;
  const auto clusters =
      static_cast<Weight>(coarseness(balance_.num_parts()).clusters_per_part * balance_.num_parts());
  const PairLimits limits{std::max<Weight>(2, h.total_node_size / clusters), unlimited,
                          labels_of(space_, h.num_nodes, static_cast<NodeId>(terminals_.size()), given_)};
  const Clustering pairs = cluster_in_pairs(
      space_, clock_, h,
      make_rating(space_, h, mix(options_.seed, static_cast<std::uint64_t>(level)), level, 1), limits,
      options_.candidates, options_.tuning);
  if (!shrinks_enough(h.num_nodes, pairs.num_clusters)) return false;
  levels_.back().to_next = pairs;
  if (given_.extent(0) > 0) given_ = restrict_parts(space_, pairs, given_);
  levels_.push_back({clock_.time("coarsening/contraction", [&] { return contract(space_, h, pairs); }), {}});
  report("coarsening", level + 1, levels_.back().hypergraph, -1);
  return true;
}

HostProblem Balanced::host_problem() const {
  HostProblem problem;
  for (const Weight capacity : balance_.capacities)  // no more than can be used: searches add them up
    problem.capacities.push_back(std::min(capacity, levels_[0].hypergraph.total_node_size));
  problem.terminals = terminals_;
  problem.cut_weight = searched_cut_weight();
  return problem;
}

DeviceView<PartId> Balanced::search_core() {
  const Hypergraph& core = levels_.back().hypergraph;
  const HostLevel level = copy_to_host(space_, core);
  const Hypergraph& input = levels_[1].hypergraph;
  const bool large = has_large_hyperedges(input.num_pins, input.num_hyperedges);
  const PinOffset most_pins = most_searched_pins(level, balance_.num_parts(), large);
  const bool is_dense = level.num_pins > most_pins;
  const OwnedLevel sparse = is_dense ? OwnedLevel::sparsified(level, most_pins) : OwnedLevel();
  const HostProblem problem = host_problem();
  EvolutionPlan plan = balanced_plan(options_, input.num_pins, large, balance_.num_parts());
  plan.threads = search_threads(space_, options_.tuning);
  plan.on_progress = [&](const HostSolution& best) {
    const Weight connectivity = options_.on_progress ? connectivity_of(level, best.parts) : 0;
    report("search", static_cast<int>(levels_.size()) - 2, core, connectivity);
  };
  if (given_.extent(0) > 0)
    return is_dense ? copy_of(space_, "KoHyPar::balanced::parts", given_)
                    : improve_core(level, problem, plan);
  const auto solutions = clock_.time(
      "search/evolution", [&] { return evolve(is_dense ? sparse.level() : level, problem, plan); });
  core_is_searched_ = !is_dense && solutions[0].overload == 0;
  return copy_to_device(space_, "KoHyPar::balanced::parts", solutions[0].parts);
}

/// By a V-cycle inside the given parts, which never worsens them unless they are overloaded.
DeviceView<PartId> Balanced::improve_core(const HostLevel& level, const HostProblem& problem,
                                          const EvolutionPlan& plan) {
  HostSolution start;
  start.parts = on_host(space_, given_);
  start.num_parts = balance_.num_parts();
  const HostSolution improved = clock_.time("search/v_cycle", [&] {
    return MultilevelRun(level, problem, Coarsening::shallow, balanced_search, plan.seed, plan.threads,
                         plan.stop)
        .inside(start, start.parts, MultilevelRun::Settled::no);
  });
  return copy_to_device(space_, "KoHyPar::balanced::parts", improved.parts);
}

/// Refines parts of the coarsest level there and on all finer ones.
Balanced::Assignment Balanced::ascend(DeviceView<PartId> parts) {
  for (std::size_t i = levels_.size(); i-- > 1;) {
    const bool is_core = i + 1 == levels_.size();
    const int level = static_cast<int>(i) - 1;
    // Jet finds next to nothing where a local search has been. (Nine circuits with 2, 4, 8 and 16 parts, mean
    // km1 next to Mt-KaHyPar's of three seeds: 0.9760 with it, 0.9755 without, in a tenth less time.)
    const bool is_searched = is_core && i > 1 && core_is_searched_ && balance_.num_parts() <= many_parts &&
                             options_.effort != Effort::high;
    if (!is_core) parts = project_parts(space_, levels_[i].to_next, parts);
    if (!is_searched) parts = refine(levels_[i].hypergraph, parts, level);
    parts = cut_anew(levels_[i].hypergraph, parts, level);
  }
  return {parts, connectivity_};
}

/// Where connectivity guides to smaller cuts than the cut itself does, it may: the best of a search for the
/// cut, one for connectivity, what a search for the cut makes of that, and what was given.
Balanced::Assignment Balanced::least_cut() {
  const Hypergraph& finest = levels_[1].hypergraph;
  std::vector<Assignment> found = {ascend(search_core())};
  objective_ = Objective::km1;
  found.push_back(ascend(search_core()));
  objective_ = Objective::cut;
  const auto further = refine(finest, copy_of(space_, "KoHyPar::balanced::parts", found.back().parts), 0);
  found.push_back({further, connectivity_});
  const HostLevel level = copy_to_host(space_, finest);
  if (initial_.extent(0) > 0) {
    found.push_back({initial_, connectivity_of(level, on_host(space_, initial_))});
  }
  std::vector<std::tuple<Weight, Weight, Weight>> ranks;
  for (const Assignment& a : found) {
    const auto parts = copy_to_host(space_, a.parts);
    const auto sizes = copy_to_host(space_, sizes_of_parts(space_, finest, a.parts, balance_.num_parts()));
    ranks.emplace_back(overload_of({sizes.data(), sizes.extent(0)}, balance_.capacities),
                       cut_of(level, {parts.data(), parts.extent(0)}), a.connectivity);
  }
  return found[static_cast<std::size_t>(std::min_element(ranks.begin(), ranks.end()) - ranks.begin())];
}

/// (ibm01 x16 in 4 parts: cut 68495 by local searches on the host, 67813 by Jet.)
bool Balanced::is_refined_on_host() const {
  return optimizes_cut() && balance_.num_parts() > most_few_parts;
}

DeviceView<PartId> Balanced::refine(const Hypergraph& h, const DeviceView<PartId>& parts, int level) {
  const auto refined = clock_.time("refinement", [&] {
    return is_refined_on_host() ? refine_on_host(h, parts, level) : refine_on_device(h, parts, level);
  });
  report("refinement", level, h, connectivity_);
  return refined;
}

DeviceView<PartId> Balanced::refine_on_device(const Hypergraph& h, const DeviceView<PartId>& parts,
                                              int level) {
  const JetLimits limits{copy_to_device(space_, "KoHyPar::balanced::capacities", balance_.capacities),
                         static_cast<NodeId>(terminals_.size()), searched_cut_weight()};
  const JetResult result = refine_by_jet(space_, h, parts, limits, options_, level);
  // Relief knows only moves between neighbouring parts; the host packs anew where they are not enough.
  if (result.overload > 0) return refine_on_host(h, parts, level);
  connectivity_ = result.connectivity;
  return parts;
}

/// Sequentially, where the objective is the cut of more than most_few_parts, or parts are above their
/// capacities.
DeviceView<PartId> Balanced::refine_on_host(const Hypergraph& h, const DeviceView<PartId>& parts, int level) {
  const HostLevel host = copy_to_host(space_, h);
  const HostProblem problem = host_problem();
  HostState state(host, problem, on_host(space_, parts), balance_.num_parts());
  repair_balance(host, problem, state);
  search_locally(host, problem, balanced_search, mix(options_.seed, static_cast<std::uint64_t>(level)),
                 state);
  connectivity_ = connectivity_of(host, state.parts());
  return copy_to_device(space_, "KoHyPar::balanced::parts", state.parts());
}

/// By flows on the host where that is worth while.
DeviceView<PartId> Balanced::cut_anew(const Hypergraph& h, const DeviceView<PartId>& parts, int level) {
  const Hypergraph& input = levels_[1].hypergraph;
  const std::optional<PairCutEffort> effort = flow_plan(
      options_, input.num_pins, h.num_pins, has_large_hyperedges(input.num_pins, input.num_hyperedges));
  if (!effort || optimizes_cut() || balance_.num_parts() < 2) return parts;
  const HostLevel host = copy_to_host(space_, h);
  std::vector<PartId> after = on_host(space_, parts);
  const Weight gain = clock_.time("refinement/flows", [&] {
    return refine_by_flows(host, host_problem(), *effort, search_threads(space_, options_.tuning),
                           options_.stop, after);
  });
  if (gain == 0) return parts;
  connectivity_ = connectivity_of(host, after);
  report("flows", level, h, connectivity_);
  return copy_to_device(space_, "KoHyPar::balanced::parts", after);
}

/// The input has the connectivity of the level below it, which has neither fewer weights nor other pins, but
/// for fixed nodes of one part and hyperedges of one node.
Partition Balanced::finish(const Assignment& best) {
  const auto parts = project_parts(space_, levels_[0].to_next, best.parts);
  Partition result;
  result.parts = parts;
  result.num_parts = balance_.num_parts();
  result.connectivity = best.connectivity;
  result.num_levels = static_cast<int>(levels_.size()) - 1;
  result.timings = clock_.timings();
  result.peak_device_bytes = memory_meter::peak();
  return result;
}

}  // namespace

Balance uniform_balance(PartId num_parts, double epsilon, Weight total_size) {
  if (num_parts == 0) throw Error(ErrorKind::usage, "the number of parts must be at least 1");
  if (!(epsilon >= 0)) throw Error(ErrorKind::usage, "the imbalance must not be negative");
  const Weight share = (total_size + static_cast<Weight>(num_parts) - 1) / static_cast<Weight>(num_parts);
  // Adding keeps large shares exact where (1 + epsilon) * share would round them.
  const double extra = epsilon * static_cast<double>(share);
  const double most = static_cast<double>(unlimited / 4);
  const Weight capacity = share + static_cast<Weight>(std::floor(std::min(extra, most)));
  return {std::vector<Weight>(num_parts, capacity), {}};
}

namespace {

Partition run(const ExecutionSpace& space, const Hypergraph& hypergraph, const DeviceView<PartId>& initial,
              const Balance& balance, const Options& options) {
  if (hypergraph.num_nodes == 0) {
    Partition empty;
    empty.num_parts = balance.num_parts();
    return empty;
  }
  const MemoryPool::Scope pool(space, options.memory_limit);
  const Partition result = Balanced(space, balance, options).partition(hypergraph, initial);
  const auto sizes =
      copy_to_host(space, sizes_of_parts(space, hypergraph, result.parts, balance.num_parts()));
  check_balance_reached({sizes.data(), sizes.extent(0)}, balance.capacities);
  return result;
}

void check(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance,
           const Options& options) {
  start_run(options);
  check_balance(space, hypergraph, balance);
}

void check_given(const ExecutionSpace& space, const Hypergraph& hypergraph, const DeviceView<PartId>& initial,
                 PartId num_parts) {
  check_initial(hypergraph, initial);
  PartId largest = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::balanced::largest_part", Kokkos::RangePolicy<ExecutionSpace>(space, 0, hypergraph.num_nodes),
      KOKKOS_LAMBDA(const NodeId n, PartId& most) { most = Kokkos::max(most, initial(n)); },
      Kokkos::Max<PartId>(largest));
  if (hypergraph.num_nodes > 0 && largest >= num_parts)
    throw Error(ErrorKind::usage, "the initial partition has a part " + std::to_string(largest) +
                                      ", but there are " + std::to_string(num_parts) + " parts");
}

}  // namespace

Partition search_balanced(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance,
                          const Options& options) {
  return Balanced(space, balance, options).partition(hypergraph, {});
}

Partition partition(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance,
                    const Options& options) {
  check(space, hypergraph, balance, options);
  return run(space, hypergraph, {}, balance, options);
}

Partition improve(const ExecutionSpace& space, const Hypergraph& hypergraph,
                  const DeviceView<PartId>& initial, const Balance& balance, const Options& options) {
  check(space, hypergraph, balance, options);
  check_given(space, hypergraph, initial, balance.num_parts());
  return run(space, hypergraph, initial, balance, options);
}

}  // namespace kohypar

// Balanced k-way partitioning: coarsening on the device, a memetic search of the core on the host, refinement
// upward. The only file that knows the order of these phases, and the owner of every level.
#include <algorithm>
#include <cmath>
#include <kohypar/error.hpp>
#include <kohypar/partition.hpp>

#include "coarsening/cluster_growth.hpp"
#include "coarsening/contraction.hpp"
#include "coarsening/pairs.hpp"
#include "feasibility.hpp"
#include "host_search/balance.hpp"
#include "host_search/cluster.hpp"
#include "host_search/evolution.hpp"
#include "host_search/owned_level.hpp"
#include "host_search/plan.hpp"
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
// search. (ibm01 and ibm05 x16 with 2 and 4 parts, two seeds, geometric mean: half the nodes, twice the pins
// 117914, this 118055 in 0.4 times the time of the search.)
constexpr PinOffset core_pins = PinOffset{1} << 18, core_pins_of_large = PinOffset{1} << 15;
constexpr std::uint64_t least_core_nodes_per_part = 256;

// While coarsening for k parts, clusters reach the share of so many nodes a part.
constexpr std::uint64_t clusters_per_part = 160;

// How many times as much as connectivity a cut hyperedge counts where that is the objective: connectivity
// still guides the search to hyperedges that are nearly uncut.
constexpr Weight cut_weight = 8;

/// The same as far as objectives stay below 2^62.
Weight bounded_cut_weight(const HostLevel& level) {
  Weight total = 1;
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) total += level.hyperedge_weights(e);
  return std::min(cut_weight, max_total_weight / total);
}

struct Level {
  Hypergraph hypergraph;
  Clustering to_next;  ///< of this level's nodes; empty at the core
};

/// Labels that let a terminal join nobody; empty if there are none.
DeviceView<PartId> terminal_labels(const ExecutionSpace& space, NodeId num_nodes, NodeId num_terminals) {
  if (num_terminals == 0) return {};
  const auto labels = uninitialized<PartId>("KoHyPar::balanced::labels", num_nodes);
  Kokkos::parallel_for(
      "KoHyPar::balanced::labels", Kokkos::RangePolicy<ExecutionSpace>(space, 0, num_nodes),
      KOKKOS_LAMBDA(const NodeId n) { labels(n) = n < num_terminals ? n + 1 : 0; });
  return labels;
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

  Partition partition(const Hypergraph& input) {
    gather_terminals(input);
    while (coarsen_once()) {
    }
    DeviceView<PartId> parts = search_core();
    for (std::size_t i = levels_.size(); i-- > 1;) {
      if (i + 1 < levels_.size()) parts = project_parts(space_, levels_[i].to_next, parts);
      parts = refine(levels_[i].hypergraph, parts, static_cast<int>(i) - 1);
    }
    return finish(input, project_parts(space_, levels_[0].to_next, parts));
  }

 private:
  void gather_terminals(const Hypergraph& input);
  [[nodiscard]] bool is_core(const Hypergraph& h) const;
  bool coarsen_once();
  DeviceView<PartId> search_core();
  DeviceView<PartId> refine(const Hypergraph& h, const DeviceView<PartId>& parts, int level);
  DeviceView<PartId> refine_on_device(const Hypergraph& h, const DeviceView<PartId>& parts, int level,
                                      Weight& connectivity);
  DeviceView<PartId> refine_on_host(const Hypergraph& h, const DeviceView<PartId>& parts, int level,
                                    Weight& connectivity);
  [[nodiscard]] HostProblem host_problem(const HostLevel& level) const;
  /// Rather than connectivity, which is the same for two parts.
  [[nodiscard]] bool optimizes_cut() const {
    return options_.objective == Objective::cut && balance_.num_parts() > 2;
  }
  Partition finish(const Hypergraph& input, const DeviceView<PartId>& parts);
  void report(const char* phase, int level, const Hypergraph& h, Weight connectivity);

  const ExecutionSpace& space_;
  const Balance& balance_;
  const Options& options_;
  PhaseClock clock_;
  std::vector<PartId> terminals_;  ///< part of each of the first nodes below the input
  Weight connectivity_ = 0;        ///< of the level refined last
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

bool Balanced::is_core(const Hypergraph& h) const {
  if (h.num_nodes <= options_.balanced_core_nodes && h.num_pins <= core_pins) return true;
  return h.num_nodes <= std::max<std::uint64_t>(options_.balanced_core_nodes / 4,
                                                least_core_nodes_per_part * balance_.num_parts());
}

bool Balanced::coarsen_once() {
  const Hypergraph h = levels_.back().hypergraph;
  if (is_core(h)) return false;
  const int level = static_cast<int>(levels_.size()) - 2;
  const auto clusters = static_cast<Weight>(clusters_per_part * balance_.num_parts());
  const PairLimits limits{std::max<Weight>(2, h.total_node_size / clusters), unlimited,
                          terminal_labels(space_, h.num_nodes, static_cast<NodeId>(terminals_.size()))};
  const Clustering pairs = cluster_in_pairs(
      space_, clock_, h,
      make_rating(space_, h, mix(options_.seed, static_cast<std::uint64_t>(level)), level, 1), limits,
      options_.candidates, options_.tuning);
  if (!shrinks_enough(h.num_nodes, pairs.num_clusters)) return false;
  levels_.back().to_next = pairs;
  levels_.push_back({clock_.time("coarsening/contraction", [&] { return contract(space_, h, pairs); }), {}});
  report("coarsening", level + 1, levels_.back().hypergraph, -1);
  return true;
}

HostProblem Balanced::host_problem(const HostLevel& level) const {
  HostProblem problem;
  for (const Weight capacity : balance_.capacities)  // no more than can be used: searches add them up
    problem.capacities.push_back(std::min(capacity, levels_[0].hypergraph.total_node_size));
  problem.terminals = terminals_;
  if (optimizes_cut()) problem.cut_weight = bounded_cut_weight(level);
  return problem;
}

DeviceView<PartId> Balanced::search_core() {
  const Hypergraph& core = levels_.back().hypergraph;
  const HostLevel level = copy_to_host(space_, core);
  const bool is_dense = level.num_pins > core_pins;
  const OwnedLevel sparse = is_dense ? OwnedLevel::sparsified(level, core_pins_of_large) : OwnedLevel();
  const HostProblem problem = host_problem(level);
  EvolutionPlan plan = balanced_plan(options_, levels_[1].hypergraph.num_pins, balance_.num_parts());
  plan.threads = search_threads(space_, options_.tuning);
  plan.on_progress = [&](const HostSolution& best) {
    const Weight connectivity = options_.on_progress ? connectivity_of(level, best.parts) : 0;
    report("search", static_cast<int>(levels_.size()) - 2, core, connectivity);
  };
  const auto solutions = clock_.time(
      "search/evolution", [&] { return evolve(is_dense ? sparse.level() : level, problem, plan); });
  return copy_to_device(space_, "KoHyPar::balanced::parts", solutions[0].parts);
}

DeviceView<PartId> Balanced::refine(const Hypergraph& h, const DeviceView<PartId>& parts, int level) {
  const auto refined = clock_.time("refinement", [&] {
    return optimizes_cut() ? refine_on_host(h, parts, level, connectivity_)
                           : refine_on_device(h, parts, level, connectivity_);
  });
  report("refinement", level, h, connectivity_);
  return refined;
}

DeviceView<PartId> Balanced::refine_on_device(const Hypergraph& h, const DeviceView<PartId>& parts, int level,
                                              Weight& connectivity) {
  const JetLimits limits{copy_to_device(space_, "KoHyPar::balanced::capacities", balance_.capacities),
                         static_cast<NodeId>(terminals_.size())};
  const JetResult result = refine_by_jet(space_, h, parts, limits, options_, level);
  // Relief knows only moves between neighbouring parts; the host packs anew where they are not enough.
  if (result.overload > 0) return refine_on_host(h, parts, level, connectivity);
  connectivity = result.connectivity;
  return parts;
}

/// Sequentially, where the objective is the cut, of which Jet knows nothing, or parts are above their
/// capacities.
DeviceView<PartId> Balanced::refine_on_host(const Hypergraph& h, const DeviceView<PartId>& parts, int level,
                                            Weight& connectivity) {
  const HostLevel host = copy_to_host(space_, h);
  const HostProblem problem = host_problem(host);
  const auto start = copy_to_host(space_, parts);
  HostState state(host, problem, {start.data(), start.data() + start.extent(0)}, balance_.num_parts());
  repair_balance(host, problem, state);
  search_locally(host, problem, balanced_search, mix(options_.seed, static_cast<std::uint64_t>(level)),
                 state);
  connectivity = connectivity_of(host, state.parts());
  return copy_to_device(space_, "KoHyPar::balanced::parts", state.parts());
}

/// The input has the connectivity of the level below it, which has neither fewer weights nor other pins, but
/// for fixed nodes of one part and hyperedges of one node.
Partition Balanced::finish(const Hypergraph& input, const DeviceView<PartId>& parts) {
  Partition result;
  result.parts = parts;
  result.num_parts = balance_.num_parts();
  result.connectivity = connectivity_;
  result.num_levels = static_cast<int>(levels_.size()) - 1;
  result.timings = clock_.timings();
  result.peak_device_bytes = memory_meter::peak();
  const auto sizes = copy_to_host(space_, sizes_of_parts(space_, input, parts, balance_.num_parts()));
  check_balance_reached({sizes.data(), sizes.extent(0)}, balance_.capacities);
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

Partition partition(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance,
                    const Options& options) {
  memory_meter::install();
  memory_meter::reset_peak();
  check_options(options);
  check_balance(space, hypergraph, balance);
  if (hypergraph.num_nodes == 0) {
    Partition empty;
    empty.num_parts = balance.num_parts();
    return empty;
  }
  const MemoryPool::Scope pool(space, options.memory_limit);
  return Balanced(space, balance, options).partition(hypergraph);
}

}  // namespace kohypar

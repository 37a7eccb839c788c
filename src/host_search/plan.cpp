#include "host_search/plan.hpp"

#include <algorithm>

#include "host_search/dissolve.hpp"
#include "host_search/local_search.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

bool has_few_gains(NodeId num_nodes, PartId num_parts) {
  return std::uint64_t{num_nodes} * num_parts <= std::uint64_t{1} << 24;
}

std::uint64_t pin_pairs(const HostLevel& level) {
  std::uint64_t pairs = 0;
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) {
    const std::uint64_t cardinality = level.hyperedge_offsets(e + 1) - level.hyperedge_offsets(e);
    pairs += cardinality * std::min<std::uint64_t>(cardinality, largest_followed);
  }
  return pairs;
}

bool is_large(const HostLevel& level) {
  constexpr PinOffset large = PinOffset{1} << 20;
  return level.num_pins > large;
}

bool is_like_circuits(const HostLevel& core, PinOffset input_pins) {
  return 2 * core.num_pins >= input_pins && !has_large_hyperedges(core.num_pins, core.num_hyperedges);
}

EvolutionPlan evolution_plan(const Options& options, PinOffset input_pins, const HostLevel& core,
                             std::uint64_t core_pairs) {
  constexpr std::uint64_t small_budget = 1 << 22, input_share = 6, overhead_of_run = 1 << 14;
  constexpr std::size_t usual_cores = 16;  // a full wave of runs takes no longer than one

  std::uint64_t runs = (small_budget + input_pins / input_share) / (core_pairs + overhead_of_run);
  // (ibm01, ibm05 and ibm10 with two size limits each, geometric mean of km1: 24 runs 0.952 times, 64 runs
  // 0.935 times that of one to ten, as many as above.)
  constexpr std::uint64_t runs_of_circuits = 64;
  if (is_like_circuits(core, input_pins)) runs = std::max(runs, runs_of_circuits);
  if (options.effort == Effort::fast) runs /= 8;
  if (options.effort == Effort::high) runs *= 8;
  runs = std::clamp<std::uint64_t>(runs, 1, 1024);
  EvolutionPlan plan;
  if (runs >= 64) {
    plan.v_cycles = 1;
    plan.generations = 4;
    // The best of a core are much alike, and what the finer level makes of them is not. (vgg11, six seeds: 6
    // finalists crossed once reach 30490 before the finest level, the best 6 of 12 once 30230, twice 30160.)
    plan.finalists = 12;
    plan.finer_generations = 2;
  } else if (runs >= 24) {
    plan.v_cycles = 1;
    plan.generations = 1;
  }
  plan.population = std::max<std::uint64_t>(1, runs / (1 + plan.v_cycles + plan.generations));
  if (plan.population > usual_cores) plan.population -= plan.population % usual_cores;
  if (plan.population > usual_cores) {
    // (vgg11 before the input, mean of seeds 1 to 6: 16 finalists, 8 of them crossed, 29755; 8 and 8 29769;
    // these 29759 in 0.8 times the work.)
    plan.finalists = 8;
  }
  plan.seed = options.seed;
  plan.stop = options.stop;
  return plan;
}

namespace {

// From more parts on, bisections of small hyperedges are better than anything else, and of large ones slower
// and no better.
constexpr PartId bisected_parts = 16;

/// Which of both finds the better parts differs by up to a tenth from circuit to circuit. (Nine circuits with
/// 4, 8 and 16 parts, km1 next to shallow members alone: deep ones alone 1.015; three of each, crossed three
/// times instead of twice, 0.993 in 1.1 times the time.)
std::vector<Coarsening> balanced_coarsenings(PartId num_parts, bool has_large_hyperedges) {
  if (num_parts <= 2) return {Coarsening::shallow};
  if (num_parts > bisected_parts && has_large_hyperedges) return {Coarsening::deep};
  return {Coarsening::shallow, Coarsening::deep};
}

// Balanced problems of more pins are searched by the device rather than on the host.
constexpr PinOffset large_input = PinOffset{1} << 19;

}  // namespace

EvolutionPlan balanced_plan(const Options& options, PinOffset input_pins, bool has_large_hyperedges,
                            PartId num_parts) {
  constexpr PinOffset small_input = PinOffset{1} << 17;
  EvolutionPlan plan;
  // (lenet and rand:16384:127 read as undirected, weights of 32 bits, in 12 and 16 parts: 5.97 M and 117.4 M
  // with short searches, 5.99 M and 117.8 M with long ones; lenet in two parts 1.387 M and 1.354 M.)
  plan.search = has_large_hyperedges && num_parts > 2 ? SearchEffort{} : balanced_search;
  plan.coarsenings = balanced_coarsenings(num_parts, has_large_hyperedges);
  if (num_parts > many_parts && input_pins > small_input && !has_large_hyperedges &&
      options.effort != Effort::high)
    plan.search.rounds = 0;
  if (has_large_hyperedges) {
    plan.population = 6;
    plan.generations = 3;
  } else if (num_parts > bisected_parts && input_pins <= large_input) {
    // (ibm01 and ibm10 with 32, 64 and 128 parts, geometric mean of km1 next to Mt-KaHyPar's: six members
    // crossed twice 1.027; one, the best of 2, 3, 4 and 6 bisections of each side, 1.010, 0.999, 0.998 and
    // 0.997 in half the time or less.)
    plan.search.bisections = 6;
  } else if (num_parts <= many_parts && input_pins > large_input) {
    // Crossings gain nothing that Jet would not find on the way up. (ibm01 and ibm05 x16 with 2 and 4 parts,
    // two seeds, geometric mean: a population of 8 crossed once 118085, 16 not crossed 117926 in half the
    // time.)
    plan.population = 16;
  } else if (num_parts <= many_parts) {
    // (Nine circuits with 2, 4, 8 and 16 parts, geometric mean of km1 next to Mt-KaHyPar's of three
    // seeds: a V-cycle of each and three crossings 0.976, and two 0.977 in 243 s in all, no V-cycle and two
    // 0.978 in 215 s.)
    plan.population = 6;
    plan.generations = num_parts > 2 ? 3 : 2;
  }
  if (options.effort == Effort::fast) {
    plan.population = std::max<std::size_t>(1, plan.population / 3);
    plan.generations = std::min<std::size_t>(plan.generations, 1);
    plan.search.bisections = std::max<std::size_t>(1, plan.search.bisections / 3);
  }
  if (options.effort == Effort::high) {
    plan.population *= 4;
    plan.v_cycles = 1;
    plan.generations += 5;
  }
  plan.seed = options.seed;
  plan.stop = options.stop;
  return plan;
}

std::optional<PairCutEffort> flow_plan(const Options& options, PinOffset input_pins, PinOffset level_pins,
                                       bool has_large_hyperedges) {
  const bool is_high = options.effort == Effort::high;
  // (ibm01 x16 with 2, 4 and 16 parts, flows on the core or everywhere: 0.9996 and 1.002 times the
  // connectivity in 1.3 to 4 times the time, for the 16 copies hardly meet.)
  const PinOffset pins = has_large_hyperedges ? level_pins : input_pins;
  const PinOffset most = has_large_hyperedges ? 2 * large_input : large_input;
  if (options.effort == Effort::fast || pins > (is_high ? 2 * most : most)) return std::nullopt;
  PairCutEffort effort;
  if (is_high) {
    effort.hops = 3;
    effort.visits_per_arc *= 8;
  }
  return effort;
}

HostThreads search_threads(const ExecutionSpace& space, const Tuning& tuning) {
  HostThreads threads{tuning.host_threads};
  if (threads.count == 0 && runs_on_host) threads.count = static_cast<unsigned>(space.concurrency());
  return threads;
}

void keep_distinct(std::vector<HostSolution>& solutions, std::size_t count) {
  const auto end =
      std::unique(solutions.begin(), solutions.end(),
                  [](const HostSolution& a, const HostSolution& b) { return a.objective == b.objective; });
  solutions.resize(std::min<std::size_t>(static_cast<std::size_t>(end - solutions.begin()), count));
}

HostSolution best_by_price(const std::vector<HostSolution>& solutions, const Limits& limits) {
  const HostSolution& best =
      *std::min_element(solutions.begin(), solutions.end(),
                        [&](const HostSolution& a, const HostSolution& b) { return better(a, b, limits); });
  const Weight price = part_price(best.objective, best.num_parts);
  const auto cost = [&](const HostSolution& s) {
    return s.objective + price * static_cast<Weight>(s.num_parts);
  };
  return *std::min_element(
      solutions.begin(), solutions.end(), [&](const HostSolution& a, const HostSolution& b) {
        const bool few_a = a.num_parts <= limits.max_parts, few_b = b.num_parts <= limits.max_parts;
        return few_a != few_b ? few_a : cost(a) < cost(b);
      });
}

}  // namespace kohypar

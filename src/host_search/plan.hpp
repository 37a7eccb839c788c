// Whether and how much to search on the host: by sizes and options alone, never by the machine.
#pragma once

#include <kohypar/options.hpp>
#include <optional>

#include "host_search/evolution.hpp"
#include "host_search/pair_cut.hpp"

namespace kohypar {

/// Whether nodes times parts stay within 2^24: no HostState then keeps more shares than that, 16 bytes each.
bool has_few_gains(NodeId num_nodes, PartId num_parts);

/// Pairs of pins that share a hyperedge, each counted twice, as far as a local search follows them: what a
/// run on the host takes is about proportional to it.
std::uint64_t pin_pairs(const HostLevel& level);

/// Whether a level above the core has so many pins that solutions are only settled there: a search of it
/// takes long, and what they differ by they have from coarser levels. (vgg11 on a level of 2.1 M pins, mean
/// of seeds 1 to 4: all 10 searched and crossed twice 29943 in 640 ms, four and not crossed 29920 in 120 ms,
/// one round the same; dissolution found nothing in another 40 ms.)
bool is_large(const HostLevel& level);

/// Whether a core has small hyperedges and is not much smaller than the input, as of circuits. Its HostState
/// keeps few shares whatever the parts are, for few nodes are neighbours.
bool is_like_circuits(const HostLevel& core, PinOffset input_pins);

/// How many sequential runs are worth while: in sum about as much work as a fraction of the input is, and
/// enough for small inputs; many where a core has small hyperedges and is not much smaller than the input, as
/// of circuits. (lenet: 46 runs, 20 ms on 16 cores.)
/// @param core_pairs pin_pairs(core)
EvolutionPlan evolution_plan(const Options& options, PinOffset input_pins, const HostLevel& core,
                             std::uint64_t core_pairs);

/// How long a local search of a balanced problem is: fewer, longer ones than of constrained problems.
inline constexpr SearchEffort balanced_search{.rounds = 4, .seeds = 200, .fruitless_moves = 50};

/// Into more parts than this all but small inputs are only bisected, and all else is left to the device:
/// crossings found next to nothing, and Jet ends lower from the bisections than from local searches of them.
/// (ibm10 with 256 parts: two members, crossed, 28541; one, searched in four rounds, in one, in none 28491,
/// 28324, 28214.)
inline constexpr PartId many_parts = 128;

/// The same for balanced problems: small inputs are searched in a number of runs; of large ones, which the
/// device refines on many levels, the core hardly matters, unless hyperedges are large.
EvolutionPlan balanced_plan(const Options& options, PinOffset input_pins, bool has_large_hyperedges,
                            PartId num_parts);

/// How to look for smaller cuts between parts of a level by flow, if that is worth while: of small inputs on
/// all levels, of inputs with large hyperedges on small levels, twice as large ones for a high effort.
std::optional<PairCutEffort> flow_plan(const Options& options, PinOffset input_pins, PinOffset level_pins,
                                       bool has_large_hyperedges);

/// The threads that search: those of the options, else as many as the execution space has if it is the
/// host's, else as many as the machine has. A plan does not set them, for no result depends on them.
HostThreads search_threads(const ExecutionSpace& space, const Tuning& tuning);

/// Keeps the first `count` of sorted solutions of different objective.
void keep_distinct(std::vector<HostSolution>& solutions, std::size_t count);

/// The best solution if one part fewer is worth its part_price.
HostSolution best_by_price(const std::vector<HostSolution>& solutions, const Limits& limits);

}  // namespace kohypar

#include "refinement/refine.hpp"

#include <algorithm>
#include <kohypar/error.hpp>

#include "parallel/hash.hpp"
#include "parallel/scan.hpp"
#include "refinement/colored_round.hpp"
#include "refinement/event_round.hpp"
#include "refinement/events.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// On large levels, where a round costs time, rounds that gain less than this fraction of the connectivity
/// count as idle. (vgg11's finest level goes from 32401 to 31897.8 in two rounds and to 31892.3 in ten more.)
constexpr PinOffset large_level_pins = PinOffset{1} << 18;
constexpr Weight idle_fraction = 4096;

/// Even rounds also propose moves into full parts, for others may leave them in the same round; odd rounds
/// find what fits anywhere as it is. Moves that lose by themselves are worth proposing early: what moves
/// along with them can make up for it. (On rand:16384:127, Ω 1024, Δ 4096, alternating reaches 456377 in 16
/// rounds, two halves 462944, full targets alone 464055.)
ProposalRules rules_of_round(int round, int num_rounds, bool losses_pay, std::uint64_t seed) {
  constexpr int first_loss_percent = 50;
  const int remaining = num_rounds - 2 * round;  // no losses in the second half
  const int loss = losses_pay && remaining > 0 ? first_loss_percent * remaining / num_rounds : 0;
  return {round % 2 == 0, loss, mix(seed, static_cast<std::uint64_t>(round))};
}

void report_progress(const Options& options, const Hypergraph& h, const PartitionState& state, int level) {
  if (!options.on_progress) return;
  options.on_progress(
      {"refinement", level, h.num_nodes, h.num_hyperedges, h.num_pins, state.num_parts, state.connectivity});
}

#ifndef NDEBUG
void check_state(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state) {
  const PartitionState fresh = build_state(space, h, state.parts, state.num_parts);
  std::size_t differences = fresh.connectivity != state.connectivity ? 1 : 0;
  const auto sizes = state.sizes, inbound = state.inbound;
  const auto fresh_sizes = fresh.sizes, fresh_inbound = fresh.inbound;
  std::size_t different_parts = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::check", Range(space, 0, state.num_parts),
      KOKKOS_LAMBDA(const std::size_t p, std::size_t& sum) {
        sum += sizes(p) != fresh_sizes(p) || inbound(p) != fresh_inbound(p) ? 1 : 0;
      },
      different_parts);
  if (differences + different_parts > 0)
    throw Error(ErrorKind::internal, "refinement: the tracked state differs from a fresh count");
}
#endif

void begin_round(const Options& options) {
  if (options.stop != nullptr && options.stop->load())
    throw Error(ErrorKind::interrupted, "interrupted during refinement");
}

void end_round(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
               const Options& options, int level) {
#ifndef NDEBUG
  check_state(space, h, state);
#else
  (void)space;
#endif
  report_progress(options, h, state, level);
}

void refine_by_events(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                      const Limits& limits, const Options& options, int level) {
  const std::uint64_t seed = mix(options.seed, static_cast<std::uint64_t>(level));
  bool losses_pay = true;
  int idle_rounds = 0;
  for (int round = 0; round < options.refinement_rounds; ++round) {
    begin_round(options);
    const auto rules = rules_of_round(round, options.refinement_rounds, losses_pay, seed);
    const Weight before = state.connectivity;
    const bool changed = run_event_round(space, h, state, limits, rules, options);
    end_round(space, h, state, options, level);
    const bool large = h.num_pins >= large_level_pins;
    const Weight gain = before - state.connectivity;  // negative where limits were repaired
    const bool idle = !changed || (large && gain >= 0 && gain < before / idle_fraction);
    idle_rounds = idle ? idle_rounds + 1 : 0;
    if (idle_rounds < 2) continue;
    if (rules.loss_percent == 0) break;
    losses_pay = false;
    idle_rounds = 0;
  }
}

// Hyperedges of more pins than this don't make moves conflict, and a round gives so many colours at most.
constexpr ConflictRules conflict_rules{.max_pins = 64, .num_colors = 64};

/// What a unit of size and an inbound hyperedge weigh on the average.
struct MeanWeights {
  Weight per_size;
  Weight per_inbound;
};

MeanWeights mean_weights(const ExecutionSpace& space, const Hypergraph& h) {
  const auto offsets = h.hyperedge_offsets;
  const auto weights = h.hyperedge_weights, multiplicities = h.multiplicities;
  Weight incident = 0, total = 0, hyperedges = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::mean_weights", Range(space, 0, h.num_hyperedges),
      KOKKOS_LAMBDA(const std::size_t e, Weight& pins, Weight& sum, Weight& count) {
        pins += weights(e) * static_cast<Weight>(offsets(e + 1) - offsets(e));
        sum += weights(e);
        count += multiplicities(e);
      },
      incident, total, hyperedges);
  return {incident / std::max<Weight>(h.total_node_size, 1), total / std::max<Weight>(hyperedges, 1)};
}

/// The size limit is 5 % higher at first and comes down to the limit by the middle of the rounds, while the
/// price of what stands above the limit rises.
struct Elasticity {
  Weight extra_size;
  Weight overfill_price;
};

/// value * part / whole without overflow, for part <= whole.
Weight share_of(Weight value, Weight part, Weight whole) {
  return value / whole * part + value % whole * part / whole;
}

Elasticity elasticity_of_round(int round, int num_rounds, const Hypergraph& h, const Limits& limits,
                               Weight price) {
  const int elastic_rounds = num_rounds / 2;
  if (round >= elastic_rounds || limits.max_size >= h.total_node_size) return {0, 0};
  return {share_of(limits.max_size / 20, elastic_rounds - round, elastic_rounds),
          share_of(price, round + 1, elastic_rounds)};
}

/// The best partition so far, to end with.
struct Best {
  DeviceView<PartId> parts;
  Weight violations, connectivity;
};

/// Fewer violated limits first, then connectivity.
void keep_better(const ExecutionSpace& space, const PartitionState& state, const Limits& limits, Best& best) {
  const Weight violations = count_violations(space, state, limits);
  if (violations > best.violations ||
      (violations == best.violations && state.connectivity >= best.connectivity))
    return;
  Kokkos::deep_copy(space, best.parts, state.parts);
  best.violations = violations;
  best.connectivity = state.connectivity;
}

bool is_best(const ExecutionSpace& space, const PartitionState& state, const Limits& limits,
             const Best& best) {
  return count_violations(space, state, limits) == best.violations && state.connectivity == best.connectivity;
}

void refine_by_coloring(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                        const Limits& limits, const Options& options, int level) {
  const std::uint64_t seed = mix(options.seed, static_cast<std::uint64_t>(level));
  const MeanWeights mean = mean_weights(space, h);
  Best best{uninitialized<PartId>("KoHyPar::refine::best", h.num_nodes), unlimited, 0};
  keep_better(space, state, limits, best);
  const int rounds = options.refinement_rounds;
  int idle_rounds = 0;
  for (int round = 0; round < rounds && idle_rounds < 2; ++round) {
    begin_round(options);
    const Elasticity elastic = elasticity_of_round(round, rounds, h, limits, mean.per_size);
    Limits round_limits = limits;
    round_limits.max_size += elastic.extra_size;
    ProposalRules rules = rules_of_round(round, rounds, true, seed);
    rules.allow_full_targets = false;
    rules.terms = {limits.max_size, elastic.overfill_price, mean.per_inbound};
    const bool changed =
        run_colored_round(space, h, state, round_limits, rules, conflict_rules, options.tuning);
    end_round(space, h, state, options, level);
    keep_better(space, state, limits, best);
    idle_rounds = changed ? 0 : idle_rounds + 1;
  }
  if (!is_best(space, state, limits, best)) state = build_state(space, h, best.parts, state.num_parts);
}

}  // namespace

void refine(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
            const Limits& limits, const Options& options, int level) {
  if (options.refinement == RefinementMethod::coloring) {
    refine_by_coloring(space, hypergraph, state, limits, options, level);
  } else {
    refine_by_events(space, hypergraph, state, limits, options, level);
  }
  drop_empty_parts(space, hypergraph, state);
}

}  // namespace kohypar

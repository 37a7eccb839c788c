#include "refinement/refine.hpp"

#include <kohypar/error.hpp>
#include <limits>

#include "parallel/hash.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/admission.hpp"
#include "refinement/chains.hpp"
#include "refinement/events.hpp"
#include "refinement/proposals.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// How many incidences the moves of one round may have in sum: some 128 bytes of temporary memory each. A
/// constant, for a result must not depend on the machine.
constexpr PinOffset most_incidences = PinOffset{1} << 26;

/// On large levels, where a round costs time, rounds that gain less than this fraction of the connectivity
/// count as idle. (vgg11's finest level goes from 32401 to 31897.8 in two rounds and to 31892.3 in ten more.)
constexpr PinOffset large_level_pins = PinOffset{1} << 18;
constexpr Weight idle_fraction = 4096;

/// Positions of the moves by descending gain, then position.
DeviceView<std::uint32_t> by_gain(const ExecutionSpace& space, const Moves& moves) {
  const auto gains = moves.gains;
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::refine::keys", moves.size());
  const auto positions = all_ids(space, static_cast<std::uint32_t>(moves.size()));
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<Weight>::max());
  Kokkos::parallel_for(
      "KoHyPar::refine::keys", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i) { keys(i) = highest - static_cast<std::uint64_t>(gains(i)); });
  stable_sort_by_key(space, keys, positions, 64);
  return positions;
}

/// The moves of highest gain whose nodes together have at most `budget` incidences.
Moves within_budget(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves, PinOffset budget) {
  const auto offsets = h.node_offsets;
  const auto nodes = moves.nodes;
  PinOffset total = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::incidences", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i, PinOffset& sum) {
        sum += offsets(nodes(i) + std::size_t{1}) - offsets(nodes(i));
      },
      total);
  if (total <= budget) return moves;
  const Moves sorted = choose_moves(space, moves, by_gain(space, moves));
  const auto sorted_nodes = sorted.nodes;
  const auto before = offsets_from_counts(
      space, "KoHyPar::refine::incidences", sorted.size(),
      KOKKOS_LAMBDA(const std::size_t i) {
        return offsets(sorted_nodes(i) + std::size_t{1}) - offsets(sorted_nodes(i));
      },
      total);
  const auto kept = select(
      space, "KoHyPar::refine::within_budget", sorted.size(),
      KOKKOS_LAMBDA(const std::size_t i) { return before(i + 1) <= budget; });
  return choose_moves(space, sorted, kept);
}

bool violates(const ExecutionSpace& space, const PartitionState& state, const Limits& limits) {
  const auto sizes = state.sizes, inbound = state.inbound;
  std::size_t violations = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::violations", Range(space, 0, state.num_parts),
      KOKKOS_LAMBDA(const std::size_t p, std::size_t& sum) {
        sum += sizes(p) > limits.max_size || inbound(p) > limits.max_inbound ? 1 : 0;
      },
      violations);
  return violations > 0;
}

/// Length of the shortest prefix of largest total gain; 0 if none gains.
std::size_t best_gaining_prefix(const ExecutionSpace& space, const Moves& moves) {
  const auto totals = uninitialized<Weight>("KoHyPar::refine::totals", moves.size());
  Kokkos::deep_copy(space, totals, moves.gains);
  inclusive_sums(space, "KoHyPar::refine::totals", totals);
  Weight most = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::most", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i, Weight& best) { best = Kokkos::max(best, totals(i)); },
      Kokkos::Max<Weight>(most));
  if (most <= 0) return 0;
  std::size_t last = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::last", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& first) {
        if (totals(i) == most && i < first) first = i;
      },
      Kokkos::Min<std::size_t>(last));
  return last + 1;
}

/// One round; returns whether it changed anything.
bool run_round(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state, const Limits& limits,
               const ProposalRules& rules, const Options& options) {
  const Moves proposed =
      within_budget(space, h, propose_moves(space, h, state, limits, rules, options.tuning), most_incidences);
  const Moves sequence = sequence_by_chains(space, h, state, proposed);
  const Moves admitted = admit_moves(space, h, state, sequence, limits, admission_chunk(state.num_parts));
  const std::size_t count = violates(space, state, limits)
                                ? best_valid_prefix(space, h, state, admitted, limits).length
                                : best_gaining_prefix(space, admitted);
  apply_moves(space, h, admitted, count, state);
  return count > 0;
}

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

}  // namespace

void refine(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
            const Limits& limits, const Options& options, int level, bool settled) {
  const std::uint64_t seed = mix(options.seed, static_cast<std::uint64_t>(level));
  bool losses_pay = !settled;
  const int most_idle = settled ? 1 : 2;
  int idle_rounds = 0;
  for (int round = 0; round < options.refinement_rounds; ++round) {
    if (options.stop != nullptr && options.stop->load())
      throw Error(ErrorKind::interrupted, "interrupted during refinement");
    const auto rules = rules_of_round(round, options.refinement_rounds, losses_pay, seed);
    const Weight before = state.connectivity;
    const bool changed = run_round(space, hypergraph, state, limits, rules, options);
#ifndef NDEBUG
    check_state(space, hypergraph, state);
#endif
    report_progress(options, hypergraph, state, level);
    const bool large = hypergraph.num_pins >= large_level_pins;
    const Weight gain = before - state.connectivity;  // negative where limits were repaired
    const bool idle = !changed || (large && gain >= 0 && gain < before / idle_fraction);
    idle_rounds = idle ? idle_rounds + 1 : 0;
    if (idle_rounds < most_idle) continue;
    if (rules.loss_percent == 0) break;
    losses_pay = false;
    idle_rounds = 0;
  }
  drop_empty_parts(space, hypergraph, state);
}

}  // namespace kohypar

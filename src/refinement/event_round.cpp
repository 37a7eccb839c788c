#include "refinement/event_round.hpp"

#include <limits>

#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/admission.hpp"
#include "refinement/chains.hpp"
#include "refinement/events.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// How many incidences the moves of one round may have in sum: some 128 bytes of temporary memory each. A
/// constant, for a result must not depend on the machine.
constexpr PinOffset most_incidences = PinOffset{1} << 26;

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

}  // namespace

bool run_event_round(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                     const Limits& limits, const ProposalRules& rules, const Options& options) {
  const Moves proposed =
      within_budget(space, h, propose_moves(space, h, state, limits, rules, options.tuning), most_incidences);
  const Moves sequence = options.leave_out.chaining ? choose_moves(space, proposed, by_gain(space, proposed))
                                                    : sequence_by_chains(space, h, state, proposed);
  const Moves admitted = admit_moves(space, h, state, sequence, limits, admission_chunk(state.num_parts));
  const std::size_t count = count_violations(space, state, limits) > 0
                                ? best_valid_prefix(space, h, state, admitted, limits).length
                                : best_gaining_prefix(space, admitted);
  apply_moves(space, h, admitted, count, state);
  return count > 0;
}

}  // namespace kohypar

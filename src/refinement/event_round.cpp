#include "refinement/event_round.hpp"

#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/admission.hpp"
#include "refinement/chains.hpp"
#include "refinement/events.hpp"
#include "refinement/move_order.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// Length of the shortest prefix of largest total gain; 0 if none gains.
std::size_t best_gaining_prefix(const ExecutionSpace& space, const Moves& moves) {
  const auto totals = copy_of(space, "KoHyPar::refine::totals", moves.gains);
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
      within_budget(space, h, propose_moves(space, h, state, limits, rules, options.tuning));
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

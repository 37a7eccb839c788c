#include "refinement/jet.hpp"

#include <kohypar/error.hpp>

#include "parallel/bits.hpp"
#include "parallel/hash.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/events.hpp"
#include "refinement/move_order.hpp"
#include "refinement/proposals.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Flags = DeviceView<std::uint32_t>;

// Each temperature until so many rounds in a row gain less than a thousandth. (ibm10 x16 with 2 and 4 parts:
// three temperatures and 8 idle rounds 328.8 k and 691.2 k; 5 and 8 324.3 k and 687.7 k; 5 and 5 324.5 k and
// 688.1 k in three quarters of the time.)
constexpr int temperatures[] = {75, 56, 37, 18, 0};
constexpr int most_idle_rounds = 5;
constexpr Weight idle_fraction = 1000;

constexpr int most_relief_rounds = 16;

/// Terminals are excluded for good.
Flags terminal_flags(const ExecutionSpace& space, NodeId num_nodes, NodeId num_terminals) {
  const auto flags = uninitialized<std::uint32_t>("KoHyPar::jet::excluded", num_nodes);
  Kokkos::parallel_for(
      "KoHyPar::jet::terminals", Range(space, 0, num_nodes),
      KOKKOS_LAMBDA(const std::size_t n) { flags(n) = n < num_terminals ? 1 : 0; });
  return flags;
}

void exclude(const ExecutionSpace& space, const Moves& moves, const Flags& flags) {
  const auto nodes = moves.nodes;
  Kokkos::parallel_for(
      "KoHyPar::jet::exclude", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i) { flags(nodes(i)) = 1; });
}

/// The moves of a round: those that lose nothing given that all of higher gain go ahead. (Without moves that
/// gain nothing either, ibm01 x16 with 2 and 4 parts ends 1 % higher.)
Moves afterburned(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                  const Moves& proposed) {
  const Moves sequence = choose_moves(space, proposed, by_gain(space, proposed));
  const auto gains = in_sequence_gains(space, h, state, sequence);
  return choose_moves(space, sequence,
                      select(
                          space, "KoHyPar::jet::afterburner", sequence.size(),
                          KOKKOS_LAMBDA(const std::size_t i) { return gains(i) >= 0; }));
}

/// Gains become what the moves gain, or lose by unit of size.
void weigh_by_size(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves) {
  constexpr Weight precision = 256, safe = Weight{1} << 50;
  const auto gains = moves.gains;
  const auto nodes = moves.nodes;
  const auto sizes = h.node_sizes;
  Kokkos::parallel_for(
      "KoHyPar::jet::weigh_by_size", Range(space, 0, moves.size()), KOKKOS_LAMBDA(const std::size_t i) {
        const Weight loss = -gains(i);
        if (loss <= 0) return;
        gains(i) = -(loss < safe ? loss * precision / sizes(nodes(i)) : loss / sizes(nodes(i)) * precision);
      });
}

/// Of moves in order, by the part that `part_of` gives each, those before which less than limits(part) has
/// been moved, if `excess`; else those up to which no more than that has.
template <class PartOf>
Moves within(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves, PartId num_parts,
             const DeviceView<Weight>& limits, bool excess, const PartOf& part_of) {
  const std::size_t n = moves.size();
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::jet::keys", n);
  const auto positions = all_ids(space, static_cast<std::uint32_t>(n));
  Kokkos::parallel_for(
      "KoHyPar::jet::keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) { keys(i) = part_of(i); });
  stable_sort_by_key(space, keys, positions, bits_for(num_parts));
  const Moves sorted = choose_moves(space, moves, positions);
  const auto sizes = uninitialized<Weight>("KoHyPar::jet::sizes", n);
  const auto node_sizes = h.node_sizes;
  const auto nodes = sorted.nodes;
  Kokkos::parallel_for(
      "KoHyPar::jet::sizes", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { sizes(i) = node_sizes(nodes(i)); });
  const auto starts = last_marked(
      space, "KoHyPar::jet::segments", n,
      KOKKOS_LAMBDA(const std::size_t i) { return i == 0 || keys(i) != keys(i - 1); });
  const auto sums = segmented_sums(space, "KoHyPar::jet::sums", sizes, starts);
  const auto kept = select(
      space, "KoHyPar::jet::within", n, KOKKOS_LAMBDA(const std::size_t i) {
        const Weight sum = sums(i), limit = limits(keys(i));
        return excess ? sum - node_sizes(nodes(i)) < limit : sum <= limit;
      });
  return choose_moves(space, sorted, kept);
}

/// capacity - size of every part, or the other way round.
DeviceView<Weight> differences(const ExecutionSpace& space, const PartitionState& state,
                               const DeviceView<Weight>& capacities, Weight sign) {
  const auto result = uninitialized<Weight>("KoHyPar::jet::differences", state.num_parts);
  const auto sizes = state.sizes;
  Kokkos::parallel_for(
      "KoHyPar::jet::differences", Range(space, 0, state.num_parts),
      KOKKOS_LAMBDA(const std::size_t p) { result(p) = sign * (capacities(p) - sizes(p)); });
  return result;
}

/// One round of relief. Returns whether anything moved.
bool relieve_once(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                  const JetLimits& limits, const Flags& terminals, std::uint64_t seed, const Tuning& tuning) {
  ProposalRules rules;
  rules.allow_full_targets = false;
  rules.round_seed = seed;
  rules.capacities = limits.capacities;
  rules.excluded = terminals;
  rules.only_overloaded = true;
  const Moves proposed = propose_moves(space, h, state, Limits{}, rules, tuning);
  const auto node_sizes = h.node_sizes;
  const auto proposed_nodes = proposed.nodes;
  const Moves weighty =
      choose_moves(space, proposed,
                   select(
                       space, "KoHyPar::jet::weighty", proposed.size(),
                       KOKKOS_LAMBDA(const std::size_t i) { return node_sizes(proposed_nodes(i)) > 0; }));
  if (weighty.size() == 0) return false;
  weigh_by_size(space, h, weighty);
  const Moves sorted = choose_moves(space, weighty, by_gain(space, weighty));
  const auto parts = state.parts;
  const auto nodes = sorted.nodes;
  const Moves leaving = within(
      space, h, sorted, state.num_parts, differences(space, state, limits.capacities, -1), true,
      KOKKOS_LAMBDA(const std::size_t i) { return parts(nodes(i)); });
  const auto targets = leaving.targets;
  const Moves moves = within(
      space, h, leaving, state.num_parts, differences(space, state, limits.capacities, 1), false,
      KOKKOS_LAMBDA(const std::size_t i) { return targets(i); });
  apply_moves(space, h, moves, moves.size(), state);
  return moves.size() > 0;
}

/// The best state so far: balanced before not, then by connectivity.
class BestState {
 public:
  BestState(const ExecutionSpace& space, const PartitionState& state, Weight overload)
      : parts_(uninitialized<PartId>("KoHyPar::jet::best", state.parts.extent(0))) {
    keep(space, state, overload);
  }

  /// Whether a state is better, and then keeps it.
  bool offer(const ExecutionSpace& space, const PartitionState& state, Weight overload) {
    if (overload > overload_ || (overload == overload_ && state.connectivity >= connectivity_)) return false;
    keep(space, state, overload);
    return true;
  }

  /// Goes back to it.
  void restore(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state) {
    if (is_current_) return;
    Kokkos::deep_copy(space, state.parts, parts_);
    state = build_state(space, h, state.parts, state.num_parts, false);
    is_current_ = true;
  }

  /// The state is about to change.
  void leave() { is_current_ = false; }
  [[nodiscard]] Weight connectivity() const { return connectivity_; }
  [[nodiscard]] Weight overload() const { return overload_; }

 private:
  void keep(const ExecutionSpace& space, const PartitionState& state, Weight overload) {
    Kokkos::deep_copy(space, parts_, state.parts);
    connectivity_ = state.connectivity;
    overload_ = overload;
    is_current_ = true;
  }

  DeviceView<PartId> parts_;
  Weight connectivity_ = 0, overload_ = 0;
  bool is_current_ = true;  // whether the state is still the one kept
};

}  // namespace

Weight overload_of(const ExecutionSpace& space, const PartitionState& state,
                   const DeviceView<Weight>& capacities) {
  const auto sizes = state.sizes;
  Weight overload = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::jet::overload", Range(space, 0, state.num_parts),
      KOKKOS_LAMBDA(const std::size_t p, Weight& sum) {
        sum += sizes(p) > capacities(p) ? sizes(p) - capacities(p) : 0;
      },
      overload);
  return overload;
}

Weight relieve_overload(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                        const JetLimits& limits, std::uint64_t seed, const Tuning& tuning) {
  Weight overload = overload_of(space, state, limits.capacities);
  if (overload == 0) return 0;
  const Flags terminals = terminal_flags(space, hypergraph.num_nodes, limits.num_terminals);
  for (int round = 0; round < most_relief_rounds && overload > 0; ++round) {
    if (!relieve_once(space, hypergraph, state, limits, terminals,
                      mix(seed, static_cast<std::uint64_t>(round)), tuning))
      break;
    overload = overload_of(space, state, limits.capacities);
  }
  return overload;
}

void refine_by_jet(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                   const JetLimits& limits, const Options& options, int level) {
  std::uint64_t seed = mix(options.seed, static_cast<std::uint64_t>(level));
  BestState best(space, state, relieve_overload(space, h, state, limits, seed, options.tuning));
  for (const int temperature : temperatures) {
    Flags excluded = terminal_flags(space, h.num_nodes, limits.num_terminals);
    for (int idle = 0; idle < most_idle_rounds; ++idle) {
      if (options.stop != nullptr && options.stop->load())
        throw Error(ErrorKind::interrupted, "interrupted during refinement");
      seed = mix(seed);
      ProposalRules rules;
      rules.round_seed = seed;
      rules.stay_percent = temperature;
      rules.excluded = excluded;
      const Moves moves = afterburned(
          space, h, state,
          within_budget(space, h, propose_moves(space, h, state, Limits{}, rules, options.tuning)));
      if (moves.size() == 0 && idle > 0) break;
      best.leave();
      apply_moves(space, h, moves, moves.size(), state);
      excluded = terminal_flags(space, h.num_nodes, limits.num_terminals);
      exclude(space, moves, excluded);
      const Weight overload = relieve_overload(space, h, state, limits, seed, options.tuning);
      const Weight before = best.connectivity(), overload_before = best.overload();
      if (best.offer(space, state, overload) &&
          (best.overload() < overload_before || before - best.connectivity() > before / idle_fraction))
        idle = -1;
    }
    best.restore(space, h, state);
  }
}

}  // namespace kohypar

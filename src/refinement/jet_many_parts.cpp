// Jet where parts may be many: what hyperedges have of them stands in lists, and moves are sorted.
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/events.hpp"
#include "refinement/jet_state.hpp"
#include "refinement/move_order.hpp"
#include "refinement/proposals.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Flags = DeviceView<std::uint32_t>;

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

/// The moves of a round.
Moves afterburned(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                  const Moves& proposed) {
  const Moves sequence = choose_moves(space, proposed, by_gain(space, proposed));
  const auto gains = in_sequence_gains(space, h, state, sequence);
  return choose_moves(space, sequence,
                      select(
                          space, "KoHyPar::jet::afterburner", sequence.size(),
                          KOKKOS_LAMBDA(const std::size_t i) { return gains(i) >= 0; }));
}

/// Gains become such that the moves of lowest rank have the highest.
void gain_by_rank(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves) {
  const auto gains = moves.gains;
  const auto nodes = moves.nodes;
  const auto sizes = h.node_sizes;
  Kokkos::parallel_for(
      "KoHyPar::jet::gain_by_rank", Range(space, 0, moves.size()), KOKKOS_LAMBDA(const std::size_t i) {
        gains(i) = -static_cast<Weight>(rank_of_relief(gains(i), sizes(nodes(i))));
      });
}

/// Of moves in order, by the part that `part_of` gives each, those before which less than limits(part) has
/// been moved, if `excess`; else those up to which no more than that has. In the same order.
template <class PartOf>
Moves within(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves, PartId num_parts,
             const DeviceView<Weight>& limits, bool excess, const PartOf& part_of) {
  const std::size_t n = moves.size();
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::jet::keys", n);
  const auto positions = all_ids(space, static_cast<std::uint32_t>(n));
  Kokkos::parallel_for(
      "KoHyPar::jet::keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) { keys(i) = part_of(i); });
  stable_sort_by_key(space, keys, positions, bits_for(num_parts));
  const auto sizes = uninitialized<Weight>("KoHyPar::jet::sizes", n);
  const auto node_sizes = h.node_sizes;
  const auto nodes = moves.nodes;
  Kokkos::parallel_for(
      "KoHyPar::jet::sizes", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { sizes(i) = node_sizes(nodes(positions(i))); });
  const auto starts = last_marked(
      space, "KoHyPar::jet::segments", n,
      KOKKOS_LAMBDA(const std::size_t i) { return i == 0 || keys(i) != keys(i - 1); });
  const auto sums = segmented_sums(space, "KoHyPar::jet::sums", sizes, starts);
  const auto kept = uninitialized<std::uint32_t>("KoHyPar::jet::within", n);
  Kokkos::parallel_for(
      "KoHyPar::jet::within", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const Weight sum = sums(i), limit = limits(keys(i));
        const bool is_within = excess ? sum - node_sizes(nodes(positions(i))) < limit : sum <= limit;
        kept(positions(i)) = is_within ? 1 : 0;
      });
  return choose_moves(
      space, moves,
      select(
          space, "KoHyPar::jet::within", n, KOKKOS_LAMBDA(const std::size_t i) { return kept(i) != 0; }));
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

/// Nodes of parts above their capacities, by where they should rather go, in order of rank.
Moves relief_moves(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                   const JetLimits& limits, std::uint64_t seed, const Tuning& tuning) {
  ProposalRules rules;
  rules.allow_full_targets = false;
  rules.round_seed = seed;
  rules.capacities = limits.capacities;
  rules.excluded = terminal_flags(space, h.num_nodes, limits.num_terminals);
  rules.only_overloaded = true;
  const Moves proposed = propose_moves(space, h, state, Limits{}, rules, tuning);
  const auto node_sizes = h.node_sizes;
  const auto nodes = proposed.nodes;
  const Moves weighty =
      choose_moves(space, proposed,
                   select(
                       space, "KoHyPar::jet::weighty", proposed.size(),
                       KOKKOS_LAMBDA(const std::size_t i) { return node_sizes(nodes(i)) > 0; }));
  gain_by_rank(space, h, weighty);
  return choose_moves(space, weighty, by_gain(space, weighty));
}

/// Those of them that parts need, and have room for.
Moves rationed(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
               const DeviceView<Weight>& capacities, const Moves& moves) {
  const auto parts = state.parts;
  const auto nodes = moves.nodes;
  const Moves leaving = within(
      space, h, moves, state.num_parts, differences(space, state, capacities, -1), true,
      KOKKOS_LAMBDA(const std::size_t i) { return parts(nodes(i)); });
  const auto targets = leaving.targets;
  return within(
      space, h, leaving, state.num_parts, differences(space, state, capacities, 1), false,
      KOKKOS_LAMBDA(const std::size_t i) { return targets(i); });
}

class ManyPartsState : public JetState {
 public:
  ManyPartsState(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<PartId>& parts,
                 const JetLimits& limits, const Tuning& tuning)
      : space_(space),
        h_(h),
        limits_(limits),
        tuning_(tuning),
        state_(build_state(space, h, parts, static_cast<PartId>(limits.capacities.extent(0)), false)),
        excluded_(terminal_flags(space, h.num_nodes, limits.num_terminals)),
        kept_(uninitialized<PartId>("KoHyPar::jet::kept", h.num_nodes)),
        overload_(overload_of(space, state_, limits.capacities)) {}

  std::size_t move_once(std::uint64_t seed, int temperature) override {
    ProposalRules rules;
    rules.round_seed = seed;
    rules.stay_percent = temperature;
    rules.excluded = excluded_;
    const Moves moves =
        afterburned(space_, h_, state_,
                    within_budget(space_, h_, propose_moves(space_, h_, state_, Limits{}, rules, tuning_)));
    forget_moved();
    exclude(space_, moves, excluded_);
    apply(moves);
    return moves.size();
  }

  void forget_moved() override { excluded_ = terminal_flags(space_, h_.num_nodes, limits_.num_terminals); }

  bool relieve_once(std::uint64_t seed) override {
    const Moves moves = rationed(space_, h_, state_, limits_.capacities,
                                 relief_moves(space_, h_, state_, limits_, seed, tuning_));
    apply(moves);
    return moves.size() > 0;
  }

  void keep() override { Kokkos::deep_copy(space_, kept_, state_.parts); }

  void restore() override {
    Kokkos::deep_copy(space_, state_.parts, kept_);
    state_ = build_state(space_, h_, state_.parts, state_.num_parts, false);
    overload_ = overload_of(space_, state_, limits_.capacities);
  }

  [[nodiscard]] JetResult result() const override {
    return {state_.connectivity, overload_, state_.connectivity};
  }
  [[nodiscard]] PartId num_parts() const override { return state_.num_parts; }

 private:
  void apply(const Moves& moves) {
    if (moves.size() == 0) return;
    apply_moves(space_, h_, moves, moves.size(), state_);
    overload_ = overload_of(space_, state_, limits_.capacities);
  }

  const ExecutionSpace space_;
  const Hypergraph h_;
  const JetLimits limits_;
  const Tuning tuning_;
  PartitionState state_;
  Flags excluded_;
  DeviceView<PartId> kept_;
  Weight overload_;
};

}  // namespace

std::unique_ptr<JetState> many_parts_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                           const DeviceView<PartId>& parts, const JetLimits& limits,
                                           const Tuning& tuning) {
  return std::make_unique<ManyPartsState>(space, hypergraph, parts, limits, tuning);
}

}  // namespace kohypar

// Jet where parts may be many: what hyperedges have of them stands in lists, and moves are sorted.
#include "initial/host_level.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/events.hpp"
#include "refinement/jet_state.hpp"
#include "refinement/move_order.hpp"
#include "refinement/proposals.hpp"
#include "refinement/relief_offers.hpp"

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

/// Of moves in order, those of each part before which less than limits(part) is to leave it. In the same
/// order.
Moves leaving(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
              const Moves& moves, const DeviceView<Weight>& limits) {
  const std::size_t n = moves.size();
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::jet::keys", n);
  const auto positions = all_ids(space, static_cast<std::uint32_t>(n));
  const auto nodes = moves.nodes;
  const auto parts = state.parts;
  Kokkos::parallel_for(
      "KoHyPar::jet::keys", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { keys(i) = parts(nodes(i)); });
  stable_sort_by_key(space, keys, positions, bits_for(state.num_parts));
  const auto sizes = uninitialized<Weight>("KoHyPar::jet::sizes", n);
  const auto node_sizes = h.node_sizes;
  Kokkos::parallel_for(
      "KoHyPar::jet::sizes", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { sizes(i) = node_sizes(nodes(positions(i))); });
  const auto starts = last_marked(
      space, "KoHyPar::jet::segments", n,
      KOKKOS_LAMBDA(const std::size_t i) { return i == 0 || keys(i) != keys(i - 1); });
  const auto sums = segmented_sums(space, "KoHyPar::jet::sums", sizes, starts);
  const auto kept = uninitialized<std::uint32_t>("KoHyPar::jet::leaving", n);
  Kokkos::parallel_for(
      "KoHyPar::jet::leaving", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const Weight before = sums(i) - node_sizes(nodes(positions(i)));
        kept(positions(i)) = before < limits(keys(i)) ? 1 : 0;
      });
  return choose_moves(
      space, moves,
      select(
          space, "KoHyPar::jet::leaving", n, KOKKOS_LAMBDA(const std::size_t i) { return kept(i) != 0; }));
}

/// So many times a part's excess is offered to the others, for not all find room. (ibm01 and ibm01 x16 in 128
/// to 1024 parts: once, twice or four times, all within 0.2 %.)
constexpr Weight offered = 2;

/// What parts offer to the others.
DeviceView<Weight> offers(const ExecutionSpace& space, const PartitionState& state,
                          const DeviceView<Weight>& capacities) {
  const auto result = uninitialized<Weight>("KoHyPar::jet::offers", state.num_parts);
  const auto sizes = state.sizes;
  Kokkos::parallel_for(
      "KoHyPar::jet::offers", Range(space, 0, state.num_parts), KOKKOS_LAMBDA(const std::size_t p) {
        result(p) = sizes(p) > capacities(p) ? offered * (sizes(p) - capacities(p)) : 0;
      });
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

static_assert(relief_targets <= most_choices);

/// Where nodes of parts above their capacities may go.
Choices relief_choices(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                       const JetLimits& limits, std::uint64_t seed, const Tuning& tuning) {
  ProposalRules rules;
  rules.allow_full_targets = false;
  rules.round_seed = seed;
  rules.capacities = limits.capacities;
  rules.excluded = terminal_flags(space, h.num_nodes, limits.num_terminals);
  rules.only_overloaded = true;
  rules.num_choices = relief_targets;
  return find_choices(space, h, state, Limits{}, rules, tuning);
}

/// The nodes that parts offer to the others, in order of the rank of their best move.
DeviceView<NodeId> offered_nodes(const ExecutionSpace& space, const Hypergraph& h,
                                 const PartitionState& state, const DeviceView<Weight>& capacities,
                                 const Choices& choices) {
  const Moves proposed = best_of(space, choices);
  const auto node_sizes = h.node_sizes;
  const auto nodes = proposed.nodes;
  const Moves weighty =
      choose_moves(space, proposed,
                   select(
                       space, "KoHyPar::jet::weighty", proposed.size(),
                       KOKKOS_LAMBDA(const std::size_t i) { return node_sizes(nodes(i)) > 0; }));
  gain_by_rank(space, h, weighty);
  const Moves ordered = choose_moves(space, weighty, by_gain(space, weighty));
  return leaving(space, h, state, ordered, offers(space, state, capacities)).nodes;
}

/// What the host must know of each of some nodes.
Offers read_offers(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                   const DeviceView<NodeId>& nodes, const Choices& choices) {
  const std::size_t n = nodes.extent(0);
  constexpr std::size_t per_node = relief_targets;
  const auto sources = uninitialized<PartId>("KoHyPar::jet::sources", n);
  const auto sizes = uninitialized<Weight>("KoHyPar::jet::sizes", n);
  const auto targets = uninitialized<PartId>("KoHyPar::jet::targets", n * per_node);
  const auto ranks = uninitialized<std::uint32_t>("KoHyPar::jet::ranks", n * per_node);
  const auto parts = state.parts;
  const auto node_sizes = h.node_sizes;
  const auto all_targets = choices.targets;
  const auto all_gains = choices.gains;
  Kokkos::parallel_for(
      "KoHyPar::jet::read_offers", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const std::size_t node = nodes(i);
        sources(i) = parts(node);
        sizes(i) = node_sizes(node);
        for (std::size_t c = 0; c < per_node; ++c) {
          const PartId target = all_targets(node * per_node + c);
          targets(i * per_node + c) = target;
          if (target != invalid_id)
            ranks(i * per_node + c) = rank_of_relief(all_gains(node * per_node + c), node_sizes(node));
        }
      });
  return {copy_to_host(space, nodes), copy_to_host(space, sources), copy_to_host(space, sizes),
          copy_to_host(space, targets), copy_to_host(space, ranks)};
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
        host_capacities_(copy_to_host(space, limits.capacities)),
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
    const Choices choices = relief_choices(space_, h_, state_, limits_, seed, tuning_);
    const auto nodes = offered_nodes(space_, h_, state_, limits_.capacities, choices);
    const Placed placed = place(read_offers(space_, h_, state_, nodes, choices),
                                copy_to_host(space_, state_.sizes), host_capacities_);
    apply({copy_to_device(space_, "KoHyPar::jet::placed", placed.nodes),
           copy_to_device(space_, "KoHyPar::jet::placed_targets", placed.targets),
           {}});
    return !placed.nodes.empty();
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
  const HostView<Weight> host_capacities_;
  Weight overload_;
};

}  // namespace

std::unique_ptr<JetState> many_parts_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                           const DeviceView<PartId>& parts, const JetLimits& limits,
                                           const Tuning& tuning) {
  return std::make_unique<ManyPartsState>(space, hypergraph, parts, limits, tuning);
}

}  // namespace kohypar

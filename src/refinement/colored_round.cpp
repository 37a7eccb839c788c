#include "refinement/colored_round.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "parallel/teams.hpp"
#include "refinement/events.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;

constexpr int warp = 32;

/// Moves by colour, in their order within each; those without a colour are left out.
struct ColoredMoves {
  Moves moves;
  std::vector<std::size_t> starts;  ///< per colour and one more
};

ColoredMoves group_by_color(const ExecutionSpace& space, const Moves& moves,
                            const DeviceView<std::uint32_t>& colors) {
  const std::size_t n = moves.size();
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::colored::keys", n);
  const auto order = all_ids(space, static_cast<std::uint32_t>(n));
  const auto counts = filled<std::size_t>(space, "KoHyPar::colored::counts", max_colors + 1, 0);
  Kokkos::parallel_for(
      "KoHyPar::colored::keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        keys(i) = colors(i);
        Kokkos::atomic_inc(&counts(colors(i)));
      });
  stable_sort_by_key(space, keys, order, bits_for(max_colors + 1));
  std::vector<std::size_t> starts(max_colors + 1);
  Kokkos::deep_copy(space, HostView<std::size_t>(starts.data(), starts.size()), counts);
  space.fence("KoHyPar::colored::counts");
  std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), std::size_t{0});
  return {choose_moves(space, moves, order), std::move(starts)};
}

Moves range_of(const Moves& moves, std::size_t begin, std::size_t end) {
  const std::pair<std::size_t, std::size_t> range(begin, end);
  return {Kokkos::subview(moves.nodes, range), Kokkos::subview(moves.targets, range),
          Kokkos::subview(moves.gains, range)};
}

/// What each of some moves does by itself.
struct Effects {
  DeviceView<Weight> gains;
  DeviceView<Weight> scores;
  DeviceView<Weight> inbound;  ///< that it adds to its target; 0 if there is no limit
};

/// Counts the effects; one team a move.
struct CountEffects {
  Hypergraph h;
  PartitionState state;
  ScoreTerms terms;
  bool counts_inbound;
  Moves moves;
  Effects effects;

  KOKKOS_FUNCTION void operator()(const Team::member_type& team) const {
    const std::size_t move = team.league_rank();
    const NodeId n = moves.nodes(move);
    const PartId from = state.parts(n), to = moves.targets(move);
    const PinOffset begin = h.node_offsets(n), end = h.node_offsets(n + std::size_t{1});
    const PinOffset inbound_end = counts_inbound ? begin + h.inbound_counts(n) : begin;
    Weight gain = 0, shared_inbound = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, begin, end),
        [&](const PinOffset i, Weight& sum, Weight& shared) {
          const HyperedgeId e = h.incident(i);
          const PinOffset list = h.hyperedge_offsets(e), list_end = list + state.part_pins.lambda(e);
          const PinOffset own = find_part(state.part_pins, list, state.part_pins.lambda(e), from);
          const PinOffset other = find_part(state.part_pins, list, state.part_pins.lambda(e), to);
          const bool touches = other < list_end && state.part_pins.parts(other) == to;
          if (state.part_pins.pins(own) == 1) sum += h.hyperedge_weights(e);
          if (!touches) sum -= h.hyperedge_weights(e);
          if (i < inbound_end && touches && state.part_pins.destination_pins(other) > 0)
            shared += h.multiplicities(e);
        },
        gain, shared_inbound);
    const Weight size = h.node_sizes(n);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      effects.gains(move) = gain;
      effects.scores(move) = gain + terms(state.sizes(to) + size, size, shared_inbound);
      effects.inbound(move) = counts_inbound ? h.inbound_sizes(n) - shared_inbound : 0;
    });
  }
};

Effects count_effects(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                      const Limits& limits, const ScoreTerms& terms, const Moves& moves,
                      const Tuning& tuning) {
  const Effects effects{uninitialized<Weight>("KoHyPar::colored::gains", moves.size()),
                        uninitialized<Weight>("KoHyPar::colored::scores", moves.size()),
                        uninitialized<Weight>("KoHyPar::colored::inbound", moves.size())};
  Kokkos::parallel_for("KoHyPar::colored::effects",
                       team_policy(space, moves.size(), 1, warp, tuning.team_size),
                       CountEffects{h, state, terms, limits.max_inbound != unlimited, moves, effects});
  return effects;
}

/// Indices of moves in the order of (key(move), index), and where those of one key begin.
struct Segments {
  DeviceView<std::uint32_t> order;
  DeviceView<std::uint32_t> starts;
};

template <class Key>
Segments group_by_part(const ExecutionSpace& space, const DeviceView<std::uint32_t>& indices,
                       PartId num_parts, const Key& key) {
  const std::size_t n = indices.extent(0);
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::colored::parts", n);
  const auto order = uninitialized<std::uint32_t>("KoHyPar::colored::order", n);
  Kokkos::parallel_for(
      "KoHyPar::colored::parts", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t u) {
        keys(u) = key(indices(u));
        order(u) = indices(u);
      });
  stable_sort_by_key(space, keys, order, bits_for(num_parts));
  const auto starts = last_marked(
      space, "KoHyPar::colored::segments", n,
      KOKKOS_LAMBDA(const std::size_t u) { return u == 0 || keys(u - 1) != keys(u); });
  return {order, starts};
}

/// Sums of values(move) in the order of the segments, within each.
template <class Value>
SegmentedSums<Weight> sums_within(const ExecutionSpace& space, const Segments& segments, const Value& value) {
  const auto order = segments.order;
  const std::size_t n = order.extent(0);
  const auto values = uninitialized<Weight>("KoHyPar::colored::sums", n);
  Kokkos::parallel_for(
      "KoHyPar::colored::values", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t u) { values(u) = value(order(u)); });
  return segmented_sums(space, "KoHyPar::colored::sums", values, segments.starts);
}

/// Marks the moves that leave parts in violation: those with which the part's size comes down to the limit,
/// at least the first.
void want_repairs(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                  const Limits& limits, const Moves& moves, const DeviceView<std::uint32_t>& wanted) {
  const auto nodes = moves.nodes;
  const auto parts = state.parts;
  const auto sizes = state.sizes, inbound = state.inbound, node_sizes = h.node_sizes;
  const auto leaving = select(
      space, "KoHyPar::colored::leaving", moves.size(), KOKKOS_LAMBDA(const std::size_t i) {
        const PartId part = parts(nodes(i));
        return sizes(part) > limits.max_size || inbound(part) > limits.max_inbound;
      });
  if (leaving.extent(0) == 0) return;
  const Segments by_source = group_by_part(
      space, leaving, state.num_parts, KOKKOS_LAMBDA(const std::uint32_t i) { return parts(nodes(i)); });
  const auto left = sums_within(
      space, by_source, KOKKOS_LAMBDA(const std::uint32_t i) { return node_sizes(nodes(i)); });
  Kokkos::parallel_for(
      "KoHyPar::colored::repairs", Range(space, 0, leaving.extent(0)), KOKKOS_LAMBDA(const std::size_t u) {
        const NodeId n = nodes(by_source.order(u));
        const Weight left_before = left(u) - node_sizes(n);
        if (by_source.starts(u) == u || sizes(parts(n)) - left_before > limits.max_size)
          wanted(by_source.order(u)) = 1;
      });
}

/// Of the wanted moves those that fit into their targets by sorted prefix, ascending.
DeviceView<std::uint32_t> fitting(const ExecutionSpace& space, const Hypergraph& h,
                                  const PartitionState& state, const Limits& limits, const Moves& moves,
                                  const Effects& effects, const DeviceView<std::uint32_t>& wanted) {
  const auto nodes = moves.nodes;
  const auto targets = moves.targets;
  const auto sizes = state.sizes, inbound = state.inbound, node_sizes = h.node_sizes;
  const auto candidates = select(
      space, "KoHyPar::colored::wanted", moves.size(),
      KOKKOS_LAMBDA(const std::size_t i) { return wanted(i) != 0; });
  const Segments by_target = group_by_part(
      space, candidates, state.num_parts, KOKKOS_LAMBDA(const std::uint32_t i) { return targets(i); });
  const auto entering = sums_within(
      space, by_target, KOKKOS_LAMBDA(const std::uint32_t i) { return node_sizes(nodes(i)); });
  const auto added = effects.inbound;
  const auto inbound_entering = sums_within(
      space, by_target, KOKKOS_LAMBDA(const std::uint32_t i) { return added(i); });
  Kokkos::parallel_for(
      "KoHyPar::colored::fitting", Range(space, 0, candidates.extent(0)), KOKKOS_LAMBDA(const std::size_t u) {
        const std::uint32_t i = by_target.order(u);
        const PartId to = targets(i);
        const bool fits = entering(u) <= limits.max_size - sizes(to) &&
                          inbound_entering(u) <= limits.max_inbound - inbound(to);
        if (!fits) wanted(i) = 0;
      });
  return select(
      space, "KoHyPar::colored::fitting", moves.size(),
      KOKKOS_LAMBDA(const std::size_t i) { return wanted(i) != 0; });
}

/// Moves that take the nodes back to where they are.
Moves way_back(const ExecutionSpace& space, const PartitionState& state, const Moves& moves) {
  const Moves back{moves.nodes, uninitialized<PartId>("KoHyPar::colored::back", moves.size()), moves.gains};
  const auto parts = state.parts;
  Kokkos::parallel_for(
      "KoHyPar::colored::back", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i) { back.targets(i) = parts(back.nodes(i)); });
  return back;
}

Weight sum_of(const ExecutionSpace& space, const DeviceView<Weight>& values) {
  Weight sum = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::colored::sum", Range(space, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Weight& total) { total += values(i); }, sum);
  return sum;
}

/// Applies the moves together unless that loses more than they do each by itself.
bool apply_unless_worse(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                        const Moves& moves) {
  const Moves back = way_back(space, state, moves);
  const Weight promised = sum_of(space, moves.gains), before = state.connectivity;
  apply_moves(space, h, moves, moves.size(), state);
  const bool worse = before - state.connectivity < std::min<Weight>(promised, 0);
  if (worse) apply_moves(space, h, back, back.size(), state);
  return !worse;
}

bool apply_color(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                 const Limits& limits, const ScoreTerms& terms, const Moves& moves, bool repair,
                 const Tuning& tuning) {
  const Effects effects = count_effects(space, h, state, limits, terms, moves, tuning);
  const auto scores = effects.scores;
  const auto wanted = uninitialized<std::uint32_t>("KoHyPar::colored::wanted", moves.size());
  Kokkos::parallel_for(
      "KoHyPar::colored::wanted", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i) { wanted(i) = scores(i) > 0 ? 1 : 0; });
  if (repair) want_repairs(space, h, state, limits, moves, wanted);
  const auto admitted = fitting(space, h, state, limits, moves, effects, wanted);
  if (admitted.extent(0) == 0) return false;
  return apply_unless_worse(space, h, state,
                            choose_moves(space, {moves.nodes, moves.targets, effects.gains}, admitted));
}

}  // namespace

bool apply_by_color(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                    const Limits& limits, const ScoreTerms& terms, const Moves& moves,
                    const DeviceView<std::uint32_t>& colors, const Tuning& tuning) {
  const bool repair = count_violations(space, state, limits) > 0;
  const ColoredMoves colored = group_by_color(space, moves, colors);
  bool changed = false;
  for (std::uint32_t color = 0; color < max_colors; ++color) {
    const std::size_t begin = colored.starts[color], end = colored.starts[color + 1];
    if (begin == end) break;  // no color is left out
    changed |= apply_color(space, hypergraph, state, limits, terms, range_of(colored.moves, begin, end),
                           repair, tuning);
  }
  return changed;
}

bool run_colored_round(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                       const Limits& limits, const ProposalRules& rules, const ConflictRules& conflicts,
                       const Tuning& tuning) {
  const Moves moves =
      by_priority(space, propose_moves(space, hypergraph, state, limits, rules, tuning), rules.round_seed);
  const auto colors = color_moves(space, hypergraph, moves, conflicts, tuning);
  return apply_by_color(space, hypergraph, state, limits, rules.terms, moves, colors, tuning);
}

}  // namespace kohypar

#include "refinement/proposals.hpp"

#include <bit>

#include "parallel/hash.hpp"
#include "parallel/reducers.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"
#include "refinement/candidate.hpp"
#include "refinement/part_accumulators.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;

// Nodes whose lists are short together get a warp and a small accumulator, so that many fit on a processor;
// the others a large team and the largest accumulator that leaves room for several teams.
constexpr std::uint32_t bulk_slots = 512, large_slots = 1024;
// Most lists are much shorter than an accumulator that all parts fit into, and to clear and read that takes
// longer than to fill it. Worth kernels of their own where nodes are many.
constexpr std::uint32_t short_slots = 64;
constexpr NodeId worth_splitting = NodeId{1} << 14;
struct TeamShape {
  int threads, lanes;
};
constexpr TeamShape bulk_team{4, 8}, large_team{16, 16};

/// What a node stands to lose or keep, whatever its target.
struct NodeWeights {
  Weight incident = 0;  ///< of all its hyperedges
  Weight saving = 0;    ///< of those it is the only pin of in its part
};

/// The best candidates so far, best first.
struct BestCandidates {
  Candidate of[most_choices];

  /// Takes one among the first `count`, unless those are better.
  KOKKOS_FUNCTION void insert(const Candidate& candidate, int count) {
    if (!candidate.better_than(of[count - 1])) return;
    int at = count - 1;
    for (; at > 0 && candidate.better_than(of[at - 1]); --at) of[at] = of[at - 1];
    of[at] = candidate;
  }
};

/// What decides whether a move may be proposed.
struct Judge {
  Hypergraph h;
  PartitionState state;
  Limits limits;
  ProposalRules rules;

  KOKKOS_FUNCTION bool limits_inbound() const { return limits.max_inbound != unlimited; }

  KOKKOS_FUNCTION Weight capacity(PartId part) const {
    return rules.capacities.extent(0) > 0 ? rules.capacities(part) : limits.max_size;
  }

  KOKKOS_FUNCTION bool violates(PartId part) const {
    return state.sizes(part) > capacity(part) ||
           (limits_inbound() && state.inbound(part) > limits.max_inbound);
  }

  /// Whether a part that shares `shared` of n's inbound hyperedges stays within the limits with n.
  KOKKOS_FUNCTION bool fits(NodeId n, PartId part, Weight shared) const {
    return state.sizes(part) + h.node_sizes(n) <= capacity(part) &&
           (!limits_inbound() || state.inbound(part) + h.inbound_sizes(n) - shared <= limits.max_inbound);
  }

  /// Whether the loss is no more than the rules allow.
  KOKKOS_FUNCTION bool tolerable(Weight gain, const NodeWeights& own) const {
    const bool by_stay = rules.stay_percent >= 0;
    return gain >= -(by_stay ? percent_of(own.incident - own.saving, rules.stay_percent)
                             : percent_of(own.saving, rules.loss_percent));
  }

  /// Whether n may propose a move at all.
  KOKKOS_FUNCTION bool may_move(NodeId n) const {
    if (rules.excluded.extent(0) > 0 && rules.excluded(n) != 0) return false;
    return !rules.only_overloaded || violates(state.parts(n));
  }

  /// Keeps the better of a candidate and n's move to a part that has `weight` and `inbound` of its
  /// hyperedges, as long as `previous`, unless it is none, is better than that.
  KOKKOS_FUNCTION void compare(NodeId n, PartId part, Weight weight, Weight inbound, bool must_fit,
                               const Candidate& previous, Candidate& best) const {
    const Weight node_size = h.node_sizes(n);
    const Weight rank = weight + rules.terms(state.sizes(part) + node_size, node_size, inbound);
    const Candidate candidate{rank, mix(part, rules.round_seed), part};
    if (previous.part != invalid_id && !previous.better_than(candidate)) return;
    if (candidate.better_than(best) && (!must_fit || fits(n, part, inbound))) best = candidate;
  }

  /// Writes n's moves to its best targets, if there are any and they are worth proposing.
  KOKKOS_FUNCTION void propose(NodeId n, const BestCandidates& best, const NodeWeights& own, bool must_leave,
                               const Choices& choices) const {
    for (int i = 0; i < choices.per_node && best.of[i].part != invalid_id; ++i) {
      const Weight gain = own.saving - (own.incident - best.of[i].weight);
      if (!must_leave && !tolerable(gain, own)) return;
      const std::size_t at = static_cast<std::size_t>(n) * choices.per_node + i;
      choices.targets(at) = best.of[i].part;
      choices.gains(at) = gain;
    }
  }
};

/// Best targets of every node of a list; one team a node.
template <class Accumulator>
struct BestTargets : Judge {
  std::uint32_t slots;
  DeviceView<NodeId> nodes;
  Choices choices;  ///< written as far as there are moves

  KOKKOS_FUNCTION void operator()(const Team::member_type& team) const {
    const NodeId n = nodes(team.league_rank());
    const bool must_leave = violates(state.parts(n));
    const Accumulator sums(team, slots);
    const bool must_fit = must_leave || !rules.allow_full_targets;
    const BestCandidates best = best_targets(team, sums, n, must_fit);
    const NodeWeights own = node_weights(team, n);
    Kokkos::single(Kokkos::PerTeam(team), [&] { propose(n, best, own, must_leave, choices); });
  }

  KOKKOS_FUNCTION NodeWeights node_weights(const Team::member_type& team, NodeId n) const {
    const PinOffset begin = h.node_offsets(n), end = h.node_offsets(n + 1);
    const PartId part = state.parts(n);
    NodeWeights own;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, begin, end),
        [&](const PinOffset i, Weight& incident, Weight& saving) {
          const HyperedgeId e = h.incident(i);
          const PinOffset at =
              find_part(state.part_pins, h.hyperedge_offsets(e), state.part_pins.lambda(e), part);
          incident += h.hyperedge_weights(e);
          if (state.part_pins.pins(at) == 1) saving += h.hyperedge_weights(e);
        },
        own.incident, own.saving);
    return own;
  }

  /// Goes through the part ids in as many passes as the accumulator needs.
  KOKKOS_FUNCTION BestCandidates best_targets(const Team::member_type& team, const Accumulator& sums,
                                              NodeId n, bool must_fit) const {
    BestCandidates best;
    const PartId span = sums.span(state.num_parts);
    for (PartId first = 0; first < state.num_parts; first += span) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, sums.slots()),
                           [&](const std::uint32_t slot) { sums.clear(slot); });
      team.team_barrier();
      collect(team, sums, n, first, span, must_fit);
      team.team_barrier();
      Candidate previous;
      for (int i = 0; i < choices.per_node; ++i) {
        Candidate best_here;
        reduce(team, sums, n, first, must_fit, previous, best_here);
        if (best_here.part == invalid_id) break;
        best.insert(best_here, choices.per_node);
        previous = best_here;
      }
      team.team_barrier();
    }
    return best;
  }

  /// Adds up, for the parts in [first, first + span), the hyperedges that they share with n, inbound ones
  /// only if it must fit.
  KOKKOS_FUNCTION void collect(const Team::member_type& team, const Accumulator& sums, NodeId n, PartId first,
                               PartId span, bool must_fit) const {
    const bool shared = runs_on_host ? team.team_size() > 1 : true;
    const PinOffset begin = h.node_offsets(n), end = h.node_offsets(n + 1);
    const PinOffset inbound_end =
        must_fit && limits.max_inbound != unlimited ? begin + h.inbound_counts(n) : begin;
    const bool whole = first == 0 && span >= state.num_parts;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](const PinOffset i) {
      const HyperedgeId e = h.incident(i);
      const std::uint32_t lambda = state.part_pins.lambda(e);
      if (lambda < 2) return;
      const PinOffset list = h.hyperedge_offsets(e), list_end = list + lambda;
      const PinOffset from = whole ? list : find_part(state.part_pins, list, lambda, first);
      const PinOffset to =
          whole || list_end == from
              ? list_end
              : find_part(state.part_pins, from, static_cast<std::uint32_t>(list_end - from), first + span);
      const Weight weight = h.hyperedge_weights(e);
      const Weight multiplicity = i < inbound_end ? h.multiplicities(e) : 0;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, from, to), [&](const PinOffset entry) {
        const std::uint32_t slot = sums.slot_of(state.part_pins.parts(entry), first, shared);
        accumulate(sums.weight(slot), weight, shared);
        if (multiplicity > 0 && state.part_pins.destination_pins(entry) > 0)
          accumulate(sums.inbound(slot), multiplicity, shared);
      });
    });
  }

  KOKKOS_FUNCTION void reduce(const Team::member_type& team, const Accumulator& sums, NodeId n, PartId first,
                              bool must_fit, const Candidate& previous, Candidate& best) const {
    const PartId own_part = state.parts(n);
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, sums.slots()),
        [&](const std::uint32_t slot, Candidate& found) {
          const Weight weight = sums.weight(slot);
          if (weight == 0) return;
          const PartId part = sums.part_at(slot, first);
          if (part == own_part) return;
          compare(n, part, weight, sums.inbound(slot), must_fit, previous, found);
        },
        BestOf<Candidate>(best));
  }
};

// Where nodes have no more hyperedges than this on the average, a thread looks at a node's.
constexpr PinOffset low_degree = 16;

/// Length of the lists around every node, capped at 2^32 - 1; 0 for interior nodes and those that may not
/// move.
DeviceView<std::uint32_t> list_lengths(const ExecutionSpace& space, const Hypergraph& h,
                                       const PartitionState& state, const Judge& judge) {
  auto lengths = uninitialized<std::uint32_t>("KoHyPar::proposals::list_lengths", h.num_nodes);
  const auto lambda = state.part_pins.lambda;
  if (h.num_pins <= low_degree * PinOffset{h.num_nodes}) {
    Kokkos::parallel_for(
        "KoHyPar::proposals::list_lengths", Range(space, 0, h.num_nodes), KOKKOS_LAMBDA(const std::size_t n) {
          std::uint64_t length = 0;
          if (judge.may_move(static_cast<NodeId>(n)))
            for (PinOffset i = h.node_offsets(n); i < h.node_offsets(n + 1); ++i) {
              const std::uint32_t parts = lambda(h.incident(i));
              if (parts > 1) length += parts;
            }
          lengths(n) = static_cast<std::uint32_t>(Kokkos::min<std::uint64_t>(length, invalid_id));
        });
    return lengths;
  }
  Kokkos::parallel_for(
      "KoHyPar::proposals::list_lengths", team_policy(space, h.num_nodes, 1, 32),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const NodeId n = team.league_rank();
        std::uint64_t length = 0;
        if (!judge.may_move(n)) {
          Kokkos::single(Kokkos::PerTeam(team), [&] { lengths(n) = 0; });
          return;
        }
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, h.node_offsets(n), h.node_offsets(n + 1)),
            [&](const PinOffset i, std::uint64_t& sum) {
              const std::uint32_t parts = lambda(h.incident(i));
              if (parts > 1) sum += parts;
            },
            length);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          lengths(n) = static_cast<std::uint32_t>(Kokkos::min<std::uint64_t>(length, invalid_id));
        });
      });
  return lengths;
}

template <class Accumulator>
void find_targets(const ExecutionSpace& space, BestTargets<Accumulator> kernel, TeamShape shape,
                  int tuned_threads) {
  if (kernel.nodes.extent(0) == 0) return;
  auto policy = team_policy(space, kernel.nodes.extent(0), shape.threads, shape.lanes, tuned_threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Accumulator::scratch_bytes(kernel.slots)));
  Kokkos::parallel_for("KoHyPar::proposals::best_targets", policy, kernel);
}

/// Bulk nodes: dense sums if all parts fit into the small accumulator, else hashed ones.
void find_bulk_targets(const ExecutionSpace& space, const BestTargets<HashAccumulator>& kernel,
                       int tuned_threads) {
  if (kernel.state.num_parts > kernel.slots) return find_targets(space, kernel, bulk_team, tuned_threads);
  const Judge& judge = kernel;
  const BestTargets<DenseAccumulator> dense{judge, kernel.state.num_parts, kernel.nodes, kernel.choices};
  find_targets(space, dense, bulk_team, tuned_threads);
}

/// Nodes whose lists are longer than `above`, up to `most`.
DeviceView<NodeId> nodes_by_length(const ExecutionSpace& space, const DeviceView<std::uint32_t>& lengths,
                                   std::uint32_t above, std::uint32_t most) {
  return select(
      space, "KoHyPar::proposals::nodes_by_length", lengths.extent(0),
      KOKKOS_LAMBDA(const std::size_t n) { return lengths(n) > above && lengths(n) <= most; });
}

}  // namespace

Moves best_of(const ExecutionSpace& space, const Choices& choices) {
  const auto targets = choices.targets;
  const auto gains = choices.gains;
  const auto per_node = static_cast<std::size_t>(choices.per_node);
  Moves moves;
  moves.nodes = select(
      space, "KoHyPar::proposals::nodes", targets.extent(0) / per_node,
      KOKKOS_LAMBDA(const std::size_t n) { return targets(n * per_node) != invalid_id; });
  moves.targets = uninitialized<PartId>("KoHyPar::proposals::targets", moves.size());
  moves.gains = uninitialized<Weight>("KoHyPar::proposals::gains", moves.size());
  const Moves out = moves;
  Kokkos::parallel_for(
      "KoHyPar::proposals::gather", Range(space, 0, moves.size()), KOKKOS_LAMBDA(const std::size_t i) {
        out.targets(i) = targets(out.nodes(i) * per_node);
        out.gains(i) = gains(out.nodes(i) * per_node);
      });
  return moves;
}

Choices find_choices(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                     const Limits& limits, const ProposalRules& rules, const Tuning& tuning) {
  const std::uint32_t bulk = tuning.tile_size > 0 ? std::bit_ceil(tuning.tile_size) : bulk_slots;
  const std::uint32_t large =
      std::min(tuning.tile_size > 0 ? tuning.tile_size : large_slots, std::max(state.num_parts, 1u));
  const std::size_t places = static_cast<std::size_t>(hypergraph.num_nodes) * rules.num_choices;
  const Choices choices{rules.num_choices,
                        filled<PartId>(space, "KoHyPar::proposals::target_of", places, invalid_id),
                        uninitialized<Weight>("KoHyPar::proposals::gain_of", places)};
  const Judge judge{hypergraph, state, limits, rules};
  const auto lengths = list_lengths(space, hypergraph, state, judge);
  const bool split = hypergraph.num_nodes >= worth_splitting && state.num_parts > short_slots;
  const std::uint32_t shortest = split ? std::min(short_slots, bulk) / 2 : 0;
  const auto hashed = [&](std::uint32_t slots, std::uint32_t above) {
    return BestTargets<HashAccumulator>{judge, slots, nodes_by_length(space, lengths, above, slots / 2),
                                        choices};
  };
  if (split) find_targets(space, hashed(2 * shortest, 0), bulk_team, tuning.team_size);
  find_bulk_targets(space, hashed(bulk, shortest), tuning.team_size);
  const auto large_nodes = nodes_by_length(space, lengths, bulk / 2, invalid_id);
  find_targets<DenseAccumulator>(space, {judge, large, large_nodes, choices}, large_team, tuning.team_size);
  return choices;
}

}  // namespace kohypar

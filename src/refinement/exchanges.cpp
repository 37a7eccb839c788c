#include "refinement/exchanges.hpp"

#include <algorithm>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/reducers.hpp"
#include "parallel/scan.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;
using Member = Team::member_type;

// Bytes of the tables of groups that run together. A constant only for the sake of memory: groups don't
// concern each other.
constexpr std::size_t table_bytes = std::size_t{1} << 31;

// Entries of a table: pins of a hyperedge in a part in the lower half of the word, destination pins in the
// upper.
KOKKOS_INLINE_FUNCTION std::uint32_t pack_pins(bool is_destination) {
  return is_destination ? 0x10001u : 1u;
}
KOKKOS_INLINE_FUNCTION std::uint32_t pins_of(std::uint32_t entry) {
  return entry & 0xFFFFu;
}
KOKKOS_INLINE_FUNCTION std::uint32_t destinations_of(std::uint32_t entry) {
  return entry >> 16;
}

/// A node moves to the target part and, if there is one, another node from there to where it comes from.
struct Exchange {
  Weight gain = 0;
  NodeId back = invalid_id;
  std::uint32_t back_position = 0;
  PartId target = invalid_id;
  Weight source_inbound = 0, target_inbound = 0;  ///< changes

  KOKKOS_INLINE_FUNCTION bool better_than(const Exchange& other) const {
    return gain != other.gain ? gain > other.gain : back < other.back;
  }
};

/// A part by what it shares with a node.
struct Sharing {
  Weight weight = 0;  ///< 0: none
  PartId part = invalid_id;

  KOKKOS_INLINE_FUNCTION bool better_than(const Sharing& other) const {
    return weight != other.weight ? weight > other.weight : part < other.part;
  }
};

/// One team searches in one group.
struct SearchGroup {
  Hypergraph h;
  Limits limits;
  ExchangeRules rules;
  PartId num_parts;
  std::size_t first_group;  ///< of those that run together
  DeviceView<PartId> parts;
  DeviceView<Weight> sizes, inbound;     ///< per part
  DeviceView<NodeId> nodes;              ///< by (part at the start, id)
  DeviceView<PartId> parts_in_order;     ///< of `nodes`, as they are now
  DeviceView<std::uint32_t> candidates;  ///< positions in `nodes`; each group has the places of its nodes
  DeviceView<std::uint32_t> starts;      ///< per part and one more: where its nodes begin
  DeviceView<std::uint32_t>
      tables;                ///< per group that runs a row of each hyperedge: a mark and the group's parts
  DeviceView<Weight> gains;  ///< per group

  /// What a team works on.
  struct Group {
    PartId first, last;             ///< parts
    std::uint32_t begin, end;       ///< nodes
    std::size_t table;              ///< where it begins
    Scratch<Weight> shared_weight;  ///< of the node in turn with each part
    Scratch<Weight> shared_inbound;
    Scratch<std::uint32_t> num_candidates;
  };

  /// The node in turn; the same in all threads.
  struct Turn {
    std::uint32_t position;
    NodeId node;
    PartId part;
    std::uint32_t mark;      ///< and one more for hyperedges that it is a destination of
    Weight gain = 0;         ///< of leaving for nowhere: what is saved less all weight
    Weight leaves_with = 0;  ///< inbound hyperedges that the part has only because of it
  };

  /// Where it may go: moves without a way back, whether they gain and fit or not.
  struct Targets {
    Exchange moves[max_exchange_targets];
    int count = 0;
  };

  KOKKOS_FUNCTION std::uint32_t& entry(const Group& group, HyperedgeId e, PartId part) const {
    return tables(group.table + std::size_t{e} * (rules.parts_per_group + 1) + 1 + (part - group.first));
  }
  KOKKOS_FUNCTION std::uint32_t& mark(const Group& group, HyperedgeId e) const {
    return tables(group.table + std::size_t{e} * (rules.parts_per_group + 1));
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t index = first_group + team.league_rank();
    const auto part_at = [&](std::size_t unshifted) {
      return static_cast<PartId>(
          unshifted <= rules.shift ? 0 : Kokkos::min<std::size_t>(unshifted - rules.shift, num_parts));
    };
    Group group;
    group.first = part_at(index * rules.parts_per_group);
    group.last = part_at((index + 1) * rules.parts_per_group);
    group.begin = starts(group.first);
    group.end = starts(group.last);
    group.table = team.league_rank() * std::size_t{h.num_hyperedges} * (rules.parts_per_group + 1);
    group.shared_weight = Scratch<Weight>(team.team_scratch(0), rules.parts_per_group);
    group.shared_inbound = Scratch<Weight>(team.team_scratch(0), rules.parts_per_group);
    group.num_candidates = Scratch<std::uint32_t>(team.team_scratch(0), 1);
    if (group.end - group.begin > 0xFFFFu) return;  // pins of a part might not fit into half a word
    count_pins(team, group);
    Weight total = 0;
    std::uint32_t turns = 0;
    for (int sweep = 0; sweep < rules.sweeps; ++sweep) {
      Weight gain = 0;
      for (std::uint32_t i = group.begin; i < group.end; ++i) gain += take_turn(team, group, i, 2 * ++turns);
      if (gain == 0) break;
      total += gain;
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { gains(index) = total; });
  }

  KOKKOS_FUNCTION void count_pins(const Member& team, const Group& group) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group.begin, group.end), [&](const std::uint32_t i) {
      const NodeId n = nodes(i);
      const PartId part = parts(n);
      const PinOffset begin = h.node_offsets(n), inbound_end = begin + h.inbound_counts(n);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, begin, h.node_offsets(n + 1)),
                           [&](const PinOffset at) {
                             team_add(&entry(group, h.incident(at), part), pack_pins(at < inbound_end));
                           });
    });
    team.team_barrier();
  }

  /// Returns the gain.
  KOKKOS_FUNCTION Weight take_turn(const Member& team, const Group& group, std::uint32_t i,
                                   std::uint32_t mark) const {
    Turn turn{i, nodes(i), parts_in_order(i), mark};
    look_around(team, group, turn);
    const Targets targets = choose_targets(team, group, turn);
    if (targets.count == 0) return 0;
    Exchange best;
    for (int t = 0; t < targets.count; ++t)
      if (targets.moves[t].gain > best.gain && fits(turn, targets.moves[t])) best = targets.moves[t];
    const Exchange exchange = best_exchange(team, group, turn, targets);
    if (exchange.gain > best.gain) best = exchange;
    if (best.target == invalid_id) return 0;
    make(team, group, turn, best);
    return best.gain;
  }

  /// Finds what the parts share with the node in turn, and marks its hyperedges.
  KOKKOS_FUNCTION void look_around(const Member& team, const Group& group, Turn& turn) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, rules.parts_per_group), [&](const PartId q) {
      group.shared_weight(q) = 0;
      group.shared_inbound(q) = 0;
    });
    team.team_barrier();
    const PinOffset begin = h.node_offsets(turn.node), inbound_end = begin + h.inbound_counts(turn.node);
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, begin, h.node_offsets(turn.node + 1)),
        [&](const PinOffset at, Weight& gain, Weight& leaves_with) {
          const HyperedgeId e = h.incident(at);
          const bool is_inbound = at < inbound_end;
          const Weight weight = h.hyperedge_weights(e), multiplicity = is_inbound ? h.multiplicities(e) : 0;
          const std::uint32_t own = entry(group, e, turn.part);
          if (pins_of(own) > 1) gain -= weight;
          if (is_inbound && destinations_of(own) == 1) leaves_with += multiplicity;
          Kokkos::single(Kokkos::PerThread(team),
                         [&] { mark(group, e) = turn.mark | (is_inbound ? 1u : 0u); });
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, group.first, group.last), [&](const PartId q) {
            const std::uint32_t pins = entry(group, e, q);
            if (pins == 0) return;
            team_add(&group.shared_weight(q - group.first), weight);
            if (multiplicity > 0 && destinations_of(pins) > 0)
              team_add(&group.shared_inbound(q - group.first), multiplicity);
          });
        },
        turn.gain, turn.leaves_with);
    turn.leaves_with += h.base_inbound(turn.node);
    team.team_barrier();
  }

  /// The parts that share most, most first.
  KOKKOS_FUNCTION Targets choose_targets(const Member& team, const Group& group, const Turn& turn) const {
    Targets targets;
    Sharing last{max_total_weight, 0};  // more than any
    while (targets.count < Kokkos::min(rules.targets, int{max_exchange_targets})) {
      Sharing next;
      Kokkos::parallel_reduce(
          Kokkos::TeamVectorRange(team, group.first, group.last),
          [&](const PartId q, Sharing& found) {
            const Sharing here{group.shared_weight(q - group.first), q};
            if (q != turn.part && last.better_than(here) && here.better_than(found)) found = here;
          },
          BestOf<Sharing>(next));
      if (next.weight == 0) break;
      last = next;
      targets.moves[targets.count++] =
          Exchange{turn.gain + next.weight,
                   invalid_id,
                   0,
                   next.part,
                   -turn.leaves_with,
                   h.inbound_sizes(turn.node) - group.shared_inbound(next.part - group.first)};
    }
    team.team_barrier();
    return targets;
  }

  /// The best exchange with a node of a target.
  KOKKOS_FUNCTION Exchange best_exchange(const Member& team, const Group& group, const Turn& turn,
                                         const Targets& targets) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] { group.num_candidates(0) = 0; });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, group.begin, group.end), [&](const std::uint32_t i) {
      if (target_of(targets, parts_in_order(i)) == targets.count) return;
      // In any order: the best is the same.
      candidates(group.begin + Kokkos::atomic_fetch_add(&group.num_candidates(0), 1u)) = i;
    });
    team.team_barrier();
    Exchange best;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, group.num_candidates(0)),
        [&](const std::uint32_t k, Exchange& found) {
          const std::uint32_t i = candidates(group.begin + k);
          const Exchange& move = targets.moves[target_of(targets, parts_in_order(i))];
          const Exchange exchange = with_return(team, group, turn, move, i);
          if (exchange.better_than(found) && fits(turn, exchange)) found = exchange;
        },
        BestOf<Exchange>(best));
    return best;
  }

  /// Which target the part is; their number if none.
  KOKKOS_FUNCTION static int target_of(const Targets& targets, PartId part) {
    int t = 0;
    while (t < targets.count && targets.moves[t].target != part) ++t;
    return t;
  }

  /// Of the target; the node's part changes by as much the other way.
  KOKKOS_FUNCTION Weight size_change(const Turn& turn, const Exchange& exchange) const {
    return h.node_sizes(turn.node) - (exchange.back == invalid_id ? 0 : h.node_sizes(exchange.back));
  }

  KOKKOS_FUNCTION bool fits(const Turn& turn, const Exchange& exchange) const {
    const Weight change = size_change(turn, exchange);
    return sizes(turn.part) - change <= limits.max_size &&
           sizes(exchange.target) + change <= limits.max_size &&
           inbound(turn.part) + exchange.source_inbound <= limits.max_inbound &&
           inbound(exchange.target) + exchange.target_inbound <= limits.max_inbound;
  }

  /// The move together with the way back of a node of its target. Where both are pins of a hyperedge, or
  /// destinations, nothing changes for it.
  KOKKOS_FUNCTION Exchange with_return(const Member& team, const Group& group, const Turn& turn,
                                       const Exchange& move, std::uint32_t position) const {
    const NodeId m = nodes(position);
    const PinOffset begin = h.node_offsets(m), inbound_end = begin + h.inbound_counts(m);
    Weight gain = 0, to_source = 0, from_target = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, begin, h.node_offsets(m + 1)),
        [&](const PinOffset at, Weight& gain_sum, Weight& to_sum, Weight& from_sum) {
          const HyperedgeId e = h.incident(at);
          const std::uint32_t marked = mark(group, e);
          const std::uint32_t in_source = entry(group, e, turn.part),
                              in_target = entry(group, e, move.target);
          const bool both_pins = (marked & ~1u) == turn.mark, both_inbound = marked == (turn.mark | 1u);
          const Weight weight = h.hyperedge_weights(e);
          if (both_pins) {
            if (pins_of(in_source) == 1) gain_sum -= weight;
          } else {
            if (pins_of(in_target) == 1) gain_sum += weight;
            if (pins_of(in_source) == 0) gain_sum -= weight;
          }
          if (at >= inbound_end) return;
          const Weight multiplicity = h.multiplicities(e);
          if (both_inbound) {
            if (destinations_of(in_source) == 1) to_sum += multiplicity;
          } else {
            if (destinations_of(in_target) == 1) from_sum += multiplicity;
            if (destinations_of(in_source) == 0) to_sum += multiplicity;
          }
        },
        gain, to_source, from_target);
    const Weight base = h.base_inbound(m);
    return {move.gain + gain,
            m,
            position,
            move.target,
            move.source_inbound + to_source + base,
            move.target_inbound - from_target - base};
  }

  KOKKOS_FUNCTION void make(const Member& team, const Group& group, const Turn& turn,
                            const Exchange& exchange) const {
    reassign(team, group, turn.position, turn.part, exchange.target);
    if (exchange.back != invalid_id)
      reassign(team, group, exchange.back_position, exchange.target, turn.part);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const Weight change = size_change(turn, exchange);
      sizes(turn.part) -= change;
      sizes(exchange.target) += change;
      inbound(turn.part) += exchange.source_inbound;
      inbound(exchange.target) += exchange.target_inbound;
    });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void reassign(const Member& team, const Group& group, std::uint32_t position, PartId from,
                                PartId to) const {
    const NodeId n = nodes(position);
    const PinOffset begin = h.node_offsets(n), inbound_end = begin + h.inbound_counts(n);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, h.node_offsets(n + 1)),
                         [&](const PinOffset at) {
                           const HyperedgeId e = h.incident(at);
                           const std::uint32_t pin = pack_pins(at < inbound_end);
                           entry(group, e, from) -= pin;
                           entry(group, e, to) += pin;
                         });
    Kokkos::single(Kokkos::PerTeam(team), [&] { parts(n) = parts_in_order(position) = to; });
    team.team_barrier();
  }

  static std::size_t scratch_bytes(PartId parts_per_group) {
    return 2 * Scratch<Weight>::shmem_size(parts_per_group) + Scratch<std::uint32_t>::shmem_size(1);
  }
};

/// Nodes by (part, id), and where each part's begin.
void sort_by_part(const ExecutionSpace& space, const PartitionState& state, const DeviceView<NodeId>& nodes,
                  const DeviceView<PartId>& parts_in_order, const DeviceView<std::uint32_t>& starts) {
  const std::size_t n = nodes.extent(0);
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::exchanges::keys", n);
  const auto parts = state.parts;
  Kokkos::parallel_for(
      "KoHyPar::exchanges::keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        keys(i) = parts(i);
        nodes(i) = static_cast<NodeId>(i);
      });
  stable_sort_by_key(space, keys, nodes, bits_for(state.num_parts));
  const PartId num_parts = state.num_parts;
  Kokkos::parallel_for(
      "KoHyPar::exchanges::starts", Range(space, 0, n + 1), KOKKOS_LAMBDA(const std::size_t i) {
        const PartId first = i == 0 ? 0 : static_cast<PartId>(keys(i - 1) + 1);
        const PartId last = i == n ? num_parts : static_cast<PartId>(keys(i));
        if (i < n) parts_in_order(i) = last;
        for (PartId p = first; p <= last; ++p) starts(p) = static_cast<std::uint32_t>(i);
      });
}

}  // namespace

Weight exchange_in_groups(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state,
                          const Limits& limits, const ExchangeRules& rules) {
  const std::size_t num_groups =
      (std::size_t{state.num_parts} + rules.shift + rules.parts_per_group - 1) / rules.parts_per_group;
  const std::size_t table = std::size_t{h.num_hyperedges} * (rules.parts_per_group + 1);
  const std::size_t together =
      std::clamp<std::size_t>(table_bytes / sizeof(std::uint32_t) / std::max<std::size_t>(table, 1), 1,
                              std::max<std::size_t>(num_groups, 1));
  const auto nodes = uninitialized<NodeId>("KoHyPar::exchanges::nodes", h.num_nodes);
  const auto starts =
      uninitialized<std::uint32_t>("KoHyPar::exchanges::starts", state.num_parts + std::size_t{1});
  const auto parts_in_order = uninitialized<PartId>("KoHyPar::exchanges::parts", h.num_nodes);
  const auto candidates = uninitialized<std::uint32_t>("KoHyPar::exchanges::candidates", h.num_nodes);
  sort_by_part(space, state, nodes, parts_in_order, starts);
  const auto tables = uninitialized<std::uint32_t>("KoHyPar::exchanges::tables", together * table);
  const auto gains = filled<Weight>(space, "KoHyPar::exchanges::gains", num_groups, 0);
  for (std::size_t first = 0; first < num_groups; first += together) {
    Kokkos::deep_copy(space, tables, 0);
    auto policy = team_policy(space, std::min(together, num_groups - first), 16, 32);
    policy.set_scratch_size(0, Kokkos::PerTeam(SearchGroup::scratch_bytes(rules.parts_per_group)));
    Kokkos::parallel_for(
        "KoHyPar::exchanges::search", policy,
        SearchGroup{h, limits, rules, state.num_parts, first, state.parts, state.sizes, state.inbound, nodes,
                    parts_in_order, candidates, starts, tables, gains});
  }
  Weight gain = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::exchanges::gain", Range(space, 0, num_groups),
      KOKKOS_LAMBDA(const std::size_t group, Weight& sum) { sum += gains(group); }, gain);
  if (gain > 0)
    update_part_pins(space, h, state.parts, state.num_parts, all_ids(space, h.num_hyperedges),
                     state.part_pins);
  state.connectivity -= gain;
  return gain;
}

}  // namespace kohypar

// The search in one group of parts: a team whose nodes take turns.
#pragma once

#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"
#include "refinement/exchanges.hpp"

namespace kohypar {

// Neighbours that a turn keeps, more than there are usually; else it goes through all once more.
inline constexpr std::uint32_t most_kept_neighbors = 1 << 12;

/// A node moves to a target and, if there is one, another node from there to where it comes from.
struct Exchange {
  PartId target = invalid_id;       ///< place
  std::uint32_t back = invalid_id;  ///< position since the group's first; invalid_id: a move alone
  Weight gain = 0;
  Weight source_inbound = 0, target_inbound = 0;  ///< changes
};

/// What a team keeps of the nodes of its group, by position since the group's first.
struct NodeMemory {
  Scratch<NodeId> ids;
  Scratch<Weight> sizes, inbound_sizes;
  /// Of candidates: what an exchange gains, and brings both parts, beyond the sum of both moves; then what it
  /// looks to gain, or max_loss if it can't be, and brings both parts.
  Scratch<Weight> gains, source_inbound, target_inbound;
  Scratch<std::uint64_t> neighbors;  ///< of the node in turn, as in ExchangeLists, that are candidates

  KOKKOS_FUNCTION NodeMemory(const ExecutionSpace::scratch_memory_space& memory, const GroupedNodes& grouped)
      : ids(memory, grouped.most_nodes),
        sizes(memory, grouped.most_nodes),
        inbound_sizes(memory, grouped.most_nodes),
        gains(memory, grouped.most_nodes),
        source_inbound(memory, grouped.most_nodes),
        target_inbound(memory, grouped.most_nodes),
        neighbors(memory, most_kept_neighbors) {}

  static std::size_t bytes(const GroupedNodes& grouped) {
    return Scratch<NodeId>::shmem_size(grouped.most_nodes) +
           5 * Scratch<Weight>::shmem_size(grouped.most_nodes) +
           Scratch<std::uint64_t>::shmem_size(most_kept_neighbors);
  }
};

/// What it looks at more often than at anything else.
struct TurnMemory {
  Scratch<PartId> places;  ///< by position since the group's first: where the node is now
  Scratch<std::uint32_t> num_candidates, candidates;  ///< nodes of targets, in any order
  Scratch<std::uint32_t> num_neighbors;
  Scratch<Weight> sizes, inbound;                  ///< of parts, by place
  Scratch<Weight> shared_weights, shared_inbound;  ///< the node's in turn, by place
  Scratch<PartId> targets;
  Scratch<Weight> move_values;         ///< by target
  Scratch<Weight> best_value;          ///< one
  Scratch<std::uint32_t> best_option;  ///< one: a target, or max_exchange_targets and a candidate's position
  // Of the hyperedges of one node: multiplicities are 0 where it is no destination, and a bit for each of
  // some sets of their other pins says whether any pins are in it, or several.
  Scratch<Weight> weights, multiplicities;
  Scratch<std::uint32_t> any, several;
  Scratch<std::uint32_t> sets;  ///< by place, or no_set

  KOKKOS_FUNCTION TurnMemory(const ExecutionSpace::scratch_memory_space& memory, const GroupedNodes& grouped)
      : places(memory, grouped.most_nodes),
        num_candidates(memory, 1),
        candidates(memory, grouped.most_nodes),
        num_neighbors(memory, 1),
        sizes(memory, max_parts_per_group),
        inbound(memory, max_parts_per_group),
        shared_weights(memory, max_parts_per_group),
        shared_inbound(memory, max_parts_per_group),
        targets(memory, max_exchange_targets),
        move_values(memory, max_exchange_targets),
        best_value(memory, 1),
        best_option(memory, 1),
        weights(memory, grouped.most_hyperedges),
        multiplicities(memory, grouped.most_hyperedges),
        any(memory, grouped.most_hyperedges),
        several(memory, grouped.most_hyperedges),
        sets(memory, max_parts_per_group) {}

  static std::size_t bytes(const GroupedNodes& grouped) {
    const auto ids = [](std::size_t size) { return Scratch<std::uint32_t>::shmem_size(size); };
    const auto weights = [](std::size_t size) { return Scratch<Weight>::shmem_size(size); };
    return 2 * ids(grouped.most_nodes) + 3 * ids(1) + ids(max_exchange_targets) + ids(max_parts_per_group) +
           weights(1) + weights(max_exchange_targets) + 4 * weights(max_parts_per_group) +
           2 * weights(grouped.most_hyperedges) + 2 * ids(grouped.most_hyperedges);
  }
};

inline constexpr Weight max_loss = -max_total_weight;

/// Adds to what other threads of a team add to as well; read it after a barrier. Unlike team_add for memory
/// that is not scratch, where devices add 64 bits in one instruction.
KOKKOS_INLINE_FUNCTION void add_in_memory(Weight& where, Weight value) {
  KOKKOS_IF_ON_DEVICE((Kokkos::atomic_add(&where, value);))
  KOKKOS_IF_ON_HOST((where += value;))
}

/// One team searches in one group.
struct SearchGroup {
  using Member = Kokkos::TeamPolicy<ExecutionSpace>::member_type;

  Limits limits;
  ExchangeRules rules;
  ExchangeLists lists;
  int scratch_level;                  ///< of what is looked at most
  DeviceView<Weight> sizes, inbound;  ///< per part
  DeviceView<Weight> gains;           ///< per group

  /// What a team works on.
  struct Group {
    std::size_t index;
    std::uint32_t begin, size;  ///< positions
    TurnMemory memory;
    NodeMemory of_nodes;
  };

  /// The node in turn; the same in all threads.
  struct Turn {
    Weight temperature;
    std::uint64_t seed;
    std::uint32_t position;  ///< since the group's first
    NodeId node;
    PartId place;
  };

  // Sets of places, and their bits where pins are counted; those of destinations stand so much higher.
  static constexpr std::uint32_t own_set = 0, first_target_set = 1, no_set = 15;
  static constexpr std::uint32_t destinations = 16;
  static_assert(first_target_set + max_exchange_targets <= no_set && no_set < destinations);

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t index = lists.first_group + team.league_rank();
    const std::uint32_t begin = lists.grouped.start_of_group(index);
    const Group group{index, begin, lists.grouped.start_of_group(index + 1) - begin,
                      TurnMemory(team.team_scratch(scratch_level), lists.grouped),
                      NodeMemory(team.team_scratch(1), lists.grouped)};
    load(team, group);
    Weight total = 0, temperature = rules.temperature;
    for (int sweep = 0; sweep < rules.sweeps; ++sweep) {
      const std::uint64_t seed = mix(rules.seed, static_cast<std::uint64_t>(sweep));
      Weight gain = 0;
      for (std::uint32_t i = 0; i < group.size; ++i)
        gain += take_turn(team, group, {temperature, seed, i, group.of_nodes.ids(i), group.memory.places(i)});
      if (gain == 0 && temperature == 0) break;
      total += gain;
      temperature = cooled(temperature, rules.cooling);
    }
    store(team, group);
    Kokkos::single(Kokkos::PerTeam(team), [&] { gains(index) = total; });
  }

  /// Calls body(place, part) for the parts of the group.
  template <class Body>
  KOKKOS_FUNCTION void for_each_part(const Member& team, const Group& group, const Body& body) const {
    const PartId first = lists.grouped.groups.first_part(group.index),
                 last = lists.grouped.groups.first_part(group.index + 1);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](const PartId part) {
      body(lists.grouped.groups.place_of(group.index, part), part);
    });
  }

  KOKKOS_FUNCTION void load(const Member& team, const Group& group) const {
    const TurnMemory& memory = group.memory;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group.size), [&](const std::uint32_t i) {
      const NodeId n = lists.grouped.nodes(group.begin + i);
      group.of_nodes.ids(i) = n;
      memory.places(i) = lists.grouped.groups.place_of(group.index, lists.grouped.parts(n));
      group.of_nodes.sizes(i) = lists.grouped.hypergraph.node_sizes(n);
      group.of_nodes.inbound_sizes(i) = lists.grouped.hypergraph.inbound_sizes(n);
    });
    for_each_part(team, group, [&](const PartId place, const PartId part) {
      memory.sizes(place) = sizes(part);
      memory.inbound(place) = inbound(part);
    });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void store(const Member& team, const Group& group) const {
    const TurnMemory& memory = group.memory;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group.size), [&](const std::uint32_t i) {
      lists.grouped.parts(group.of_nodes.ids(i)) =
          lists.grouped.groups.part_at(group.index, memory.places(i));
    });
    for_each_part(team, group, [&](const PartId place, const PartId part) {
      sizes(part) = memory.sizes(place);
      inbound(part) = memory.inbound(place);
    });
  }

  /// Returns the gain.
  KOKKOS_FUNCTION Weight take_turn(const Member& team, const Group& group, const Turn& turn) const {
    const std::uint32_t num_targets = choose_targets(team, group, turn);
    if (num_targets == 0) return 0;
    list_candidates(team, group);
    count_sets(team, group, turn.position, true);
    correct_exchanges(team, group, turn);
    const Exchange best = best_exchange(team, group, turn, num_targets);
    if (best.target == invalid_id) {
      team.team_barrier();  // the next turn's targets and candidates replace these
      return 0;
    }
    make(team, group, turn, best);
    return best.gain;
  }

  /// The places that share most, most first, and their sets. Loads the node's hyperedges, too.
  /// @return how many
  KOKKOS_FUNCTION std::uint32_t choose_targets(const Member& team, const Group& group,
                                               const Turn& turn) const {
    const TurnMemory& memory = group.memory;
    const PartId num_places = lists.grouped.groups.parts_per_group;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_places), [&](const PartId place) {
      memory.shared_weights(place) = lists.shared_weight(group.begin + turn.position, place);
      memory.shared_inbound(place) = lists.shared_inbound(group.begin + turn.position, place);
      memory.sets(place) = place == turn.place ? own_set : no_set;
    });
    load_hyperedges(team, group, turn.node);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      for (std::uint32_t t = 0; t < max_exchange_targets; ++t) memory.targets(t) = invalid_id;
      memory.num_candidates(0) = memory.num_neighbors(0) = 0;
      memory.best_value(0) = max_loss;
      memory.best_option(0) = invalid_id;
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_places), [&](const PartId place) {
      const Weight weight = memory.shared_weights(place);
      if (weight == 0 || place == turn.place) return;
      int rank = 0;
      for (PartId other = 0; other < num_places; ++other) {
        const Weight others = memory.shared_weights(other);
        rank += other != turn.place && (others > weight || (others == weight && other < place)) ? 1 : 0;
      }
      if (rank >= Kokkos::min(rules.targets, static_cast<int>(max_exchange_targets))) return;
      memory.targets(rank) = place;
      memory.sets(place) = first_target_set + static_cast<std::uint32_t>(rank);
    });
    team.team_barrier();
    std::uint32_t num_targets = 0;
    while (num_targets < max_exchange_targets && memory.targets(num_targets) != invalid_id) ++num_targets;
    if (num_targets == 0) team.team_barrier();  // the next turn's replace these
    return num_targets;
  }

  /// The nodes of targets.
  KOKKOS_FUNCTION void list_candidates(const Member& team, const Group& group) const {
    const TurnMemory& memory = group.memory;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group.size), [&](const std::uint32_t i) {
      const std::uint32_t set = memory.sets(memory.places(i));
      if (set == own_set || set == no_set) return;
      memory.candidates(team_count(&memory.num_candidates(0))) = i;
      group.of_nodes.gains(i) = group.of_nodes.source_inbound(i) = group.of_nodes.target_inbound(i) = 0;
    });
    team.team_barrier();
  }

  /// Loads the hyperedges of a node, of whose other pins no set has any yet.
  KOKKOS_FUNCTION void load_hyperedges(const Member& team, const Group& group, NodeId n) const {
    const TurnMemory& memory = group.memory;
    const Hypergraph& h = lists.grouped.hypergraph;
    const PinOffset begin = h.node_offsets(n);
    const auto degree = static_cast<std::uint32_t>(h.node_offsets(n + 1) - begin);
    const std::uint32_t num_inbound = h.inbound_counts(n);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, degree), [&](const std::uint32_t j) {
      const HyperedgeId e = h.incident(begin + j);
      memory.weights(j) = h.hyperedge_weights(e);
      memory.multiplicities(j) = j < num_inbound ? h.multiplicities(e) : 0;
      memory.any(j) = memory.several(j) = 0;
    });
  }

  /// Calls body(neighbour, packed) for those of the node at a position. The team is all threads and no lanes:
  /// each loads several neighbours before it looks at the first, lest it wait for every one.
  template <class Body>
  KOKKOS_FUNCTION void for_each_neighbor(const Member& team, const Group& group, std::uint32_t position,
                                         const Body& body) const {
    constexpr int at_once = 6;  // times 512 threads, some 3000: most nodes' of the largest networks measured
    constexpr std::uint64_t none = ~std::uint64_t{0};
    const std::size_t i = group.begin + position - lists.first_position;
    const PinOffset end = lists.neighbor_offsets(i + 1);
    const auto stride = static_cast<PinOffset>(team.team_size());
    for (PinOffset first = lists.neighbor_offsets(i) + static_cast<PinOffset>(team.team_rank()); first < end;
         first += at_once * stride) {
      std::uint64_t words[at_once];
      for (int k = 0; k < at_once; ++k) {
        const PinOffset at = first + static_cast<PinOffset>(k) * stride;
        words[k] = at < end ? lists.neighbors(at) : none;
      }
      for (int k = 0; k < at_once; ++k) {
        const ExchangeLists::Neighbor neighbor = ExchangeLists::unpack(words[k]);
        if (words[k] != none && neighbor.position != position) body(neighbor, words[k]);
      }
    }
  }

  /// Which sets have other pins of the loaded hyperedges, the node's at a position. Keeps the neighbours in
  /// targets' sets if asked to.
  KOKKOS_FUNCTION void count_sets(const Member& team, const Group& group, std::uint32_t position,
                                  bool keeps_neighbors) const {
    const TurnMemory& memory = group.memory;
    for_each_neighbor(
        team, group, position, [&](const ExchangeLists::Neighbor& neighbor, std::uint64_t packed) {
          const std::uint32_t set = memory.sets(memory.places(neighbor.position));
          if (set == no_set) return;
          if (keeps_neighbors && set != own_set) {
            const std::uint32_t k = team_count(&memory.num_neighbors(0));
            if (k < most_kept_neighbors) group.of_nodes.neighbors(k) = packed;
          }
          const std::uint32_t bits = 1u << set | (neighbor.is_destination ? 1u << (set + destinations) : 0);
          const std::uint32_t again = team_or(&memory.any(neighbor.hyperedge), bits) & bits;
          if (again != 0) team_or(&memory.several(neighbor.hyperedge), again);
        });
    team.team_barrier();
  }

  /// Where both the node in turn and a candidate are pins of a hyperedge, or destinations, an exchange
  /// changes nothing for it, though each move by itself does.
  KOKKOS_FUNCTION void correct_exchanges(const Member& team, const Group& group, const Turn& turn) const {
    const std::uint32_t num_neighbors = group.memory.num_neighbors(0);
    if (num_neighbors <= most_kept_neighbors) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_neighbors), [&](const std::uint32_t k) {
        correct_for(group, ExchangeLists::unpack(group.of_nodes.neighbors(k)));
      });
    } else {
      for_each_neighbor(
          team, group, turn.position,
          [&](const ExchangeLists::Neighbor& neighbor, std::uint64_t) { correct_for(group, neighbor); });
    }
    team.team_barrier();
  }

  KOKKOS_FUNCTION void correct_for(const Group& group, const ExchangeLists::Neighbor& neighbor) const {
    const TurnMemory& memory = group.memory;
    const auto has = [](std::uint32_t bits, std::uint32_t set) { return (bits >> set & 1) != 0; };
    const std::uint32_t set = memory.sets(memory.places(neighbor.position));
    if (set == own_set || set == no_set) return;
    const std::uint32_t any = memory.any(neighbor.hyperedge), several = memory.several(neighbor.hyperedge);
    const Weight weight = memory.weights(neighbor.hyperedge);
    const Weight saved = (has(any, own_set) ? 0 : weight) + (has(several, set) ? 0 : weight);
    if (saved > 0) add_in_memory(group.of_nodes.gains(neighbor.position), -saved);
    const Weight multiplicity = memory.multiplicities(neighbor.hyperedge);
    if (!neighbor.is_destination || multiplicity == 0) return;
    if (!has(any, destinations + own_set))
      add_in_memory(group.of_nodes.source_inbound(neighbor.position), multiplicity);
    if (!has(several, destinations + set))
      add_in_memory(group.of_nodes.target_inbound(neighbor.position), multiplicity);
  }

  /// What looks best, a move before an exchange, the first of both; without a target if nothing looks better
  /// than staying.
  KOKKOS_FUNCTION Exchange best_exchange(const Member& team, const Group& group, const Turn& turn,
                                         std::uint32_t num_moves) const {
    const TurnMemory& memory = group.memory;
    const NodeMemory& of_nodes = group.of_nodes;
    const std::uint32_t num_options = num_moves + memory.num_candidates(0);
    const Weight stay = noise_of(turn, stay_option());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_options), [&](const std::uint32_t k) {
      Exchange exchange;
      if (k < num_moves) {
        exchange = move_to(group, turn, memory.targets(k));
      } else {
        const std::uint32_t i = memory.candidates(k - num_moves);
        exchange = exchange_with(group, turn, i);
        of_nodes.source_inbound(i) = exchange.source_inbound;
        of_nodes.target_inbound(i) = exchange.target_inbound;
      }
      const Weight value = fits(group, turn, exchange) ? value_of(group, turn, exchange) : max_loss;
      if (k < num_moves) {
        memory.move_values(k) = value;
      } else {
        of_nodes.gains(exchange.back) = value;
      }
      if (value > stay) Kokkos::atomic_max(&memory.best_value(0), value);
    });
    team.team_barrier();
    const Weight best = memory.best_value(0);
    if (best <= stay) return {};
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_options), [&](const std::uint32_t k) {
      if (k < num_moves) {
        if (memory.move_values(k) == best) Kokkos::atomic_min(&memory.best_option(0), k);
      } else {
        const std::uint32_t i = memory.candidates(k - num_moves);
        if (of_nodes.gains(i) == best) Kokkos::atomic_min(&memory.best_option(0), max_exchange_targets + i);
      }
    });
    team.team_barrier();
    const std::uint32_t option = memory.best_option(0);
    if (option < max_exchange_targets) return move_to(group, turn, memory.targets(option));
    const std::uint32_t i = option - max_exchange_targets;
    return {memory.places(i), i, best - noise_of(turn, exchange_option(of_nodes.ids(i))),
            of_nodes.source_inbound(i), of_nodes.target_inbound(i)};
  }

  KOKKOS_FUNCTION Exchange move_to(const Group& group, const Turn& turn, PartId target) const {
    const TurnMemory& memory = group.memory;
    const Weight inbound_size = group.of_nodes.inbound_sizes(turn.position);
    return {target, invalid_id, memory.shared_weights(target) - memory.shared_weights(turn.place),
            memory.shared_inbound(turn.place) - inbound_size, inbound_size - memory.shared_inbound(target)};
  }

  /// The move to a candidate's place together with the candidate's way back.
  KOKKOS_FUNCTION Exchange exchange_with(const Group& group, const Turn& turn, std::uint32_t back) const {
    const TurnMemory& memory = group.memory;
    const std::uint32_t position = group.begin + back;
    const Exchange move = move_to(group, turn, memory.places(back));
    const Weight inbound_size = group.of_nodes.inbound_sizes(back);
    return {move.target, back,
            move.gain + lists.shared_weight(position, turn.place) -
                lists.shared_weight(position, move.target) + group.of_nodes.gains(back),
            move.source_inbound + inbound_size - lists.shared_inbound(position, turn.place) +
                group.of_nodes.source_inbound(back),
            move.target_inbound + lists.shared_inbound(position, move.target) - inbound_size +
                group.of_nodes.target_inbound(back)};
  }

  KOKKOS_FUNCTION Weight noise_of(const Turn& turn, std::uint64_t option) const {
    return exchange_noise(turn.temperature, turn.seed, turn.node, option);
  }

  KOKKOS_FUNCTION Weight value_of(const Group& group, const Turn& turn, const Exchange& exchange) const {
    const std::uint64_t option = exchange.back == invalid_id
                                     ? move_option(lists.grouped.groups.part_at(group.index, exchange.target))
                                     : exchange_option(group.of_nodes.ids(exchange.back));
    return exchange.gain + noise_of(turn, option);
  }

  /// Of the target; the node's part changes by as much the other way.
  KOKKOS_FUNCTION Weight size_change(const Group& group, const Turn& turn, const Exchange& exchange) const {
    return group.of_nodes.sizes(turn.position) -
           (exchange.back == invalid_id ? 0 : group.of_nodes.sizes(exchange.back));
  }

  KOKKOS_FUNCTION bool fits(const Group& group, const Turn& turn, const Exchange& exchange) const {
    const TurnMemory& memory = group.memory;
    const Weight change = size_change(group, turn, exchange);
    return memory.sizes(turn.place) - change <= limits.max_size &&
           memory.sizes(exchange.target) + change <= limits.max_size &&
           memory.inbound(turn.place) + exchange.source_inbound <= limits.max_inbound &&
           memory.inbound(exchange.target) + exchange.target_inbound <= limits.max_inbound;
  }

  KOKKOS_FUNCTION void make(const Member& team, const Group& group, const Turn& turn,
                            const Exchange& exchange) const {
    team.team_barrier();  // nobody reads the state that it was chosen in any more
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      const TurnMemory& memory = group.memory;
      const Weight change = size_change(group, turn, exchange);
      memory.sizes(turn.place) -= change;
      memory.sizes(exchange.target) += change;
      memory.inbound(turn.place) += exchange.source_inbound;
      memory.inbound(exchange.target) += exchange.target_inbound;
    });
    reassign(team, group, turn.position, turn.place, exchange.target);
    if (exchange.back == invalid_id) return;
    load_hyperedges(team, group, group.of_nodes.ids(exchange.back));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lists.grouped.groups.parts_per_group),
                         [&](const PartId place) {
                           group.memory.sets(place) = place == exchange.target ? own_set
                                                      : place == turn.place    ? first_target_set
                                                                               : no_set;
                         });
    team.team_barrier();
    count_sets(team, group, exchange.back, false);
    reassign(team, group, exchange.back, exchange.target, turn.place);
  }

  /// Changes what other nodes share with both places, which are sets that are counted.
  KOKKOS_FUNCTION void reassign(const Member& team, const Group& group, std::uint32_t position, PartId from,
                                PartId to) const {
    const TurnMemory& memory = group.memory;
    const std::uint32_t target_set = memory.sets(to);
    for_each_neighbor(team, group, position, [&](const ExchangeLists::Neighbor& neighbor, std::uint64_t) {
      const std::uint32_t neighbors_set = memory.sets(memory.places(neighbor.position));
      const std::uint32_t any = memory.any(neighbor.hyperedge), several = memory.several(neighbor.hyperedge);
      // Where no other pin is in a set, all pins share more or less with it; where one is, that one does.
      const auto concerns = [&](std::uint32_t shift, std::uint32_t set) {
        return (any >> (shift + set) & 1) == 0 ||
               ((several >> (shift + set) & 1) == 0 && neighbors_set == set);
      };
      const Weight weight = memory.weights(neighbor.hyperedge);
      const std::uint32_t other = group.begin + neighbor.position;
      if (concerns(0, own_set)) add_in_memory(lists.shared_weight(other, from), -weight);
      if (concerns(0, target_set)) add_in_memory(lists.shared_weight(other, to), weight);
      const Weight multiplicity = memory.multiplicities(neighbor.hyperedge);
      if (!neighbor.is_destination || multiplicity == 0) return;
      if (concerns(destinations, own_set)) add_in_memory(lists.shared_inbound(other, from), -multiplicity);
      if (concerns(destinations, target_set)) add_in_memory(lists.shared_inbound(other, to), multiplicity);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { memory.places(position) = to; });
    team.team_barrier();
  }
};

}  // namespace kohypar

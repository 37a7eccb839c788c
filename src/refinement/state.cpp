#include "refinement/state.hpp"

#include "parallel/scan.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;

constexpr int warp = 32;

/// What the lists of the given hyperedges contribute to connectivity.
Weight connectivity_of_lists(const ExecutionSpace& space, const Hypergraph& h,
                             const DeviceView<HyperedgeId>& hyperedges, const PartPins& lists) {
  Weight connectivity = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::state::connectivity", Range(space, 0, hyperedges.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, Weight& sum) {
        const HyperedgeId e = hyperedges(i);
        const std::uint32_t lambda = lists.lambda(e);
        if (lambda > 0) sum += h.hyperedge_weights(e) * (lambda - 1);
      },
      connectivity);
  return connectivity;
}

/// Adds `sign` times what the lists of the given hyperedges contribute to the parts' inbound counts, if there
/// are any, and returns what they contribute to connectivity.
Weight add_contributions(const ExecutionSpace& space, const Hypergraph& h,
                         const DeviceView<HyperedgeId>& hyperedges, const PartPins& lists, Weight sign,
                         const DeviceView<Weight>& inbound) {
  if (inbound.extent(0) == 0) return connectivity_of_lists(space, h, hyperedges, lists);
  Weight connectivity = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::state::contributions", team_policy(space, hyperedges.extent(0), 1, warp),
      KOKKOS_LAMBDA(const Team::member_type& team, Weight& sum) {
        const HyperedgeId e = hyperedges(team.league_rank());
        const PinOffset begin = h.hyperedge_offsets(e);
        const std::uint32_t lambda = lists.lambda(e);
        const Weight change = sign * h.multiplicities(e);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, begin + lambda), [&](const PinOffset i) {
          if (lists.destination_pins(i) > 0) Kokkos::atomic_add(&inbound(lists.parts(i)), change);
        });
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          if (lambda > 0) sum += h.hyperedge_weights(e) * (lambda - 1);
        });
      },
      connectivity);
  return connectivity;
}

/// Ids of the hyperedges incident to the nodes of the first `count` moves, ascending.
DeviceView<HyperedgeId> touched_hyperedges(const ExecutionSpace& space, const Hypergraph& h,
                                           const Moves& moves, std::size_t count) {
  auto is_touched = filled<std::uint32_t>(space, "KoHyPar::state::is_touched", h.num_hyperedges, 0);
  const auto nodes = moves.nodes;
  Kokkos::parallel_for(
      "KoHyPar::state::touch", team_policy(space, count, 1, warp),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const NodeId n = nodes(team.league_rank());
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, h.node_offsets(n), h.node_offsets(n + 1)),
                             [&](const PinOffset i) {
                               // Several moves may store the same value.
                               Kokkos::atomic_store(&is_touched(h.incident(i)), 1u);
                             });
      });
  return select(
      space, "KoHyPar::state::touched", h.num_hyperedges,
      KOKKOS_LAMBDA(const std::size_t e) { return is_touched(e) != 0; });
}

/// Gives the nodes of the first `count` moves their new part, and both parts their sizes and the inbound
/// hyperedges that no list holds (base_inbound).
void reassign_nodes(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves, std::size_t count,
                    const PartitionState& state) {
  const auto nodes = moves.nodes;
  const auto targets = moves.targets;
  const auto parts = state.parts;
  const auto sizes = state.sizes, inbound = state.inbound;
  Kokkos::parallel_for(
      "KoHyPar::state::reassign", Range(space, 0, count), KOKKOS_LAMBDA(const std::size_t i) {
        const NodeId n = nodes(i);
        const PartId from = parts(n), to = targets(i);
        Kokkos::atomic_add(&sizes(from), -h.node_sizes(n));
        Kokkos::atomic_add(&sizes(to), h.node_sizes(n));
        if (inbound.extent(0) > 0 && h.base_inbound(n) != 0) {
          Kokkos::atomic_add(&inbound(from), -h.base_inbound(n));
          Kokkos::atomic_add(&inbound(to), h.base_inbound(n));
        }
        parts(n) = to;
      });
}

void add_nodes(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state) {
  const auto parts = state.parts;
  const auto sizes = state.sizes, inbound = state.inbound;
  Kokkos::parallel_for(
      "KoHyPar::state::nodes", Range(space, 0, h.num_nodes), KOKKOS_LAMBDA(const std::size_t n) {
        Kokkos::atomic_add(&sizes(parts(n)), h.node_sizes(n));
        if (inbound.extent(0) > 0 && h.base_inbound(n) > 0)
          Kokkos::atomic_add(&inbound(parts(n)), h.base_inbound(n));
      });
}

/// For every old part its new id, or invalid_id if it has no node.
DeviceView<PartId> renumber_used_parts(const ExecutionSpace& space, const PartitionState& state,
                                       PartId& num_used) {
  const auto parts = state.parts;
  auto used = filled<PartId>(space, "KoHyPar::state::used", state.num_parts, 0);
  Kokkos::parallel_for(
      "KoHyPar::state::used", Range(space, 0, parts.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) { Kokkos::atomic_store(&used(parts(n)), 1u); });
  num_used = 0;
  Kokkos::parallel_scan(
      "KoHyPar::state::renumber", Range(space, 0, state.num_parts),
      KOKKOS_LAMBDA(const std::size_t p, PartId& rank, const bool final) {
        const bool is_used = used(p) != 0;
        if (final) used(p) = is_used ? rank : invalid_id;
        if (is_used) ++rank;
      },
      num_used);
  return used;
}

DeviceView<Weight> of_used_parts(const ExecutionSpace& space, const DeviceView<PartId>& new_id,
                                 PartId num_used, const DeviceView<Weight>& values) {
  auto kept = uninitialized<Weight>(values.label(), num_used);
  Kokkos::parallel_for(
      "KoHyPar::state::of_used_parts", Range(space, 0, new_id.extent(0)), KOKKOS_LAMBDA(const std::size_t p) {
        if (new_id(p) != invalid_id) kept(new_id(p)) = values(p);
      });
  return kept;
}

/// New ids keep the order of the old ones, so the lists stay sorted.
void renumber(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<PartId>& new_id,
              const PartitionState& state) {
  const auto parts = state.parts;
  const auto lists = state.part_pins;
  Kokkos::parallel_for(
      "KoHyPar::state::renumber_nodes", Range(space, 0, parts.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) { parts(n) = new_id(parts(n)); });
  Kokkos::parallel_for(
      "KoHyPar::state::renumber_lists", team_policy(space, h.num_hyperedges, 1, warp),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const PinOffset begin = h.hyperedge_offsets(team.league_rank());
        const std::uint32_t lambda = lists.lambda(team.league_rank());
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, begin + lambda),
                             [&](const PinOffset i) { lists.parts(i) = new_id(lists.parts(i)); });
      });
}

}  // namespace

PartitionState build_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                           const DeviceView<PartId>& parts, PartId num_parts, bool counts_inbound) {
  PartitionState state;
  state.parts = parts;
  state.num_parts = num_parts;
  state.sizes = filled<Weight>(space, "KoHyPar::state::sizes", num_parts, 0);
  if (counts_inbound) state.inbound = filled<Weight>(space, "KoHyPar::state::inbound", num_parts, 0);
  add_nodes(space, hypergraph, state);
  state.part_pins = build_part_pins(space, hypergraph, parts, num_parts);
  state.connectivity = add_contributions(space, hypergraph, all_ids(space, hypergraph.num_hyperedges),
                                         state.part_pins, 1, state.inbound);
  return state;
}

Moves choose_moves(const ExecutionSpace& space, const Moves& moves,
                   const DeviceView<std::uint32_t>& positions) {
  const std::size_t n = positions.extent(0);
  const Moves chosen{uninitialized<NodeId>("KoHyPar::moves::nodes", n),
                     uninitialized<PartId>("KoHyPar::moves::targets", n),
                     uninitialized<Weight>("KoHyPar::moves::gains", n)};
  Kokkos::parallel_for(
      "KoHyPar::moves::choose", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        chosen.nodes(i) = moves.nodes(positions(i));
        chosen.targets(i) = moves.targets(positions(i));
        chosen.gains(i) = moves.gains(positions(i));
      });
  return chosen;
}

void apply_moves(const ExecutionSpace& space, const Hypergraph& hypergraph, const Moves& moves,
                 std::size_t count, PartitionState& state) {
  if (count == 0) return;
  const auto touched = touched_hyperedges(space, hypergraph, moves, count);
  state.connectivity -= add_contributions(space, hypergraph, touched, state.part_pins, -1, state.inbound);
  reassign_nodes(space, hypergraph, moves, count, state);
  update_part_pins(space, hypergraph, state.parts, state.num_parts, touched, state.part_pins);
  state.connectivity += add_contributions(space, hypergraph, touched, state.part_pins, 1, state.inbound);
}

void drop_empty_parts(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state) {
  PartId num_used = 0;
  const auto new_id = renumber_used_parts(space, state, num_used);
  if (num_used == state.num_parts) return;
  renumber(space, hypergraph, new_id, state);
  state.sizes = of_used_parts(space, new_id, num_used, state.sizes);
  state.inbound = of_used_parts(space, new_id, num_used, state.inbound);
  state.num_parts = num_used;
}

}  // namespace kohypar

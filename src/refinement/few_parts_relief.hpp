// Relief of overloaded parts where parts are few: who leaves, and who of them may come.
#pragma once

#include "parallel/teams.hpp"
#include "refinement/jet_state.hpp"
#include "refinement/pin_table.hpp"

namespace kohypar {

/// Sums of the sizes of moves by part, source or target, and rank: several copies, for threads crowd on few
/// ranks.
struct Ranked {
  static constexpr std::size_t copies = runs_on_host ? 1 : 4;
  std::size_t width = 0;
  DeviceView<Weight> sizes;  ///< copies * width * num_relief_ranks; all 0 between rounds

  KOKKOS_INLINE_FUNCTION Weight& at(std::size_t copy, PartId part, Weight rank) const {
    return sizes((copy * width + part) * num_relief_ranks + rank);
  }
  KOKKOS_INLINE_FUNCTION void add(NodeId n, PartId part, Weight rank, Weight size) const {
    Kokkos::atomic_add(&at(n / 32 % copies, part, rank), size);
  }
  KOKKOS_INLINE_FUNCTION Weight sum(PartId part, Weight rank) const {
    Weight result = 0;
    for (std::size_t copy = 0; copy < copies; ++copy) result += at(copy, part, rank);
    return result;
  }
  KOKKOS_INLINE_FUNCTION void clear(PartId part, Weight rank) const {
    for (std::size_t copy = 0; copy < copies; ++copy) at(copy, part, rank) = 0;
  }
};

/// Proposals of relief: out of parts above their capacity into such as hold the node.
template <int width>
struct ReliefProposals {
  FewParts<width> state;
  std::uint64_t seed = 0;
  DeviceView<Weight> node_sizes;
  Ranked by_source;

  KOKKOS_INLINE_FUNCTION bool may_move(NodeId n) const {
    const PartId part = state.parts(n);
    return n >= state.num_terminals && state.size(part) > state.capacities(part) && node_sizes(n) > 0;
  }
  KOKKOS_INLINE_FUNCTION bool may_take(NodeId n, PartId part) const {
    return state.size(part) + node_sizes(n) <= state.capacities(part);
  }
  KOKKOS_INLINE_FUNCTION void propose(NodeId n, PartId target, Weight gain, Weight) const {
    state.targets(n) = target;
    if (target == invalid_id) return;
    const Weight rank = rank_of_relief(gain, node_sizes(n));
    state.gains(n) = rank;
    state.after(n) = 0;
    by_source.add(n, state.parts(n), rank, node_sizes(n));
  }
};

/// Up to where a part's moves are made: by rank, then by node.
template <int width>
struct Rations {
  FewParts<width> state;
  bool by_target = false;    ///< arrivals and what parts have room for, not departures and the excess
  DeviceView<Weight> cuts;   ///< by part: the rank in which the ration ends
  DeviceView<Weight> rests;  ///< by part: what of the ration is left for that rank

  KOKKOS_INLINE_FUNCTION PartId group(NodeId n) const {
    return by_target ? state.targets(n) : state.parts(n);
  }
  KOKKOS_INLINE_FUNCTION bool admits(Weight before, Weight size, Weight ration) const {
    return by_target ? before + size <= ration : before < ration;
  }
};

/// Finds where rations end. A team per part.
template <int width>
struct FindCuts {
  Rations<width> rations;
  Ranked ranked;

  KOKKOS_FUNCTION void operator()(const Kokkos::TeamPolicy<ExecutionSpace>::member_type& team) const {
    const auto part = static_cast<PartId>(team.league_rank());
    const FewParts<width>& state = rations.state;
    const Weight above = state.size(part) - state.capacities(part);
    const Weight ration = rations.by_target ? -above : above;
    Kokkos::single(Kokkos::PerTeam(team), [&] { rations.cuts(part) = num_relief_ranks; });
    team.team_barrier();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, num_relief_ranks),
                          [&](const std::uint32_t rank, Weight& before, const bool final) {
                            const Weight after = before + ranked.sum(part, rank);
                            const bool starts = rations.admits(before, 0, ration);
                            if (final && after > before && starts && !rations.admits(after, 0, ration)) {
                              rations.cuts(part) = rank;
                              rations.rests(part) = ration - before;
                            }
                            before = after;
                          });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_relief_ranks),
                         [&](const std::uint32_t rank) { ranked.clear(part, rank); });
  }
};

/// Withdraws the moves that are not within a ration. A scan over the nodes.
template <int width>
struct KeepWithin {
  using value_type = OfParts<Weight, width>;
  Rations<width> rations;
  DeviceView<Weight> node_sizes;
  Ranked by_target;  ///< gets those that are; empty: nobody asks

  KOKKOS_INLINE_FUNCTION void operator()(const std::size_t i, value_type& before, const bool final) const {
    const auto n = static_cast<NodeId>(i);
    const FewParts<width>& state = rations.state;
    const PartId target = state.targets(n);
    if (target == invalid_id) return;
    const PartId group = rations.group(n);
    const Weight rank = state.gains(n), cut = rations.cuts(group), size = node_sizes(n);
    if (final &&
        (rank > cut || (rank == cut && !rations.admits(before(group), size, rations.rests(group))))) {
      state.targets(n) = invalid_id;
    } else if (final && by_target.sizes.extent(0) > 0) {
      by_target.add(n, target, rank, size);
    }
    if (rank == cut) before.add(group, size);
  }
};

}  // namespace kohypar

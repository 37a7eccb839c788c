#include "refinement/coloring.hpp"

#include <Kokkos_BitManipulation.hpp>

#include "parallel/hash.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;
using Member = Team::member_type;

constexpr int warp = 32;

/// Lower for higher gains, 0 to 127: their sign and power of two.
KOKKOS_INLINE_FUNCTION std::uint64_t class_of(Weight gain) {
  const auto magnitude = static_cast<std::uint64_t>(gain > 0 ? gain : -gain);
  const int width = 64 - Kokkos::countl_zero(magnitude);
  return static_cast<std::uint64_t>(gain > 0 ? 64 - width : 64 + width);
}

/// The kernels of one round over the moves that have no decision yet, one team a move.
struct Contest {
  Hypergraph h;
  DeviceView<NodeId> nodes;
  std::uint32_t max_pins;
  std::uint64_t all_colors;           ///< a bit each
  DeviceView<std::uint64_t> first;    ///< per hyperedge: highest claim
  DeviceView<std::uint64_t> used;     ///< per hyperedge: colours of its moves
  DeviceView<std::uint32_t> colors;   ///< per move; invalid_id: undecided
  DeviceView<std::uint32_t> waiting;  ///< undecided moves
  std::uint64_t round;                ///< from 1

  /// The first move's claim is the highest of a round, and above all of earlier rounds.
  KOKKOS_FUNCTION std::uint64_t claim(std::uint32_t move) const {
    return (round << 32) | (invalid_id - move);
  }

  KOKKOS_FUNCTION bool conflicts_in(HyperedgeId e) const {
    return h.hyperedge_offsets(e + std::size_t{1}) - h.hyperedge_offsets(e) <= max_pins;
  }

  KOKKOS_FUNCTION void announce(const Member& team) const {
    const std::uint32_t move = waiting(team.league_rank());
    const NodeId n = nodes(move);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, h.node_offsets(n), h.node_offsets(n + std::size_t{1})),
                         [&](const PinOffset i) {
                           const HyperedgeId e = h.incident(i);
                           if (conflicts_in(e)) Kokkos::atomic_max(&first(e), claim(move));
                         });
  }

  KOKKOS_FUNCTION void choose(const Member& team) const {
    const std::uint32_t move = waiting(team.league_rank());
    const std::uint64_t taken = colors_taken(team, nodes(move));
    if (taken == all_colors) {  // for good, so there is no need to wait
      Kokkos::single(Kokkos::PerTeam(team), [&] { colors(move) = uncolored; });
      return;
    }
    if (is_behind_another(team, move)) return;
    const auto color = static_cast<std::uint32_t>(Kokkos::countr_zero(~taken));
    Kokkos::single(Kokkos::PerTeam(team), [&] { colors(move) = color; });
    take(team, nodes(move), std::uint64_t{1} << color);
  }

  /// Exact for moves whose turn it is; for others it may lack what moves take at the same time.
  KOKKOS_FUNCTION std::uint64_t colors_taken(const Member& team, NodeId n) const {
    std::uint64_t taken = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, h.node_offsets(n), h.node_offsets(n + std::size_t{1})),
        [&](const PinOffset i, std::uint64_t& bits) {
          const HyperedgeId e = h.incident(i);
          if (conflicts_in(e)) bits |= Kokkos::atomic_load(&used(e));
        },
        Kokkos::BOr<std::uint64_t>(taken));
    return taken;
  }

  KOKKOS_FUNCTION bool is_behind_another(const Member& team, std::uint32_t move) const {
    const NodeId n = nodes(move);
    const std::uint64_t own = claim(move);
    std::uint32_t behind = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, h.node_offsets(n), h.node_offsets(n + std::size_t{1})),
        [&](const PinOffset i, std::uint32_t& count) {
          const HyperedgeId e = h.incident(i);
          if (conflicts_in(e) && first(e) != own) ++count;
        },
        behind);
    return behind > 0;
  }

  KOKKOS_FUNCTION void take(const Member& team, NodeId n, std::uint64_t color) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, h.node_offsets(n), h.node_offsets(n + std::size_t{1})),
                         [&](const PinOffset i) {
                           const HyperedgeId e = h.incident(i);
                           if (conflicts_in(e)) Kokkos::atomic_or(&used(e), color);
                         });
  }
};

/// One round: of the undecided moves those that come first in all their hyperedges choose.
void decide_first(const ExecutionSpace& space, const Contest& contest, int tuned_threads) {
  const auto teams = team_policy(space, contest.waiting.extent(0), 1, warp, tuned_threads);
  Kokkos::parallel_for(
      "KoHyPar::coloring::announce", teams, KOKKOS_LAMBDA(const Member& team) { contest.announce(team); });
  Kokkos::parallel_for(
      "KoHyPar::coloring::choose", teams, KOKKOS_LAMBDA(const Member& team) { contest.choose(team); });
}

}  // namespace

Moves by_priority(const ExecutionSpace& space, const Moves& moves, std::uint64_t seed) {
  const std::size_t n = moves.size();
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::coloring::keys", n);
  const auto order = all_ids(space, static_cast<std::uint32_t>(n));
  Kokkos::parallel_for(
      "KoHyPar::coloring::keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        keys(i) = (class_of(moves.gains(i)) << 57) | (mix(moves.nodes(i), seed) >> 7);
      });
  stable_sort_by_key(space, keys, order, 64);
  return choose_moves(space, moves, order);
}

DeviceView<std::uint32_t> color_moves(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                      const Moves& moves, const ConflictRules& rules, const Tuning& tuning) {
  const auto count = static_cast<std::uint32_t>(moves.size());
  const auto colors = filled<std::uint32_t>(space, "KoHyPar::coloring::colors", count, invalid_id);
  const HyperedgeId hyperedges = hypergraph.num_hyperedges;
  Contest contest{hypergraph,
                  moves.nodes,
                  rules.max_pins,
                  ~std::uint64_t{0} >> (max_colors - rules.num_colors),
                  filled<std::uint64_t>(space, "KoHyPar::coloring::first", hyperedges, 0),
                  filled<std::uint64_t>(space, "KoHyPar::coloring::used", hyperedges, 0),
                  colors,
                  all_ids(space, count),
                  1};
  for (; contest.waiting.extent(0) > 0; ++contest.round) {
    decide_first(space, contest, tuning.team_size);
    const auto waiting = contest.waiting;
    contest.waiting = compact(
        space, "KoHyPar::coloring::waiting", waiting,
        KOKKOS_LAMBDA(const std::size_t u) { return colors(waiting(u)) == invalid_id; });
  }
  return colors;
}

}  // namespace kohypar

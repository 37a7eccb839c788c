#include "refinement/move_order.hpp"

#include <limits>

#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

constexpr PinOffset most_incidences = PinOffset{1} << 26;

}  // namespace

DeviceView<std::uint32_t> by_gain(const ExecutionSpace& space, const Moves& moves) {
  const auto gains = moves.gains;
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::refine::keys", moves.size());
  const auto positions = all_ids(space, static_cast<std::uint32_t>(moves.size()));
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<Weight>::max());
  Kokkos::parallel_for(
      "KoHyPar::refine::keys", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i) { keys(i) = highest - static_cast<std::uint64_t>(gains(i)); });
  stable_sort_by_key(space, keys, positions, 64);
  return positions;
}

Moves within_budget(const ExecutionSpace& space, const Hypergraph& h, const Moves& moves) {
  const auto offsets = h.node_offsets;
  const auto nodes = moves.nodes;
  PinOffset total = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::refine::incidences", Range(space, 0, moves.size()),
      KOKKOS_LAMBDA(const std::size_t i, PinOffset& sum) {
        sum += offsets(nodes(i) + std::size_t{1}) - offsets(nodes(i));
      },
      total);
  if (total <= most_incidences) return moves;
  const Moves sorted = choose_moves(space, moves, by_gain(space, moves));
  const auto sorted_nodes = sorted.nodes;
  const auto before = offsets_from_counts(
      space, "KoHyPar::refine::incidences", sorted.size(),
      KOKKOS_LAMBDA(const std::size_t i) {
        return offsets(sorted_nodes(i) + std::size_t{1}) - offsets(sorted_nodes(i));
      },
      total);
  const auto kept = select(
      space, "KoHyPar::refine::within_budget", sorted.size(),
      KOKKOS_LAMBDA(const std::size_t i) { return before(i + 1) <= most_incidences; });
  return choose_moves(space, sorted, kept);
}

}  // namespace kohypar

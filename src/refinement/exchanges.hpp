// Local search by moves and exchanges of nodes among neighbouring parts, cold or at a temperature.
#pragma once

#include "parallel/hash.hpp"
#include "refinement/exchange_groups.hpp"

namespace kohypar {

inline constexpr std::uint32_t max_exchange_targets = 4;

struct ExchangeRules {
  PartId parts_per_group = 48;   ///< at most max_parts_per_group
  PartId shift = 0;              ///< groups begin so many parts earlier, below parts_per_group
  int targets = 4;               ///< parts to try for every node, at most max_exchange_targets
  int sweeps = 1;                ///< through the nodes of a group; without a temperature it ends earlier
                                 ///< where one gains nothing
  Weight temperature = 0;        ///< of the first sweep, in 4096ths of a weight, at most max_temperature
  Weight cooling = 1024;         ///< what a sweep leaves of the temperature, in 1024ths
  std::uint64_t seed = 0;        ///< of what the temperature lets happen
  std::uint64_t list_bytes = 0;  ///< of groups that are searched at the same time; 0: chosen by the backend.
                                 ///< It never changes a result
};

inline constexpr Weight max_temperature = Weight{1} << 54;

KOKKOS_INLINE_FUNCTION constexpr Weight cooled(Weight temperature, Weight cooling) {
  return temperature / 1024 * cooling + temperature % 1024 * cooling / 1024;
}

/// What a node may do in a turn.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t stay_option() {
  return std::uint64_t{2} << 32;
}
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t move_option(PartId target) {
  return std::uint64_t{1} << 32 | target;
}
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t exchange_option(NodeId back) {
  return back;
}

/// How much better than its gain an option looks, with another seed for each sweep: pseudo-random, 0 or more,
/// and as much more as the temperature with half the probability. (An exponential distribution but for
/// straight lines between powers of two, in integers. The best of options with such noise is nearly what a
/// heat bath chooses, which takes an option with a probability that rises exponentially in its gain.)
KOKKOS_INLINE_FUNCTION constexpr Weight exchange_noise(Weight temperature, std::uint64_t seed, NodeId node,
                                                       std::uint64_t option) {
  if (temperature == 0) return 0;
  constexpr int fraction_bits = 12;
  const std::uint64_t hash = mix(mix(seed, node), option) | 1;
  const int zeros = Kokkos::countl_zero(hash);
  // The binary logarithm of 2^64 / hash; the leading one shifted out leaves the fraction.
  const auto fraction = static_cast<Weight>((hash << zeros << 1) >> (64 - fraction_bits));
  const Weight logarithm = ((Weight{zeros} + 1) << fraction_bits) - fraction;
  const Weight whole = temperature >> fraction_bits, rest = temperature & ((Weight{1} << fraction_bits) - 1);
  return (whole * logarithm + ((rest * logarithm) >> fraction_bits)) >> fraction_bits;
}

/// Cuts the parts into groups of consecutive ids and searches in each on its own, one change after the other:
/// for every node, in the order of (part at the start, id), the parts of the group that share most hyperedge
/// weight with it are tried, and it moves there or changes places with one of their nodes, whichever gains
/// most and keeps both parts within both limits. Exchanges get on where parts are too full for any move.
/// Without a temperature nothing that doesn't gain is done; at one, each way and staying look better than
/// they are by exchange_noise, so that connectivity may rise: simulated annealing (Kirkpatrick, Gelatt,
/// Vecchi, Science 220, 1983).
/// Connectivity is a sum over parts, so groups don't concern each other.
/// Memory: twice ExchangeRules::list_bytes, for rows and for lists (see exchange_groups.hpp), or what a
/// single group takes if that is more. A group whose lists are too large for lists_fit stays as it is.
/// @return the gain; the state is as if built afresh from its parts, but for part_pins, which stay as they
/// were.
Weight exchange_in_groups(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                          const Limits& limits, const ExchangeRules& rules);

/// Whether the lists of all groups are small enough to search in them. What makes them large are hyperedges
/// with many pins in a group, each of which is a neighbour of each.
bool lists_fit(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
               const ExchangeRules& rules);

}  // namespace kohypar

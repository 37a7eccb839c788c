// Scores of node pairs and their strict order; shared by the kernels and their serial twin.
#pragma once

#include "coarsening/candidates.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

/// floor(sqrt(x)), in integers.
KOKKOS_INLINE_FUNCTION std::uint64_t integer_root(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    const std::uint64_t trial = root | bit;
    if (trial * trial <= x) root = trial;
  }
  return root;
}

/// Sixteen times the root of a node's size, at least 16: what scores are divided by, once per node of a pair.
KOKKOS_INLINE_FUNCTION std::uint32_t size_root(Weight size) {
  constexpr Weight largest = Weight{1} << 54;
  const Weight bounded = size < 1 ? 1 : (size > largest ? largest : size);
  return static_cast<std::uint32_t>(integer_root(static_cast<std::uint64_t>(bounded) << 8));
}

/// What one shared hyperedge adds to a pair's rating, at least 1: nodes that share only hyperedges of weight
/// 0 can still be paired.
KOKKOS_INLINE_FUNCTION Weight rating_increment(const Rating& rating, Weight weight,
                                               std::uint64_t cardinality) {
  const Weight scaled = rating.shift >= 0 ? weight << rating.shift : weight >> -rating.shift;
  const Weight increment = scaled / static_cast<Weight>(cardinality);
  return increment > 0 ? increment : 1;
}

/// A hash of an unordered pair that no other pair has (mix is a bijection).
KOKKOS_INLINE_FUNCTION std::uint64_t pair_hash(const Rating& rating, NodeId a, NodeId b) {
  const std::uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return mix(((low << 32) | high) ^ rating.seed);
}

/// The score of a pair from the sum of its increments.
KOKKOS_INLINE_FUNCTION Weight pair_score(const Rating& rating, Weight increments, std::uint64_t hash,
                                         std::uint32_t root_a, std::uint32_t root_b) {
  const Weight eta = static_cast<Weight>((hash >> 20) % rating.noise) + increments;
  const Weight divisor = static_cast<Weight>(root_a) * root_b;
  Weight score = eta;
  for (int power = 0; power < rating.size_power; ++power) score = (score << 8) / divisor;
  return score;
}

/// A candidate pair as one end sees it; better_than is a strict order over pairs, the same from both ends.
struct RatedPair {
  Weight score = -1;       ///< -1: no pair
  std::uint64_t hash = 0;  ///< pair_hash
  NodeId neighbor = invalid_id;

  KOKKOS_INLINE_FUNCTION bool better_than(const RatedPair& other) const {
    return score != other.score ? score > other.score : hash > other.hash;
  }
};

}  // namespace kohypar

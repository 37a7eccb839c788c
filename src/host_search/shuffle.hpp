// Pseudo-random orders that depend on a seed alone.
#pragma once

#include <kohypar/types.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "parallel/hash.hpp"

namespace kohypar {

/// Swaps each element with a pseudo-random one before it (Fisher and Yates).
inline void shuffle(std::vector<NodeId>& ids, std::uint64_t seed) {
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[mix(seed, i) % i]);
}

/// The ids below `count` in a pseudo-random order.
inline std::vector<NodeId> shuffled_ids(NodeId count, std::uint64_t seed) {
  std::vector<NodeId> ids(count);
  std::iota(ids.begin(), ids.end(), NodeId{0});
  shuffle(ids, seed);
  return ids;
}

}  // namespace kohypar

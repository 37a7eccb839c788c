// How far clusters may grow.
#pragma once

#include <algorithm>
#include <kohypar/limits.hpp>

namespace kohypar {

/// A fraction of a limit that clusters may reach, but never so little that nothing pairs.
inline Weight cluster_cap(Weight limit, Weight denominator) {
  if (limit == unlimited) return unlimited;
  return std::min(limit, std::max<Weight>(limit / denominator, 2));
}

/// A level that shrinks by less than this percentage is the last.
inline constexpr std::uint64_t least_shrink_percent = 3;

inline bool shrinks_enough(NodeId num_nodes, NodeId num_clusters) {
  return std::uint64_t{num_clusters} * 100 <= std::uint64_t{num_nodes} * (100 - least_shrink_percent);
}

}  // namespace kohypar

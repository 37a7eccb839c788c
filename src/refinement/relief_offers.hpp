// Nodes that overloaded parts offer to others, placed one by one on the host: whoever finds no room at its
// best target tries the next, for which the device would take a round of some forty kernels.
#pragma once

#include <kohypar/types.hpp>
#include <vector>

#include "initial/host_level.hpp"

namespace kohypar {

/// So many targets a node can try.
inline constexpr int relief_targets = 4;

/// Nodes, and what is known of each.
struct Offers {
  HostView<NodeId> nodes;
  HostView<PartId> sources;       ///< the part it is in
  HostView<Weight> sizes;         ///< positive
  HostView<PartId> targets;       ///< relief_targets a node, best first; invalid_id where there are no more
  HostView<std::uint32_t> ranks;  ///< likewise: rank_of_relief of the move there, never falling
};

struct Placed {
  std::vector<NodeId> nodes;
  std::vector<PartId> targets;
};

/// The nodes by rank of the move to the target they try, as they come, leave as long as their part is above
/// its capacity and the target has room; where it has none, they try the next.
/// @param sizes of the parts
Placed place(const Offers& offers, const HostView<Weight>& sizes, const HostView<Weight>& capacities);

}  // namespace kohypar

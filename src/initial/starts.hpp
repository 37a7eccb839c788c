// Initial partitions in constrained mode: sequential, exact, on the host.
#pragma once

#include <kohypar/limits.hpp>
#include <vector>

#include "initial/host_level.hpp"

namespace kohypar {

/// Part ids of a level's nodes, 0 to num_parts - 1, none empty.
struct Start {
  std::vector<PartId> parts;
  PartId num_parts = 0;
};

/// Fills one part after the other in the order of node ids; a part ends where the next node would break a
/// limit. Ids often carry locality.
Start fill_in_order(const HostLevel& level, const Limits& limits);

/// Grows one part after the other: from a seed, always the node with the highest weight of hyperedges shared
/// with the part that fits within the limits, distinct inbound hyperedges counted exactly. Variant 0 starts
/// at node 0, the others at a pseudo-random node each.
Start grow_greedily(const HostLevel& level, const Limits& limits, std::uint64_t variant);

/// Merges parts while the limits allow: smallest parts first, each into the part it shares most hyperedge
/// weight with; then, since fewer parts cost less, parts that share nothing.
void merge_parts(const HostLevel& level, const Limits& limits, Start& start);

/// Connectivity of a start on its level.
Weight connectivity_of(const HostLevel& level, const std::vector<PartId>& parts);

}  // namespace kohypar

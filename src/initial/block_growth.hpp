// Initial partitions of large levels: parts grown side by side on the device.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>

namespace kohypar {

/// Parts of a level's nodes, 0 to num_parts - 1, none empty.
struct GrownParts {
  DeviceView<PartId> parts;
  PartId num_parts = 0;
};

/// How many consecutive nodes to grow parts in: some dozens of parts' worth, so that the last part of each
/// block, which gets what the others left, doesn't matter much, and yet many blocks. 0: parts hold too many
/// nodes for that.
NodeId growth_block(const ExecutionSpace& space, const Hypergraph& hypergraph, const Limits& limits);

/// Cuts the nodes into blocks of consecutive ids (at most largest_growth_block each) and grows one part after
/// the other in each: from a seed, always the node with the highest attraction that fits within the limits,
/// distinct inbound hyperedges counted exactly. Attraction is the share of the node's incident weight in
/// hyperedges that touch the part, and half as much for the share of its inbound hyperedges that are the
/// part's already; ties go to the smaller id, also among nodes that share nothing. The next part starts from
/// the node most attracted to the last one. Ids must carry some locality for this to be good.
GrownParts grow_in_blocks(const ExecutionSpace& space, const Hypergraph& hypergraph, const Limits& limits,
                          NodeId block_size);

inline constexpr NodeId largest_growth_block = 2048;

/// In units of 2^-20, of a node with so much weight and so many inbound hyperedges in all.
KOKKOS_INLINE_FUNCTION Weight attraction_of(Weight shared_weight, Weight weight, Weight shared_inbound,
                                            Weight inbound) {
  // Weights below 2^61: what is cut off leaves room for the factor.
  return shared_weight / ((weight >> 20) + 1) + (shared_inbound << 19) / (inbound + 1);
}

}  // namespace kohypar

// Local search by moves and exchanges of nodes among neighbouring parts.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

inline constexpr int max_exchange_targets = 8;

struct ExchangeRules {
  PartId parts_per_group = 48;
  PartId shift = 0;  ///< groups begin so many parts earlier, below parts_per_group
  int targets = 2;   ///< parts to try for every node, at most max_exchange_targets
  int sweeps = 1;    ///< through the nodes of a group; it ends earlier where one gains nothing
};

/// Cuts the parts into groups of consecutive ids and searches in each on its own, one change after the other:
/// for every node, in the order of (part at the start, id), the parts of the group that share most hyperedge
/// weight with it are tried, and it moves there or changes places with one of their nodes, whichever gains
/// most and keeps both parts within both limits; nothing that doesn't gain is done. Exchanges get on where
/// parts are too full for any move. Connectivity is a sum over parts, so groups don't concern each other.
/// Memory: 4 bytes per hyperedge and part, of so many groups at a time as fit into a constant.
/// @return the gain; the state is as if built afresh from its parts.
Weight exchange_in_groups(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                          const Limits& limits, const ExchangeRules& rules);

}  // namespace kohypar

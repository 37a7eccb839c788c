// Sequential refinement of a host level: localized Fiduccia-Mattheyses search under both limits.
#pragma once

#include <cstdint>

#include "host_search/host_state.hpp"

namespace kohypar {

/// Moves do not look for new candidates through larger hyperedges: a pin more or less there changes little.
inline constexpr PinOffset largest_followed = 512;

/// Improves connectivity in two rounds, or one if that gains less than a thousandth; never worsens it, and
/// never breaks a limit that holds before.
///
/// A local search starts from a few boundary nodes and always makes the move of highest gain, negative ones
/// too, among the nodes around what it moved; then it goes back to its best state. A round starts one from
/// every boundary node that no earlier one has moved, the second round around what the first has changed
/// (Akhremtsev, Sanders, Schlag, "High-quality shared-memory graph partitioning", 2018). After it, where the
/// best part of a node is full, another node moves out of it in exchange if both together gain.
///
/// @param settled where such a search ended before, if not null: the first round too then starts only around
///        nodes that have moved since
void search_locally(const HostLevel& level, const Limits& limits, std::uint64_t seed, HostState& state,
                    const std::vector<PartId>* settled = nullptr);

/// The same around some nodes only: one local search from each few of them.
void search_around(const HostLevel& level, const Limits& limits, std::uint64_t seed,
                   const std::vector<NodeId>& nodes, HostState& state);

}  // namespace kohypar

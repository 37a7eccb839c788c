// Sequential refinement of a host level: localized Fiduccia-Mattheyses search under both limits.
#pragma once

#include <cstdint>

#include "host_search/host_state.hpp"

namespace kohypar {

/// Moves do not look for new candidates through larger hyperedges: a pin more or less there changes little.
inline constexpr PinOffset largest_followed = 512;

/// Improves connectivity until a round gains less than a thousandth; never worsens it, and never breaks a
/// limit that holds before.
///
/// A local search starts from a few boundary nodes and always makes the move of highest gain, negative ones
/// too, among the nodes around what it moved; then it goes back to its best state. A round starts one from
/// every boundary node that no earlier one has moved (Akhremtsev, Sanders, Schlag, "High-quality
/// shared-memory graph partitioning", 2018). After it, where the best part of a node is full, another node
/// moves out of it in exchange if both together gain.
void search_locally(const HostLevel& level, const Limits& limits, std::uint64_t seed, HostState& state);

}  // namespace kohypar

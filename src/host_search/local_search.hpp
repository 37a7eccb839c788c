// Sequential refinement of a host level: localized Fiduccia-Mattheyses search under both limits.
#pragma once

#include <cstdint>

#include "host_search/host_state.hpp"

namespace kohypar {

/// Moves do not look for new candidates through larger hyperedges: a pin more or less there changes little.
inline constexpr PinOffset largest_followed = 512;

/// How long to search. (Four rounds gain half a per cent more than two and take twice as long; crossings make
/// more of that time. Improvements after 6 to 10 moves without one make about a tenth of what searches gain,
/// and a sixth to a third of the time goes into them: perf/README.md.)
struct SearchEffort {
  std::uint32_t rounds = 2;         ///< at most
  std::size_t seeds = 25;           ///< boundary nodes that a search starts from
  std::size_t fruitless_moves = 5;  ///< after the best state
  std::size_t bisections = 1;       ///< of each side of a recursive bisection, which the best one splits
};

/// Improves the objective in some rounds, fewer if one gains less than a thousandth; never worsens it, and
/// never breaks a limit that holds before.
///
/// A local search starts from a few boundary nodes and always makes the move of highest gain, negative ones
/// too, among the nodes around what it moved; then it goes back to its best state. A round starts one from
/// every boundary node that no earlier one has moved, later rounds around what the one before has changed
/// (Akhremtsev, Sanders, Schlag, "High-quality shared-memory graph partitioning", 2018). After it, where the
/// best part of a node is full, another node moves out of it in exchange if both together gain.
///
/// @param settled where such a search ended before, if not null: the first round too then starts only around
///        nodes that have moved since
void search_locally(const HostLevel& level, const HostProblem& problem, const SearchEffort& effort,
                    std::uint64_t seed, HostState& state, const std::vector<PartId>* settled = nullptr);

/// The same around some nodes only: one local search from each few of them.
void search_around(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                   const std::vector<NodeId>& nodes, HostState& state);

}  // namespace kohypar

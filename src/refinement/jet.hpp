// Jet: refinement by many moves at once that may lose at first, and rebalancing.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/options.hpp>
#include <span>

namespace kohypar {

/// What a balanced refinement must respect, and what it minimises.
struct JetLimits {
  DeviceView<Weight> capacities;  ///< by part
  NodeId num_terminals = 0;       ///< the first nodes, which stay where they are
  /// The objective is connectivity plus so many times the weight of cut hyperedges; below 2^62. More than 0
  /// only up to most_few_parts.
  Weight cut_weight = 0;
};

/// Up to so many parts, the pins of every hyperedge in every part stand in a table.
inline constexpr PartId most_few_parts = 16;

/// Of a partition.
struct JetResult {
  Weight connectivity = 0;
  Weight overload = 0;  ///< size above the capacities, in sum over the parts
  Weight objective = 0;
};

/// Size above the capacities, in sum over the parts.
Weight overload_of(std::span<const Weight> sizes, std::span<const Weight> capacities);

/// Lowers the objective by unconstrained label propagation (Gilbert, Madduri, Boman, Rajamanickam, "Jet",
/// arXiv 2304.13194): every boundary node that has not just moved proposes its best part, also at a loss of
/// up to a fraction of what it shares with its own; the proposals are put in order of gain, and those go
/// ahead that lose nothing given that all before them do (the afterburner, by exact in-sequence gains); then
/// parts above their capacities are relieved. The fraction falls in nine temperatures, three with more than
/// 128 parts, to 0; each ends when some rounds in a row find nothing better, and the next goes on from the
/// best balanced state so far. That is the result, or the least overloaded one if none is balanced.
/// @param parts below the number of capacities; changed in place
JetResult refine_by_jet(const ExecutionSpace& space, const Hypergraph& hypergraph,
                        const DeviceView<PartId>& parts, const JetLimits& limits, const Options& options,
                        int level);

}  // namespace kohypar

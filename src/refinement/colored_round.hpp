// One round of conflict-coloured refinement.
#pragma once

#include <kohypar/options.hpp>

#include "refinement/coloring.hpp"
#include "refinement/proposals.hpp"
#include "refinement/state.hpp"

namespace kohypar {

/// Makes moves colour by colour. What a move of a colour gains is counted exactly, by itself, when all
/// colours before are applied; it is wanted if its score is positive. While their part violates a limit,
/// moves out of it are wanted at any score, from the first on until the part would hold. Of the wanted moves
/// into a part the first stay, as many as fit within both limits whatever leaves the part at the same time. A
/// colour that turns out to lose more than its moves by themselves, through hyperedges that the colouring
/// leaves out, is taken back.
///
/// No part gets into a limit's violation or deeper.
/// @param moves by priority, distinct nodes, each to a part other than its own
/// @param colors as of color_moves
/// @return whether anything changed
bool apply_by_color(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                    const Limits& limits, const ScoreTerms& terms, const Moves& moves,
                    const DeviceView<std::uint32_t>& colors, const Tuning& tuning);

/// Proposals, their colours, and their application.
bool run_colored_round(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                       const Limits& limits, const ProposalRules& rules, const ConflictRules& conflicts,
                       const Tuning& tuning);

}  // namespace kohypar

// Which process of a grid owns which vertices of a core.
#pragma once

#include "betweenness/core.hpp"
#include "betweenness/traversal.hpp"

namespace kohypar {

/// Numbers the core's vertices anew, so that the blocks that a grid cuts it into are what the distribution
/// asks for. Blocks are as large as the largest of them: behind the others' vertices are gaps, without edges,
/// whose entry in `vertices` is invalid_id. Sources keep their order. Collective.
/// Throws Error(usage) on given parts that don't fit.
Core place(const ExecutionSpace& space, const Core& core, const Graph& graph,
           const Distribution& distribution, const Team& team, const BetweennessOptions& options);

}  // namespace kohypar

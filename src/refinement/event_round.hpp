// One round of the refinement by chains and events.
#pragma once

#include <kohypar/options.hpp>

#include "refinement/proposals.hpp"
#include "refinement/state.hpp"

namespace kohypar {

/// Proposals, chains, admission and application of the best valid prefix; returns whether it changed
/// anything.
bool run_event_round(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
                     const Limits& limits, const ProposalRules& rules, const Options& options);

}  // namespace kohypar

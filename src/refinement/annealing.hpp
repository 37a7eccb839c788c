// Rounds of exchanges from hot to cold, for parts that are too full for any move.
#pragma once

#include <functional>
#include <kohypar/options.hpp>

#include "refinement/state.hpp"

namespace kohypar {

/// Exchanges nodes in groups of parts (see exchanges.hpp), round after round, groups shifted by half in every
/// other one: at a temperature that falls from sweep to sweep, but with Effort::fast, then without.
/// Connectivity doesn't rise. Empty parts are dropped. Where even small groups have too large lists, nothing
/// happens.
/// @param after_round called after each; may throw
void anneal(const ExecutionSpace& space, const Hypergraph& hypergraph, PartitionState& state,
            const Limits& limits, Effort effort, std::uint64_t seed,
            const std::function<void()>& after_round);

}  // namespace kohypar

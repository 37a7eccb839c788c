// Proposed moves in order of gain, and no more of them than memory is meant for.
#pragma once

#include "refinement/state.hpp"

namespace kohypar {

/// Positions of the moves by descending gain, then position.
DeviceView<std::uint32_t> by_gain(const ExecutionSpace& space, const Moves& moves);

/// The moves of highest gain whose nodes together have at most 2^26 incidences, some 128 bytes of temporary
/// memory each. All moves, in the order they have, if that is enough. A constant, for a result must not
/// depend on the machine.
Moves within_budget(const ExecutionSpace& space, const Hypergraph& hypergraph, const Moves& moves);

}  // namespace kohypar

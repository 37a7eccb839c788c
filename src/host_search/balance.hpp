// Parts above their capacities brought back within them.
#pragma once

#include "host_search/host_state.hpp"

namespace kohypar {

/// Moves nodes out of parts above their capacity, always the one that loses least, into parts with room;
/// where that is not enough, packs all nodes anew, the largest first, each where it is if it fits there. Does
/// nothing to a state without overload; what remains of it afterwards could not be packed.
void repair_balance(const HostLevel& level, const HostProblem& problem, HostState& state);

}  // namespace kohypar

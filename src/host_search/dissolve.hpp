// Fewer parts, where they cost little connectivity.
#pragma once

#include "host_search/evolution.hpp"

namespace kohypar {

/// Dissolves parts, smallest first: their nodes move to where they gain most within the limits, and a local
/// search follows. A part is worth a quarter of its share: it goes where connectivity grows by less than
/// 1 / (4 * parts) of itself.
HostSolution dissolve_parts(const HostLevel& level, const Limits& limits, std::uint64_t seed,
                            HostSolution solution);

}  // namespace kohypar

// What searches on the host find, and which is better.
#pragma once

#include <kohypar/limits.hpp>
#include <vector>

namespace kohypar {

/// Parts of a host level's nodes; in constrained problems none is empty.
struct HostSolution {
  std::vector<PartId> parts;
  PartId num_parts = 0;
  Weight objective = 0;  ///< of the HostProblem
  Weight overload = 0;   ///< size above the capacities of parts, in sum
};

/// Whether a is the better solution: less overload, no more parts than allowed, then the objective, then
/// parts.
inline bool better(const HostSolution& a, const HostSolution& b, const Limits& limits) {
  if (a.overload != b.overload) return a.overload < b.overload;
  const bool few_a = a.num_parts <= limits.max_parts, few_b = b.num_parts <= limits.max_parts;
  if (few_a != few_b) return few_a;
  return a.objective != b.objective ? a.objective < b.objective : a.num_parts < b.num_parts;
}

/// Drops parts without nodes; the others keep their order.
void drop_empty_parts(HostSolution& solution);

}  // namespace kohypar

#include "host_search/growth.hpp"

#include <algorithm>
#include <numeric>

#include "host_search/host_state.hpp"
#include "initial/starts.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

// Growth is tried from as many nodes as stay within this many pins, but no more than most_variants.
constexpr std::uint64_t growth_budget = 1 << 17;
constexpr std::uint64_t most_variants = 16;

HostSolution solution_of(const HostLevel& level, const Limits& limits, Start start) {
  merge_parts(level, limits, start);
  const Weight connectivity = connectivity_of(level, start.parts);
  return {std::move(start.parts), start.num_parts, connectivity};
}

/// Ids of parts, largest first.
std::vector<PartId> by_size(const HostState& state) {
  std::vector<PartId> order(state.num_parts());
  std::iota(order.begin(), order.end(), PartId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](PartId a, PartId b) { return state.size(a) > state.size(b); });
  return order;
}

/// Leaves the `count` largest parts of a solution, numbered by size. The state is only asked what moves gain,
/// so that it may have more parts than there are capacities.
HostSolution with_largest_parts(const HostLevel& level, const HostProblem& problem, PartId count,
                                const HostSolution& solution) {
  HostState state(level, problem, solution.parts, std::max(solution.num_parts, count));
  const std::vector<PartId> order = by_size(state);
  std::vector<PartId> rank(order.size());
  for (PartId i = 0; i < order.size(); ++i) rank[order[i]] = i;
  const auto better_for = [&](NodeId n, PartId p, PartId q) {
    const Weight a = state.gain(n, p), b = state.gain(n, q);
    return a != b ? a > b : state.size(p) < state.size(q);
  };
  for (NodeId n = 0; n < level.num_nodes; ++n) {
    if (rank[state.parts()[n]] < count) continue;
    PartId best = order[0];
    for (PartId i = 1; i < count; ++i)
      if (better_for(n, order[i], best)) best = order[i];
    state.move(n, best);
  }
  HostSolution left{state.parts(), count, state.objective()};
  for (PartId& p : left.parts) p = rank[p];
  return left;
}

}  // namespace

HostSolution solution_in_order(const HostLevel& level, const HostProblem& problem) {
  return solution_of(level, problem.limits, fill_in_order(level, problem.limits));
}

HostSolution grow_parts(const HostLevel& level, const HostProblem& problem, std::uint64_t seed) {
  Limits limits = problem.limits;
  if (problem.is_balanced()) limits.max_size = problem.capacities[0];
  const auto num_parts = static_cast<PartId>(problem.capacities.size());
  HostSolution best;
  const std::uint64_t variants =
      std::clamp<std::uint64_t>(growth_budget / (level.num_pins + 1), 1, most_variants);
  for (std::uint64_t variant = 0; variant < variants; ++variant) {
    HostSolution other =
        solution_of(level, limits, grow_greedily(level, limits, variant == 0 ? 0 : mix(seed, variant)));
    if (problem.is_balanced()) other = with_largest_parts(level, problem, num_parts, other);
    if (variant == 0 || better(other, best, limits)) best = std::move(other);
  }
  return best;
}

bool can_grow_parts(const HostProblem& problem) {
  const auto& capacities = problem.capacities;
  return problem.terminals.empty() && std::all_of(capacities.begin(), capacities.end(),
                                                  [&](Weight capacity) { return capacity == capacities[0]; });
}

}  // namespace kohypar

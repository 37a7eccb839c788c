#include "host_search/dissolve.hpp"

#include <algorithm>

#include "host_search/local_search.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

PartId smallest_part(const HostState& state) {
  PartId smallest = 0;
  for (PartId p = 1; p < state.num_parts(); ++p)
    if (state.size(p) < state.size(smallest)) smallest = p;
  return smallest;
}

/// The part but n's own that it gains most in, then the emptiest; invalid_id if n fits nowhere.
PartId refuge(const HostState& state, NodeId n) {
  PartId best = invalid_id;
  const auto preferred = [&](PartId p) {
    if (best == invalid_id) return true;
    const Weight gain = state.gain(n, p), least = state.gain(n, best);
    return gain != least ? gain > least : state.size(p) < state.size(best);
  };
  for (PartId p = 0; p < state.num_parts(); ++p)
    if (p != state.parts()[n] && preferred(p) && state.fits(n, p)) best = p;
  return best;
}

/// Empties a part, larger nodes first. Returns whether all found room.
bool empty_part(const HostLevel& level, HostState& state, PartId part) {
  std::vector<NodeId> members;
  for (NodeId n = 0; n < level.num_nodes; ++n)
    if (state.parts()[n] == part) members.push_back(n);
  std::stable_sort(members.begin(), members.end(),
                   [&](NodeId a, NodeId b) { return level.node_sizes(a) > level.node_sizes(b); });
  return std::all_of(members.begin(), members.end(), [&](NodeId n) {
    const PartId p = refuge(state, n);
    if (p != invalid_id) state.move(n, p);
    return p != invalid_id;
  });
}

/// The solution without its smallest part, which another takes the id of; no parts if that can't be.
HostSolution without_smallest(const HostLevel& level, const Limits& limits, std::uint64_t seed,
                              const HostSolution& solution) {
  HostState state(level, limits, solution.parts, solution.num_parts);
  const PartId smallest = smallest_part(state), last = solution.num_parts - 1;
  if (!empty_part(level, state, smallest)) return {};
  std::vector<PartId> parts = state.parts();
  for (PartId& p : parts)
    if (p == last) p = smallest;
  HostState fewer(level, limits, std::move(parts), last);
  search_locally(level, limits, seed, fewer);
  return {fewer.parts(), last, fewer.connectivity()};
}

}  // namespace

HostSolution dissolve_parts(const HostLevel& level, const Limits& limits, std::uint64_t seed,
                            HostSolution solution) {
  while (solution.num_parts > 1) {
    HostSolution fewer = without_smallest(level, limits, mix(seed, solution.num_parts), solution);
    const Weight price = solution.connectivity / (4 * static_cast<Weight>(solution.num_parts));
    const bool too_many = solution.num_parts > limits.max_parts;
    if (fewer.num_parts == 0 || (!too_many && fewer.connectivity > solution.connectivity + price)) break;
    solution = std::move(fewer);
  }
  return solution;
}

}  // namespace kohypar

// What a search on the host minimises, and within which limits.
#pragma once

#include <kohypar/limits.hpp>
#include <vector>

#include "initial/host_level.hpp"

namespace kohypar {

/// Either constrained: any number of parts, all within the same limits; or balanced: as many parts as there
/// are capacities, some perhaps empty.
struct HostProblem {
  Limits limits;
  std::vector<Weight> capacities;  ///< balanced: the most size of each part
  /// What is minimised is connectivity plus so many times the weight of cut hyperedges.
  Weight cut_weight = 0;
  /// The first nodes of every level, terminals, belong to these parts for good.
  std::vector<PartId> terminals;

  [[nodiscard]] bool is_balanced() const { return !capacities.empty(); }
  [[nodiscard]] Weight capacity(PartId p) const {
    return capacities.empty() ? limits.max_size : capacities[p];
  }
  [[nodiscard]] bool is_terminal(NodeId n) const { return n < terminals.size(); }
};

inline HostProblem constrained(const Limits& limits) {
  HostProblem problem;
  problem.limits = limits;
  return problem;
}

/// Whether hyperedges have many pins on average, as those of neural networks do and nets of circuits don't.
inline bool has_large_hyperedges(PinOffset num_pins, HyperedgeId num_hyperedges) {
  constexpr PinOffset large = 16;
  return num_pins >= large * num_hyperedges;
}

inline Weight total_size(const HostLevel& level) {
  Weight total = 0;
  for (NodeId n = 0; n < level.num_nodes; ++n) total += level.node_sizes(n);
  return total;
}

}  // namespace kohypar

// Slow, obvious twins of conflict-coloured refinement.
#pragma once

#include "reference/partition_state.hpp"
#include "refinement/coloring.hpp"
#include "refinement/proposals.hpp"

namespace kohypar::reference {

/// Hyperedges that a node is a pin of.
inline std::set<HyperedgeId> incident(const SetHypergraph& h, NodeId n) {
  std::set<HyperedgeId> result;
  for (HyperedgeId e = 0; e < h.weights.size(); ++e)
    for (const auto* pins : {&h.sources[e], &h.destinations[e]})
      if (std::find(pins->begin(), pins->end(), n) != pins->end()) result.insert(e);
  return result;
}

/// For every move the earlier and later ones in conflict with it.
inline std::vector<std::set<std::uint32_t>> conflict_graph(const SetHypergraph& h,
                                                           const std::vector<NodeId>& nodes,
                                                           std::uint32_t max_pins) {
  std::vector<std::set<std::uint32_t>> moves_of(h.weights.size()), graph(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    for (const HyperedgeId e : incident(h, nodes[i]))
      if (h.sources[e].size() + h.destinations[e].size() <= max_pins) moves_of[e].insert(i);
  for (const auto& moves : moves_of)
    for (const std::uint32_t i : moves)
      for (const std::uint32_t j : moves)
        if (i != j) graph[i].insert(j);
  return graph;
}

/// One move after the other takes the lowest colour that none of its neighbours has.
inline std::vector<std::uint32_t> color_greedily(const std::vector<std::set<std::uint32_t>>& graph,
                                                 std::uint32_t num_colors) {
  std::vector<std::uint32_t> colors(graph.size(), uncolored);
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    std::set<std::uint32_t> taken;
    for (const std::uint32_t j : graph[i]) taken.insert(colors[j]);
    std::uint32_t color = 0;
    while (taken.count(color) > 0) ++color;
    if (color < num_colors) colors[i] = color;
  }
  return colors;
}

/// A state to which colours are applied, everything recounted after each.
struct ColoredRefinement {
  const SetHypergraph& h;
  Limits limits;
  ScoreTerms terms;
  std::vector<PartId> parts;
  PartId num_parts;

  struct Effect {
    Weight gain, score, inbound;  ///< inbound: that it adds to the target
  };

  Effect effect_of(NodeId n, PartId target) const {
    const SetState before = count_state(h, parts, num_parts);
    auto moved = parts;
    moved[n] = target;
    const SetState after = count_state(h, moved, num_parts);
    const Weight gain = before.connectivity - after.connectivity;
    const Weight added = after.inbound[target] - before.inbound[target];
    Weight own = h.base_inbound[n];
    for (HyperedgeId e = 0; e < h.weights.size(); ++e)
      if (std::count(h.destinations[e].begin(), h.destinations[e].end(), n) > 0) own += h.multiplicities[e];
    const bool counted = limits.max_inbound != unlimited;
    return {gain, gain + terms(after.sizes[target], h.sizes[n], counted ? own - added : 0), added};
  }

  bool violates(const SetState& state, PartId part) const {
    return state.sizes[part] > limits.max_size || state.inbound[part] > limits.max_inbound;
  }

  /// Applies moves of one colour; see apply_by_color.
  void apply(const std::vector<NodeId>& nodes, const std::vector<PartId>& targets) {
    const SetState before = count_state(h, parts, num_parts);
    std::map<PartId, Weight> left, size_entered, inbound_entered;
    std::map<PartId, bool> leaves;
    auto next = parts;
    Weight promised = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeId n = nodes[i];
      const PartId from = parts[n], to = targets[i];
      const Effect effect = effect_of(n, to);
      bool wanted = effect.score > 0;
      if (violates(before, from)) {
        if (!leaves[from] || before.sizes[from] - left[from] > limits.max_size) wanted = true;
        leaves[from] = true;
        left[from] += h.sizes[n];
      }
      if (!wanted) continue;
      size_entered[to] += h.sizes[n];
      inbound_entered[to] += effect.inbound;
      if (before.sizes[to] + size_entered[to] > limits.max_size) continue;
      if (limits.max_inbound != unlimited && before.inbound[to] + inbound_entered[to] > limits.max_inbound)
        continue;
      next[n] = to;
      promised += effect.gain;
    }
    const Weight gain = before.connectivity - count_state(h, next, num_parts).connectivity;
    if (gain >= std::min<Weight>(promised, 0)) parts = next;
  }
};

}  // namespace kohypar::reference

// Slow, obvious twins of refinement's bookkeeping: every number from the definition, by sets.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>
#include <map>
#include <set>
#include <vector>

#include "parallel/hash.hpp"
#include "support.hpp"

namespace kohypar::reference {

/// A hypergraph as sets on the host, with multiplicities and dropped inbound hyperedges.
struct SetHypergraph {
  std::vector<std::vector<NodeId>> sources, destinations;  ///< per hyperedge
  std::vector<Weight> weights, multiplicities;             ///< per hyperedge
  std::vector<Weight> sizes, base_inbound;                 ///< per node

  explicit SetHypergraph(const Hypergraph& h)
      : weights(test::to_host(h.hyperedge_weights)),
        multiplicities(test::to_host(h.multiplicities)),
        sizes(test::to_host(h.node_sizes)),
        base_inbound(test::to_host(h.base_inbound)) {
    const auto offsets = test::to_host(h.hyperedge_offsets);
    const auto pins = test::to_host(h.pins);
    const auto source_counts = test::to_host(h.source_counts);
    for (HyperedgeId e = 0; e < h.num_hyperedges; ++e) {
      const auto first = pins.begin() + offsets[e], middle = first + source_counts[e];
      sources.emplace_back(first, middle);
      destinations.emplace_back(middle, pins.begin() + offsets[e + 1]);
    }
  }
};

/// Everything a PartitionState holds.
struct SetState {
  struct Pins {
    std::uint32_t pins = 0, destination_pins = 0;
    bool operator==(const Pins&) const = default;
  };
  std::vector<std::map<PartId, Pins>> lists;  ///< per hyperedge
  std::vector<Weight> sizes, inbound;         ///< per part
  Weight connectivity = 0;
};

inline SetState count_state(const SetHypergraph& h, const std::vector<PartId>& parts, PartId num_parts) {
  SetState state;
  state.sizes.assign(num_parts, 0);
  state.inbound.assign(num_parts, 0);
  for (NodeId n = 0; n < parts.size(); ++n) {
    state.sizes[parts[n]] += h.sizes[n];
    state.inbound[parts[n]] += h.base_inbound[n];
  }
  for (HyperedgeId e = 0; e < h.weights.size(); ++e) {
    std::map<PartId, SetState::Pins> list;
    for (const NodeId n : h.sources[e]) ++list[parts[n]].pins;
    for (const NodeId n : h.destinations[e]) {
      ++list[parts[n]].pins;
      ++list[parts[n]].destination_pins;
    }
    for (const auto& [part, pins] : list)
      if (pins.destination_pins > 0) state.inbound[part] += h.multiplicities[e];
    if (!list.empty()) state.connectivity += h.weights[e] * (static_cast<Weight>(list.size()) - 1);
    state.lists.push_back(std::move(list));
  }
  return state;
}

inline std::size_t count_violations(const SetState& state, const Limits& limits) {
  std::size_t violations = 0;
  for (const Weight size : state.sizes) violations += size > limits.max_size;
  for (const Weight inbound : state.inbound) violations += inbound > limits.max_inbound;
  return violations;
}

struct Proposal {
  PartId target = invalid_id;
  Weight gain = 0;
};

/// The best move of one node by trying every part: the change of connectivity by counting anew.
/// @param must_fit only targets that hold the node; the node's part violating a limit implies it.
inline Proposal propose(const SetHypergraph& h, const std::vector<PartId>& parts, PartId num_parts, NodeId n,
                        const Limits& limits, bool must_fit, int loss_percent, std::uint64_t seed) {
  const SetState before = count_state(h, parts, num_parts);
  const bool must_leave =
      before.sizes[parts[n]] > limits.max_size || before.inbound[parts[n]] > limits.max_inbound;
  std::set<PartId> adjacent;
  Weight saving = 0;
  for (HyperedgeId e = 0; e < h.weights.size(); ++e) {
    const auto has = [&](const std::vector<NodeId>& pins) {
      return std::find(pins.begin(), pins.end(), n) != pins.end();
    };
    if (!has(h.sources[e]) && !has(h.destinations[e])) continue;
    if (before.lists[e].at(parts[n]).pins == 1) saving += h.weights[e];
    if (h.weights[e] == 0) continue;
    for (const auto& [part, pins] : before.lists[e]) adjacent.insert(part);
  }
  adjacent.erase(parts[n]);
  Proposal best;
  for (const PartId part : adjacent) {
    auto moved = parts;
    moved[n] = part;
    const SetState after = count_state(h, moved, num_parts);
    if ((must_fit || must_leave) &&
        (after.sizes[part] > limits.max_size || after.inbound[part] > limits.max_inbound))
      continue;
    const Weight gain = before.connectivity - after.connectivity;
    const auto better = [&] {
      if (best.target == invalid_id || gain != best.gain)
        return best.target == invalid_id || gain > best.gain;
      const auto hash = mix(part, seed), best_hash = mix(best.target, seed);
      return hash != best_hash ? hash > best_hash : part > best.target;
    };
    if (better()) best = {part, gain};
  }
  if (best.target != invalid_id && !must_leave && 100 * best.gain < -saving * loss_percent) return {};
  return best;
}

/// What a greedy pass over proposed moves does, one move after the other, everything recounted after each.
struct Admitted {
  std::vector<NodeId> nodes;
  std::vector<PartId> targets;
  std::vector<Weight> gains;
};

inline Admitted admit(const SetHypergraph& h, std::vector<PartId> parts, PartId num_parts,
                      const std::vector<NodeId>& nodes, const std::vector<PartId>& targets,
                      const std::vector<Weight>& proposed_gains, const Limits& limits) {
  const auto exceeds = [&](const SetState& state, PartId part) {
    return state.sizes[part] > limits.max_size || state.inbound[part] > limits.max_inbound;
  };
  Admitted admitted;
  SetState state = count_state(h, parts, num_parts);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const PartId from = parts[nodes[i]];
    parts[nodes[i]] = targets[i];
    SetState after = count_state(h, parts, num_parts);
    const Weight gain = state.connectivity - after.connectivity;
    const bool wanted = gain > 0 || gain >= proposed_gains[i] || exceeds(state, from);
    if (!wanted || exceeds(after, targets[i])) {
      parts[nodes[i]] = from;
      continue;
    }
    admitted.nodes.push_back(nodes[i]);
    admitted.targets.push_back(targets[i]);
    admitted.gains.push_back(gain);
    state = std::move(after);
  }
  return admitted;
}

}  // namespace kohypar::reference

// Random states and sequences of moves on them, for the tests of refinement.
#pragma once

#include <map>
#include <numeric>

#include "hypergraph/incidence.hpp"
#include "reference/events.hpp"
#include "refinement/state.hpp"
#include "support.hpp"

namespace kohypar::test {

using Random = std::mt19937_64;
inline std::uint64_t below(Random& random, std::uint64_t n) {
  return n == 0 ? 0 : random() % n;
}

/// A random state and a random sequence of moves on it, on the host.
struct Instance {
  reference::HypergraphLevel level;
  std::vector<PartId> parts;
  PartId num_parts = 0;
  std::vector<reference::Move> sequence;
  Limits limits;
};

inline Weight random_limit(Random& random, const std::vector<Weight>& used) {
  const Weight most = *std::max_element(used.begin(), used.end());
  switch (below(random, 4)) {
    case 0:
      return unlimited;
    case 1:
      return most + static_cast<Weight>(below(random, 3));  // valid but tight
    case 2:
      return most + static_cast<Weight>(below(random, 1 + static_cast<std::uint64_t>(most) / 2));
    default:
      return static_cast<Weight>(below(random, 1 + static_cast<std::uint64_t>(most)));  // violated
  }
}

inline Instance random_instance(const test::RandomHypergraph& shape, std::uint64_t seed) {
  Instance instance;
  Random random(seed);
  instance.level.hypergraph = test::random_hypergraph(shape, seed);
  const NodeId n = shape.nodes;
  for (HyperedgeId e = 0; e < instance.level.hypergraph.num_hyperedges(); ++e)
    instance.level.multiplicities.push_back(1 + static_cast<Weight>(below(random, 3)));
  for (NodeId node = 0; node < n; ++node)
    instance.level.base_inbound.push_back(static_cast<Weight>(below(random, 3)));
  // Few parts are emptied and filled again; more parts than nodes leave some empty at first.
  instance.num_parts = 2 + static_cast<PartId>(below(random, seed % 3 == 0 ? 2 : 8));
  for (NodeId node = 0; node < n; ++node)
    instance.parts.push_back(static_cast<PartId>(below(random, instance.num_parts)));
  std::vector<NodeId> nodes(n);
  std::iota(nodes.begin(), nodes.end(), 0u);
  std::shuffle(nodes.begin(), nodes.end(), random);
  nodes.resize(seed % 2 == 0 ? n : below(random, n + std::uint64_t{1}));
  for (const NodeId node : nodes) {
    const PartId step = 1 + static_cast<PartId>(below(random, instance.num_parts - 1));
    instance.sequence.push_back({node, (instance.parts[node] + step) % instance.num_parts, 0});
  }
  const reference::Use use = reference::count_use(instance.level, instance.parts, instance.num_parts);
  instance.limits.max_size = random_limit(random, use.sizes);
  instance.limits.max_inbound = random_limit(random, use.inbound);
  return instance;
}

inline Hypergraph device_hypergraph(const ExecutionSpace& space, const reference::HypergraphLevel& level) {
  Hypergraph h = upload(space, level.hypergraph);
  h.multiplicities = to_device(level.multiplicities);
  h.base_inbound = to_device(level.base_inbound);
  build_incidence(space, h);
  return h;
}

/// The state as its definition says, counted on the host.
inline PartitionState device_state(const Instance& instance) {
  const HostHypergraph& h = instance.level.hypergraph;
  std::vector<PartId> parts(h.num_pins());
  std::vector<std::uint32_t> pins(h.num_pins()), destination_pins(h.num_pins()), lambda(h.num_hyperedges());
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const PinOffset begin = h.hyperedge_offsets[e];
    std::map<PartId, std::pair<std::uint32_t, std::uint32_t>> counts;
    for (PinOffset i = begin; i < h.hyperedge_offsets[e + 1]; ++i) {
      auto& count = counts[instance.parts[h.pins[i]]];
      ++count.first;
      if (i >= begin + h.source_counts[e]) ++count.second;
    }
    for (const auto& [part, count] : counts) {
      const PinOffset entry = begin + lambda[e]++;
      parts[entry] = part;
      pins[entry] = count.first;
      destination_pins[entry] = count.second;
    }
  }
  const reference::Use use = reference::count_use(instance.level, instance.parts, instance.num_parts);
  PartitionState state;
  state.parts = to_device(instance.parts);
  state.num_parts = instance.num_parts;
  state.sizes = to_device(use.sizes);
  state.inbound = to_device(use.inbound);
  state.part_pins = {to_device(parts), to_device(pins), to_device(destination_pins), to_device(lambda)};
  state.connectivity = reference::connectivity(instance.level, instance.parts);
  return state;
}

inline Moves device_moves(const std::vector<reference::Move>& sequence) {
  std::vector<NodeId> nodes;
  std::vector<PartId> targets;
  std::vector<Weight> gains;
  for (const reference::Move& move : sequence) {
    nodes.push_back(move.node);
    targets.push_back(move.target);
    gains.push_back(move.gain);
  }
  return {to_device(nodes), to_device(targets), to_device(gains)};
}

}  // namespace kohypar::test

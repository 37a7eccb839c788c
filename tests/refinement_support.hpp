// Instances for the tests of refinement.
#pragma once

#include "hypergraph/incidence.hpp"
#include "reference/partition_state.hpp"
#include "refinement/state.hpp"
#include "support.hpp"

namespace kohypar::test {

/// Uploads a random hypergraph and gives it multiplicities of 1 to 3 and base inbound counts of 0 to 2, as
/// coarser levels have them.
inline Hypergraph random_level(const ExecutionSpace& space, const RandomHypergraph& shape,
                               std::uint64_t seed) {
  auto h = upload(space, random_hypergraph(shape, seed));
  std::mt19937_64 random(seed + 1);
  std::vector<Weight> multiplicities(h.num_hyperedges), base_inbound(h.num_nodes);
  for (auto& m : multiplicities) m = 1 + static_cast<Weight>(random() % 3);
  for (auto& b : base_inbound) b = static_cast<Weight>(random() % 3);
  h.multiplicities = to_device(multiplicities);
  h.base_inbound = to_device(base_inbound);
  build_incidence(space, h);
  return h;
}

inline std::vector<PartId> random_parts(NodeId nodes, PartId num_parts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<PartId> parts(nodes);
  for (auto& part : parts) part = static_cast<PartId>(random() % num_parts);
  return parts;
}

/// Moves of a random choice of nodes to random other parts (num_parts >= 2), in random order.
inline Moves random_moves(const std::vector<PartId>& parts, PartId num_parts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeId> nodes(parts.size());
  for (NodeId n = 0; n < nodes.size(); ++n) nodes[n] = n;
  std::shuffle(nodes.begin(), nodes.end(), random);
  nodes.resize(random() % (nodes.size() + 1));
  std::vector<PartId> targets;
  for (const NodeId n : nodes)
    targets.push_back(static_cast<PartId>((parts[n] + 1 + random() % (num_parts - 1)) % num_parts));
  return {to_device(nodes), to_device(targets), to_device(std::vector<Weight>(nodes.size(), 0))};
}

/// A level, a partition of it, and limits that this partition just keeps, meets, or breaks.
struct LimitedPartition {
  Hypergraph h;
  std::vector<PartId> parts;
  PartId num_parts;
  Limits limits;
};

inline LimitedPartition random_limited_partition(const ExecutionSpace& space, const RandomHypergraph& shape,
                                                 std::uint64_t seed) {
  LimitedPartition instance{random_level(space, shape, seed), {}, static_cast<PartId>(1 + seed % 7), {}};
  instance.parts = random_parts(shape.nodes, instance.num_parts, seed);
  const auto state =
      reference::count_state(reference::SetHypergraph(instance.h), instance.parts, instance.num_parts);
  // At, just below or above what the fullest part uses: full parts, a violated one, free ones.
  const auto around = [&](const std::vector<Weight>& use, Weight shift) {
    return std::max<Weight>(*std::max_element(use.begin(), use.end()) + shift, 0);
  };
  const auto shift = static_cast<Weight>(seed % 3) - 1;
  if (seed % 4 != 1) instance.limits.max_size = around(state.sizes, shift);
  if (seed % 4 != 2) instance.limits.max_inbound = around(state.inbound, 3 * shift);
  return instance;
}

}  // namespace kohypar::test

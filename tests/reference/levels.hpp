// Serial twins of redundancy removal and contraction, in set arithmetic.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support.hpp"

namespace kohypar::reference {

struct Hyperedge {
  std::set<NodeId> sources, destinations;
  Weight weight = 0, multiplicity = 0;

  [[nodiscard]] std::size_t num_pins() const { return sources.size() + destinations.size(); }
  bool operator==(const Hyperedge&) const = default;
};

/// A hypergraph of one level as sets.
struct Level {
  std::vector<Hyperedge> hyperedges;
  std::vector<Weight> node_sizes, base_inbound;

  bool operator==(const Level&) const = default;
};

/// A device hypergraph as sets; only what is not derived.
inline Level download(const Hypergraph& h) {
  const auto offsets = test::to_host(h.hyperedge_offsets);
  const auto pins = test::to_host(h.pins);
  const auto source_counts = test::to_host(h.source_counts);
  const auto weights = test::to_host(h.hyperedge_weights);
  const auto multiplicities = test::to_host(h.multiplicities);
  Level level{{}, test::to_host(h.node_sizes), test::to_host(h.base_inbound)};
  for (HyperedgeId e = 0; e < h.num_hyperedges; ++e) {
    const auto begin = pins.begin() + offsets[e], end = pins.begin() + offsets[e + 1];
    level.hyperedges.push_back(
        {{begin, begin + source_counts[e]}, {begin + source_counts[e], end}, weights[e], multiplicities[e]});
  }
  return level;
}

/// |in(n)| of every node.
inline std::vector<Weight> inbound_sizes(const Level& level) {
  std::vector<Weight> inbound = level.base_inbound;
  for (const Hyperedge& e : level.hyperedges)
    for (const NodeId n : e.destinations) inbound[n] += e.multiplicity;
  return inbound;
}

inline Level remove_redundant_hyperedges(const Level& level) {
  Level result{{}, level.node_sizes, level.base_inbound};
  std::map<std::pair<std::set<NodeId>, std::set<NodeId>>, std::size_t> place;
  for (const Hyperedge& e : level.hyperedges) {
    if (e.num_pins() < 2) {
      for (const NodeId n : e.destinations) result.base_inbound[n] += e.multiplicity;
      continue;
    }
    const auto [found, is_new] = place.try_emplace({e.sources, e.destinations}, result.hyperedges.size());
    if (is_new) {
      result.hyperedges.push_back(e);
    } else {
      result.hyperedges[found->second].weight += e.weight;
      result.hyperedges[found->second].multiplicity += e.multiplicity;
    }
  }
  return result;
}

inline Level contract(const Level& level, const std::vector<NodeId>& cluster_of, NodeId num_clusters) {
  Level result{{}, std::vector<Weight>(num_clusters), std::vector<Weight>(num_clusters)};
  for (NodeId n = 0; n < cluster_of.size(); ++n) {
    result.node_sizes[cluster_of[n]] += level.node_sizes[n];
    result.base_inbound[cluster_of[n]] += level.base_inbound[n];
  }
  for (const Hyperedge& e : level.hyperedges) {
    Hyperedge image{{}, {}, e.weight, e.multiplicity};
    for (const NodeId n : e.destinations) image.destinations.insert(cluster_of[n]);
    for (const NodeId n : e.sources)
      if (!image.destinations.contains(cluster_of[n])) image.sources.insert(cluster_of[n]);
    result.hyperedges.push_back(image);
  }
  return remove_redundant_hyperedges(result);
}

/// Distinct hyperedges, multiplicities counted, with a destination in each of `num_parts` parts.
inline std::vector<Weight> part_inbound(const Level& level, const std::vector<NodeId>& part_of,
                                        NodeId num_parts) {
  std::vector<Weight> inbound(num_parts);
  for (NodeId n = 0; n < part_of.size(); ++n) inbound[part_of[n]] += level.base_inbound[n];
  for (const Hyperedge& e : level.hyperedges) {
    std::set<NodeId> parts;
    for (const NodeId n : e.destinations) parts.insert(part_of[n]);
    for (const NodeId p : parts) inbound[p] += e.multiplicity;
  }
  return inbound;
}

/// Sum of weight * (parts touched - 1).
inline Weight connectivity(const Level& level, const std::vector<NodeId>& part_of) {
  Weight sum = 0;
  for (const Hyperedge& e : level.hyperedges) {
    std::set<NodeId> parts;
    for (const NodeId n : e.sources) parts.insert(part_of[n]);
    for (const NodeId n : e.destinations) parts.insert(part_of[n]);
    if (!parts.empty()) sum += e.weight * static_cast<Weight>(parts.size() - 1);
  }
  return sum;
}

/// Weight of hyperedges that touch more than one part.
inline Weight cut_net(const Level& level, const std::vector<NodeId>& part_of) {
  Weight sum = 0;
  for (const Hyperedge& e : level.hyperedges) {
    std::set<NodeId> parts;
    for (const NodeId n : e.sources) parts.insert(part_of[n]);
    for (const NodeId n : e.destinations) parts.insert(part_of[n]);
    if (parts.size() > 1) sum += e.weight;
  }
  return sum;
}

/// What is left of a level without the nodes whose number is invalid_id; hyperedges that lose no pin weigh so
/// many times as much.
inline Level induce(const Level& level, const std::vector<NodeId>& number, NodeId num_kept, Weight factor) {
  Level result{{}, std::vector<Weight>(num_kept), std::vector<Weight>(num_kept)};
  for (NodeId n = 0; n < number.size(); ++n) {
    if (number[n] == invalid_id) continue;
    result.node_sizes[number[n]] = level.node_sizes[n];
    result.base_inbound[number[n]] = level.base_inbound[n];
  }
  for (const Hyperedge& e : level.hyperedges) {
    Hyperedge image{{}, {}, e.weight, e.multiplicity};
    for (const NodeId n : e.sources)
      if (number[n] != invalid_id) image.sources.insert(number[n]);
    for (const NodeId n : e.destinations)
      if (number[n] != invalid_id) image.destinations.insert(number[n]);
    if (image.num_pins() == e.num_pins()) image.weight *= factor;
    result.hyperedges.push_back(image);
  }
  return remove_redundant_hyperedges(result);
}

}  // namespace kohypar::reference

// Candidates the slow way: every pair of nodes, set by set.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "coarsening/rating.hpp"
#include "support.hpp"

namespace kohypar::test {

/// The best valid neighbours of every node, best first, as (neighbour, score).
inline std::vector<std::vector<std::pair<NodeId, Weight>>> reference_candidates(
    const HostHypergraph& h, const Rating& rating, Weight max_size, Weight max_inbound,
    const std::vector<PartId>& within, int per_node) {
  std::vector<std::set<HyperedgeId>> inbound(h.num_nodes);
  std::map<std::pair<NodeId, NodeId>, Weight> increments, shared;  // by hyperedges that rate the pair
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const PinOffset begin = h.hyperedge_offsets[e], end = h.hyperedge_offsets[e + 1];
    for (PinOffset i = begin + h.source_counts[e]; i < end; ++i) inbound[h.pins[i]].insert(e);
    const PinOffset destinations = begin + h.source_counts[e];
    const auto is_rated = [&](PinOffset i, PinOffset j) {
      if (end - begin <= rating.longest_whole || i < destinations || j < destinations) return i != j;
      return i != j && std::max(i, j) - std::min(i, j) <= rating.reach;
    };
    for (PinOffset i = begin; i < end; ++i)
      for (PinOffset j = begin; j < end; ++j)
        if (is_rated(i, j)) {
          increments[{h.pins[i], h.pins[j]}] += rating_increment(rating, h.hyperedge_weights[e], end - begin);
          shared[{h.pins[i], h.pins[j]}] += i >= destinations && j >= destinations ? 1 : 0;
        }
  }
  std::vector<std::vector<std::pair<NodeId, Weight>>> result(h.num_nodes);
  for (NodeId n = 0; n < h.num_nodes; ++n) {
    std::vector<RatedPair> pairs;
    for (NodeId m = 0; m < h.num_nodes; ++m) {
      const auto found = increments.find({n, m});
      if (found == increments.end()) continue;
      if (h.node_sizes[n] + h.node_sizes[m] > max_size) continue;
      if (static_cast<Weight>(inbound[n].size() + inbound[m].size()) - shared[{n, m}] > max_inbound) continue;
      if (!within.empty() && within[n] != within[m]) continue;
      const std::uint64_t hash = pair_hash(rating, n, m);
      pairs.push_back(
          {pair_score(rating, found->second, hash, size_root(h.node_sizes[n]), size_root(h.node_sizes[m])),
           hash, m});
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const RatedPair& a, const RatedPair& b) { return a.better_than(b); });
    for (std::size_t r = 0; r < pairs.size() && r < static_cast<std::size_t>(per_node); ++r)
      result[n].push_back({pairs[r].neighbor, pairs[r].score});
  }
  return result;
}

}  // namespace kohypar::test

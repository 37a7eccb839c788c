// Sequences of moves applied one by one, everything recounted from the pins after each.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>
#include <set>
#include <vector>

namespace kohypar::reference {

/// A hypergraph as it is at some level: identical hyperedges merged, single-pin ones dropped.
struct HypergraphLevel {
  HostHypergraph hypergraph;
  std::vector<Weight> multiplicities;  ///< per hyperedge
  std::vector<Weight> base_inbound;    ///< per node
};

struct Move {
  NodeId node = 0;
  PartId target = 0;
  Weight gain = 0;
};

inline Weight connectivity(const HypergraphLevel& level, const std::vector<PartId>& parts) {
  const HostHypergraph& h = level.hypergraph;
  Weight sum = 0;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    std::set<PartId> touched;
    for (PinOffset i = h.hyperedge_offsets[e]; i < h.hyperedge_offsets[e + 1]; ++i)
      touched.insert(parts[h.pins[i]]);
    if (!touched.empty()) sum += h.hyperedge_weights[e] * static_cast<Weight>(touched.size() - 1);
  }
  return sum;
}

/// What every part has of the two limits.
struct Use {
  std::vector<Weight> sizes, inbound;
};

inline Use count_use(const HypergraphLevel& level, const std::vector<PartId>& parts, PartId num_parts) {
  const HostHypergraph& h = level.hypergraph;
  Use use{std::vector<Weight>(num_parts), std::vector<Weight>(num_parts)};
  for (NodeId n = 0; n < h.num_nodes; ++n) {
    use.sizes[parts[n]] += h.node_sizes[n];
    use.inbound[parts[n]] += level.base_inbound[n];
  }
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    std::set<PartId> entered;
    for (PinOffset i = h.hyperedge_offsets[e] + h.source_counts[e]; i < h.hyperedge_offsets[e + 1]; ++i)
      entered.insert(parts[h.pins[i]]);
    for (const PartId p : entered) use.inbound[p] += level.multiplicities[e];
  }
  return use;
}

inline Weight count_violations(const Use& use, const Limits& limits) {
  Weight violations = 0;
  for (std::size_t p = 0; p < use.sizes.size(); ++p)
    violations += (use.sizes[p] > limits.max_size ? 1 : 0) + (use.inbound[p] > limits.max_inbound ? 1 : 0);
  return violations;
}

struct Evaluation {
  Weight initial_violations = 0;
  std::vector<Weight> gains, violations;
  std::vector<std::uint32_t> repaired_at;
  std::size_t best_length = 0;
  Weight best_gain = 0;
};

/// The first move from i on after which the part is within the limit; invalid_id if none.
inline std::uint32_t first_within(const std::vector<Use>& after, std::vector<Weight> Use::*resource,
                                  PartId part, Weight limit, std::size_t i) {
  while (i < after.size() && (after[i].*resource)[part] > limit) ++i;
  return i < after.size() ? static_cast<std::uint32_t>(i) : invalid_id;
}

inline Evaluation evaluate_sequence(const HypergraphLevel& level, std::vector<PartId> parts, PartId num_parts,
                                    const std::vector<Move>& sequence, const Limits& limits) {
  Evaluation result;
  std::vector<Use> after;
  const Use initial = count_use(level, parts, num_parts);
  result.initial_violations = count_violations(initial, limits);
  Weight connectivity_before = connectivity(level, parts);
  for (const Move& move : sequence) {
    parts[move.node] = move.target;
    const Weight now = connectivity(level, parts);
    result.gains.push_back(connectivity_before - now);
    connectivity_before = now;
    after.push_back(count_use(level, parts, num_parts));
    result.violations.push_back(count_violations(after.back(), limits));
  }
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Use& before = i == 0 ? initial : after[i - 1];
    const PartId target = sequence[i].target;
    std::uint32_t repaired = static_cast<std::uint32_t>(i);
    if (after[i].sizes[target] > before.sizes[target])
      repaired = std::max(repaired, first_within(after, &Use::sizes, target, limits.max_size, i));
    if (after[i].inbound[target] > before.inbound[target])
      repaired = std::max(repaired, first_within(after, &Use::inbound, target, limits.max_inbound, i));
    result.repaired_at.push_back(repaired);
  }
  // The best prefix: fewest violations if some are there to repair, then gain, then length.
  Weight fewest = result.initial_violations, total = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    total += result.gains[i];
    const Weight violations = result.violations[i];
    const bool allowed = violations == 0 || violations < result.initial_violations;
    if (!allowed) continue;
    if (violations < fewest || (violations == fewest && total > result.best_gain)) {
      fewest = violations;
      result.best_gain = total;
      result.best_length = i + 1;
    }
  }
  return result;
}

}  // namespace kohypar::reference

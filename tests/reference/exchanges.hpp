// Slow, obvious twin of the exchanges in groups: every change is judged by counting the whole state afresh.
#pragma once

#include <algorithm>

#include "reference/partition_state.hpp"
#include "refinement/exchanges.hpp"

namespace kohypar::reference {

/// Weight of the node's hyperedges that touch the part.
inline Weight weight_shared(const SetHypergraph& h, const std::vector<PartId>& parts, NodeId n, PartId part) {
  Weight sum = 0;
  for (HyperedgeId e = 0; e < h.weights.size(); ++e) {
    bool is_pin = false, touches = false;
    for (const auto* pins : {&h.sources[e], &h.destinations[e]}) {
      for (const NodeId m : *pins) {
        is_pin = is_pin || m == n;
        touches = touches || parts[m] == part;
      }
    }
    if (is_pin && touches) sum += h.weights[e];
  }
  return sum;
}

inline std::vector<PartId> exchange_in_groups(const SetHypergraph& h, std::vector<PartId> parts,
                                              PartId num_parts, const Limits& limits,
                                              const ExchangeRules& rules) {
  const auto fits = [&](const SetState& state, PartId p) {
    return state.sizes[p] <= limits.max_size && state.inbound[p] <= limits.max_inbound;
  };
  for (PartId end = rules.parts_per_group - rules.shift, begin = 0; begin < num_parts;
       begin = end, end += rules.parts_per_group) {
    std::vector<NodeId> nodes;
    for (PartId p = begin; p < std::min(end, num_parts); ++p)
      for (NodeId n = 0; n < parts.size(); ++n)
        if (parts[n] == p) nodes.push_back(n);
    Weight temperature = rules.temperature;
    for (int sweep = 0; sweep < rules.sweeps; ++sweep) {
      const std::uint64_t seed = mix(rules.seed, static_cast<std::uint64_t>(sweep));
      for (const NodeId n : nodes) {
        const PartId from = parts[n];
        std::vector<std::pair<Weight, PartId>> targets;
        for (PartId q = begin; q < std::min(end, num_parts); ++q)
          if (q != from) targets.emplace_back(-weight_shared(h, parts, n, q), q);
        std::sort(targets.begin(), targets.end());
        const Weight before = count_state(h, parts, num_parts).connectivity;
        Weight most = exchange_noise(temperature, seed, n, stay_option());
        std::vector<PartId> best = parts;
        const auto consider = [&](const std::vector<PartId>& changed, PartId q, std::uint64_t option) {
          const SetState state = count_state(h, changed, num_parts);
          const Weight value = before - state.connectivity + exchange_noise(temperature, seed, n, option);
          if (value <= most || !fits(state, from) || !fits(state, q)) return;
          most = value;
          best = changed;
        };
        std::set<PartId> tried;
        for (const auto& [negative, q] : targets) {
          if (negative == 0 || tried.size() == static_cast<std::size_t>(rules.targets)) break;
          tried.insert(q);
          std::vector<PartId> changed = parts;
          changed[n] = q;
          consider(changed, q, move_option(q));
        }
        for (const NodeId m : nodes) {
          if (!tried.contains(parts[m])) continue;
          std::vector<PartId> changed = parts;
          std::swap(changed[n], changed[m]);
          consider(changed, parts[m], exchange_option(m));
        }
        parts = best;
      }
      temperature = cooled(temperature, rules.cooling);
    }
  }
  return parts;
}

}  // namespace kohypar::reference

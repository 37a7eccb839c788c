#include "refinement/annealing.hpp"

#include <algorithm>

#include "hypergraph/totals.hpp"
#include "parallel/hash.hpp"
#include "parallel/scan.hpp"
#include "refinement/exchanges.hpp"

namespace kohypar {

namespace {

// So many parts are groups enough to fill a device.
constexpr PartId many_parts = 1024;

// Groups whose lists are too large are halved down to so many parts.
constexpr PartId fewest_parts_per_group = 4;

struct Schedule {
  int hot_rounds;
  Weight cooling;   ///< of the temperature after a sweep, in 1024ths: to a third in the end
  int cold_rounds;  ///< at most
  Weight fraction;  ///< of the connectivity: a cold round that gains less is the last
  int sweeps;       ///< a round
};

/// A round lists what its sweeps need, so there are several, as many as groups can do without nodes of
/// others: rand:16384:191 after 40 sweeps, 1, 2 or 4 a round: 687.8 k each; rand:16384:127 after
/// 24, 4 or 8 a round: 447.6 k, 447.8 k. rand:16384:191 after 20, 40, 80 sweeps at a
/// falling temperature: 690.5 k, 688.8 k, 687.1 k; without one 694.2 k.
Schedule schedule_of(PartId num_parts, Effort effort) {
  if (effort == Effort::fast) return {0, 1024, 2, 2048, 2};
  if (effort == Effort::high) return {30, 1019, 4, 1 << 16, 8};
  return num_parts < many_parts ? Schedule{3, 975, 1, 2048, 8} : Schedule{8, 1006, 1, 1 << 13, 8};
}

/// Smaller groups where there are few parts, lest most of a device stay idle. (rand:65536:191 after 40
/// sweeps: groups of 24, 48 and 64 parts 3189.2 k, 3178.6 k and 3177.3 k in 0.6, 1.0 and 1.4 s on an H200.)
PartId parts_per_group(PartId num_parts, Effort effort) {
  return effort == Effort::high ? max_parts_per_group : std::clamp<PartId>(num_parts / 16, 24, 48);
}

/// A quarter of what gains differ by, more or less: the mean weight of a hyperedge times the square root of
/// how many a node has. (rand:16384:191, 40 sweeps from 20, 25, 35 and 50 % of that: 688.8 k, 688.5 k, 689.3
/// k and 690.0 k.)
Weight first_temperature(const ExecutionSpace& space, const Hypergraph& h) {
  const PinOffset degree = h.num_pins / std::max(h.num_nodes, NodeId{1});
  PinOffset root = 1;
  while ((root + 1) * (root + 1) <= degree) ++root;
  const Weight total = total_hyperedge_weight(space, h);
  const Weight count = std::max(h.num_hyperedges, HyperedgeId{1});
  const Weight times = 4096 / 4 * static_cast<Weight>(root);
  if (total / count > max_temperature / times) return max_temperature;
  return std::min(total / count * times + total % count * times / count, max_temperature);
}

}  // namespace

void anneal(const ExecutionSpace& space, const Hypergraph& h, PartitionState& state, const Limits& limits,
            Effort effort, std::uint64_t seed, const std::function<void()>& after_round) {
  const Schedule schedule = schedule_of(state.num_parts, effort);
  ExchangeRules rules;
  rules.parts_per_group = parts_per_group(state.num_parts, effort);
  rules.sweeps = schedule.sweeps;
  rules.cooling = schedule.cooling;
  while (!lists_fit(space, h, state, rules)) {
    if (rules.parts_per_group <= fewest_parts_per_group) return drop_empty_parts(space, h, state);
    rules.parts_per_group /= 2;
  }
  int round = 0;
  const auto exchange = [&] {
    rules.shift = round % 2 == 0 ? 0 : rules.parts_per_group / 2;
    rules.seed = mix(seed, static_cast<std::uint64_t>(round++));
    const Weight gain = exchange_in_groups(space, h, state, limits, rules);
    after_round();
    return gain;
  };
  const auto exchange_cold = [&] {
    rules.temperature = 0;
    for (int left = schedule.cold_rounds; left > 0; --left) {
      const Weight gain = exchange();
      if (gain < state.connectivity / schedule.fraction) break;
    }
  };
  const Weight before = state.connectivity;
  const auto start = copy_of(space, "KoHyPar::annealing::start", state.parts);
  rules.temperature = schedule.hot_rounds > 0 ? first_temperature(space, h) : 0;
  while (round < schedule.hot_rounds && rules.temperature > 0) {
    exchange();
    for (int sweep = 0; sweep < rules.sweeps; ++sweep)
      rules.temperature = cooled(rules.temperature, rules.cooling);
  }
  exchange_cold();
  if (state.connectivity > before) {  // the temperature was too much for these weights
    state = build_state(space, h, start, state.num_parts);
    exchange_cold();
  }
  update_part_pins(space, h, state.parts, state.num_parts, all_ids(space, h.num_hyperedges), state.part_pins);
  drop_empty_parts(space, h, state);
}

}  // namespace kohypar

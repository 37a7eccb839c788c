#include "host_search/plan.hpp"

#include <algorithm>

#include "host_search/local_search.hpp"

namespace kohypar {

bool has_few_gains(NodeId num_nodes, PartId num_parts) {
  return std::uint64_t{num_nodes} * num_parts <= std::uint64_t{1} << 24;
}

std::uint64_t pin_pairs(const HostLevel& level) {
  std::uint64_t pairs = 0;
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) {
    const std::uint64_t cardinality = level.hyperedge_offsets(e + 1) - level.hyperedge_offsets(e);
    pairs += cardinality * std::min<std::uint64_t>(cardinality, largest_followed);
  }
  return pairs;
}

EvolutionPlan evolution_plan(const Options& options, PinOffset input_pins, std::uint64_t core_pairs) {
  constexpr std::uint64_t small_budget = 1 << 22, input_share = 8, overhead_of_run = 1 << 14;
  std::uint64_t runs = (small_budget + input_pins / input_share) / (core_pairs + overhead_of_run);
  if (options.effort == Effort::fast) runs /= 8;
  if (options.effort == Effort::high) runs *= 8;
  EvolutionPlan plan;
  plan.generations = runs >= 64 ? 4 : runs >= 16 ? 1 : 0;
  plan.population = std::max<std::uint64_t>(1, std::min<std::uint64_t>(runs, 1024) / (plan.generations + 1));
  plan.seed = options.seed;
  plan.threads.count = options.tuning.host_threads;
  plan.stop = options.stop;
  return plan;
}

void keep_distinct(std::vector<HostSolution>& solutions, std::size_t count) {
  const auto end = std::unique(
      solutions.begin(), solutions.end(),
      [](const HostSolution& a, const HostSolution& b) { return a.connectivity == b.connectivity; });
  solutions.resize(std::min<std::size_t>(static_cast<std::size_t>(end - solutions.begin()), count));
}

std::vector<PartId> project_parts(const std::vector<PartId>& coarse, const HostView<NodeId>& cluster_of) {
  std::vector<PartId> parts(cluster_of.extent(0));
  for (std::size_t n = 0; n < parts.size(); ++n) parts[n] = coarse[cluster_of(n)];
  return parts;
}

}  // namespace kohypar

#include "host_search/evolution.hpp"

#include <algorithm>
#include <thread>

#include "host_search/growth.hpp"
#include "host_search/plan.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

constexpr std::size_t finalists_of_large = 2;

/// Labels that two nodes share if and only if both solutions keep them together.
std::vector<PartId> agreement(const HostSolution& a, const HostSolution& b) {
  std::vector<std::pair<std::uint64_t, NodeId>> pairs(a.parts.size());
  for (NodeId n = 0; n < pairs.size(); ++n) pairs[n] = {(std::uint64_t{a.parts[n]} << 32) | b.parts[n], n};
  std::sort(pairs.begin(), pairs.end());
  std::vector<PartId> labels(pairs.size());
  PartId label = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0 && pairs[i].first != pairs[i - 1].first) ++label;
    labels[pairs[i].second] = label;
  }
  return labels;
}

class Evolution {
 public:
  Evolution(const HostLevel& level, const HostProblem& problem, const EvolutionPlan& plan,
            std::vector<HostSolution> population)
      : level_(level), problem_(problem), plan_(plan), population_(std::move(population)) {}

  void start() {
    population_.resize(plan_.population);
    const HostSolution in_order =
        problem_.is_balanced() ? HostSolution{} : solution_in_order(level_, problem_);
    for_each_member([&](std::size_t i) {
      population_[i] =
          problem_.is_balanced() ? run(0, i).from_scratch() : run(0, i).from_scratch_or(in_order);
      for (std::size_t cycle = 0; cycle < plan_.v_cycles; ++cycle) improve(cycle + 1, i);
    });
    report();
  }

  void search_flat() {
    for_each_member([&](std::size_t i) { population_[i] = run(0, i).flat(std::move(population_[i])); });
    report();
  }

  void keep_best(std::size_t count) {
    population_ = best_first();
    keep_distinct(population_, count);
  }

  void cross(std::size_t generations) {
    if (population_.size() < 2) return;
    for (std::size_t generation = 0; generation < generations; ++generation) cross_once(generation);
  }

  std::vector<HostSolution> best_first() {
    std::stable_sort(
        population_.begin(), population_.end(),
        [&](const HostSolution& a, const HostSolution& b) { return better(a, b, problem_.limits); });
    return std::move(population_);
  }

 private:
  [[nodiscard]] MultilevelRun run(std::size_t phase, std::size_t member) const {
    const std::uint64_t seed = mix(mix(plan_.seed, phase), member);
    const Coarsening coarsening = plan_.coarsenings[member % plan_.coarsenings.size()];
    return {level_, problem_, coarsening, plan_.search, seed, threads_of_member(), plan_.stop};
  }

  /// All members run at once.
  [[nodiscard]] HostThreads threads_of_member() const {
    const unsigned all = plan_.threads.count > 0 ? plan_.threads.count : std::thread::hardware_concurrency();
    return {std::max(1u, all / static_cast<unsigned>(population_.size()))};
  }

  void improve(std::size_t phase, std::size_t i) {
    HostSolution next = run(phase, i).inside(population_[i], population_[i].parts, settled());
    if (better(next, population_[i], problem_.limits)) population_[i] = std::move(next);
  }

  void cross_once(std::size_t generation) {
    std::vector<HostSolution> children(population_.size());
    for_each_member([&](std::size_t i) {
      const HostSolution &a = population_[i], &b = population_[partner_of(i, generation)];
      children[i] = run(plan_.v_cycles + 1 + generation, i)
                        .inside(better(a, b, problem_.limits) ? a : b, agreement(a, b), settled());
    });
    for (std::size_t i = 0; i < children.size(); ++i)
      if (better(children[i], population_[i], problem_.limits)) population_[i] = std::move(children[i]);
    report();
  }

  [[nodiscard]] std::size_t partner_of(std::size_t i, std::size_t generation) const {
    const std::size_t others = population_.size() - 1;
    return (i + 1 + mix(plan_.seed + generation, i) % others) % population_.size();
  }

  /// Balanced problems are searched everywhere again: with few, full parts a move anywhere makes room
  /// elsewhere.
  [[nodiscard]] MultilevelRun::Settled settled() const {
    return problem_.is_balanced() ? MultilevelRun::Settled::no : MultilevelRun::Settled::yes;
  }

  template <class Work>
  void for_each_member(const Work& work) const {
    for_each_chunk(plan_.threads, population_.size(), work);
  }

  void report() const {
    if (!plan_.on_progress) return;
    plan_.on_progress(*std::min_element(
        population_.begin(), population_.end(),
        [&](const HostSolution& a, const HostSolution& b) { return better(a, b, problem_.limits); }));
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  const EvolutionPlan& plan_;
  std::vector<HostSolution> population_;
};

}  // namespace

void drop_empty_parts(HostSolution& solution) {
  std::vector<PartId> number(solution.num_parts, invalid_id);
  for (const PartId p : solution.parts) number[p] = 0;
  PartId next = 0;
  for (PartId& p : number)
    if (p != invalid_id) p = next++;
  for (PartId& p : solution.parts) p = number[p];
  solution.num_parts = next;
}

std::vector<HostSolution> evolve(const HostLevel& core, const HostProblem& problem,
                                 const EvolutionPlan& plan) {
  Evolution evolution(core, problem, plan, {});
  evolution.start();
  evolution.cross(plan.generations);
  return evolution.best_first();
}

std::vector<HostSolution> polish(const HostLevel& level, const HostProblem& problem,
                                 const EvolutionPlan& plan, std::vector<HostSolution> solutions) {
  EvolutionPlan here = plan;
  if (is_large(level)) {
    here.search.rounds = 1;
    here.finer_generations = 0;
  }
  Evolution evolution(level, problem, here, std::move(solutions));
  if (is_large(level)) evolution.keep_best(finalists_of_large);
  evolution.search_flat();
  evolution.keep_best(here.crossed_finalists);
  evolution.cross(here.finer_generations);
  return evolution.best_first();
}

}  // namespace kohypar

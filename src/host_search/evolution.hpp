// The search on small cores: many sequential multilevel runs side by side, and crossings of their results.
#pragma once

#include <atomic>
#include <functional>

#include "host_search/multilevel_run.hpp"

namespace kohypar {

struct EvolutionPlan {
  std::size_t population = 1;         ///< multilevel runs from scratch, at least 1
  std::size_t v_cycles = 0;           ///< V-cycles inside the result of each
  std::size_t generations = 0;        ///< how often every result is then crossed with another
  std::size_t finalists = 6;          ///< so many of the results go on to the next finer level
  std::size_t crossed_finalists = 6;  ///< so many of those are kept there
  std::size_t finer_generations = 0;  ///< how often those are then crossed
  SearchEffort search;                ///< of local searches
  std::vector<Coarsening> coarsenings = {Coarsening::deep};  ///< of members, in turn; at least one
  std::uint64_t seed = 0;
  HostThreads threads;                                        ///< the result does not depend on them
  const std::atomic<bool>* stop = nullptr;                    ///< set to true: Error(interrupted)
  std::function<void(const HostSolution& best)> on_progress;  ///< after every generation; may be empty
};

/// Runs a memetic search and returns the population, best first.
///
/// Members start as multilevel runs that differ in coarsening, rating, cluster size and order. A crossing is
/// a V-cycle from the better of two members that keeps together only what both keep together (Andre, Schlag,
/// Schulz, GECCO 2018); the child replaces the first of its parents if it is better.
std::vector<HostSolution> evolve(const HostLevel& core, const HostProblem& problem,
                                 const EvolutionPlan& plan);

/// Improves solutions on a finer level than they were found on, each by a local search, crosses the best of
/// them, and returns those best first. On a large level (is_large) only two, in one round, without crossings.
std::vector<HostSolution> polish(const HostLevel& level, const HostProblem& problem,
                                 const EvolutionPlan& plan, std::vector<HostSolution> solutions);

}  // namespace kohypar

// The search on small cores: many sequential multilevel runs side by side, and crossings of their results.
#pragma once

#include <atomic>
#include <functional>
#include <kohypar/limits.hpp>
#include <vector>

#include "initial/host_level.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// Parts of a host level's nodes, none empty.
struct HostSolution {
  std::vector<PartId> parts;
  PartId num_parts = 0;
  Weight connectivity = 0;
};

/// Whether a is the better solution: no more parts than allowed, then connectivity, then parts.
bool better(const HostSolution& a, const HostSolution& b, const Limits& limits);

struct EvolutionPlan {
  std::size_t population = 1;   ///< multilevel runs from scratch, at least 1
  std::size_t generations = 0;  ///< how often every result is then crossed with another
  std::uint64_t seed = 0;
  HostThreads threads;                                        ///< the result does not depend on them
  const std::atomic<bool>* stop = nullptr;                    ///< set to true: Error(interrupted)
  std::function<void(const HostSolution& best)> on_progress;  ///< after every generation; may be empty
};

/// Runs a memetic search and returns the population, best first.
///
/// Members start as multilevel runs that differ in rating, cluster size and order, each with a V-cycle inside
/// its result. A crossing is a V-cycle from the better of two members that keeps together only what both keep
/// together (Andre, Schlag, Schulz, GECCO 2018); the child replaces the first of its parents if it is better.
std::vector<HostSolution> evolve(const HostLevel& core, const Limits& limits, const EvolutionPlan& plan);

/// Improves solutions of a level, each by a V-cycle inside its parts, and returns them best first. Of the
/// plan it takes seed, threads and stop.
std::vector<HostSolution> polish(const HostLevel& level, const Limits& limits, const EvolutionPlan& plan,
                                 std::vector<HostSolution> solutions);

}  // namespace kohypar

// One sequential multilevel run on a host level.
#pragma once

#include <atomic>

#include "host_search/cluster.hpp"
#include "host_search/local_search.hpp"
#include "host_search/owned_level.hpp"
#include "host_search/solution.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// Parts filled one after the other in the order of node ids, then merged where they fit together.
HostSolution solution_in_order(const HostLevel& level, const HostProblem& problem);

/// Clusters, contracts, starts and searches on the way up; used once. The seed decides the order in which
/// nodes choose, how large clusters grow (to all, a half or a third of the limits) and how ratings weigh
/// their sizes. Threads share the bisections of a balanced problem's start; the result does not depend on
/// them.
class MultilevelRun {
 public:
  MultilevelRun(const HostLevel& finest, const HostProblem& problem, const SearchEffort& effort,
                std::uint64_t seed, const HostThreads& threads, const std::atomic<bool>* stop);

  /// From a start on the coarsest level.
  HostSolution from_scratch();

  /// From the better of that and a solution of the finest level, inside whose parts nodes are then clustered.
  HostSolution from_scratch_or(const HostSolution& other);

  /// Whether a local search on the finest level ended in the solution from which a run starts.
  enum class Settled { no, yes };

  /// From a solution of the finest level, nodes clustered only where they have the same label. No label may
  /// stand in two parts. What coarser levels leave as it was in a settled solution is not searched again.
  HostSolution inside(const HostSolution& start, std::vector<PartId> labels, Settled settled);

  /// From a solution of the finest level, by a local search on that level alone.
  HostSolution flat(HostSolution start);

 private:
  [[nodiscard]] const HostLevel& level(std::size_t i) const {
    return i == 0 ? finest_ : coarser_[i - 1].level();
  }
  void coarsen();
  [[nodiscard]] HostSolution grown(const HostLevel& on) const;
  [[nodiscard]] HostSolution started(const HostLevel& on) const;
  void set_rules();
  HostSolution refine_upward(HostSolution current, const std::vector<PartId>* settled);
  void check_stop() const;

  const HostLevel& finest_;
  const HostProblem& problem_;
  const SearchEffort effort_;
  const std::uint64_t seed_;
  const HostThreads threads_;
  const std::atomic<bool>* stop_;
  ClusterRules rules_;
  std::vector<OwnedLevel> coarser_;
  std::vector<HostClusters> clusters_;  // of the finest level, then of the coarser ones
};

}  // namespace kohypar

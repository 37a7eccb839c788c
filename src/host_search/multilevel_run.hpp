// One sequential multilevel run on a host level.
#pragma once

#include <atomic>

#include "host_search/cluster.hpp"
#include "host_search/local_search.hpp"
#include "host_search/owned_level.hpp"
#include "host_search/solution.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// How far a run coarsens: deep, until clusters reach all, a half or a third of what a part may hold, from
/// which parts are grown; or shallow, to some nodes a part, which are bisected. Constrained problems are only
/// coarsened deep, balanced ones whose parts can't be grown (can_grow_parts) only shallow; of others it
/// depends on the hypergraph which finds the better parts.
enum class Coarsening { deep, shallow };

/// Clusters, contracts, starts and searches on the way up; used once. The seed decides the order in which
/// nodes choose, how large clusters grow and how ratings weigh their sizes. Threads share bisections; the
/// result does not depend on them.
class MultilevelRun {
 public:
  MultilevelRun(const HostLevel& finest, const HostProblem& problem, Coarsening coarsening,
                const SearchEffort& effort, std::uint64_t seed, const HostThreads& threads,
                const std::atomic<bool>* stop);

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
  [[nodiscard]] HostSolution started(const HostLevel& on) const;
  void set_rules();
  HostSolution refine_upward(HostSolution current, const std::vector<PartId>* settled);

  const HostLevel& finest_;
  const HostProblem& problem_;
  const Coarsening coarsening_;
  const SearchEffort effort_;
  const std::uint64_t seed_;
  const HostThreads threads_;
  const std::atomic<bool>* stop_;
  ClusterRules rules_;
  std::vector<OwnedLevel> coarser_;
  std::vector<HostClusters> clusters_;  // of the finest level, then of the coarser ones
};

}  // namespace kohypar

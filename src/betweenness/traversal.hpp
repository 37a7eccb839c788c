// Searches from all sources of a core, shared among processes.
#pragma once

#include <memory>
#include <span>

#include "betweenness/sweep.hpp"

namespace kohypar {

/// A process' place: which copy of the graph it works on, and with whom.
class Team {
 public:
  /// Throws Error(usage) where the distribution does not fit the number of processes.
  Team(const ExecutionSpace& space, const Distribution& distribution);

  [[nodiscard]] int replica() const { return replica_; }
  [[nodiscard]] int replicas() const { return replicas_; }
  [[nodiscard]] Grid* grid() const { return grid_.get(); }  ///< nullptr: a copy has one process
  /// Processes with the same place in the other copies; all processes. Both nullptr if there is but one.
  [[nodiscard]] Exchange* across() const { return across_.get(); }
  [[nodiscard]] Exchange* all() const { return all_.get(); }
  /// A number of every process, in the order of ranks.
  [[nodiscard]] std::vector<std::uint64_t> gather(std::uint64_t value) const;
  /// By every process.
  [[nodiscard]] std::vector<std::uint64_t> bytes_sent() const;

 private:
  int replica_ = 0, replicas_ = 1;
  std::unique_ptr<Grid> grid_;
  std::unique_ptr<Exchange> across_, all_;
};

/// Adds the dependencies of all sources of the core; scores by core vertex on every process. Fills in the
/// result's levels, sources at once and wide traversals.
DeviceView<double> traverse(const ExecutionSpace& space, const Core& core, const Team& team,
                            const BetweennessOptions& options, Betweenness& result);

}  // namespace kohypar

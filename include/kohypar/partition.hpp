// The partitioner.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>
#include <kohypar/options.hpp>
#include <string>
#include <vector>

namespace kohypar {

struct PhaseTiming {
  std::string phase;  ///< e.g. "coarsening/candidates"
  double seconds = 0;
  std::uint64_t calls = 0;
};

/// A partition in device memory.
struct Partition {
  DeviceView<PartId>
      parts;  ///< one per node of the hypergraph, 0 to num_parts - 1, none empty unless balanced
  PartId num_parts = 0;
  Weight connectivity = 0;  ///< km1 as the partitioner tracked it; `evaluate` recomputes it
  int num_levels = 0;
  std::vector<PhaseTiming> timings;
  std::uint64_t peak_device_bytes =
      0;  ///< high-water mark of Kokkos allocations in MemorySpace during the call
};

/// Multilevel partitioning under a size and a distinct-inbound limit per part, with as few parts as good
/// connectivity allows (Ronzani and Silvano, arXiv 2605.20497, sections III to VI). Large hypergraphs that
/// only the size limit constrains are partitioned into balanced parts of that size instead.
///
/// The same hypergraph, limits, options and seed give the same partition on every backend, with any number of
/// threads. Throws Error(infeasible) naming the node, value and limit if one node alone exceeds a limit, or
/// if more than limits.max_parts parts were needed.
Partition partition(const ExecutionSpace& space, const Hypergraph& hypergraph, const Limits& limits,
                    const Options& options);

/// Balanced k-way partitioning: balance.num_parts() parts within their capacities, least options.objective.
/// Direction is ignored: hyperedges are sets of pins. Multilevel, by a memetic search of the coarse levels
/// with recursive bisection and localized FM, and by Jet on the fine levels (Gilbert et al., arXiv
/// 2304.13194), but for the cut of more than 16 parts, by localized FM there too; then pairs of parts are cut
/// anew by maximum flows where inputs are small (Gottesbüren, Hamann, Wagner, ESA 2019).
///
/// The same hypergraph, balance, options and seed give the same partition on every backend, with any number
/// of threads. `num_parts` of the result is the balance's; parts may be empty. Throws Error(usage) if the
/// balance doesn't fit the hypergraph, and Error(infeasible) if no balanced partition exists (naming node,
/// part and capacity) or none was found (naming the fullest part and the imbalance reached).
Partition partition(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance,
                    const Options& options);

/// Refines a given partition instead of starting afresh.
/// @param initial one part id per node, below 2^31; it may violate the limits (Error(infeasible) if it can't
/// be repaired).
Partition improve(const ExecutionSpace& space, const Hypergraph& hypergraph,
                  const DeviceView<PartId>& initial, const Limits& limits, const Options& options);

/// Refines a given balanced partition, by V-cycles inside its parts. Where it is balanced, and fixed nodes
/// are where they belong, the result has no larger options.objective.
/// @param initial one part id per node, below balance.num_parts(), else Error(usage); parts may be above
/// their capacities, and fixed nodes elsewhere.
Partition improve(const ExecutionSpace& space, const Hypergraph& hypergraph,
                  const DeviceView<PartId>& initial, const Balance& balance, const Options& options);

}  // namespace kohypar

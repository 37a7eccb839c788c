// Checks before and during a run, and part ids after it.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>
#include <kohypar/options.hpp>
#include <span>

namespace kohypar {

/// Throws Error(usage) naming the option that is out of range.
void check_options(const Options& options);

/// What every run of the partitioner begins with: checks the options, and measures device memory from here
/// on.
void start_run(const Options& options);

/// Throws Error(usage) unless an initial partition has an entry for every node.
void check_initial(const Hypergraph& hypergraph, const DeviceView<PartId>& initial);

/// Throws Error(interrupted) if the run is to stop, and Error(out_of_memory) if it has needed more device
/// memory than the options allow.
void check_may_go_on(const Options& options);

/// Throws Error(infeasible) naming the first node that alone exceeds a limit, its value and the limit.
void check_nodes_fit(const ExecutionSpace& space, const Hypergraph& hypergraph, const Limits& limits);

/// Throws Error(usage) if the balance has no parts or doesn't fit the hypergraph, and Error(infeasible) where
/// its capacities leave no balanced partition: in all too small, or for what is fixed to a part, or for a
/// node.
void check_balance(const ExecutionSpace& space, const Hypergraph& hypergraph, const Balance& balance);

/// Throws Error(infeasible) naming the part that is most above its capacity, and the imbalance: how far it is
/// above the average share.
void check_balance_reached(std::span<const Weight> sizes, std::span<const Weight> capacities);

/// Renumbers parts so that none of the ids below `num_parts` is empty, in the order of ids. Returns how many
/// there are.
PartId drop_empty_parts(const ExecutionSpace& space, const DeviceView<PartId>& parts, PartId num_parts);

/// Renumbers arbitrary part ids (below 2^31) likewise.
PartId number_parts(const ExecutionSpace& space, const DeviceView<PartId>& parts);

}  // namespace kohypar

// Partitioning under limits of which only the one on size matters.
#pragma once

#include <kohypar/partition.hpp>
#include <optional>

namespace kohypar {

/// Whether parts of full size can hardly be above the inbound limit: nodes of the mean size and number of
/// inbound hyperedges would not be, even if they shared none.
bool size_is_what_limits(const ExecutionSpace& space, const Hypergraph& hypergraph, const Limits& limits);

/// As many balanced parts as the size limit asks for and a few more. Nothing where that many parts are too
/// many for a hypergraph of its size, or the result breaks a limit or is worse than filling parts in the
/// order of node ids.
std::optional<Partition> partition_by_size(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                           const Limits& limits, const Options& options);

}  // namespace kohypar

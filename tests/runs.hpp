// Whole runs under limits, what every result must be, and hypergraphs made by hand for them.
#pragma once

#include <gtest/gtest.h>

#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>

#include "initial/starts.hpp"
#include "support.hpp"

namespace kohypar::test {

/// Checks a result against a recount and returns its quality.
inline Quality expect_valid(const HostHypergraph& host, const Partition& partition, const Limits& limits) {
  const Quality quality = evaluate(host, to_host(partition.parts), limits);
  EXPECT_TRUE(quality.valid()) << quality.violations.size() << " violations, " << quality.num_parts
                               << " parts";
  EXPECT_EQ(quality.num_parts, partition.num_parts);
  EXPECT_EQ(quality.num_empty_parts, 0u);
  EXPECT_EQ(quality.connectivity, partition.connectivity);
  return quality;
}

inline Partition run(const HostHypergraph& host, const Limits& limits, const Options& options = {}) {
  const ExecutionSpace space;
  return partition(space, upload(space, host), limits, options);
}

inline Weight in_order_connectivity(const HostHypergraph& host, const Limits& limits) {
  const ExecutionSpace space;
  const HostLevel level = copy_to_host(space, upload(space, host));
  return connectivity_of(level, fill_in_order(level, limits).parts);
}

inline HostHypergraph unconnected(NodeId nodes) {
  return random_hypergraph({.nodes = nodes, .hyperedges = 0}, 1);
}

/// Without sources, of weight 1.
inline void add_hyperedge(HostHypergraph& host, const std::vector<NodeId>& pins) {
  host.pins.insert(host.pins.end(), pins.begin(), pins.end());
  host.hyperedge_offsets.push_back(host.pins.size());
  host.source_counts.push_back(0);
  host.hyperedge_weights.push_back(1);
}

}  // namespace kohypar::test

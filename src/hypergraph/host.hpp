// Checks and repairs of host hypergraphs, with the threads to use.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <string>

#include "parallel/host_threads.hpp"

namespace kohypar {

/// See normalize_pins(HostHypergraph&).
PinRepairs normalize_pins(HostHypergraph& hypergraph, const HostThreads& threads);

/// Throws Error(input) where the sum over hyperedges of weight times cardinality, or the sum of node sizes,
/// reaches max_total_weight. Weights and sizes are at least 0.
void check_totals(const HostHypergraph& hypergraph, const std::string& name);

}  // namespace kohypar

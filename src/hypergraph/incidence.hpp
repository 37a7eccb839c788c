// Builds what a device hypergraph derives from its pins.
#pragma once

#include <kohypar/hypergraph.hpp>

namespace kohypar {

/// Fills node_offsets, incident, inbound_counts, inbound_sizes and total_node_size from the pins, source
/// counts, multiplicities, node sizes and base inbound counts. One sort of 64-bit keys as long as the pins.
void build_incidence(const ExecutionSpace& space, Hypergraph& hypergraph);

}  // namespace kohypar

// Removal of hyperedges that carry no information of their own.
#pragma once

#include <kohypar/hypergraph.hpp>

namespace kohypar {

/// Drops hyperedges with fewer than two pins and merges identical ones (same sources and same destinations)
/// into the one with the smallest id, adding weights and multiplicities; base_inbound takes over the
/// multiplicities of the dropped ones that had a destination, so that inbound_sizes stays what it was.
/// Remaining hyperedges keep their order. Nodes stay as they are. Candidates are found by hash and confirmed
/// by comparing pins. If there is nothing to remove, the result shares the input's views.
Hypergraph remove_redundant_hyperedges(const ExecutionSpace& space, const Hypergraph& hypergraph);

/// The same for a hypergraph whose incidence is not built yet, nor is the result's.
Hypergraph without_redundant_hyperedges(const ExecutionSpace& space, const Hypergraph& hypergraph);

}  // namespace kohypar

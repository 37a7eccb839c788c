#include "initial/host_level.hpp"

namespace kohypar {

HostLevel copy_to_host(const ExecutionSpace& space, const Hypergraph& h) {
  return {h.num_nodes,
          h.num_hyperedges,
          h.num_pins,
          copy_to_host(space, h.hyperedge_offsets),
          copy_to_host(space, h.pins),
          copy_to_host(space, h.source_counts),
          copy_to_host(space, h.hyperedge_weights),
          copy_to_host(space, h.multiplicities),
          copy_to_host(space, h.node_sizes),
          copy_to_host(space, h.base_inbound),
          copy_to_host(space, h.inbound_sizes),
          copy_to_host(space, h.node_offsets),
          copy_to_host(space, h.incident),
          copy_to_host(space, h.inbound_counts)};
}

}  // namespace kohypar

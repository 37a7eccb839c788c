#include "initial/host_level.hpp"

namespace kohypar {

namespace {

template <class T>
HostView<T> copy(const ExecutionSpace& space, const DeviceView<T>& device) {
  HostView<T> host(Kokkos::view_alloc(device.label(), Kokkos::WithoutInitializing), device.extent(0));
  Kokkos::deep_copy(space, host, device);
  return host;
}

}  // namespace

HostLevel copy_to_host(const ExecutionSpace& space, const Hypergraph& h) {
  HostLevel level{h.num_nodes,
                  h.num_hyperedges,
                  h.num_pins,
                  copy(space, h.hyperedge_offsets),
                  copy(space, h.pins),
                  copy(space, h.source_counts),
                  copy(space, h.hyperedge_weights),
                  copy(space, h.multiplicities),
                  copy(space, h.node_sizes),
                  copy(space, h.base_inbound),
                  copy(space, h.inbound_sizes),
                  copy(space, h.node_offsets),
                  copy(space, h.incident),
                  copy(space, h.inbound_counts)};
  space.fence("KoHyPar::initial::copy_to_host");
  return level;
}

}  // namespace kohypar

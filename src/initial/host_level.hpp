// A level of the hierarchy in host memory, for the sequential starts.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <string>
#include <vector>

#include "parallel/scan.hpp"

namespace kohypar {

/// Host copy of a device hypergraph; members as there.
struct HostLevel {
  NodeId num_nodes = 0;
  HyperedgeId num_hyperedges = 0;
  PinOffset num_pins = 0;
  HostView<PinOffset> hyperedge_offsets;
  HostView<NodeId> pins;
  HostView<std::uint32_t> source_counts;
  HostView<Weight> hyperedge_weights;
  HostView<Weight> multiplicities;
  HostView<Weight> node_sizes;
  HostView<Weight> base_inbound;
  HostView<Weight> inbound_sizes;
  HostView<PinOffset> node_offsets;
  HostView<HyperedgeId> incident;
  HostView<std::uint32_t> inbound_counts;
};

template <class T>
HostView<T> copy_to_host(const ExecutionSpace& space, const DeviceView<T>& device) {
  HostView<T> host(Kokkos::view_alloc(device.label(), Kokkos::WithoutInitializing), device.extent(0));
  Kokkos::deep_copy(space, host, device);
  space.fence("KoHyPar::copy_to_host");
  return host;
}

HostLevel copy_to_host(const ExecutionSpace& space, const Hypergraph& hypergraph);

template <class T>
DeviceView<T> copy_to_device(const ExecutionSpace& space, const std::string& label,
                             const std::vector<T>& host) {
  auto device = uninitialized<T>(label, host.size());
  Kokkos::deep_copy(space, device, HostView<const T>(host.data(), host.size()));
  space.fence("KoHyPar::copy_to_device");
  return device;
}

}  // namespace kohypar

// Uploads a hypergraph of three nodes and one hyperedge.
#include <cstdio>
#include <kohypar/hypergraph.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  kohypar::HostHypergraph host;
  host.num_nodes = 3;
  host.hyperedge_offsets = {0, 3};
  host.pins = {0, 1, 2};
  host.source_counts = {0};
  host.hyperedge_weights = {1};
  host.node_sizes = {1, 1, 1};
  const auto hypergraph = kohypar::upload(kohypar::ExecutionSpace(), host);
  std::printf("%u nodes\n", hypergraph.num_nodes);
  return hypergraph.num_pins == 3 ? 0 : 1;
}

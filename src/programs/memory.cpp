#include "programs/memory.hpp"

#include <cstdio>
#include <new>

#include "parallel/device_memory.hpp"

namespace kohypar::programs {

namespace {

template <class T>
std::uint64_t bytes(const HostArray<T>& array) {
  return array.size() * sizeof(T);
}

}  // namespace

std::uint64_t host_bytes(const HostHypergraph& hypergraph) {
  return bytes(hypergraph.hyperedge_offsets) + bytes(hypergraph.pins) + bytes(hypergraph.source_counts) +
         bytes(hypergraph.hyperedge_weights) + bytes(hypergraph.node_sizes) + bytes(hypergraph.real_weights);
}

std::uint64_t estimated_device_bytes(const HostHypergraph& hypergraph) {
  // Fits what lenet (19.6 MiB) and model:32:4:1:16 (186.9 MiB) were measured to need.
  constexpr std::uint64_t per_pin = 28, per_node = 48, per_hyperedge = 48;
  return per_pin * hypergraph.num_pins() + per_node * hypergraph.num_nodes +
         per_hyperedge * hypergraph.num_hyperedges();
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  // Kokkos 4.5 throws a std::bad_alloc, later versions a std::runtime_error.
  return std::string(error.what()).find("memory space failed to allocate") != std::string::npos;
}

std::string out_of_memory_text(const std::exception& error) {
  return "out of memory: the machine allows " + readable_bytes(host_memory_bytes()) + " (" + error.what() +
         ")";
}

}  // namespace kohypar::programs

// Random hypergraphs and copies between host and device, for all tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <kohypar/error.hpp>
#include <kohypar/hypergraph.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace kohypar::test {

template <class T>
DeviceView<T> to_device(const std::vector<T>& host) {
  DeviceView<T> device("test", host.size());
  Kokkos::deep_copy(device, Kokkos::View<const T*, Kokkos::HostSpace>(host.data(), host.size()));
  return device;
}

template <class T>
std::vector<T> to_host(const DeviceView<T>& device) {
  std::vector<T> host(device.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace>(host.data(), host.size()), device);
  return host;
}

/// How a random hypergraph is drawn. Small pools of nodes per hyperedge make duplicates and twins likely.
struct RandomHypergraph {
  NodeId nodes = 20;
  HyperedgeId hyperedges = 30;
  std::uint32_t max_pins = 5;  ///< at least 1 pin
  bool directed = true;        ///< up to max_sources sources; undirected: none
  std::uint32_t max_sources = 1;
  Weight max_weight = 5;     ///< weights 0 to max_weight (0 allowed)
  Weight max_node_size = 1;  ///< sizes 0 to max_node_size if above 1, else all 1
  int copy_percent = 20;     ///< chance that a hyperedge repeats an earlier one's pins
};

inline HostHypergraph random_hypergraph(const RandomHypergraph& how, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return n == 0 ? 0 : random() % n; };
  HostHypergraph h;
  h.num_nodes = how.nodes;
  h.directed = how.directed;
  h.has_hyperedge_weights = true;
  h.has_node_sizes = how.max_node_size > 1;
  for (NodeId n = 0; n < how.nodes; ++n)
    h.node_sizes.push_back(how.max_node_size > 1 ? static_cast<Weight>(below(how.max_node_size + 1)) : 1);
  for (HyperedgeId e = 0; e < how.hyperedges && how.nodes > 0; ++e) {
    std::vector<NodeId> sources, destinations;
    if (e > 0 && below(100) < static_cast<std::uint64_t>(how.copy_percent)) {
      const HyperedgeId from = static_cast<HyperedgeId>(below(e));
      const auto first = h.pins.begin() + h.hyperedge_offsets[from];
      sources.assign(first, first + h.source_counts[from]);
      destinations.assign(first + h.source_counts[from], h.pins.begin() + h.hyperedge_offsets[from + 1]);
    } else {
      std::set<NodeId> chosen;
      const std::uint64_t target = 1 + below(how.max_pins);
      for (std::uint64_t i = 0; i < target; ++i) chosen.insert(static_cast<NodeId>(below(how.nodes)));
      std::vector<NodeId> all(chosen.begin(), chosen.end());
      std::shuffle(all.begin(), all.end(), random);
      const std::size_t num_sources =
          how.directed ? std::min<std::size_t>(all.size(), 1 + below(how.max_sources)) : 0;
      sources.assign(all.begin(), all.begin() + num_sources);
      destinations.assign(all.begin() + num_sources, all.end());
      std::sort(sources.begin(), sources.end());
      std::sort(destinations.begin(), destinations.end());
    }
    h.pins.insert(h.pins.end(), sources.begin(), sources.end());
    h.pins.insert(h.pins.end(), destinations.begin(), destinations.end());
    h.hyperedge_offsets.push_back(h.pins.size());
    h.source_counts.push_back(static_cast<std::uint32_t>(sources.size()));
    h.hyperedge_weights.push_back(static_cast<Weight>(below(how.max_weight + 1)));
  }
  return h;
}

/// The shapes that phase tests run through with many seeds: directed and undirected, sparse and dense,
/// weighted nodes.
inline std::vector<RandomHypergraph> random_shapes() {
  return {
      {.nodes = 6, .hyperedges = 5, .max_pins = 3},
      {.nodes = 20, .hyperedges = 30, .max_pins = 5},
      {.nodes = 60, .hyperedges = 90, .max_pins = 8, .max_sources = 3},
      {.nodes = 40, .hyperedges = 60, .max_pins = 6, .directed = false, .max_node_size = 4},
      {.nodes = 200, .hyperedges = 150, .max_pins = 40, .max_weight = 1000, .max_node_size = 3},
      {.nodes = 12, .hyperedges = 100, .max_pins = 12, .directed = false, .copy_percent = 50},
  };
}

/// FNV-1a: equal on every backend.
template <class T>
std::uint64_t fingerprint(const std::vector<T>& values) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const T value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  return hash;
}

/// Expects call() to throw an Error of that kind with that text in its message.
template <class Call>
void expect_error(ErrorKind kind, const std::string& part_of_message, const Call& call) {
  try {
    call();
    FAIL() << "no error; expected " << part_of_message;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
  }
}

}  // namespace kohypar::test

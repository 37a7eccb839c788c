// The directed weighted hypergraph, on the host as files hold it and on the device as the phases read it.
#pragma once

#include <kohypar/types.hpp>
#include <string>

namespace kohypar {

/// A hypergraph in host memory: what readers return and writers take.
///
/// Invariants (`validate` checks them): a hyperedge has at least one pin; within it the sources come first,
/// then the destinations, each part strictly ascending, and no node is in both. Undirected hypergraphs have
/// no sources: every pin is a destination, so that a limit on inbound hyperedges bounds the distinct incident
/// ones.
struct HostHypergraph {
  NodeId num_nodes = 0;
  bool directed = false;                      ///< whether the format distinguishes sources
  HostArray<PinOffset> hyperedge_offsets{0};  ///< num_hyperedges + 1
  HostArray<NodeId> pins;                     ///< sources first
  HostArray<std::uint32_t> source_counts;     ///< num_hyperedges; all 0 if undirected
  HostArray<Weight> hyperedge_weights;        ///< num_hyperedges; real weight = integer * 2^-weight_exponent
  HostArray<Weight> node_sizes;               ///< num_nodes, >= 0
  int weight_exponent = 0;                    ///< 0 for integer weights
  HostArray<float> real_weights;              ///< as read from formats with real weights; else empty
  bool has_hyperedge_weights = false;         ///< false: all 1 (writers then leave them out)
  bool has_node_sizes = false;                ///< false: all 1

  [[nodiscard]] HyperedgeId num_hyperedges() const {
    return static_cast<HyperedgeId>(hyperedge_offsets.size() - 1);
  }
  [[nodiscard]] PinOffset num_pins() const { return hyperedge_offsets.back(); }
};

/// Throws Error(input) naming the first violated invariant; `name` is the file or caller for the message.
void validate(const HostHypergraph& hypergraph, const std::string& name);

/// Sorts the sources and the destinations of every hyperedge, drops repeated pins and keeps a node that is
/// both source and destination as destination only. Works in place, hyperedges in parallel.
struct PinRepairs {
  std::uint64_t repeated_pins = 0;              ///< dropped
  std::uint64_t sources_also_destinations = 0;  ///< dropped from the sources
};
PinRepairs normalize_pins(HostHypergraph& hypergraph);

/// Turns real weights into integers scaled by one power of two, such that the sum over hyperedges of weight
/// times cardinality stays below 2^61 after rounding and positive weights are at least 1.
/// The scale is the largest that fits, but no finer than makes every weight exact, and never below 1 unless
/// the weights are too large: integer weights stay as they are. Rounds half up. Fills hyperedge_weights and
/// weight_exponent from real_weights, which must be finite and at least 0. Integer arithmetic only.
void scale_real_weights(HostHypergraph& hypergraph);

/// A hypergraph in the memory of the execution space, pins by hyperedge and hyperedges by node.
///
/// At coarser levels a hyperedge stands for `multiplicities[e]` identical ones, and `base_inbound[n]` counts
/// dropped single-pin hyperedges with n as destination, so that always
/// |in(n)| = inbound_sizes[n] = base_inbound[n] + sum of multiplicities over its inbound hyperedges.
struct Hypergraph {
  NodeId num_nodes = 0;
  HyperedgeId num_hyperedges = 0;
  PinOffset num_pins = 0;
  bool directed = false;
  Weight total_node_size = 0;

  DeviceView<PinOffset> hyperedge_offsets;   ///< num_hyperedges + 1
  DeviceView<NodeId> pins;                   ///< num_pins; sources first, each part ascending
  DeviceView<std::uint32_t> source_counts;   ///< num_hyperedges
  DeviceView<Weight> hyperedge_weights;      ///< num_hyperedges
  DeviceView<Weight> multiplicities;         ///< num_hyperedges
  DeviceView<Weight> node_sizes;             ///< num_nodes
  DeviceView<Weight> base_inbound;           ///< num_nodes
  DeviceView<Weight> inbound_sizes;          ///< num_nodes
  DeviceView<PinOffset> node_offsets;        ///< num_nodes + 1
  DeviceView<HyperedgeId> incident;          ///< num_pins; per node the inbound ones first, then outbound,
                                             ///< each part ascending
  DeviceView<std::uint32_t> inbound_counts;  ///< num_nodes; how many of a node's incident are inbound
};

/// Copies a hypergraph to the device and builds the incidence lists.
Hypergraph upload(const ExecutionSpace& space, const HostHypergraph& hypergraph);

}  // namespace kohypar

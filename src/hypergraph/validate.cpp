// The invariants of host hypergraphs.
#include <kohypar/error.hpp>
#include <kohypar/hypergraph.hpp>
#include <span>

#include "hypergraph/host.hpp"

namespace kohypar {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::input, name + ": " + what);
}

std::string hyperedge_label(std::size_t e) {
  return "hyperedge " + std::to_string(e);
}

void check_array_sizes(const HostHypergraph& h, const std::string& name) {
  if (h.num_nodes >= max_id_count) fail(name, "more than 2147483647 nodes");
  if (h.hyperedge_offsets.empty() || h.hyperedge_offsets.front() != 0)
    fail(name, "hyperedge offsets must start with 0");
  if (h.hyperedge_offsets.size() > max_id_count) fail(name, "more than 2147483647 hyperedges");
  const std::size_t num_hyperedges = h.hyperedge_offsets.size() - 1;
  if (h.source_counts.size() != num_hyperedges || h.hyperedge_weights.size() != num_hyperedges)
    fail(name, "source counts and weights must be one for each of " + std::to_string(num_hyperedges) +
                   " hyperedges");
  if (!h.real_weights.empty() && h.real_weights.size() != num_hyperedges)
    fail(name, "real weights must be none or one for each hyperedge");
  if (h.node_sizes.size() != h.num_nodes)
    fail(name, "node sizes must be one for each of " + std::to_string(h.num_nodes) + " nodes");
}

void check_offsets(const HostHypergraph& h, const std::string& name) {
  for (std::size_t e = 0; e < h.num_hyperedges(); ++e) {
    if (h.hyperedge_offsets[e + 1] <= h.hyperedge_offsets[e]) fail(name, hyperedge_label(e) + " has no pins");
    if (h.source_counts[e] > h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e])
      fail(name, hyperedge_label(e) + " has more sources than pins");
    if (h.source_counts[e] > 0 && !h.directed)
      fail(name, hyperedge_label(e) + " has sources in an undirected hypergraph");
  }
  if (h.pins.size() != h.num_pins()) fail(name, "the last hyperedge offset must be the number of pins");
}

void check_ascending(std::span<const NodeId> ids, NodeId num_nodes, std::size_t e, const std::string& name) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= num_nodes)
      fail(name, hyperedge_label(e) + " has node " + std::to_string(ids[i]) + " of " +
                     std::to_string(num_nodes) + " as a pin");
    if (i > 0 && ids[i] <= ids[i - 1])
      fail(name, hyperedge_label(e) + " has pins that are not ascending or repeated");
  }
}

void check_pins(const HostHypergraph& h, std::size_t e, const std::string& name) {
  const std::span<const NodeId> pins(h.pins.data() + h.hyperedge_offsets[e],
                                     h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e]);
  const auto sources = pins.first(h.source_counts[e]), destinations = pins.subspan(h.source_counts[e]);
  check_ascending(sources, h.num_nodes, e, name);
  check_ascending(destinations, h.num_nodes, e, name);
  for (const NodeId source : sources)
    if (std::binary_search(destinations.begin(), destinations.end(), source))
      fail(name, hyperedge_label(e) + " has node " + std::to_string(source) + " as source and destination");
}

void check_not_negative(const HostArray<Weight>& values, const char* what, const std::string& name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0) fail(name, what + std::to_string(i) + " is " + std::to_string(values[i]));
}

/// Adds value * count to a total below max_total_weight; false where the new one would not be.
bool add_within_limit(Weight& total, Weight value, PinOffset count) {
  const auto room = static_cast<std::uint64_t>(max_total_weight - 1 - total);
  if (count > 0 && static_cast<std::uint64_t>(value) > room / count) return false;
  total += value * static_cast<Weight>(count);
  return true;
}

}  // namespace

void check_totals(const HostHypergraph& h, const std::string& name) {
  Weight total = 0;
  for (std::size_t e = 0; e < h.num_hyperedges(); ++e)
    if (!add_within_limit(total, h.hyperedge_weights[e], h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e]))
      fail(name, "hyperedge weights are too large: the sum of weight times cardinality reaches 2^61 at " +
                     hyperedge_label(e));
  total = 0;
  for (std::size_t n = 0; n < h.num_nodes; ++n)
    if (!add_within_limit(total, h.node_sizes[n], 1))
      fail(name, "node weights are too large: their sum reaches 2^61 at node " + std::to_string(n));
}

void validate(const HostHypergraph& h, const std::string& name) {
  check_array_sizes(h, name);
  check_offsets(h, name);
  for_each_hyperedge_range(HostThreads{}, h.hyperedge_offsets, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) check_pins(h, e, name);
  });
  check_not_negative(h.hyperedge_weights, "the weight of hyperedge ", name);
  check_not_negative(h.node_sizes, "the weight of node ", name);
  check_totals(h, name);
}

}  // namespace kohypar

#include "size_limited.hpp"

#include <algorithm>
#include <vector>

#include "balanced.hpp"
#include "feasibility.hpp"
#include "host_search/problem.hpp"
#include "initial/host_level.hpp"
#include "refinement/events.hpp"
#include "refinement/state.hpp"

namespace kohypar {

namespace {

// One part in so many more than are needed leaves room to move, which large hyperedges need most. (With 3, 6
// and 9 % more, connectivity of model:32:4:1:16 without directions, Ω 1024, is 18029, 17266 and 17042; ibm01
// x16, Ω 1024, in 201, 204 and 212 parts 294913, 294779 and 294003.)
constexpr Weight parts_per_spare_part = 64, parts_per_spare_part_of_large = 16;

// Below this, bisections of the core on the host would take longest.
constexpr NodeId least_nodes_per_part = 128;

/// 0 if there are too many.
PartId parts_to_fill(const Hypergraph& h, const Limits& limits) {
  const Weight least = (h.total_node_size - 1) / limits.max_size + 1;
  if (least > static_cast<Weight>(h.num_nodes / least_nodes_per_part)) return 0;
  const Weight per_spare = has_large_hyperedges(h.num_pins, h.num_hyperedges) ? parts_per_spare_part_of_large
                                                                              : parts_per_spare_part;
  const Weight most = std::max(least, static_cast<Weight>(limits.max_parts));
  return static_cast<PartId>(std::min(least + (least - 1) / per_spare + 1, most));
}

/// Parts of consecutive nodes, each as large as may be.
Weight connectivity_in_order(const ExecutionSpace& space, const Hypergraph& h, Weight max_size) {
  const HostView<Weight> sizes = copy_to_host(space, h.node_sizes);
  std::vector<PartId> parts(h.num_nodes);
  PartId part = 0;
  Weight size = 0;
  for (NodeId n = 0; n < h.num_nodes; ++n) {
    if (sizes(n) > max_size - size) {
      ++part;
      size = 0;
    }
    size += sizes(n);
    parts[n] = part;
  }
  return build_state(space, h, copy_to_device(space, "KoHyPar::size_limited::in_order", parts), part + 1,
                     false)
      .connectivity;
}

}  // namespace

bool size_is_what_limits(const ExecutionSpace& space, const Hypergraph& h, const Limits& limits) {
  if (limits.max_size >= h.total_node_size) return false;
  if (limits.max_inbound == unlimited) return true;
  const auto inbound_sizes = h.inbound_sizes;
  Weight inbound = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::size_limited::inbound", Kokkos::RangePolicy<ExecutionSpace>(space, 0, h.num_nodes),
      KOKKOS_LAMBDA(const NodeId n, Weight& sum) { sum += inbound_sizes(n); }, inbound);
  return inbound / (h.total_node_size / limits.max_size) <= limits.max_inbound;
}

std::optional<Partition> partition_by_size(const ExecutionSpace& space, const Hypergraph& h,
                                           const Limits& limits, const Options& options) {
  const PartId num_parts = parts_to_fill(h, limits);
  if (num_parts == 0) return {};
  Partition result =
      search_balanced(space, h, {std::vector<Weight>(num_parts, limits.max_size), {}}, options);
  result.num_parts = drop_empty_parts(space, result.parts, num_parts);
  const PartitionState state = build_state(space, h, result.parts, result.num_parts);
  if (count_violations(space, state, limits) > 0 || result.num_parts > limits.max_parts ||
      result.connectivity > connectivity_in_order(space, h, limits.max_size))
    return {};
  return result;
}

}  // namespace kohypar

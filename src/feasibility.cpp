#include "feasibility.hpp"

#include <algorithm>
#include <kohypar/error.hpp>
#include <numeric>
#include <string>

#include "coarsening/candidates.hpp"
#include "initial/host_level.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace>;

/// Throws if a value is above the limit, naming the smallest such id.
void check_all_within(const ExecutionSpace& space, const DeviceView<Weight>& values, Weight limit,
                      const std::string& before, const std::string& after) {
  const NodeId n = static_cast<NodeId>(values.extent(0));
  NodeId first = n;
  Kokkos::parallel_reduce(
      "KoHyPar::feasibility::first_above", Range(space, 0, n),
      KOKKOS_LAMBDA(const NodeId node, NodeId& least) {
        if (values(node) > limit && node < least) least = node;
      },
      Kokkos::Min<NodeId>(first));
  if (first >= n) return;
  Weight value = 0;
  Kokkos::deep_copy(space, value, Kokkos::subview(values, first));
  space.fence("KoHyPar::feasibility");
  throw Error(ErrorKind::infeasible, "no valid partition exists: node " + std::to_string(first) +
                                         " alone has " + before + std::to_string(value) + after +
                                         " limit of " + std::to_string(limit));
}

}  // namespace

void check_options(const Options& options) {
  if (options.candidates < 1 || options.candidates > max_candidates_per_node)
    throw Error(ErrorKind::usage, "candidates must be from 1 to " + std::to_string(max_candidates_per_node) +
                                      ", not " + std::to_string(options.candidates));
  if (options.refinement_rounds < 0)
    throw Error(ErrorKind::usage, "refinement rounds must not be negative, but are " +
                                      std::to_string(options.refinement_rounds));
}

void start_run(const Options& options) {
  memory_meter::install();
  memory_meter::reset_peak();
  check_options(options);
}

void check_initial(const Hypergraph& hypergraph, const DeviceView<PartId>& initial) {
  if (initial.extent(0) != hypergraph.num_nodes)
    throw Error(ErrorKind::usage, "the initial partition has " + std::to_string(initial.extent(0)) +
                                      " entries for " + std::to_string(hypergraph.num_nodes) + " nodes");
}

void check_may_go_on(const Options& options) {
  if (options.stop != nullptr && options.stop->load()) throw Error(ErrorKind::interrupted, "interrupted");
  memory_meter::check(options.memory_limit);
}

void check_nodes_fit(const ExecutionSpace& space, const Hypergraph& h, const Limits& limits) {
  check_all_within(space, h.node_sizes, limits.max_size, "a size of ", ", above the size");
  check_all_within(space, h.inbound_sizes, limits.max_inbound, "",
                   " distinct inbound hyperedges, above the inbound");
}

namespace {

/// Sizes of what is fixed to each part. Throws Error(usage) on a part that doesn't exist.
std::vector<Weight> fixed_sizes(const HostView<Weight>& sizes, const Balance& balance) {
  std::vector<Weight> fixed(balance.num_parts(), 0);
  for (std::size_t n = 0; n < balance.fixed.size(); ++n) {
    const PartId p = balance.fixed[n];
    if (p == invalid_id) continue;
    if (p >= balance.num_parts())
      throw Error(ErrorKind::usage, "node " + std::to_string(n) + " is fixed to part " + std::to_string(p) +
                                        ", but there are " + std::to_string(balance.num_parts()) + " parts");
    fixed[p] += sizes(n);
  }
  return fixed;
}

void check_fixed_fit(const HostView<Weight>& sizes, const Balance& balance) {
  const std::vector<Weight> fixed = fixed_sizes(sizes, balance);
  for (PartId p = 0; p < balance.num_parts(); ++p)
    if (fixed[p] > balance.capacities[p])
      throw Error(ErrorKind::infeasible, "no balanced partition exists: the nodes fixed to part " +
                                             std::to_string(p) + " have a size of " +
                                             std::to_string(fixed[p]) + ", above its capacity of " +
                                             std::to_string(balance.capacities[p]));
}

}  // namespace

void check_balance(const ExecutionSpace& space, const Hypergraph& h, const Balance& balance) {
  if (balance.capacities.empty()) throw Error(ErrorKind::usage, "the number of parts must be at least 1");
  for (PartId p = 0; p < balance.num_parts(); ++p)
    if (balance.capacities[p] < 0)
      throw Error(ErrorKind::usage, "the capacity of part " + std::to_string(p) + " is negative");
  if (!balance.fixed.empty() && balance.fixed.size() != h.num_nodes)
    throw Error(ErrorKind::usage, "parts are fixed for " + std::to_string(balance.fixed.size()) +
                                      " nodes, but the hypergraph has " + std::to_string(h.num_nodes));
  const HostView<Weight> sizes = copy_to_host(space, h.node_sizes);
  check_fixed_fit(sizes, balance);
  const Weight largest = *std::max_element(balance.capacities.begin(), balance.capacities.end());
  check_all_within(space, h.node_sizes, largest, "a size of ", ", above the size");
  Weight room = 0;
  for (const Weight capacity : balance.capacities)
    if (room < h.total_node_size) room += std::min(capacity, h.total_node_size);
  if (room < h.total_node_size)
    throw Error(ErrorKind::infeasible, "no balanced partition exists: the parts hold " +
                                           std::to_string(room) + " in all, but the nodes have a size of " +
                                           std::to_string(h.total_node_size));
}

void check_balance_reached(std::span<const Weight> sizes, std::span<const Weight> capacities) {
  std::size_t worst = 0;
  for (std::size_t p = 1; p < sizes.size(); ++p)
    if (sizes[p] - capacities[p] > sizes[worst] - capacities[worst]) worst = p;
  if (sizes[worst] <= capacities[worst]) return;
  const Weight total = std::accumulate(sizes.begin(), sizes.end(), Weight{0});
  const Weight largest = *std::max_element(sizes.begin(), sizes.end());
  const Weight share = (total - 1) / static_cast<Weight>(sizes.size()) + 1;
  throw Error(ErrorKind::infeasible,
              "no balanced partition was found: part " + std::to_string(worst) + " has a size of " +
                  std::to_string(sizes[worst]) + ", above its capacity of " +
                  std::to_string(capacities[worst]) + "; the best imbalance reached is " +
                  std::to_string(static_cast<double>(largest) / static_cast<double>(share) - 1));
}

PartId drop_empty_parts(const ExecutionSpace& space, const DeviceView<PartId>& parts, PartId num_parts) {
  auto number = filled<PartId>(space, "KoHyPar::parts::number", num_parts, 0);
  const Range nodes(space, 0, parts.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::parts::used", nodes,
      KOKKOS_LAMBDA(const std::size_t n) { Kokkos::atomic_store(&number(parts(n)), PartId{1}); });
  PartId count = 0;
  Kokkos::parallel_scan(
      "KoHyPar::parts::number", Range(space, 0, num_parts),
      KOKKOS_LAMBDA(const std::size_t p, PartId& sum, const bool final) {
        const PartId used = number(p);
        if (final) number(p) = sum;
        sum += used;
      },
      count);
  Kokkos::parallel_for(
      "KoHyPar::parts::renumber", nodes, KOKKOS_LAMBDA(const std::size_t n) { parts(n) = number(parts(n)); });
  space.fence("KoHyPar::parts::renumber");
  return count;
}

PartId number_parts(const ExecutionSpace& space, const DeviceView<PartId>& parts) {
  const std::size_t n = parts.extent(0);
  const Range range(space, 0, n);
  auto keys = uninitialized<std::uint64_t>("KoHyPar::parts::keys", n);
  Kokkos::parallel_for(
      "KoHyPar::parts::keys", range,
      KOKKOS_LAMBDA(const std::size_t i) { keys(i) = (static_cast<std::uint64_t>(parts(i)) << 32) | i; });
  sort_keys(space, keys, 63);
  PartId count = 0;
  Kokkos::parallel_scan(
      "KoHyPar::parts::number", range,
      KOKKOS_LAMBDA(const std::size_t i, PartId& runs, const bool final) {
        if (i == 0 || (keys(i) >> 32) != (keys(i - 1) >> 32)) ++runs;
        if (final) parts(keys(i) & 0xFFFFFFFFu) = runs - 1;
      },
      count);
  space.fence("KoHyPar::parts::number");
  return count;
}

}  // namespace kohypar

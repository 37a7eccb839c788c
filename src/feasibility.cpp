#include "feasibility.hpp"

#include <kohypar/error.hpp>
#include <string>

#include "coarsening/candidates.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
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

void check_nodes_fit(const ExecutionSpace& space, const Hypergraph& h, const Limits& limits) {
  check_all_within(space, h.node_sizes, limits.max_size, "a size of ", ", above the size");
  check_all_within(space, h.inbound_sizes, limits.max_inbound, "",
                   " distinct inbound hyperedges, above the inbound");
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

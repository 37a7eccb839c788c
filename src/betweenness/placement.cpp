#include "betweenness/placement.hpp"

#include <algorithm>
#include <kohypar/error.hpp>
#include <kohypar/partition.hpp>

#include "betweenness/rows.hpp"
#include "initial/host_level.hpp"
#include "parallel/bits.hpp"
#include "parallel/hash.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// Equal blocks in the order of a hash.
DeviceView<PartId> random_parts(const ExecutionSpace& space, VertexId n, PartId num_parts,
                                std::uint64_t seed) {
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::placement::hashes", n);
  const std::uint64_t hashed_seed = mix(seed);
  Kokkos::parallel_for(
      "KoHyPar::placement::hashes", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t v) {
        keys(v) = (mix(hashed_seed, v) >> 32 << 32) | v;  // distinct
      });
  sort_keys(space, keys, 64);
  const VertexId size = (n + num_parts - 1) / num_parts;
  const auto parts = uninitialized<PartId>("KoHyPar::placement::parts", n);
  Kokkos::parallel_for(
      "KoHyPar::placement::random", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        parts(static_cast<VertexId>(keys(i))) = static_cast<PartId>(i / size);
      });
  return parts;
}

/// The core as a hypergraph: every edge has two pins.
HostHypergraph as_hypergraph(const ExecutionSpace& space, const Core& core, bool directed) {
  const auto offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), core.out.offsets);
  const auto neighbors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), core.out.neighbors);
  space.fence("KoHyPar::placement::hypergraph");
  HostHypergraph h;
  h.num_nodes = core.num_vertices();
  for (VertexId v = 0; v < h.num_nodes; ++v)
    for (PinOffset i = offsets(v); i < offsets(v + 1); ++i) {
      const VertexId u = neighbors(i);
      if (!directed && u < v) continue;  // is there from the other end
      h.pins.push_back(std::min(u, v));
      h.pins.push_back(std::max(u, v));
      h.hyperedge_offsets.push_back(h.pins.size());
    }
  h.source_counts.assign(h.num_hyperedges(), 0);
  h.hyperedge_weights.assign(h.num_hyperedges(), 1);
  h.node_sizes.assign(h.num_nodes, 1);
  return h;
}

/// By KoHyPar itself, in one process: the others would do the same.
DeviceView<PartId> partition_parts(const ExecutionSpace& space, const Core& core, bool directed,
                                   PartId num_parts, const Team& team, const BetweennessOptions& options) {
  constexpr double imbalance = 0.03;
  const VertexId n = core.num_vertices();
  if (core.out.neighbors.extent(0) / (directed ? 1 : 2) > max_id_count)
    throw Error(ErrorKind::usage, "a graph to be partitioned may have at most 2^31 edges");
  const bool is_first = team.all()->rank() == 0;
  DeviceView<PartId> parts("KoHyPar::placement::parts", is_first ? n : 0);
  if (is_first) {
    Options how;
    how.seed = options.seed;
    how.stop = options.stop;
    how.memory_limit = options.memory_limit;
    const Hypergraph hypergraph = upload(space, as_hypergraph(space, core, directed));
    parts = partition(space, hypergraph, uniform_balance(num_parts, imbalance, n), how).parts;
  }
  Sizes counts(static_cast<std::size_t>(team.all()->size()), 0);
  counts[0] = n;
  return team.all()->all_gather(parts, counts);
}

void check_given(const std::vector<PartId>& given, VertexId num_vertices, PartId num_parts) {
  if (given.size() != num_vertices)
    throw Error(ErrorKind::usage, "a distribution of " + std::to_string(given.size()) +
                                      " vertices does not fit a graph of " + std::to_string(num_vertices));
  for (const PartId part : given)
    if (part >= num_parts)
      throw Error(ErrorKind::usage, "a vertex is in part " + std::to_string(part) +
                                        ", but a copy of the graph has " + std::to_string(num_parts) +
                                        " processes");
}

/// The given parts of all vertices of the graph, by core vertex.
DeviceView<PartId> given_parts(const ExecutionSpace& space, const Core& core,
                               const std::vector<PartId>& given) {
  const auto all = copy_to_device(space, "KoHyPar::placement::given", given);
  const auto parts = uninitialized<PartId>("KoHyPar::placement::parts", core.num_vertices());
  const auto vertices = core.vertices;
  Kokkos::parallel_for(
      "KoHyPar::placement::given", WideRange(space, 0, parts.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) { parts(v) = all(vertices(v)); });
  space.fence("KoHyPar::placement::given");
  return parts;
}

/// Core vertices part by part, the numbers of each part beginning with a multiple of `size`.
struct Order {
  DeviceView<VertexId> vertices;  ///< by new number; invalid_id in gaps
  DeviceView<VertexId> numbers;   ///< by core vertex
};

Order order_by_part(const ExecutionSpace& space, const DeviceView<PartId>& parts, PartId num_parts) {
  const std::size_t n = parts.extent(0);
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::placement::keys", n);
  Kokkos::parallel_for(
      "KoHyPar::placement::keys", WideRange(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t v) { keys(v) = (std::uint64_t{parts(v)} << 32) | v; });
  sort_keys(space, keys, 32 + bits_for(num_parts));
  const auto begins = offsets_of_sorted_rows(space, "KoHyPar::placement::begins", keys, num_parts, 32);
  std::size_t size = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::placement::size", WideRange(space, 0, num_parts),
      KOKKOS_LAMBDA(const std::size_t part, std::size_t& most) {
        most = Kokkos::max<std::size_t>(most, begins(part + 1) - begins(part));
      },
      Kokkos::Max<std::size_t>(size));
  if (size * num_parts > max_id_count)
    throw Error(ErrorKind::usage, "parts of the distribution differ too much in size");
  const Order order{filled(space, "KoHyPar::placement::vertices", size * num_parts, invalid_id),
                    uninitialized<VertexId>("KoHyPar::placement::numbers", n)};
  Kokkos::parallel_for(
      "KoHyPar::placement::number", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const std::size_t part = keys(i) >> 32;
        const auto vertex = static_cast<VertexId>(keys(i));
        const auto number = static_cast<VertexId>(part * size + i - begins(part));
        order.vertices(number) = vertex;
        order.numbers(vertex) = number;
      });
  return order;
}

Core renumbered(const ExecutionSpace& space, const Core& core, bool directed, const Order& order) {
  Core result = core;
  if (core.host_memory) result.host_memory = std::make_shared<HostMemory>();
  HostMemory* const memory = result.host_memory.get();
  result.out = restrict_rows(space, core.out, order.vertices, order.numbers, memory);
  result.in = directed ? restrict_rows(space, core.in, order.vertices, order.numbers, memory) : result.out;
  space.fence("KoHyPar::placement::rows");  // the core's own may lie on the host, and go
  const std::size_t n = order.vertices.extent(0);
  const auto vertices = uninitialized<VertexId>("KoHyPar::placement::graph_vertices", n);
  const DeviceView<double> weights("KoHyPar::placement::weights", n);
  const auto old = order.vertices;
  const auto old_vertices = core.vertices;
  const auto old_weights = core.weights;
  Kokkos::parallel_for(
      "KoHyPar::placement::renumber", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t v) {
        vertices(v) = old(v) == invalid_id ? invalid_id : old_vertices(old(v));
        if (old(v) != invalid_id) weights(v) = old_weights(old(v));
      });
  result.vertices = vertices;
  result.weights = weights;
  const auto numbers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), order.numbers);
  space.fence("KoHyPar::placement::renumber");
  for (TraversalSource& source : result.sources) source.vertex = numbers(source.vertex);
  return result;
}

}  // namespace

Core place(const ExecutionSpace& space, const Core& core, const Graph& graph,
           const Distribution& distribution, const Team& team, const BetweennessOptions& options) {
  const auto num_parts = static_cast<PartId>(distribution.rows * distribution.columns);
  const bool is_given = distribution.placement == Placement::given;
  if (num_parts == 1 || distribution.placement == Placement::blocks) return core;
  if (is_given) check_given(distribution.parts, graph.num_vertices, num_parts);
  const VertexId n = core.num_vertices();
  if (n == 0 || (n < num_parts && !is_given)) return core;
  const auto parts = is_given ? given_parts(space, core, distribution.parts)
                     : distribution.placement == Placement::random
                         ? random_parts(space, n, num_parts, options.seed)
                         : partition_parts(space, core, graph.directed, num_parts, team, options);
  return renumbered(space, core, graph.directed, order_by_part(space, parts, num_parts));
}

}  // namespace kohypar

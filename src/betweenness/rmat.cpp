// Recursive-matrix graphs. Chakrabarti, Zhan, Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM
// 2004; parameters as in the Graph500 benchmark.
#include <charconv>
#include <kohypar/error.hpp>

#include "betweenness/host_memory.hpp"
#include "betweenness/rows.hpp"
#include "parallel/hash.hpp"
#include "parallel/host_threads.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

const std::string prefix = "rmat:";

/// Bounds of the quadrants a, b, c, d = 0.57, 0.19, 0.19, 0.05 of a hash's upper 32 bits.
struct Quadrants {
  std::uint32_t a = 2448131359u;
  std::uint32_t ab = 3264175145u;
  std::uint32_t abc = 4080218931u;
};

/// A bijection of the ids below 2^scale, so that ids say nothing about degrees: steps that each are one.
KOKKOS_INLINE_FUNCTION std::uint64_t scramble(std::uint64_t id, int scale, std::uint64_t seed) {
  const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
  const int half = (scale + 1) / 2;
  for (std::uint64_t round = 0; round < 3; ++round) {
    id = (id * (mix(seed, round) | 1) + mix(seed, 8 + round)) & mask;
    id ^= id >> half;
  }
  return id;
}

[[noreturn]] void refuse(const std::string& name) {
  throw Error(ErrorKind::usage,
              name +
                  ": expected rmat:SCALE:EDGEFACTOR[:SEED], with a scale from 1 to 30, an edge factor from 1 "
                  "to 4096 and a seed from 0 to 2^64-1");
}

/// Draws edges, each by itself.
struct Rmat {
  int scale;
  std::uint64_t seed;
  Quadrants bounds;

  explicit Rmat(const RmatParameters& parameters) : scale(parameters.scale), seed(mix(parameters.seed)) {}

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Edge edge(std::size_t i) const {
    const std::uint64_t draws = mix(seed, i);
    std::uint64_t row = 0, column = 0;
    for (int level = 0; level < scale; ++level) {
      const auto draw = static_cast<std::uint32_t>(mix(draws, static_cast<std::uint64_t>(level)) >> 32);
      const bool lower = draw >= bounds.ab, right = (draw >= bounds.a && !lower) || draw >= bounds.abc;
      row = 2 * row + (lower ? 1 : 0);
      column = 2 * column + (right ? 1 : 0);
    }
    return {static_cast<VertexId>(scramble(row, scale, seed)),
            static_cast<VertexId>(scramble(column, scale, seed))};
  }
};

}  // namespace

bool is_rmat(const std::string& name) {
  return name.starts_with(prefix);
}

RmatParameters parse_rmat(const std::string& name) {
  std::uint64_t numbers[3] = {0, 0, 1};
  const char* at = name.data() + prefix.size();
  const char* const end = name.data() + name.size();
  std::size_t count = 0;
  for (bool more = is_rmat(name); more; ++count) {
    if (count == 3) refuse(name);
    const auto [next, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc{} || (next != end && *next != ':')) refuse(name);
    more = next != end;
    at = more ? next + 1 : next;
  }
  if (count < 2 || numbers[0] < 1 || numbers[0] > 30 || numbers[1] < 1 || numbers[1] > 4096) refuse(name);
  return {static_cast<int>(numbers[0]), numbers[1], numbers[2]};
}

Graph generate_rmat(const ExecutionSpace& space, const RmatParameters& parameters, bool directed,
                    GraphMemory memory) {
  memory_meter::install();
  const Rmat rmat(parameters);
  const auto num_vertices = static_cast<VertexId>(std::uint64_t{1} << parameters.scale);
  const std::size_t num_edges = parameters.edge_factor * std::size_t{num_vertices};
  if (memory == GraphMemory::host) {
    EdgeList list;
    list.num_vertices = num_vertices;
    list.edges.resize(num_edges);
    for_each_range({}, num_edges, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) list.edges[i] = rmat.edge(i);
    });
    return build_graph_on_host(space, list, directed);
  }
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::rmat::keys", num_edges);
  const EdgePacking packing(num_vertices);
  Kokkos::parallel_for(
      "KoHyPar::rmat::edges", WideRange(space, 0, num_edges), KOKKOS_LAMBDA(const std::size_t i) {
        const Edge edge = rmat.edge(i);
        keys(i) = packing.key(edge.from, edge.to);
      });
  return graph_from_keys(space, keys, num_vertices, directed);
}

}  // namespace kohypar

#include "betweenness/sources.hpp"

#include <kohypar/error.hpp>

#include "betweenness/rows.hpp"
#include "parallel/hash.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// A bijection of vertices for a given seed: there are no equal keys.
KOKKOS_INLINE_FUNCTION std::uint64_t drawing_key(std::uint64_t seed, VertexId vertex) {
  return mix(mix(seed) ^ vertex);
}

/// The `count` candidates with the smallest hashes: any set of that size is equally likely.
void draw(const ExecutionSpace& space, const DeviceView<VertexId>& candidates, std::uint64_t count,
          std::uint64_t seed, const DeviceView<VertexId>& is_source) {
  const std::size_t n = candidates.extent(0);
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::sources::keys", n);
  Kokkos::parallel_for(
      "KoHyPar::sources::keys", WideRange(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { keys(i) = drawing_key(seed, candidates(i)); });
  sort_keys(space, keys, 64);
  Kokkos::parallel_for(
      "KoHyPar::sources::draw", WideRange(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        is_source(candidates(i)) = drawing_key(seed, candidates(i)) <= keys(count - 1) ? 1 : 0;
      });
}

void mark_listed(const ExecutionSpace& space, const std::vector<VertexId>& sources, VertexId num_vertices,
                 const DeviceView<VertexId>& is_source) {
  std::vector<VertexId> marks(num_vertices, 0);
  for (const VertexId source : sources) {
    if (source >= num_vertices)
      throw Error(ErrorKind::usage, "source " + std::to_string(source) + " is no vertex");
    if (marks[source]++ > 0)
      throw Error(ErrorKind::usage, "source " + std::to_string(source) + " is listed twice");
  }
  Kokkos::deep_copy(space, is_source, HostView<VertexId>(marks.data(), marks.size()));
  space.fence("KoHyPar::sources::listed");
}

}  // namespace

SourceSet choose_sources(const ExecutionSpace& space, const Graph& graph, const BetweennessOptions& options) {
  SourceSet set;
  set.is_source = filled<VertexId>(space, "KoHyPar::sources::is_source", graph.num_vertices, 0);
  const auto in = graph.in.offsets, out = graph.out.offsets;
  const auto candidates = select(
      space, "KoHyPar::sources::candidates", graph.num_vertices,
      KOKKOS_LAMBDA(const std::size_t v) { return out(v + 1) > out(v) || in(v + 1) > in(v); });
  set.num_candidates = candidates.extent(0);
  if (!options.sources.empty()) {
    mark_listed(space, options.sources, graph.num_vertices, set.is_source);
    const auto is_source = set.is_source;
    Kokkos::parallel_reduce(
        "KoHyPar::sources::size", WideRange(space, 0, set.num_candidates),
        KOKKOS_LAMBDA(const std::size_t i, std::uint64_t& sum) { sum += is_source(candidates(i)); },
        set.size);
    set.is_all = set.size == set.num_candidates;
    return set;
  }
  set.is_all = options.num_sources == 0 || options.num_sources >= set.num_candidates;
  set.size = set.is_all ? set.num_candidates : options.num_sources;
  if (set.size > 0) draw(space, candidates, set.size, options.seed, set.is_source);
  return set;
}

}  // namespace kohypar

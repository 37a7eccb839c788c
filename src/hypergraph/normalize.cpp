// Hyperedges as the rest of the library expects them: sorted, without repeated pins.
#include <algorithm>
#include <atomic>
#include <functional>
#include <span>

#include "hypergraph/host.hpp"

namespace kohypar {

namespace {

bool strictly_ascending(std::span<const NodeId> ids) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>{}) == ids.end();
}

/// Sorts, moves the distinct ids to the front and returns how many there are.
std::size_t sort_distinct(std::span<NodeId> ids) {
  if (strictly_ascending(ids)) return ids.size();
  if (strictly_ascending(ids.subspan(1))) {  // the driver of a net first, as netlists put it
    const auto place = std::lower_bound(ids.begin() + 1, ids.end(), ids.front());
    if (place == ids.end() || *place != ids.front()) {
      std::rotate(ids.begin(), ids.begin() + 1, place);
      return ids.size();
    }
  }
  std::sort(ids.begin(), ids.end());
  return static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
}

/// Both spans are ascending. Moves the sources that are no destinations to the front, returns how many.
std::size_t drop_common(std::span<NodeId> sources, std::span<const NodeId> destinations) {
  const auto is_destination = [&](NodeId source) {
    return std::binary_search(destinations.begin(), destinations.end(), source);
  };
  const auto kept = std::remove_if(sources.begin(), sources.end(), is_destination);
  return static_cast<std::size_t>(kept - sources.begin());
}

/// Normalises one hyperedge, moves its kept pins to the front and returns their number.
std::size_t normalize_hyperedge(std::span<NodeId> pins, std::uint32_t& source_count, PinRepairs& repairs) {
  const std::span<NodeId> sources = pins.first(source_count), destinations = pins.subspan(source_count);
  const std::size_t num_destinations = sort_distinct(destinations);
  const std::size_t num_sources = sort_distinct(sources);
  const std::size_t kept_sources =
      drop_common(sources.first(num_sources), destinations.first(num_destinations));
  if (kept_sources < source_count)
    std::copy_n(destinations.begin(), num_destinations, pins.begin() + kept_sources);
  repairs.repeated_pins += pins.size() - num_sources - num_destinations;
  repairs.sources_also_destinations += num_sources - kept_sources;
  source_count = static_cast<std::uint32_t>(kept_sources);
  return kept_sources + num_destinations;
}

/// Closes the gaps that dropped pins have left: hyperedge e keeps the first kept[e] of its pins.
void close_gaps(HostHypergraph& h, const HostArray<PinOffset>& kept) {
  PinOffset end = 0;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const PinOffset begin = h.hyperedge_offsets[e];
    std::copy_n(h.pins.begin() + begin, kept[e], h.pins.begin() + end);
    h.hyperedge_offsets[e] = end;
    end += kept[e];
  }
  h.hyperedge_offsets.back() = end;
  h.pins.resize(end);
}

}  // namespace

PinRepairs normalize_pins(HostHypergraph& hypergraph) {
  return normalize_pins(hypergraph, HostThreads{});
}

PinRepairs normalize_pins(HostHypergraph& h, const HostThreads& threads) {
  HostArray<PinOffset> kept(h.num_hyperedges());
  std::atomic<std::uint64_t> repeated_pins = 0, sources_also_destinations = 0;
  for_each_hyperedge_range(threads, h.hyperedge_offsets, [&](std::size_t begin, std::size_t end) {
    PinRepairs repairs;
    for (std::size_t e = begin; e < end; ++e) {
      const PinOffset first = h.hyperedge_offsets[e], count = h.hyperedge_offsets[e + 1] - first;
      kept[e] = normalize_hyperedge({h.pins.data() + first, count}, h.source_counts[e], repairs);
    }
    repeated_pins += repairs.repeated_pins;
    sources_also_destinations += repairs.sources_also_destinations;
  });
  if (repeated_pins + sources_also_destinations > 0) close_gaps(h, kept);
  return {repeated_pins, sources_also_destinations};
}

}  // namespace kohypar

#include <kohypar/hypergraph.hpp>

#include "hypergraph/incidence.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/scan.hpp"
#include "parallel/search.hpp"

namespace kohypar {

namespace {

template <class T>
DeviceView<T> copy_to_device(const ExecutionSpace& space, const std::string& label,
                             const HostArray<T>& host) {
  auto device = uninitialized<T>(label, host.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(host.data(),
                                                                                                host.size());
  Kokkos::deep_copy(space, device, from);
  return device;
}

}  // namespace

Hypergraph upload(const ExecutionSpace& space, const HostHypergraph& host) {
  memory_meter::install();
  Hypergraph result;
  result.num_nodes = host.num_nodes;
  result.num_hyperedges = host.num_hyperedges();
  result.num_pins = host.num_pins();
  result.directed = host.directed;
  result.hyperedge_offsets =
      copy_to_device(space, "KoHyPar::hypergraph::hyperedge_offsets", host.hyperedge_offsets);
  result.pins = copy_to_device(space, "KoHyPar::hypergraph::pins", host.pins);
  result.source_counts = copy_to_device(space, "KoHyPar::hypergraph::source_counts", host.source_counts);
  result.hyperedge_weights =
      copy_to_device(space, "KoHyPar::hypergraph::hyperedge_weights", host.hyperedge_weights);
  result.node_sizes = copy_to_device(space, "KoHyPar::hypergraph::node_sizes", host.node_sizes);
  result.multiplicities =
      filled<Weight>(space, "KoHyPar::hypergraph::multiplicities", result.num_hyperedges, 1);
  result.base_inbound = filled<Weight>(space, "KoHyPar::hypergraph::base_inbound", result.num_nodes, 0);
  build_incidence(space, result);
  space.fence("KoHyPar::hypergraph::upload");
  return result;
}

void build_incidence(const ExecutionSpace& space, Hypergraph& hypergraph) {
  const Hypergraph h = hypergraph;
  const NodeId n = h.num_nodes;
  // One key per pin: node, whether the node is a source there, hyperedge. Sorted, they are the incidence
  // lists.
  const int hyperedge_bits = bits_for(h.num_hyperedges);
  auto keys = uninitialized<std::uint64_t>("KoHyPar::hypergraph::incidence_keys", h.num_pins);
  using Team = Kokkos::TeamPolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "KoHyPar::hypergraph::incidence_keys", Team(space, static_cast<int>(h.num_hyperedges), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const HyperedgeId e = team.league_rank();
        const PinOffset begin = h.hyperedge_offsets(e), end = h.hyperedge_offsets(e + 1);
        const PinOffset destinations = begin + h.source_counts(e);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](const PinOffset i) {
          const std::uint64_t is_source = i < destinations ? 1 : 0;
          keys(i) = (((static_cast<std::uint64_t>(h.pins(i)) << 1) | is_source) << hyperedge_bits) | e;
        });
      });
  sort_keys(space, keys, bits_for(n) + 1 + hyperedge_bits);

  hypergraph.incident = uninitialized<HyperedgeId>("KoHyPar::hypergraph::incident", h.num_pins);
  hypergraph.node_offsets = uninitialized<PinOffset>("KoHyPar::hypergraph::node_offsets", n + std::size_t{1});
  hypergraph.inbound_counts = uninitialized<std::uint32_t>("KoHyPar::hypergraph::inbound_counts", n);
  hypergraph.inbound_sizes = uninitialized<Weight>("KoHyPar::hypergraph::inbound_sizes", n);
  const auto incident = hypergraph.incident;
  const auto node_offsets = hypergraph.node_offsets;
  const auto inbound_counts = hypergraph.inbound_counts;
  const auto inbound_sizes = hypergraph.inbound_sizes;
  const PinOffset num_pins = h.num_pins;
  Kokkos::parallel_for(
      "KoHyPar::hypergraph::incident", Kokkos::RangePolicy<ExecutionSpace>(space, 0, num_pins),
      KOKKOS_LAMBDA(const PinOffset i) {
        incident(i) = static_cast<HyperedgeId>(keys(i) & ((std::uint64_t{1} << hyperedge_bits) - 1));
      });
  Kokkos::parallel_for(
      "KoHyPar::hypergraph::node_offsets", Kokkos::RangePolicy<ExecutionSpace>(space, 0, n + PinOffset{1}),
      KOKKOS_LAMBDA(const PinOffset node) {
        const PinOffset begin = first_at_least(keys, node << (1 + hyperedge_bits));
        node_offsets(node) = begin;
        if (node == n) return;
        const PinOffset outbound = first_at_least(keys, ((node << 1) | 1) << hyperedge_bits);
        inbound_counts(node) = static_cast<std::uint32_t>(outbound - begin);
      });
  Kokkos::parallel_for(
      "KoHyPar::hypergraph::inbound_sizes", Team(space, static_cast<int>(n), Kokkos::AUTO),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const NodeId node = team.league_rank();
        const PinOffset begin = node_offsets(node);
        Weight inbound = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, begin, begin + inbound_counts(node)),
            [&](const PinOffset i, Weight& sum) { sum += h.multiplicities(incident(i)); }, inbound);
        Kokkos::single(Kokkos::PerTeam(team), [&] { inbound_sizes(node) = h.base_inbound(node) + inbound; });
      });
  hypergraph.total_node_size = 0;
  const auto sizes = h.node_sizes;
  Kokkos::parallel_reduce(
      "KoHyPar::hypergraph::total_node_size", Kokkos::RangePolicy<ExecutionSpace>(space, 0, n),
      KOKKOS_LAMBDA(const NodeId node, Weight& sum) { sum += sizes(node); }, hypergraph.total_node_size);
}

}  // namespace kohypar

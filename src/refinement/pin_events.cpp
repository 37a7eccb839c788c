#include "refinement/pin_events.hpp"

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;

constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

/// Two events per incidence of a moved node, in the order of the sequence.
PinEvents emit_events(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                      const Moves& sequence) {
  const auto nodes = sequence.nodes;
  const auto targets = sequence.targets;
  const auto parts = state.parts;
  const auto node_offsets = h.node_offsets;
  const auto incident = h.incident;
  const auto inbound_counts = h.inbound_counts;
  const std::size_t n = sequence.size();
  PinOffset total = 0;
  const auto offsets = offsets_from_counts(
      space, "KoHyPar::events::offsets", n,
      KOKKOS_LAMBDA(const std::size_t i) {
        return 2 * (node_offsets(nodes(i) + std::size_t{1}) - node_offsets(nodes(i)));
      },
      total);

  PinEvents result;
  result.keys = uninitialized<std::uint64_t>("KoHyPar::events::keys", total);
  result.events = uninitialized<std::uint32_t>("KoHyPar::events::events", total);
  result.part_bits = bits_for(state.num_parts);
  const auto keys = result.keys;
  const auto events = result.events;
  const int part_bits = result.part_bits;
  // A warp per move, a few to a block, so that moves of low degree still fill the device.
  const int rows = on_host ? 1 : 8;
  Kokkos::parallel_for(
      "KoHyPar::events::emit", Team(space, static_cast<int>((n + rows - 1) / rows), rows, on_host ? 1 : 32),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const std::size_t i = static_cast<std::size_t>(team.league_rank()) * rows + team.team_rank();
        if (i >= n) return;
        const NodeId node = nodes(i);
        const PinOffset begin = node_offsets(node);
        const PinOffset degree = node_offsets(node + std::size_t{1}) - begin;
        const PinOffset leave = offsets(i), enter = leave + degree;
        const PartId from = parts(node), to = targets(i);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, degree), [&](const PinOffset k) {
          const std::uint64_t e = static_cast<std::uint64_t>(incident(begin + k)) << part_bits;
          const bool destination = k < inbound_counts(node);
          keys(leave + k) = e | from;
          events(leave + k) = pack_event(i, destination, false);
          keys(enter + k) = e | to;
          events(enter + k) = pack_event(i, destination, true);
        });
      });
  return result;
}

/// Pins and destination pins (pack_counts) of the event's hyperedge in the event's part after each event.
SegmentedSums<std::uint64_t> pins_after_events(const ExecutionSpace& space, const Hypergraph& h,
                                               const PartPins& lists, const PinEvents& sorted) {
  const auto keys = sorted.keys;
  const auto events = sorted.events;
  const int part_bits = sorted.part_bits;
  const auto hyperedge_offsets = h.hyperedge_offsets;
  const std::size_t n = keys.extent(0);
  const auto starts = last_marked(
      space, "KoHyPar::events::segments", n,
      KOKKOS_LAMBDA(const std::size_t x) { return x == 0 || keys(x - 1) != keys(x); });
  const auto counts = uninitialized<std::uint64_t>("KoHyPar::events::counts", n);
  Kokkos::parallel_for(
      "KoHyPar::events::changes", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t x) {
        const std::uint64_t pin = pack_counts(1, is_destination(events(x)) ? 1 : 0);
        std::uint64_t change = enters(events(x)) ? pin : 0 - pin;
        if (starts(x) == x) {  // the first event of a segment brings what is there before it
          change += pins_in_part(hyperedge_offsets, lists, keys(x), part_bits);
        }
        counts(x) = change;
      });
  return segmented_sums(space, "KoHyPar::events::counts", counts, starts);
}

}  // namespace

PinEvents sorted_pin_events(const ExecutionSpace& space, const Hypergraph& hypergraph,
                            const PartitionState& state, const Moves& sequence) {
  const PinEvents sorted = emit_events(space, hypergraph, state, sequence);
  stable_sort_by_key(space, sorted.keys, sorted.events,
                     bits_for(hypergraph.num_hyperedges) + sorted.part_bits);
  return sorted;
}

void count_pin_events(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                      const Moves& sequence, const DeviceView<Weight>& gains,
                      const DeviceView<Weight>& inbound_changes) {
  const PinEvents sorted = sorted_pin_events(space, hypergraph, state, sequence);
  const auto after = pins_after_events(space, hypergraph, state.part_pins, sorted);
  const auto keys = sorted.keys;
  const auto events = sorted.events;
  const int part_bits = sorted.part_bits;
  const auto weights = hypergraph.hyperedge_weights;
  const auto multiplicities = hypergraph.multiplicities;
  const bool count_inbound = inbound_changes.extent(0) > 0;
  Kokkos::parallel_for(
      "KoHyPar::events::crossings", Range(space, 0, keys.extent(0)), KOKKOS_LAMBDA(const std::size_t x) {
        const std::uint32_t event = events(x);
        const bool enter = enters(event);
        const std::uint64_t crossed = enter ? 1 : 0;  // the count after the first to come, the last to go
        const std::uint64_t count = after(x);
        const std::uint64_t e = keys(x) >> part_bits;
        const std::size_t i = position_of(event);
        if ((count & 0xFFFFFFFFu) == crossed) Kokkos::atomic_add(&gains(i), enter ? -weights(e) : weights(e));
        if (count_inbound && is_destination(event) && (count >> 32) == crossed)
          Kokkos::atomic_add(&inbound_changes(side_of_move(i, enter)),
                             enter ? multiplicities(e) : -multiplicities(e));
      });
}

}  // namespace kohypar

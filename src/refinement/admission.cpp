#include "refinement/admission.hpp"

#include <algorithm>
#include <vector>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"
#include "refinement/pin_events.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Flags = DeviceView<std::uint32_t>;

/// Pairs of a hyperedge and a part that some move touches, with the pins (pack_counts) that they have after
/// all moves admitted in earlier chunks.
struct Slots {
  DeviceView<HyperedgeId> hyperedges;
  DeviceView<std::uint64_t> pins;
};

/// Pin events by (chunk, slot), in the order of the sequence within each.
struct ChunkedEvents {
  DeviceView<std::uint32_t> events;  ///< pack_event
  DeviceView<std::uint32_t> slots;
  std::vector<PinOffset> starts;  ///< per chunk and one more
};

/// Two events per move, by (chunk, part), in the order of the sequence within each.
struct PartEvents {
  DeviceView<std::uint64_t> keys;   ///< chunk, then part
  DeviceView<std::uint32_t> sides;  ///< side_of_move
  std::uint64_t part_mask = 0;
};

/// What a pass over the events finds out about every move, given the decisions of the pass before.
struct Effects {
  DeviceView<Weight> gains;
  DeviceView<Weight> inbound_changes;  ///< side_of_move, both as positive numbers; without base_inbound
};

struct Decisions {
  Flags admitted;    ///< per move
  Flags must_leave;  ///< per move: its part is above a limit then
};

Slots make_slots(const ExecutionSpace& space, const Hypergraph& h, const PartPins& lists,
                 const PinEvents& sorted, const DeviceView<std::uint32_t>& slot_of) {
  const auto keys = sorted.keys;
  const std::size_t n = keys.extent(0);
  const int part_bits = sorted.part_bits;
  std::uint32_t num_slots = 0;
  Kokkos::parallel_scan(
      "KoHyPar::admission::slot_of", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t x, std::uint32_t& rank, const bool final) {
        if (x == 0 || keys(x - 1) != keys(x)) ++rank;
        if (final) slot_of(x) = rank - 1;
      },
      num_slots);
  const Slots slots{uninitialized<HyperedgeId>("KoHyPar::admission::slot_hyperedges", num_slots),
                    uninitialized<std::uint64_t>("KoHyPar::admission::slot_pins", num_slots)};
  const auto hyperedge_offsets = h.hyperedge_offsets;
  Kokkos::parallel_for(
      "KoHyPar::admission::slots", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t x) {
        if (x > 0 && slot_of(x - 1) == slot_of(x)) return;
        slots.hyperedges(slot_of(x)) = static_cast<HyperedgeId>(keys(x) >> part_bits);
        slots.pins(slot_of(x)) = pins_in_part(hyperedge_offsets, lists, keys(x), part_bits);
      });
  return slots;
}

/// Where the events of every chunk begin: two for each incidence of the moves before.
std::vector<PinOffset> chunk_starts(const ExecutionSpace& space, const Hypergraph& h, const Moves& sequence,
                                    std::uint32_t chunk_size) {
  const auto nodes = sequence.nodes;
  const auto node_offsets = h.node_offsets;
  const std::size_t n = sequence.size();
  const std::size_t num_chunks = (n + chunk_size - 1) / chunk_size;
  PinOffset total = 0;
  const auto offsets = offsets_from_counts(
      space, "KoHyPar::admission::offsets", n,
      KOKKOS_LAMBDA(const std::size_t i) {
        return 2 * (node_offsets(nodes(i) + std::size_t{1}) - node_offsets(nodes(i)));
      },
      total);
  const auto starts = uninitialized<PinOffset>("KoHyPar::admission::chunk_starts", num_chunks + 1);
  Kokkos::parallel_for(
      "KoHyPar::admission::chunk_starts", Range(space, 0, num_chunks + 1),
      KOKKOS_LAMBDA(const std::size_t c) { starts(c) = offsets(Kokkos::min(c * chunk_size, n)); });
  std::vector<PinOffset> result(num_chunks + 1);
  Kokkos::deep_copy(space, HostView<PinOffset>(result.data(), result.size()), starts);
  space.fence("KoHyPar::admission::chunk_starts");
  return result;
}

/// Brings events sorted by slot into the order of (chunk, slot).
ChunkedEvents group_by_chunk(const ExecutionSpace& space, const PinEvents& sorted,
                             const DeviceView<std::uint32_t>& slot_of, std::uint32_t chunk_size,
                             std::vector<PinOffset> starts) {
  const std::size_t n = slot_of.extent(0);
  const auto by_slot = sorted.events;
  const auto chunks = sorted.keys;  // no longer needed as keys of pairs
  const auto order = all_ids(space, static_cast<std::uint32_t>(n));
  Kokkos::parallel_for(
      "KoHyPar::admission::chunk_of", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t x) { chunks(x) = position_of(by_slot(x)) / chunk_size; });
  stable_sort_by_key(space, chunks, order, bits_for(starts.size()));
  ChunkedEvents result{uninitialized<std::uint32_t>("KoHyPar::admission::events", n),
                       uninitialized<std::uint32_t>("KoHyPar::admission::slots", n), std::move(starts)};
  const auto events = result.events, slots = result.slots;
  Kokkos::parallel_for(
      "KoHyPar::admission::group", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t x) {
        events(x) = by_slot(order(x));
        slots(x) = slot_of(order(x));
      });
  return result;
}

PartEvents sorted_part_events(const ExecutionSpace& space, const PartitionState& state, const Moves& sequence,
                              std::uint32_t chunk_size) {
  const auto nodes = sequence.nodes;
  const auto targets = sequence.targets;
  const auto parts = state.parts;
  const std::size_t n = sequence.size();
  const int part_bits = bits_for(state.num_parts);
  const PartEvents result{uninitialized<std::uint64_t>("KoHyPar::admission::part_keys", 2 * n),
                          uninitialized<std::uint32_t>("KoHyPar::admission::sides", 2 * n),
                          (std::uint64_t{1} << part_bits) - 1};
  Kokkos::parallel_for(
      "KoHyPar::admission::part_events", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const std::uint64_t chunk = static_cast<std::uint64_t>(i / chunk_size) << part_bits;
        const std::size_t leave = side_of_move(i, false), enter = side_of_move(i, true);
        result.keys(leave) = chunk | parts(nodes(i));
        result.keys(enter) = chunk | targets(i);
        result.sides(leave) = static_cast<std::uint32_t>(leave);
        result.sides(enter) = static_cast<std::uint32_t>(enter);
      });
  stable_sort_by_key(space, result.keys, result.sides, bits_for(n / chunk_size + 1) + part_bits);
  return result;
}

/// Adds up what each move of a chunk would do at its place, given the decisions for the others. The thread of
/// a slot's first event walks through the slot's events, at most two a move of the chunk.
struct CountEffects {
  DeviceView<std::uint32_t> events, event_slots;
  PinOffset begin, end;
  Slots slots;
  DeviceView<Weight> weights, multiplicities;  ///< per hyperedge
  Flags admitted;
  Effects effects;

  KOKKOS_FUNCTION void operator()(const std::size_t x) const {
    const std::uint32_t slot = event_slots(x);
    if (x > begin && event_slots(x - 1) == slot) return;
    const HyperedgeId e = slots.hyperedges(slot);
    std::uint64_t pins = slots.pins(slot);
    for (std::size_t y = x; y < end && event_slots(y) == slot; ++y) {
      const std::uint32_t event = events(y);
      const std::size_t i = position_of(event);
      const bool enter = enters(event);
      const std::uint64_t crossed = enter ? 0 : 1;  // the first to come, the last to go
      if ((pins & 0xFFFFFFFFu) == crossed)
        Kokkos::atomic_add(&effects.gains(i), enter ? -weights(e) : weights(e));
      if (is_destination(event) && (pins >> 32) == crossed)
        Kokkos::atomic_add(&effects.inbound_changes(side_of_move(i, enter)), multiplicities(e));
      if (admitted(i) == 0) continue;
      const std::uint64_t pin = pack_counts(1, is_destination(event) ? 1 : 0);
      pins += enter ? pin : 0 - pin;
    }
  }
};

/// Decides every move of a chunk anew and counts decisions that changed. The thread of a part's first event
/// walks through the part's events: departures as decided before, arrivals as it decides.
struct Decide {
  Hypergraph h;
  Limits limits;
  DeviceView<NodeId> nodes;
  DeviceView<Weight> proposed_gains;
  PartEvents events;
  std::size_t begin, end;
  DeviceView<Weight> sizes, inbound;              ///< per part, before the chunk
  DeviceView<Weight> sizes_after, inbound_after;  ///< per part, after it, as decided
  Effects effects;
  Decisions before, after;

  KOKKOS_FUNCTION void operator()(const std::size_t x, std::uint32_t& changed) const {
    const std::uint64_t key = events.keys(x);
    if (x > begin && events.keys(x - 1) == key) return;
    const PartId part = static_cast<PartId>(key & events.part_mask);
    Weight size = sizes(part), in = inbound(part);
    for (std::size_t y = x; y < end && events.keys(y) == key; ++y) {
      const std::size_t i = events.sides(y) / 2;
      const bool enter = events.sides(y) == side_of_move(i, true);
      const NodeId n = nodes(i);
      const Weight node_in = h.base_inbound(n) + effects.inbound_changes(events.sides(y));
      if (enter) {
        const bool fits = size + h.node_sizes(n) <= limits.max_size && in + node_in <= limits.max_inbound;
        const Weight gain = effects.gains(i);
        const bool admit = fits && (gain > 0 || gain >= proposed_gains(i) || before.must_leave(i) != 0);
        after.admitted(i) = admit ? 1 : 0;
        if (admit != (before.admitted(i) != 0)) ++changed;
        if (!admit) continue;
        size += h.node_sizes(n);
        in += node_in;
      } else {
        const bool must_leave = size > limits.max_size || in > limits.max_inbound;
        after.must_leave(i) = must_leave ? 1 : 0;
        if (must_leave != (before.must_leave(i) != 0)) ++changed;
        if (before.admitted(i) == 0) continue;
        size -= h.node_sizes(n);
        in -= node_in;
      }
    }
    sizes_after(part) = size;
    inbound_after(part) = in;
  }
};

/// Of the moves [first, last); one launch, where two fills would be two.
void forget_effects(const ExecutionSpace& space, const Effects& effects, std::size_t first,
                    std::size_t last) {
  Kokkos::parallel_for(
      "KoHyPar::admission::forget", Range(space, first, last), KOKKOS_LAMBDA(const std::size_t i) {
        effects.gains(i) = 0;
        effects.inbound_changes(side_of_move(i, false)) = 0;
        effects.inbound_changes(side_of_move(i, true)) = 0;
      });
}

// Passes between two looks at whether the last one changed anything: a device would wait for each look. A
// pass too many changes nothing.
constexpr int passes_per_look = runs_on_host ? 1 : 4;

/// The passes over one chunk after the other.
class Admission {
 public:
  Admission(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
            const Moves& sequence, const Limits& limits, std::uint32_t chunk_size)
      : space_(space), h_(h), sequence_(sequence), limits_(limits), chunk_size_(chunk_size) {
    auto starts = chunk_starts(space, h, sequence, chunk_size);
    const PinEvents sorted = sorted_pin_events(space, h, state, sequence);
    const auto slot_of = uninitialized<std::uint32_t>("KoHyPar::admission::slot_of", sorted.keys.extent(0));
    slots_ = make_slots(space, h, state.part_pins, sorted, slot_of);
    pin_events_ = group_by_chunk(space, sorted, slot_of, chunk_size, std::move(starts));
    part_events_ = sorted_part_events(space, state, sequence, chunk_size);
    sizes_ = copy_of(space, state.sizes.label(), state.sizes);
    inbound_ = copy_of(space, state.inbound.label(), state.inbound);
    sizes_after_ = copy_of(space, state.sizes.label(), state.sizes);
    inbound_after_ = copy_of(space, state.inbound.label(), state.inbound);
    const std::size_t n = sequence.size();
    effects_ = {uninitialized<Weight>("KoHyPar::admission::gains", n),
                uninitialized<Weight>("KoHyPar::admission::inbound_changes", 2 * n)};
    for (Decisions* decisions : {&now_, &next_})
      *decisions = {filled<std::uint32_t>(space, "KoHyPar::admission::admitted", n, 0),
                    filled<std::uint32_t>(space, "KoHyPar::admission::must_leave", n, 0)};
  }

  [[nodiscard]] std::size_t num_chunks() const { return pin_events_.starts.size() - 1; }

  /// Repeats the passes until no decision changes, then makes the chunk's admitted moves.
  void settle_chunk(std::size_t chunk) {
    do {
      for (int pass = 0; pass < passes_per_look; ++pass) {
        decide(chunk);
        std::swap(now_, next_);
      }
    } while (last_changes() > 0);
    commit(chunk);
  }

  [[nodiscard]] const Flags& admitted() const { return now_.admitted; }
  [[nodiscard]] const DeviceView<Weight>& gains() const { return effects_.gains; }

 private:
  [[nodiscard]] std::size_t first_move(std::size_t chunk) const {
    return std::min(chunk * chunk_size_, sequence_.size());
  }

  void decide(std::size_t chunk) {
    const std::size_t first = first_move(chunk), last = first_move(chunk + 1);
    const PinOffset begin = pin_events_.starts[chunk], end = pin_events_.starts[chunk + 1];
    forget_effects(space_, effects_, first, last);
    Kokkos::parallel_for("KoHyPar::admission::effects", Range(space_, begin, end),
                         CountEffects{pin_events_.events, pin_events_.slots, begin, end, slots_,
                                      h_.hyperedge_weights, h_.multiplicities, now_.admitted, effects_});
    Kokkos::parallel_reduce(
        "KoHyPar::admission::decide", Range(space_, 2 * first, 2 * last),
        Decide{h_, limits_, sequence_.nodes, sequence_.gains, part_events_, 2 * first, 2 * last, sizes_,
               inbound_, sizes_after_, inbound_after_, effects_, now_, next_},
        changes_);
  }

  /// Decisions that the last pass changed.
  [[nodiscard]] std::uint32_t last_changes() const {
    std::uint32_t changes = 0;
    Kokkos::deep_copy(space_, changes, changes_);
    space_.fence("KoHyPar::admission::changes");
    return changes;
  }

  void commit(std::size_t chunk);

  ExecutionSpace space_;
  Hypergraph h_;
  Moves sequence_;
  Limits limits_;
  std::size_t chunk_size_;
  Slots slots_;
  ChunkedEvents pin_events_;
  PartEvents part_events_;
  DeviceView<Weight> sizes_, inbound_, sizes_after_, inbound_after_;
  Effects effects_;
  Decisions now_, next_;
  Kokkos::View<std::uint32_t, MemorySpace> changes_{"KoHyPar::admission::changes"};  ///< in the last pass
};

/// Makes the admitted moves among the events [begin, end) in the slots' pins.
void add_admitted_pins(const ExecutionSpace& space, const ChunkedEvents& all, PinOffset begin, PinOffset end,
                       const Flags& admitted, const Slots& slots) {
  const auto events = all.events, event_slots = all.slots;
  Kokkos::parallel_for(
      "KoHyPar::admission::commit", Range(space, begin, end), KOKKOS_LAMBDA(const std::size_t x) {
        const std::uint32_t event = events(x);
        if (admitted(position_of(event)) == 0) return;
        const std::uint64_t pin = pack_counts(1, is_destination(event) ? 1 : 0);
        Kokkos::atomic_add(&slots.pins(event_slots(x)), enters(event) ? pin : 0 - pin);
      });
}

void Admission::commit(std::size_t chunk) {
  add_admitted_pins(space_, pin_events_, pin_events_.starts[chunk], pin_events_.starts[chunk + 1],
                    now_.admitted, slots_);
  Kokkos::deep_copy(space_, sizes_, sizes_after_);
  Kokkos::deep_copy(space_, inbound_, inbound_after_);
}

}  // namespace

std::uint32_t admission_chunk(PartId num_parts) {
  return std::clamp<std::uint32_t>(num_parts, 1u << 8, 1u << 16);
}

Moves admit_moves(const ExecutionSpace& space, const Hypergraph& hypergraph, const PartitionState& state,
                  const Moves& sequence, const Limits& limits, std::uint32_t chunk_size) {
  if (sequence.size() == 0) return sequence;
  Admission admission(space, hypergraph, state, sequence, limits, chunk_size);
  for (std::size_t chunk = 0; chunk < admission.num_chunks(); ++chunk) admission.settle_chunk(chunk);
  const auto admitted = admission.admitted();
  const auto chosen = select(
      space, "KoHyPar::admission::chosen", sequence.size(),
      KOKKOS_LAMBDA(const std::size_t i) { return admitted(i) != 0; });
  return choose_moves(space, {sequence.nodes, sequence.targets, admission.gains()}, chosen);
}

}  // namespace kohypar

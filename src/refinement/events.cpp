#include "refinement/events.hpp"

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/pin_events.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

/// Two events per move, of its source and its target part, by part and then in the order of the sequence.
struct PartEvents {
  DeviceView<std::uint64_t> parts;
  DeviceView<std::uint32_t> sides;   ///< side_of_move
  DeviceView<std::uint32_t> starts;  ///< first event of the same part
};

PartEvents sort_part_events(const ExecutionSpace& space, const PartitionState& state, const Moves& sequence) {
  const auto nodes = sequence.nodes;
  const auto targets = sequence.targets;
  const auto parts = state.parts;
  const std::size_t n = sequence.size();
  PartEvents result;
  result.parts = uninitialized<std::uint64_t>("KoHyPar::events::part_keys", 2 * n);
  result.sides = uninitialized<std::uint32_t>("KoHyPar::events::sides", 2 * n);
  const auto keys = result.parts;
  const auto sides = result.sides;
  Kokkos::parallel_for(
      "KoHyPar::events::part_events", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const std::size_t leave = side_of_move(i, false), enter = side_of_move(i, true);
        keys(leave) = parts(nodes(i));
        keys(enter) = targets(i);
        sides(leave) = static_cast<std::uint32_t>(leave);
        sides(enter) = static_cast<std::uint32_t>(enter);
      });
  stable_sort_by_key(space, keys, sides, bits_for(state.num_parts));
  result.starts = last_marked(
      space, "KoHyPar::events::part_segments", 2 * n,
      KOKKOS_LAMBDA(const std::size_t x) { return x == 0 || keys(x - 1) != keys(x); });
  return result;
}

/// One of the two limits, and what the sequence does to what parts have of it.
struct Resource {
  DeviceView<Weight> used;     ///< num_parts: before the sequence
  DeviceView<Weight> changes;  ///< side_of_move: by each move
  Weight limit = unlimited;
};

/// What parts have of the resource after each event.
SegmentedSums<Weight> use_after_events(const ExecutionSpace& space, const PartEvents& events,
                                       const Resource& resource) {
  const auto keys = events.parts;
  const auto sorted_sides = events.sides;
  const auto segment_starts = events.starts;
  const auto used = resource.used;
  const auto changes = resource.changes;
  const std::size_t n = keys.extent(0);
  const auto uses = uninitialized<Weight>("KoHyPar::events::uses", n);
  Kokkos::parallel_for(
      "KoHyPar::events::uses", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t x) {
        uses(x) = changes(sorted_sides(x)) + (segment_starts(x) == x ? used(keys(x)) : 0);
      });
  return segmented_sums(space, "KoHyPar::events::uses", uses, segment_starts);
}

/// For every event x the first event y >= x of the same part after which the part is within the limit, or the
/// last event of the part, as positions from the end: n - 1 - y at n - 1 - x.
DeviceView<std::uint32_t> next_within_reversed(const ExecutionSpace& space, const PartEvents& events,
                                               const SegmentedSums<Weight>& after, Weight limit) {
  const auto starts = events.starts;
  const std::size_t n = starts.extent(0);
  return last_marked(
      space, "KoHyPar::events::next_within", n, KOKKOS_LAMBDA(const std::size_t reversed) {
        const std::size_t x = n - 1 - reversed;
        const bool last_of_part = x + 1 == n || starts(x + 1) == x + 1;
        return last_of_part || after(x) <= limit;
      });
}

/// Adds to violation_changes(i) the limits that move i violates less those that it restores, and raises
/// repaired_at (see Evaluation).
void check_limit(const ExecutionSpace& space, const PartEvents& events, const Resource& resource,
                 const DeviceView<Weight>& violation_changes, const DeviceView<std::uint32_t>& repaired_at) {
  const auto sides = events.sides;
  const auto changes = resource.changes;
  const Weight limit = resource.limit;
  const auto after = use_after_events(space, events, resource);
  const auto next_within = next_within_reversed(space, events, after, limit);
  const std::size_t n = sides.extent(0);
  Kokkos::parallel_for(
      "KoHyPar::events::check_limit", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t x) {
        const std::size_t i = sides(x) / 2;
        const Weight change = changes(sides(x)), use = after(x);
        const bool above = use > limit, above_before = use - change > limit;
        if (above != above_before) Kokkos::atomic_add(&violation_changes(i), Weight{above ? 1 : -1});
        if (!above || change <= 0) return;
        const std::size_t next = n - 1 - next_within(n - 1 - x);
        const std::uint32_t repaired = after(next) <= limit ? sides(next) / 2 : Evaluation::never_repaired;
        Kokkos::atomic_max(&repaired_at(i), repaired);
      });
}

DeviceView<Weight> size_changes(const ExecutionSpace& space, const Hypergraph& h, const Moves& sequence) {
  const auto nodes = sequence.nodes;
  const auto node_sizes = h.node_sizes;
  const auto changes = uninitialized<Weight>("KoHyPar::events::size_changes", 2 * sequence.size());
  Kokkos::parallel_for(
      "KoHyPar::events::size_changes", Range(space, 0, sequence.size()), KOKKOS_LAMBDA(const std::size_t i) {
        changes(side_of_move(i, false)) = -node_sizes(nodes(i));
        changes(side_of_move(i, true)) = node_sizes(nodes(i));
      });
  return changes;
}

/// What moves take along for certain, whatever else moves: hyperedges dropped at this level.
DeviceView<Weight> base_inbound_changes(const ExecutionSpace& space, const Hypergraph& h,
                                        const Moves& sequence) {
  const auto nodes = sequence.nodes;
  const auto base_inbound = h.base_inbound;
  const auto changes = uninitialized<Weight>("KoHyPar::events::inbound_changes", 2 * sequence.size());
  Kokkos::parallel_for(
      "KoHyPar::events::base_inbound", Range(space, 0, sequence.size()), KOKKOS_LAMBDA(const std::size_t i) {
        changes(side_of_move(i, false)) = -base_inbound(nodes(i));
        changes(side_of_move(i, true)) = base_inbound(nodes(i));
      });
  return changes;
}

/// A prefix by what decides between two.
struct RankedPrefix {
  Weight violations = std::numeric_limits<Weight>::max();
  Weight gain = std::numeric_limits<Weight>::min();
  std::uint64_t length = std::numeric_limits<std::uint64_t>::max();

  KOKKOS_INLINE_FUNCTION bool better_than(const RankedPrefix& other) const {
    if (violations != other.violations) return violations < other.violations;
    if (gain != other.gain) return gain > other.gain;
    return length < other.length;
  }
  /// What Kokkos calls a sum: the better one stays, in whatever order they come.
  KOKKOS_INLINE_FUNCTION RankedPrefix& operator+=(const RankedPrefix& other) {
    if (other.better_than(*this)) *this = other;
    return *this;
  }
};

/// Best prefix by the rules of best_valid_prefix. `violations` after each move, `initial` before the first.
Prefix find_best_prefix(const ExecutionSpace& space, const DeviceView<Weight>& gains,
                        const DeviceView<Weight>& violations, Weight initial) {
  const std::size_t n = gains.extent(0);
  const auto totals = copy_of(space, "KoHyPar::events::total_gains", gains);
  inclusive_sums(space, "KoHyPar::events::total_gains", totals);
  RankedPrefix best;
  Kokkos::parallel_reduce(
      "KoHyPar::events::best_prefix", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i, RankedPrefix& chosen) {
        chosen += RankedPrefix{violations(i), totals(i), i + 1};
      },
      best);
  const bool repairs = best.violations < initial;
  const bool gains_validly = best.violations == 0 && best.gain > 0;
  if (!repairs && !gains_validly) return {};
  return {static_cast<std::size_t>(best.length), best.gain};
}

}  // namespace

Weight count_violations(const ExecutionSpace& space, const PartitionState& state, const Limits& limits) {
  const auto sizes = state.sizes;
  const auto inbound = state.inbound;
  const Weight max_size = limits.max_size, max_inbound = limits.max_inbound;
  Weight violations = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::events::violations", Range(space, 0, state.num_parts),
      KOKKOS_LAMBDA(const std::size_t p, Weight& sum) {
        sum += (sizes(p) > max_size ? 1 : 0) + (inbound(p) > max_inbound ? 1 : 0);
      },
      violations);
  return violations;
}

Evaluation evaluate_sequence(const ExecutionSpace& space, const Hypergraph& hypergraph,
                             const PartitionState& state, const Moves& sequence, const Limits& limits) {
  const std::size_t n = sequence.size();
  Evaluation result;
  result.gains = filled<Weight>(space, "KoHyPar::events::gains", n, 0);
  result.violations = filled<Weight>(space, "KoHyPar::events::violations", n, 0);
  result.repaired_at = uninitialized<std::uint32_t>("KoHyPar::events::repaired_at", n);
  if (n == 0) return result;

  const bool limits_inbound = limits.max_inbound != unlimited;
  const Resource size{state.sizes, size_changes(space, hypergraph, sequence), limits.max_size};
  const Resource inbound{
      state.inbound,
      limits_inbound ? base_inbound_changes(space, hypergraph, sequence) : DeviceView<Weight>(),
      limits.max_inbound};
  count_pin_events(space, hypergraph, state, sequence, result.gains, inbound.changes);

  const auto repaired_at = result.repaired_at;
  Kokkos::parallel_for(
      "KoHyPar::events::repaired_at", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { repaired_at(i) = static_cast<std::uint32_t>(i); });
  const PartEvents events = sort_part_events(space, state, sequence);
  if (limits.max_size != unlimited) check_limit(space, events, size, result.violations, repaired_at);
  if (limits_inbound) check_limit(space, events, inbound, result.violations, repaired_at);

  const Weight initial = count_violations(space, state, limits);
  const auto violations = result.violations;
  inclusive_sums(space, "KoHyPar::events::violations", violations);
  Kokkos::parallel_for(
      "KoHyPar::events::violations", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { violations(i) += initial; });
  result.best = find_best_prefix(space, result.gains, violations, initial);
  return result;
}

Moves without_overfills(const ExecutionSpace& space, const Moves& sequence, const Evaluation& evaluation,
                        std::uint32_t patience) {
  const auto repaired_at = evaluation.repaired_at;
  const auto kept = select(
      space, "KoHyPar::events::kept", sequence.size(), KOKKOS_LAMBDA(const std::size_t i) {
        return repaired_at(i) != Evaluation::never_repaired && repaired_at(i) - i <= patience;
      });
  const std::size_t n = kept.extent(0);
  const Moves result{uninitialized<NodeId>("KoHyPar::events::kept_nodes", n),
                     uninitialized<PartId>("KoHyPar::events::kept_targets", n),
                     uninitialized<Weight>("KoHyPar::events::kept_gains", n)};
  const Moves from = sequence, to = result;
  Kokkos::parallel_for(
      "KoHyPar::events::keep", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        to.nodes(i) = from.nodes(kept(i));
        to.targets(i) = from.targets(kept(i));
        to.gains(i) = from.gains(kept(i));
      });
  return result;
}

Prefix best_valid_prefix(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const PartitionState& state, const Moves& sequence, const Limits& limits) {
  return evaluate_sequence(space, hypergraph, state, sequence, limits).best;
}

DeviceView<Weight> in_sequence_gains(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                     const PartitionState& state, const Moves& sequence) {
  const auto gains = filled<Weight>(space, "KoHyPar::events::gains", sequence.size(), 0);
  if (sequence.size() > 0) count_pin_events(space, hypergraph, state, sequence, gains, {});
  return gains;
}

}  // namespace kohypar

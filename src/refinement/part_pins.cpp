#include "refinement/part_pins.hpp"

#include <algorithm>
#include <vector>

#include "initial/host_level.hpp"
#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"
#include "parallel/search.hpp"
#include "parallel/teams.hpp"
#include "parallel/work_meter.hpp"

namespace kohypar {

namespace {

using Keys = DeviceView<std::uint64_t>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;

/// Teams of one warp: most hyperedges have fewer pins than a larger team would have threads.
constexpr int warp = 32;

/// Hyperedges whose pins are sorted together.
struct Batch {
  DeviceView<HyperedgeId> hyperedges;
  DeviceView<PinOffset> segments;  ///< of each and one more: where its keys begin, plus `first`
  PinOffset first, num_keys;
};

/// One key per pin of a batch: (position of the hyperedge in it, part of the pin, whether it is a
/// destination). Sorted keys are the lists, run by run.
Keys sorted_pin_keys(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<PartId>& parts,
                     int part_bits, const Batch& batch) {
  auto keys = uninitialized<std::uint64_t>("KoHyPar::part_pins::keys", batch.num_keys);
  Kokkos::parallel_for(
      "KoHyPar::part_pins::keys", team_policy(space, batch.hyperedges.extent(0), warp, 1),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const std::uint64_t rank = team.league_rank();
        const HyperedgeId e = batch.hyperedges(rank);
        const PinOffset first_pin = h.hyperedge_offsets(e), first_key = batch.segments(rank) - batch.first;
        const PinOffset num_sources = h.source_counts(e);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, h.hyperedge_offsets(e + 1) - first_pin),
                             [&](const PinOffset i) {
                               const std::uint64_t is_destination = i < num_sources ? 0 : 1;
                               const std::uint64_t part = parts(h.pins(first_pin + i));
                               keys(first_key + i) = (((rank << part_bits) | part) << 1) | is_destination;
                             });
      });
  sort_keys(space, keys, bits_for(batch.hyperedges.extent(0)) + part_bits + 1);
  return keys;
}

/// Run-length encodes the sorted keys of every hyperedge of a batch, which has pins, into its list. The last
/// key of a run writes the entry; it finds the run's start, and where its destinations begin, by binary
/// search.
void encode_lists(const ExecutionSpace& space, const Hypergraph& h, int part_bits, const Batch& batch,
                  const Keys& keys, const PartPins& lists) {
  const std::uint64_t part_mask = (std::uint64_t{1} << part_bits) - 1;
  Kokkos::parallel_for(
      "KoHyPar::part_pins::encode", team_policy(space, batch.hyperedges.extent(0), warp, 1),
      KOKKOS_LAMBDA(const Team::member_type& team) {
        const HyperedgeId e = batch.hyperedges(team.league_rank());
        const PinOffset list = h.hyperedge_offsets(e);
        const PinOffset begin = batch.segments(team.league_rank()) - batch.first;
        const PinOffset end = batch.segments(team.league_rank() + 1) - batch.first;
        Kokkos::parallel_scan(
            Kokkos::TeamThreadRange(team, end - begin),
            [&](const PinOffset offset, std::uint32_t& entry, const bool final) {
              const PinOffset i = begin + offset;
              const std::uint64_t run = keys(i) >> 1;
              if (i + 1 < end && keys(i + 1) >> 1 == run) return;
              if (final) {
                const PinOffset start = first_at_least(keys, begin, i, run << 1);
                const PinOffset destinations = first_at_least(keys, start, i + 1, (run << 1) | 1);
                lists.parts(list + entry) = static_cast<PartId>(run & part_mask);
                lists.pins(list + entry) = static_cast<std::uint32_t>(i + 1 - start);
                lists.destination_pins(list + entry) = static_cast<std::uint32_t>(i + 1 - destinations);
                if (i + 1 == end) lists.lambda(e) = entry + 1;
              }
              ++entry;
            });
      });
}

/// Cuts hyperedges into batches of at most batch_pins pins, or of one hyperedge.
std::vector<Batch> batches_of(const ExecutionSpace& space, const DeviceView<HyperedgeId>& hyperedges,
                              const DeviceView<PinOffset>& segments, PinOffset num_keys,
                              PinOffset batch_pins) {
  if (num_keys <= batch_pins) return {{hyperedges, segments, 0, num_keys}};
  const auto ends = copy_to_host(space, segments);
  std::vector<Batch> batches;
  const std::size_t n = hyperedges.extent(0);
  for (std::size_t begin = 0; begin < n;) {
    const PinOffset* const after =
        std::upper_bound(ends.data() + begin + 2, ends.data() + n + 1, ends(begin) + batch_pins);
    const std::size_t end = static_cast<std::size_t>(after - ends.data()) - 1;
    batches.push_back({Kokkos::subview(hyperedges, std::make_pair(begin, end)),
                       Kokkos::subview(segments, std::make_pair(begin, end + 1)), ends(begin),
                       ends(end) - ends(begin)});
    begin = end;
  }
  return batches;
}

// Lists of hyperedges of so few pins are built one pin after the other.
constexpr PinOffset most_inserted_pins = 32;

/// Builds the lists of the chosen hyperedges that are small, a thread each, by insertion. Returns how many
/// are not.
std::size_t insert_pins(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<PartId>& parts,
                        const DeviceView<HyperedgeId>& chosen, const PartPins& lists) {
  std::size_t num_large = 0;
  PinOffset num_inserted = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::part_pins::insert", Kokkos::RangePolicy<ExecutionSpace>(space, 0, chosen.extent(0)),
      KOKKOS_LAMBDA(const std::size_t rank, std::size_t& larger, PinOffset& inserted) {
        const HyperedgeId e = chosen(rank);
        const PinOffset begin = h.hyperedge_offsets(e), end = h.hyperedge_offsets(e + 1);
        if (end - begin > most_inserted_pins) {
          ++larger;
          return;
        }
        inserted += end - begin;
        PinOffset list_end = begin;
        for (PinOffset i = begin; i < end; ++i) {
          const PartId part = parts(h.pins(i));
          PinOffset at = begin;
          while (at < list_end && lists.parts(at) < part) ++at;
          if (at == list_end || lists.parts(at) != part) {
            for (PinOffset last = list_end++; last > at; --last) {
              lists.parts(last) = lists.parts(last - 1);
              lists.pins(last) = lists.pins(last - 1);
              lists.destination_pins(last) = lists.destination_pins(last - 1);
            }
            lists.parts(at) = part;
            lists.pins(at) = lists.destination_pins(at) = 0;
          }
          ++lists.pins(at);
          if (i >= begin + h.source_counts(e)) ++lists.destination_pins(at);
        }
        lists.lambda(e) = static_cast<std::uint32_t>(list_end - begin);
      },
      num_large, num_inserted);
  work_meter::add_visited_pins(num_inserted);
  return num_large;
}

}  // namespace

PartPins build_part_pins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const DeviceView<PartId>& parts, PartId num_parts, PinOffset batch_pins) {
  PartPins lists;
  lists.parts = uninitialized<PartId>("KoHyPar::part_pins::parts", hypergraph.num_pins);
  lists.pins = uninitialized<std::uint32_t>("KoHyPar::part_pins::pins", hypergraph.num_pins);
  lists.destination_pins =
      uninitialized<std::uint32_t>("KoHyPar::part_pins::destination_pins", hypergraph.num_pins);
  lists.lambda = uninitialized<std::uint32_t>("KoHyPar::part_pins::lambda", hypergraph.num_hyperedges);
  update_part_pins(space, hypergraph, parts, num_parts, all_ids(space, hypergraph.num_hyperedges), lists,
                   batch_pins);
  return lists;
}

// Sorting the pins of many large hyperedges at once beats a sort per hyperedge in scratch memory in
// simplicity; on a device it costs three radix passes for 134 million pins in 26 parts.
void update_part_pins(const ExecutionSpace& space, const Hypergraph& hypergraph,
                      const DeviceView<PartId>& parts, PartId num_parts,
                      const DeviceView<HyperedgeId>& touched, PartPins& lists, PinOffset batch_pins) {
  if (insert_pins(space, hypergraph, parts, touched, lists) == 0) return;
  const auto offsets = hypergraph.hyperedge_offsets;
  const auto large = compact(
      space, "KoHyPar::part_pins::large", touched, KOKKOS_LAMBDA(const std::size_t i) {
        return offsets(touched(i) + 1) - offsets(touched(i)) > most_inserted_pins;
      });
  PinOffset num_keys = 0;
  const auto segments = offsets_from_counts(
      space, "KoHyPar::part_pins::segments", large.extent(0),
      KOKKOS_LAMBDA(const std::size_t i) { return offsets(large(i) + 1) - offsets(large(i)); }, num_keys);
  work_meter::add_visited_pins(num_keys);
  const int part_bits = bits_for(num_parts);
  for (const Batch& batch : batches_of(space, large, segments, num_keys, batch_pins)) {
    const Keys keys = sorted_pin_keys(space, hypergraph, parts, part_bits, batch);
    encode_lists(space, hypergraph, part_bits, batch, keys, lists);
    space.fence("KoHyPar::part_pins::encode");  // the keys end here
  }
}

}  // namespace kohypar

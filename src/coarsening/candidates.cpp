#include "coarsening/candidates.hpp"

#include <algorithm>
#include <bit>

#include "coarsening/candidate_search.hpp"
#include "hypergraph/totals.hpp"
#include "parallel/reducers.hpp"
#include "parallel/scan.hpp"
#include "parallel/team_add.hpp"
#include "parallel/work_meter.hpp"

namespace kohypar {

namespace {

using Team = Kokkos::TeamPolicy<ExecutionSpace>;

// Slots of the hash tables of the two hash buckets, 16 bytes each: 4 KB lets many warps share a processor, 32
// KB is what level-0 scratch memory offers on every device.
constexpr std::uint32_t small_table = 256;
constexpr std::uint32_t large_table = 2048;
// A table is filled to at most a half by expectation.
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t load(std::uint32_t slots) {
  return slots / 2;
}
// Entries of a dense tile, 12 bytes each.
constexpr std::uint32_t default_tile = 2048;
constexpr int pins_per_step = 32;

/// Takes the best pairs of a scratch histogram: rated(i) is the pair of entry i, or none.
template <class Rated>
KOKKOS_INLINE_FUNCTION void take_best(const TeamMember& team, std::uint32_t entries, const Rated& rated,
                                      TopPairs& top) {
  RatedPair last;
  for (int taken = 0; taken < top.capacity; ++taken) {
    RatedPair best;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, entries),
        [&](const std::uint32_t i, RatedPair& into) {
          const RatedPair pair = rated(i);
          if (pair.score < 0 || (taken > 0 && !last.better_than(pair))) return;
          if (pair.better_than(into)) into = pair;
        },
        BestOf<RatedPair>(best));
    team.team_barrier();
    if (!top.admits(best)) return;
    top.insert(best);
    last = best;
  }
}

/// Histogram in a hash table with open addressing. Ids are split into `classes` by hash, one pass each; a
/// class that does not fit starts the node again with twice the classes. Neither shows in the result.
struct HashHistogram {
  CandidateSearch search;
  DeviceView<std::uint64_t> work;
  std::uint32_t max_slots;

  KOKKOS_INLINE_FUNCTION static std::uint64_t hash_of(NodeId m) { return mix(m); }
  /// A power of two: no more of the table is cleared and looked through than a node needs.
  KOKKOS_INLINE_FUNCTION std::uint32_t slots_for(std::uint64_t visits) const {
    constexpr std::uint64_t least = 32;
    return static_cast<std::uint32_t>(
        Kokkos::clamp<std::uint64_t>(Kokkos::bit_ceil(2 * visits), least, max_slots));
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember& team) const {
    const NodeId n = search.nodes(team.league_rank());
    const std::uint32_t slots = slots_for(work(n));
    const Scratch<Weight> sums(team.team_scratch(scratch_level()), slots);
    const Scratch<NodeId> keys(team.team_scratch(scratch_level()), slots);
    const Scratch<std::uint32_t> shared(team.team_scratch(scratch_level()), slots);
    const Scratch<std::uint32_t> overflow(team.team_scratch(scratch_level()), 1);
    TopPairs top(search.result.per_node);
    std::uint32_t classes = static_cast<std::uint32_t>((work(n) + load(slots) - 1) / load(slots));
    for (bool complete = false; !complete; classes *= 2) {
      top = TopPairs(search.result.per_node);
      complete = true;
      for (std::uint32_t c = 0; c < classes && complete; ++c) {
        complete = fill(team, n, classes, c, keys, sums, shared, overflow);
        if (!complete) break;
        take_best(
            team, slots,
            [&](const std::uint32_t i) {
              return keys(i) == invalid_id ? RatedPair() : search.rate(n, keys(i), sums(i), shared(i));
            },
            top);
      }
    }
    store(team, search, n, top);
  }

  /// Counts the neighbours of class c; false if the table is too small.
  KOKKOS_INLINE_FUNCTION bool fill(const TeamMember& team, NodeId n, std::uint32_t classes, std::uint32_t c,
                                   const Scratch<NodeId>& keys, const Scratch<Weight>& sums,
                                   const Scratch<std::uint32_t>& shared,
                                   const Scratch<std::uint32_t>& overflow) const {
    const auto slots = static_cast<std::uint32_t>(keys.extent(0));
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, slots), [&](const std::uint32_t i) {
      keys(i) = invalid_id;
      sums(i) = 0;
      shared(i) = 0;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { overflow(0) = 0; });
    team.team_barrier();
    visit_pins(team, search, n, [&](const NodeId m, const Weight increment, const std::uint32_t both) {
      const std::uint64_t hash = hash_of(m);
      if (m == n || (classes > 1 && (hash >> 32) % classes != c)) return;
      std::uint32_t at = static_cast<std::uint32_t>(hash) & (slots - 1);
      for (std::uint32_t probe = 0; probe < slots; ++probe, at = (at + 1) & (slots - 1)) {
        NodeId found = keys(at);
        if (found == invalid_id) found = Kokkos::atomic_compare_exchange(&keys(at), invalid_id, m);
        if (found != invalid_id && found != m) continue;
        team_add(&sums(at), increment);
        if (both != 0) team_add(&shared(at), both);
        return;
      }
      Kokkos::atomic_store(&overflow(0), 1u);
    });
    team.team_barrier();
    return overflow(0) == 0;
  }

  static std::size_t scratch_bytes(std::uint32_t slots) {
    return Scratch<Weight>::shmem_size(slots) + Scratch<NodeId>::shmem_size(slots) +
           Scratch<std::uint32_t>::shmem_size(slots) + Scratch<std::uint32_t>::shmem_size(1);
  }
};

/// Histogram over dense tiles of the id range. Destinations are ascending, so a cursor per hyperedge tells
/// where the next tile goes on; sources, few, are looked through every time.
struct TileHistogram {
  CandidateSearch search;
  DeviceView<std::uint32_t> cursors;  ///< per incidence: rated destinations of the hyperedge already passed
  std::uint32_t tile;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember& team) const {
    const NodeId n = search.nodes(team.league_rank());
    const Scratch<Weight> sums(team.team_scratch(scratch_level()), tile);
    const Scratch<std::uint32_t> shared(team.team_scratch(scratch_level()), tile);
    const PinOffset begin = search.h.node_offsets(n), end = search.h.node_offsets(n + 1);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, end),
                         [&](const PinOffset at) { cursors(at) = 0; });
    TopPairs top(search.result.per_node);
    for (std::uint64_t first = 0; first < search.h.num_nodes; first += tile) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, tile), [&](const std::uint32_t i) {
        sums(i) = 0;
        shared(i) = 0;
      });
      team.team_barrier();
      fill(team, n, static_cast<NodeId>(first), sums, shared);
      team.team_barrier();
      take_best(
          team, tile,
          [&](const std::uint32_t i) {
            return sums(i) == 0 ? RatedPair()
                                : search.rate(n, static_cast<NodeId>(first + i), sums(i), shared(i));
          },
          top);
      team.team_barrier();
    }
    store(team, search, n, top);
  }

  /// Counts the neighbours with ids in [first, first + tile); increments are positive, so a sum of 0 is no
  /// neighbour.
  KOKKOS_INLINE_FUNCTION void fill(const TeamMember& team, NodeId n, NodeId first,
                                   const Scratch<Weight>& sums, const Scratch<std::uint32_t>& shared) const {
    const Hypergraph& h = search.h;
    const PinOffset begin = h.node_offsets(n), end = h.node_offsets(n + 1);
    const PinOffset inbound_end = begin + h.inbound_counts(n);
    const auto add = [&](const NodeId m, const Weight increment, const std::uint32_t both) {
      team_add(&sums(m - first), increment);
      if (both != 0) team_add(&shared(m - first), both);
    };
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](const PinOffset at) {
      const HyperedgeId e = h.incident(at);
      const bool inbound = at < inbound_end;
      const RatedPins rated(h, search.rating, n, e, inbound);
      const Weight increment = search.increments(e);
      const std::uint32_t both = inbound ? static_cast<std::uint32_t>(h.multiplicities(e)) : 0;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, rated.sources, rated.destinations),
                           [&](const PinOffset i) {
                             const NodeId m = h.pins(i);
                             if (m >= first && m - first < tile) add(m, increment, 0);
                           });
      PinOffset next = rated.begin + cursors(at);
      int inside = pins_per_step;
      while (inside == pins_per_step) {
        inside = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, pins_per_step),
            [&](const int lane, int& count) {
              if (next + lane >= rated.end) return;
              const NodeId m = h.pins(next + lane);
              if (m - first >= tile) return;
              add(m, increment, both);
              ++count;
            },
            inside);
        next += inside;
      }
      Kokkos::single(Kokkos::PerThread(team),
                     [&] { cursors(at) = static_cast<std::uint32_t>(next - rated.begin); });
    });
  }

  static std::size_t scratch_bytes(std::uint32_t tile) {
    return Scratch<Weight>::shmem_size(tile) + Scratch<std::uint32_t>::shmem_size(tile);
  }
};

/// Histogram over all ids, which a team leaves empty for its next node. For hosts, whose teams are one thread
/// with memory of its own: a visit is one addition, and only what was visited is looked through. (On the
/// network model:32:4:1:16 without directions, candidates took 17 s on two threads by hash tables and tiles,
/// 1.0 s so; on ibm05 x16 3.1 and 2.2 s.)
struct WholeHistogram {
  CandidateSearch search;
  bool counts_shared;  ///< only limits on inbound hyperedges ask for them

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember& team) const {
    const NodeId num_nodes = search.h.num_nodes;
    const NodeId num_counted = counts_shared ? num_nodes : 0;
    const Scratch<Weight> sums(team.team_scratch(scratch_level()), num_nodes);
    const Scratch<NodeId> found(team.team_scratch(scratch_level()), num_nodes);
    const Scratch<std::uint32_t> shared(team.team_scratch(scratch_level()), num_counted);
    for (NodeId m = 0; m < num_nodes; ++m) sums(m) = 0;
    for (NodeId m = 0; m < num_counted; ++m) shared(m) = 0;
    const auto share = [&](int team_index) {
      return search.nodes.extent(0) * static_cast<std::size_t>(team_index) / team.league_size();
    };
    for (std::size_t i = share(team.league_rank()); i < share(team.league_rank() + 1); ++i)
      propose(team, search.nodes(i), sums, found, shared);
  }

  KOKKOS_INLINE_FUNCTION void propose(const TeamMember& team, NodeId n, const Scratch<Weight>& sums,
                                      const Scratch<NodeId>& found,
                                      const Scratch<std::uint32_t>& shared) const {
    NodeId num_found = 0;
    visit_pins(team, search, n, [&](const NodeId m, const Weight increment, const std::uint32_t both) {
      if (sums(m) == 0) found(num_found++) = m;  // increments are positive
      sums(m) += increment;
      if (counts_shared) shared(m) += both;
    });
    TopPairs top(search.result.per_node);
    for (NodeId i = 0; i < num_found; ++i) {
      const NodeId m = found(i);
      const RatedPair pair = search.rate(n, m, sums(m), counts_shared ? shared(m) : 0);
      if (top.admits(pair)) top.insert(pair);
      sums(m) = 0;
      if (counts_shared) shared(m) = 0;
    }
    store(team, search, n, top);
  }

  static std::size_t scratch_bytes(NodeId num_nodes, bool counts_shared) {
    return Scratch<Weight>::shmem_size(num_nodes) + Scratch<NodeId>::shmem_size(num_nodes) +
           Scratch<std::uint32_t>::shmem_size(counts_shared ? num_nodes : 0);
  }
};

/// Which kernel takes a node of so many pins to visit.
enum Bucket : std::uint32_t { isolated = 0, small_hash, large_hash, tiles, num_buckets };

KOKKOS_INLINE_FUNCTION Bucket bucket_of(std::uint64_t visits, std::uint64_t num_nodes) {
  if (visits == 0) return isolated;
  if (visits <= load(small_table)) return small_hash;
  const std::uint64_t passes = (visits + load(large_table) - 1) / load(large_table);
  return passes * visits <= visits + 2 * num_nodes || passes <= 1 ? large_hash : tiles;
}

/// Pins beside itself that a node visits through its hyperedges; 0 for ids that the stride doesn't divide.
DeviceView<std::uint64_t> count_visits(const ExecutionSpace& space, const Hypergraph& h, const Rating& rating,
                                       NodeId stride) {
  auto visits = uninitialized<std::uint64_t>("KoHyPar::candidates::visits", h.num_nodes);
  Kokkos::parallel_for(
      "KoHyPar::candidates::visits", Team(space, static_cast<int>(h.num_nodes), Kokkos::AUTO),
      KOKKOS_LAMBDA(const TeamMember& team) {
        const NodeId n = team.league_rank();
        const PinOffset begin = h.node_offsets(n), end = n % stride == 0 ? h.node_offsets(n + 1) : begin;
        const PinOffset inbound_end = begin + h.inbound_counts(n);
        std::uint64_t sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, begin, end),
            [&](const PinOffset at, std::uint64_t& into) {
              const RatedPins rated(h, rating, n, h.incident(at), at < inbound_end);
              into += rated.end - rated.first() - 1;
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { visits(n) = sum; });
      });
  return visits;
}

DeviceView<NodeId> nodes_in(const ExecutionSpace& space, const DeviceView<std::uint64_t>& visits,
                            Bucket bucket) {
  const std::size_t num_nodes = visits.extent(0);
  return select(
      space, "KoHyPar::candidates::bucket", num_nodes,
      KOKKOS_LAMBDA(const std::size_t n) { return bucket_of(visits(n), num_nodes) == bucket; });
}

template <class Policy, class Kernel>
void launch(const char* label, Policy policy, const Kernel& kernel, std::size_t scratch_bytes) {
  if (policy.league_size() == 0) return;
  policy.set_scratch_size(scratch_level(), Kokkos::PerTeam(scratch_bytes));
  Kokkos::parallel_for(label, policy, kernel);
}

/// A team per node.
void propose_by_buckets(const ExecutionSpace& space, CandidateSearch search,
                        const DeviceView<std::uint64_t>& visits, const Tuning& tuning) {
  const auto teams = [&](int threads) {
    return runs_on_host ? Team(space, static_cast<int>(search.nodes.extent(0)), 1)
                        : Team(space, static_cast<int>(search.nodes.extent(0)),
                               tuning.team_size > 0 ? tuning.team_size : threads, 32);
  };
  search.nodes = nodes_in(space, visits, small_hash);
  launch("KoHyPar::candidates::small_hash", teams(1), HashHistogram{search, visits, small_table},
         HashHistogram::scratch_bytes(small_table));
  search.nodes = nodes_in(space, visits, large_hash);
  launch("KoHyPar::candidates::large_hash", teams(4), HashHistogram{search, visits, large_table},
         HashHistogram::scratch_bytes(large_table));
  search.nodes = nodes_in(space, visits, tiles);
  if (search.nodes.extent(0) == 0) return;
  const auto cursors = uninitialized<std::uint32_t>("KoHyPar::candidates::cursors", search.h.num_pins);
  const std::uint32_t tile = tuning.tile_size > 0 ? tuning.tile_size : default_tile;
  launch("KoHyPar::candidates::tiles", teams(8), TileHistogram{search, cursors, tile},
         TileHistogram::scratch_bytes(tile));
}

/// A few teams per thread. Returns false where that doesn't pay, or there are more nodes than a team's memory
/// has room for.
bool propose_by_whole_histograms(const ExecutionSpace& space, CandidateSearch search,
                                 const DeviceView<std::uint64_t>& visits, const Tuning& tuning) {
  constexpr std::size_t least_nodes = 16, teams_per_thread = 16;
  const bool counts_shared = search.limits.max_inbound < static_cast<Weight>(search.h.num_pins);
  const std::size_t bytes = WholeHistogram::scratch_bytes(search.h.num_nodes, counts_shared);
  if (!runs_on_host || tuning.tile_size > 0 ||
      bytes > static_cast<std::size_t>(Team::scratch_size_max(scratch_level())))
    return false;
  search.nodes = select(
      space, "KoHyPar::candidates::connected", search.h.num_nodes,
      KOKKOS_LAMBDA(const std::size_t n) { return visits(n) > 0; });
  const std::size_t teams = std::min(search.nodes.extent(0) / least_nodes + 1,
                                     teams_per_thread * static_cast<std::size_t>(space.concurrency()));
  using UnevenTeams = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  launch("KoHyPar::candidates::whole", UnevenTeams(space, static_cast<int>(teams), 1),
         WholeHistogram{search, counts_shared}, bytes);
  return true;
}

}  // namespace

Rating make_rating(const ExecutionSpace& space, const Hypergraph& h, std::uint64_t seed, int level,
                   int size_power) {
  const Weight total = total_hyperedge_weight(space, h);
  const auto weights = h.hyperedge_weights;
  Rating rating;
  rating.size_power = size_power;
  rating.seed = mix(seed, static_cast<std::uint64_t>(level));
  // Sums of increments below 2^52: eight bits go to the division by sizes, two to the sums of a matching.
  rating.shift = 52 - std::bit_width(static_cast<std::uint64_t>(total));
  Weight increments = 0;
  const auto offsets = h.hyperedge_offsets;
  Kokkos::parallel_reduce(
      "KoHyPar::candidates::total_increment", Kokkos::RangePolicy<ExecutionSpace>(space, 0, h.num_hyperedges),
      KOKKOS_LAMBDA(const HyperedgeId e, Weight& sum) {
        sum += rating_increment(rating, weights(e), offsets(e + 1) - offsets(e));
      },
      increments);
  const std::uint64_t mean =
      h.num_hyperedges == 0 ? 0 : static_cast<std::uint64_t>(increments) / h.num_hyperedges;
  // Noise of all nodes together stays below 2^52 too.
  const std::uint64_t largest = (std::uint64_t{1} << 52) / std::max<std::uint64_t>(1, h.num_nodes);
  rating.noise = std::max<std::uint64_t>(1, std::min(mean / 10, largest));
  return rating;
}

Candidates propose_candidates(const ExecutionSpace& space, const Hypergraph& h, const Rating& rating,
                              const PairLimits& limits, int per_node, const Tuning& tuning, NodeId stride) {
  CandidateSearch search{h, rating, limits, {}, {}, {}, {}};
  const std::size_t places = static_cast<std::size_t>(h.num_nodes) * per_node;
  search.result = {per_node, filled<NodeId>(space, "KoHyPar::candidates::neighbors", places, invalid_id),
                   filled<Weight>(space, "KoHyPar::candidates::scores", places, -1)};
  search.roots = uninitialized<std::uint32_t>("KoHyPar::candidates::roots", h.num_nodes);
  search.increments = uninitialized<Weight>("KoHyPar::candidates::increments", h.num_hyperedges);
  const auto roots = search.roots;
  const auto increments = search.increments;
  Kokkos::parallel_for(
      "KoHyPar::candidates::roots", Kokkos::RangePolicy<ExecutionSpace>(space, 0, h.num_nodes),
      KOKKOS_LAMBDA(const NodeId n) { roots(n) = size_root(h.node_sizes(n)); });
  Kokkos::parallel_for(
      "KoHyPar::candidates::increments", Kokkos::RangePolicy<ExecutionSpace>(space, 0, h.num_hyperedges),
      KOKKOS_LAMBDA(const HyperedgeId e) {
        increments(e) = rating_increment(rating, h.hyperedge_weights(e),
                                         h.hyperedge_offsets(e + 1) - h.hyperedge_offsets(e));
      });
  const auto visits = count_visits(space, h, rating, stride);
  work_meter::add_visited_pins(space, visits);
  if (!propose_by_whole_histograms(space, search, visits, tuning))
    propose_by_buckets(space, search, visits, tuning);
  space.fence("KoHyPar::candidates");  // the scratch views end here
  return search.result;
}

}  // namespace kohypar

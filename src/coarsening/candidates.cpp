#include "coarsening/candidates.hpp"

#include <algorithm>
#include <bit>

#include "coarsening/rating.hpp"
#include "hypergraph/totals.hpp"
#include "parallel/reducers.hpp"
#include "parallel/scan.hpp"
#include "parallel/search.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"
#include "parallel/work_meter.hpp"

namespace kohypar {

namespace {

using Team = Kokkos::TeamPolicy<ExecutionSpace>;
using Member = Team::member_type;

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

/// Where the pins lie that a node looks at in one of its hyperedges: all sources, and destinations, of long
/// hyperedges only those near the node.
struct RatedPins {
  PinOffset sources, destinations;  ///< the first of each of the hyperedge
  PinOffset begin, end;             ///< of the destinations looked at

  KOKKOS_INLINE_FUNCTION RatedPins(const Hypergraph& h, const Rating& rating, NodeId n, HyperedgeId e,
                                   bool is_destination)
      : sources(h.hyperedge_offsets(e)),
        destinations(sources + h.source_counts(e)),
        begin(destinations),
        end(h.hyperedge_offsets(e + 1)) {
    if (end - sources <= rating.longest_whole || !is_destination) return;
    const PinOffset place = first_at_least(h.pins, destinations, end, n);
    if (place - begin > rating.reach) begin = place - rating.reach;
    if (end - place > rating.reach + 1) end = place + rating.reach + 1;
  }
  /// A loop from here to `end` has the sources, by number before `begin`, and the rated destinations.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION PinOffset first() const { return begin - (destinations - sources); }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION PinOffset source(PinOffset i) const { return i - first() + sources; }
};

/// Everything the kernels read, and where they write.
struct Search {
  Hypergraph h;
  Rating rating;
  PairLimits limits;
  DeviceView<std::uint32_t> roots;    ///< size_root of every node
  DeviceView<Weight> increments;      ///< rating_increment of every hyperedge
  DeviceView<NodeId> nodes;           ///< of the bucket
  DeviceView<std::uint32_t> cursors;  ///< per incidence: rated destinations of the hyperedge already passed
  Candidates result;

  /// The pair (n, m) with its score, or none where it breaks a limit.
  KOKKOS_INLINE_FUNCTION RatedPair rate(NodeId n, NodeId m, Weight increments_sum,
                                        std::uint32_t shared) const {
    if (m == n || h.node_sizes(n) + h.node_sizes(m) > limits.max_size) return {};
    if (h.inbound_sizes(n) + h.inbound_sizes(m) - static_cast<Weight>(shared) > limits.max_inbound) return {};
    if (limits.within.extent(0) != 0 && limits.within(n) != limits.within(m)) return {};
    const std::uint64_t hash = pair_hash(rating, n, m);
    return {pair_score(rating, increments_sum, hash, roots(n), roots(m)), hash, m};
  }
};

/// The per_node best pairs so far, best first; every thread of a team holds the same.
struct TopPairs {
  RatedPair pairs[max_candidates_per_node];
  int capacity;

  KOKKOS_INLINE_FUNCTION explicit TopPairs(int per_node) : capacity(per_node) {}
  KOKKOS_INLINE_FUNCTION bool admits(const RatedPair& pair) const {
    return pair.score >= 0 && pair.better_than(pairs[capacity - 1]);
  }
  KOKKOS_INLINE_FUNCTION void insert(const RatedPair& pair) {
    int at = capacity - 1;
    for (; at > 0 && pair.better_than(pairs[at - 1]); --at) pairs[at] = pairs[at - 1];
    pairs[at] = pair;
  }
};

/// Takes the best pairs of a scratch histogram: rated(i) is the pair of entry i, or none.
template <class Rated>
KOKKOS_INLINE_FUNCTION void take_best(const Member& team, std::uint32_t entries, const Rated& rated,
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

KOKKOS_INLINE_FUNCTION void store(const Member& team, const Search& search, NodeId n, const TopPairs& top) {
  Kokkos::single(Kokkos::PerTeam(team), [&] {
    for (int r = 0; r < top.capacity; ++r) {
      const std::size_t at = static_cast<std::size_t>(n) * top.capacity + r;
      search.result.neighbors(at) = top.pairs[r].neighbor;
      search.result.scores(at) = top.pairs[r].score;
    }
  });
}

/// Visits all rated pins of all hyperedges of n: visit(pin, increment, multiplicity if both are destinations,
/// else 0).
template <class Visit>
KOKKOS_INLINE_FUNCTION void visit_pins(const Member& team, const Search& search, NodeId n,
                                       const Visit& visit) {
  const Hypergraph& h = search.h;
  const PinOffset begin = h.node_offsets(n), end = h.node_offsets(n + 1);
  const PinOffset inbound_end = begin + h.inbound_counts(n);
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](const PinOffset at) {
    const HyperedgeId e = h.incident(at);
    const bool inbound = at < inbound_end;
    const RatedPins rated(h, search.rating, n, e, inbound);
    const Weight increment = search.increments(e);
    const std::uint32_t shared = inbound ? static_cast<std::uint32_t>(h.multiplicities(e)) : 0;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, rated.first(), rated.end), [&](const PinOffset i) {
      if (i < rated.begin) {
        visit(h.pins(rated.source(i)), increment, 0);
      } else {
        visit(h.pins(i), increment, shared);
      }
    });
  });
}

/// Histogram in a hash table with open addressing. Ids are split into `classes` by hash, one pass each; a
/// class that does not fit starts the node again with twice the classes. Neither shows in the result.
struct HashHistogram {
  Search search;
  DeviceView<std::uint64_t> work;
  std::uint32_t max_slots;

  KOKKOS_INLINE_FUNCTION static std::uint64_t hash_of(NodeId m) { return mix(m); }
  /// A power of two: no more of the table is cleared and looked through than a node needs.
  KOKKOS_INLINE_FUNCTION std::uint32_t slots_for(std::uint64_t visits) const {
    constexpr std::uint64_t least = 32;
    return static_cast<std::uint32_t>(
        Kokkos::clamp<std::uint64_t>(Kokkos::bit_ceil(2 * visits), least, max_slots));
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
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
  KOKKOS_INLINE_FUNCTION bool fill(const Member& team, NodeId n, std::uint32_t classes, std::uint32_t c,
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
  Search search;
  std::uint32_t tile;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const NodeId n = search.nodes(team.league_rank());
    const Scratch<Weight> sums(team.team_scratch(scratch_level()), tile);
    const Scratch<std::uint32_t> shared(team.team_scratch(scratch_level()), tile);
    const PinOffset begin = search.h.node_offsets(n), end = search.h.node_offsets(n + 1);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, begin, end),
                         [&](const PinOffset at) { search.cursors(at) = 0; });
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
  KOKKOS_INLINE_FUNCTION void fill(const Member& team, NodeId n, NodeId first, const Scratch<Weight>& sums,
                                   const Scratch<std::uint32_t>& shared) const {
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
      PinOffset next = rated.begin + search.cursors(at);
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
                     [&] { search.cursors(at) = static_cast<std::uint32_t>(next - rated.begin); });
    });
  }

  static std::size_t scratch_bytes(std::uint32_t tile) {
    return Scratch<Weight>::shmem_size(tile) + Scratch<std::uint32_t>::shmem_size(tile);
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
      KOKKOS_LAMBDA(const Member& team) {
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

template <class Kernel>
void launch(const ExecutionSpace& space, const char* label, const Kernel& kernel, std::size_t teams,
            std::size_t scratch_bytes, int team_size) {
  if (teams == 0) return;
  Team policy = runs_on_host ? Team(space, static_cast<int>(teams), 1)
                             : Team(space, static_cast<int>(teams), team_size, 32);
  policy.set_scratch_size(scratch_level(), Kokkos::PerTeam(scratch_bytes));
  Kokkos::parallel_for(label, policy, kernel);
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
  Search search{h, rating, limits, {}, {}, {}, {}, {}};
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
  const auto team_size = [&](int preferred) { return tuning.team_size > 0 ? tuning.team_size : preferred; };

  search.nodes = nodes_in(space, visits, small_hash);
  launch(space, "KoHyPar::candidates::small_hash", HashHistogram{search, visits, small_table},
         search.nodes.extent(0), HashHistogram::scratch_bytes(small_table), team_size(1));
  search.nodes = nodes_in(space, visits, large_hash);
  launch(space, "KoHyPar::candidates::large_hash", HashHistogram{search, visits, large_table},
         search.nodes.extent(0), HashHistogram::scratch_bytes(large_table), team_size(4));
  search.nodes = nodes_in(space, visits, tiles);
  if (search.nodes.extent(0) > 0) {
    search.cursors = uninitialized<std::uint32_t>("KoHyPar::candidates::cursors", h.num_pins);
    const std::uint32_t tile = tuning.tile_size > 0 ? tuning.tile_size : default_tile;
    launch(space, "KoHyPar::candidates::tiles", TileHistogram{search, tile}, search.nodes.extent(0),
           TileHistogram::scratch_bytes(tile), team_size(8));
  }
  space.fence("KoHyPar::candidates");  // the scratch views end here
  return search.result;
}

}  // namespace kohypar

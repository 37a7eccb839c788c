// What every kernel that counts a node's neighbours shares: the pins it visits, the rating of a pair, and the
// best pairs so far.
#pragma once

#include "coarsening/candidates.hpp"
#include "coarsening/rating.hpp"
#include "parallel/search.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

using TeamMember = Kokkos::TeamPolicy<ExecutionSpace>::member_type;

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
struct CandidateSearch {
  Hypergraph h;
  Rating rating;
  PairLimits limits;
  DeviceView<std::uint32_t> roots;  ///< size_root of every node
  DeviceView<Weight> increments;    ///< rating_increment of every hyperedge
  DeviceView<NodeId> nodes;         ///< that a kernel takes
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

KOKKOS_INLINE_FUNCTION void store(const TeamMember& team, const CandidateSearch& search, NodeId n,
                                  const TopPairs& top) {
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
KOKKOS_INLINE_FUNCTION void visit_pins(const TeamMember& team, const CandidateSearch& search, NodeId n,
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

}  // namespace kohypar

#include "refinement/chains.hpp"

#include <Kokkos_BitManipulation.hpp>

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Positions = DeviceView<std::uint32_t>;

constexpr int size_class_bits = 6;

/// 0 for size 0, else one more than the logarithm.
KOKKOS_INLINE_FUNCTION std::uint64_t size_class(Weight size) {
  return static_cast<std::uint64_t>(Kokkos::bit_width(static_cast<std::uint64_t>(size)));
}

/// The source group of a move is where it can be found as a successor, its target group where it finds one.
KOKKOS_INLINE_FUNCTION std::uint64_t group_of(PartId part, Weight size) {
  return (static_cast<std::uint64_t>(part) << size_class_bits) | size_class(size);
}

/// Links between moves; positions are those in the given moves, invalid_id is none.
struct Links {
  Positions successors, predecessors;
};

/// What linking reads of every move.
struct Candidates {
  DeviceView<std::uint64_t> source_groups, target_groups;
  DeviceView<Weight> gains, sizes, inbound_sizes;
};

Candidates gather_candidates(const ExecutionSpace& space, const Hypergraph& h, const PartitionState& state,
                             const Moves& moves) {
  const std::size_t n = moves.size();
  const Candidates result{uninitialized<std::uint64_t>("KoHyPar::chains::source_groups", n),
                          uninitialized<std::uint64_t>("KoHyPar::chains::target_groups", n), moves.gains,
                          uninitialized<Weight>("KoHyPar::chains::sizes", n),
                          uninitialized<Weight>("KoHyPar::chains::inbound_sizes", n)};
  const auto parts = state.parts;
  const auto node_sizes = h.node_sizes;
  const auto inbound_sizes = h.inbound_sizes;
  const Moves from = moves;
  const Candidates to = result;
  Kokkos::parallel_for(
      "KoHyPar::chains::candidates", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const NodeId node = from.nodes(i);
        to.sizes(i) = node_sizes(node);
        to.inbound_sizes(i) = inbound_sizes(node);
        to.source_groups(i) = group_of(parts(node), node_sizes(node));
        to.target_groups(i) = group_of(from.targets(i), node_sizes(node));
      });
  return result;
}

/// Sorts items by descending values(item), equal ones keep their order.
void sort_descending(const ExecutionSpace& space, const DeviceView<Weight>& values, const Positions& items) {
  const std::size_t n = items.extent(0);
  Kokkos::MinMaxScalar<Weight> range;
  Kokkos::parallel_reduce(
      "KoHyPar::chains::value_range", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t k, Kokkos::MinMaxScalar<Weight>& found) {
        found.min_val = Kokkos::min(found.min_val, values(items(k)));
        found.max_val = Kokkos::max(found.max_val, values(items(k)));
      },
      Kokkos::MinMax<Weight>(range));
  const Weight most = range.max_val;
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::chains::value_keys", n);
  Kokkos::parallel_for(
      "KoHyPar::chains::value_keys", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t k) { keys(k) = static_cast<std::uint64_t>(most - values(items(k))); });
  stable_sort_by_key(space, keys, items, bits_for(static_cast<std::uint64_t>(most - range.min_val) + 1));
}

Positions all_positions(const ExecutionSpace& space, std::size_t n) {
  const auto positions = uninitialized<std::uint32_t>("KoHyPar::chains::positions", n);
  Kokkos::parallel_for(
      "KoHyPar::chains::positions", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i) { positions(i) = static_cast<std::uint32_t>(i); });
  return positions;
}

/// All moves by (source group, -gain, position).
Positions sort_candidates(const ExecutionSpace& space, const Candidates& candidates, PartId num_parts) {
  const std::size_t n = candidates.gains.extent(0);
  const Positions order = all_positions(space, n);
  sort_descending(space, candidates.gains, order);
  const auto groups = candidates.source_groups;
  const auto keys = uninitialized<std::uint64_t>("KoHyPar::chains::group_keys", n);
  Kokkos::parallel_for(
      "KoHyPar::chains::group_keys", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t k) { keys(k) = groups(order(k)); });
  stable_sort_by_key(space, keys, order, bits_for(num_parts) + size_class_bits);
  return order;
}

/// How little two nodes fit in each other's place (the paper's weights), cut off where it fills 32 bits.
KOKKOS_INLINE_FUNCTION std::uint64_t distance(const Candidates& c, std::uint32_t a, std::uint32_t b) {
  constexpr Weight most = 0xFFFFFFFF;
  const Weight size = Kokkos::min(most, Kokkos::abs(c.sizes(a) - c.sizes(b)));
  const Weight inbound = Kokkos::min(most, Kokkos::abs(c.inbound_sizes(a) - c.inbound_sizes(b)));
  return static_cast<std::uint64_t>(Kokkos::min(most, 10 * size + inbound));
}

/// The successor that a move would take among the heads (moves without predecessor, as sort_candidates orders
/// them), or invalid_id.
KOKKOS_INLINE_FUNCTION std::uint32_t choose_successor(const Candidates& c, const Positions& heads,
                                                      std::uint32_t move) {
  const std::uint64_t group = c.target_groups(move);
  std::size_t begin = 0, high = heads.extent(0);
  while (begin < high) {
    const std::size_t middle = begin + (high - begin) / 2;
    if (c.source_groups(heads(middle)) < group) {
      begin = middle + 1;
    } else {
      high = middle;
    }
  }
  std::uint32_t best = invalid_id;
  std::uint64_t closest = 0;
  const std::size_t end = Kokkos::min<std::size_t>(heads.extent(0), begin + chain_window);
  for (std::size_t k = begin; k < end && c.source_groups(heads(k)) == group; ++k) {
    const std::uint32_t head = heads(k);
    if (best != invalid_id && c.gains(head) < c.gains(best)) break;  // only ties for the highest gain compete
    const std::uint64_t far = distance(c, move, head);
    if (best != invalid_id && far >= closest) continue;
    best = head;
    closest = far;
  }
  return best;
}

/// One round of linking; returns the number of new links.
std::size_t link_once(const ExecutionSpace& space, const Candidates& candidates, const Positions& heads,
                      const Links& links) {
  const std::size_t n = links.successors.extent(0);
  const auto successors = links.successors;
  const auto predecessors = links.predecessors;
  const auto choices = uninitialized<std::uint32_t>("KoHyPar::chains::choices", n);
  // The least (distance, position) of those that chose a head.
  const auto claims = filled<std::uint64_t>(space, "KoHyPar::chains::claims", n, ~std::uint64_t{0});
  Kokkos::parallel_for(
      "KoHyPar::chains::choose", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const std::uint32_t move = static_cast<std::uint32_t>(i);
        choices(i) = successors(i) == invalid_id ? choose_successor(candidates, heads, move) : invalid_id;
        if (choices(i) == invalid_id) return;
        Kokkos::atomic_min(&claims(choices(i)), (distance(candidates, move, choices(i)) << 32) | move);
      });
  std::size_t linked = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::chains::link", Range(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& count) {
        const std::uint32_t head = choices(i);
        if (head == invalid_id || (claims(head) & 0xFFFFFFFFu) != i) return;
        successors(i) = head;
        predecessors(head) = static_cast<std::uint32_t>(i);
        ++count;
      },
      linked);
  return linked;
}

/// The candidates without a predecessor, in their order.
Positions free_heads(const ExecutionSpace& space, const Positions& order, const Positions& predecessors) {
  const auto chosen = select(
      space, "KoHyPar::chains::free_heads", order.extent(0),
      KOKKOS_LAMBDA(const std::size_t k) { return predecessors(order(k)) == invalid_id; });
  Kokkos::parallel_for(
      "KoHyPar::chains::free_heads", Range(space, 0, chosen.extent(0)),
      KOKKOS_LAMBDA(const std::size_t k) { chosen(k) = order(chosen(k)); });
  return chosen;
}

Links link_moves(const ExecutionSpace& space, const Candidates& candidates, PartId num_parts) {
  const std::size_t n = candidates.gains.extent(0);
  const Links links{filled<std::uint32_t>(space, "KoHyPar::chains::successors", n, invalid_id),
                    filled<std::uint32_t>(space, "KoHyPar::chains::predecessors", n, invalid_id)};
  Positions heads = sort_candidates(space, candidates, num_parts);
  for (int round = 0; round < chain_rounds; ++round) {
    if (link_once(space, candidates, heads, links) == 0) break;
    heads = free_heads(space, heads, links.predecessors);
  }
  return links;
}

/// Cuts every cycle before its first move by position. Pointer jumping: after r rounds `first` is the least
/// position among a move and the 2^r - 1 that follow it.
void cut_cycles(const ExecutionSpace& space, const Links& links) {
  const std::size_t n = links.successors.extent(0);
  const auto successors = links.successors;
  const auto predecessors = links.predecessors;
  Positions jump = copy_of(space, "KoHyPar::chains::jump", successors);
  Positions first = all_positions(space, n);
  Positions next_jump = uninitialized<std::uint32_t>("KoHyPar::chains::next_jump", n);
  Positions next_first = uninitialized<std::uint32_t>("KoHyPar::chains::next_first", n);
  // Done when all paths are at their ends and no cycle learns anything: its moves then all know its first.
  for (std::size_t changed = 1; changed > 0;) {
    Kokkos::parallel_reduce(
        "KoHyPar::chains::find_cycles", Range(space, 0, n),
        KOKKOS_LAMBDA(const std::size_t i, std::size_t& count) {
          const std::uint32_t j = jump(i);
          next_jump(i) = j == invalid_id ? invalid_id : jump(j);
          next_first(i) = j == invalid_id ? first(i) : Kokkos::min(first(i), first(j));
          if (next_jump(i) == invalid_id ? j != invalid_id : next_first(i) != first(i)) ++count;
        },
        changed);
    std::swap(jump, next_jump);
    std::swap(first, next_first);
  }
  Kokkos::parallel_for(
      "KoHyPar::chains::cut_cycles", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        if (jump(i) == invalid_id || first(i) != i) return;
        successors(predecessors(i)) = invalid_id;
        predecessors(i) = invalid_id;
      });
}

/// Where every move stands in its path.
struct PathPositions {
  Positions last;   ///< last move of the path
  Positions after;  ///< moves after this one
};

/// List ranking by pointer jumping.
PathPositions rank_in_paths(const ExecutionSpace& space, const Positions& successors) {
  const std::size_t n = successors.extent(0);
  PathPositions now{uninitialized<std::uint32_t>("KoHyPar::chains::last", n),
                    uninitialized<std::uint32_t>("KoHyPar::chains::after", n)};
  PathPositions next{uninitialized<std::uint32_t>("KoHyPar::chains::next_last", n),
                     uninitialized<std::uint32_t>("KoHyPar::chains::next_after", n)};
  const PathPositions start = now;
  Kokkos::parallel_for(
      "KoHyPar::chains::start_ranking", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const bool ends = successors(i) == invalid_id;
        start.last(i) = ends ? static_cast<std::uint32_t>(i) : successors(i);
        start.after(i) = ends ? 0 : 1;
      });
  for (std::size_t changed = 1; changed > 0;) {
    const PathPositions from = now, to = next;
    Kokkos::parallel_reduce(
        "KoHyPar::chains::rank", Range(space, 0, n),
        KOKKOS_LAMBDA(const std::size_t i, std::size_t& count) {
          const std::uint32_t j = from.last(i);
          to.last(i) = from.last(j);
          to.after(i) = from.after(i) + from.after(j);
          if (to.last(i) != j) ++count;
        },
        changed);
    std::swap(now, next);
  }
  return now;
}

/// For every path, at its last move, where it begins in the sequence: paths by descending total gain.
DeviceView<PinOffset> place_paths(const ExecutionSpace& space, const Positions& successors,
                                  const PathPositions& paths, const DeviceView<Weight>& gains) {
  const std::size_t n = successors.extent(0);
  const auto total_gains = filled<Weight>(space, "KoHyPar::chains::total_gains", n, 0);
  const auto lengths = filled<std::uint32_t>(space, "KoHyPar::chains::lengths", n, 0);
  Kokkos::parallel_for(
      "KoHyPar::chains::totals", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        Kokkos::atomic_add(&total_gains(paths.last(i)), gains(i));
        Kokkos::atomic_inc(&lengths(paths.last(i)));
      });
  const Positions chains = select(
      space, "KoHyPar::chains::chains", n,
      KOKKOS_LAMBDA(const std::size_t i) { return successors(i) == invalid_id; });
  sort_descending(space, total_gains, chains);
  PinOffset total = 0;
  const auto offsets = offsets_from_counts(
      space, "KoHyPar::chains::offsets", chains.extent(0),
      KOKKOS_LAMBDA(const std::size_t k) { return lengths(chains(k)); }, total);
  const auto begins = uninitialized<PinOffset>("KoHyPar::chains::begins", n);
  Kokkos::parallel_for(
      "KoHyPar::chains::begins", Range(space, 0, chains.extent(0)),
      KOKKOS_LAMBDA(const std::size_t k) { begins(chains(k)) = offsets(k); });
  return begins;
}

}  // namespace

Moves sequence_by_chains(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const PartitionState& state, const Moves& moves) {
  const std::size_t n = moves.size();
  if (n < 2) return moves;
  const Links links = link_moves(space, gather_candidates(space, hypergraph, state, moves), state.num_parts);
  cut_cycles(space, links);
  const PathPositions paths = rank_in_paths(space, links.successors);
  const auto begins = place_paths(space, links.successors, paths, moves.gains);

  const Moves from = moves;
  const Moves to{uninitialized<NodeId>("KoHyPar::chains::nodes", n),
                 uninitialized<PartId>("KoHyPar::chains::targets", n),
                 uninitialized<Weight>("KoHyPar::chains::gains", n)};
  Kokkos::parallel_for(
      "KoHyPar::chains::sequence", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const PinOffset where = begins(paths.last(i)) + paths.after(i);
        to.nodes(where) = from.nodes(i);
        to.targets(where) = from.targets(i);
        to.gains(where) = from.gains(i);
      });
  return to;
}

}  // namespace kohypar

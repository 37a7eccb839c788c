#include "coarsening/matching.hpp"

#include "parallel/bits.hpp"
#include "parallel/key_sort.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace>;

/// The forest of one round. A root has no live candidate, or targets its partner in a mutual pair.
struct Forest {
  DeviceView<NodeId> target;  ///< invalid_id: matched in an earlier round, or no live candidate
  DeviceView<Weight> score;   ///< of the pair with the target
  DeviceView<std::uint32_t>
      children;  ///< number of nodes that target this one, its partner in a root pair excluded
  DeviceView<PinOffset> child_offsets;
  DeviceView<NodeId> child_list;  ///< in no particular order
  DeviceView<std::uint32_t> arrived;
  DeviceView<Weight> children_sum;  ///< sum of unmatched_best over the children
  DeviceView<Weight>
      unmatched_best;  ///< ss0: best weight of the subtree if this node is not matched to its target
  DeviceView<NodeId> best_child;  ///< the child to match with in that case, invalid_id: none
  DeviceView<NodeId> partner;     ///< the result, over all rounds

  KOKKOS_INLINE_FUNCTION bool in_root_pair(NodeId n) const {
    return target(n) != invalid_id && target(target(n)) == n;
  }
  KOKKOS_INLINE_FUNCTION bool is_child(NodeId n) const { return target(n) != invalid_id && !in_root_pair(n); }

  /// ss1 - ss0: what matching n to its target gains over leaving it.
  KOKKOS_INLINE_FUNCTION Weight gain_of_match(NodeId n) const {
    return score(n) + children_sum(n) - unmatched_best(n);
  }

  /// Computes a node all of whose children are done.
  KOKKOS_INLINE_FUNCTION void settle(NodeId n) const {
    Weight sum = 0, best = 0;
    NodeId best_id = invalid_id;
    for (PinOffset i = child_offsets(n); i < child_offsets(n + 1); ++i) {
      const NodeId c = child_list(i);
      sum += unmatched_best(c);
      const Weight gain = gain_of_match(c);
      if (gain > best || (gain == best && gain > 0 && c < best_id)) {
        best = gain;
        best_id = c;
      }
    }
    children_sum(n) = sum;
    unmatched_best(n) = sum + best;
    best_child(n) = best_id;
  }
};

Forest allocate(const ExecutionSpace& space, NodeId n) {
  Forest f;
  f.target = uninitialized<NodeId>("KoHyPar::matching::target", n);
  f.score = uninitialized<Weight>("KoHyPar::matching::score", n);
  f.children = uninitialized<std::uint32_t>("KoHyPar::matching::children", n);
  f.child_list = uninitialized<NodeId>("KoHyPar::matching::child_list", n);
  f.arrived = uninitialized<std::uint32_t>("KoHyPar::matching::arrived", n);
  f.children_sum = uninitialized<Weight>("KoHyPar::matching::children_sum", n);
  f.unmatched_best = uninitialized<Weight>("KoHyPar::matching::unmatched_best", n);
  f.best_child = uninitialized<NodeId>("KoHyPar::matching::best_child", n);
  f.partner = filled<NodeId>(space, "KoHyPar::matching::partner", n, invalid_id);
  return f;
}

/// Every unmatched node targets its best unmatched candidate. Returns how many have one.
NodeId choose_targets(const ExecutionSpace& space, const Forest& f, const Candidates& candidates) {
  NodeId targeting = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::matching::targets", Range(space, 0, f.target.extent(0)),
      KOKKOS_LAMBDA(const NodeId n, NodeId& sum) {
        NodeId target = invalid_id;
        Weight score = 0;
        for (int r = 0; f.partner(n) == invalid_id && target == invalid_id && r < candidates.per_node; ++r) {
          const std::size_t at = static_cast<std::size_t>(n) * candidates.per_node + r;
          const NodeId m = candidates.neighbors(at);
          if (m == invalid_id) break;
          if (f.partner(m) != invalid_id) continue;
          target = m;
          score = candidates.scores(at);
        }
        f.target(n) = target;
        f.score(n) = score;
        f.children(n) = 0;
        f.arrived(n) = 0;
        sum += target == invalid_id ? 0 : 1;
      },
      targeting);
  return targeting;
}

void list_children(const ExecutionSpace& space, Forest& f) {
  const NodeId n = static_cast<NodeId>(f.target.extent(0));
  const Forest forest = f;
  Kokkos::parallel_for(
      "KoHyPar::matching::count_children", Range(space, 0, n), KOKKOS_LAMBDA(const NodeId node) {
        if (forest.is_child(node)) Kokkos::atomic_inc(&forest.children(forest.target(node)));
      });
  PinOffset total = 0;
  const auto children = f.children;
  f.child_offsets = offsets_from_counts(
      space, "KoHyPar::matching::child_offsets", n,
      KOKKOS_LAMBDA(const std::size_t node) { return children(node); }, total);
  const auto offsets = f.child_offsets;
  // `arrived` serves as the fill cursor and is zero again afterwards.
  Kokkos::parallel_for(
      "KoHyPar::matching::list_children", Range(space, 0, n), KOKKOS_LAMBDA(const NodeId node) {
        if (!forest.is_child(node)) return;
        const NodeId parent = forest.target(node);
        forest.child_list(offsets(parent) + Kokkos::atomic_fetch_add(&forest.arrived(parent), 1u)) = node;
      });
  Kokkos::deep_copy(space, f.arrived, 0u);
}

/// From the leaves upward: the last child to arrive at a node goes on with it.
void climb(const ExecutionSpace& space, const Forest& f) {
  Kokkos::parallel_for(
      "KoHyPar::matching::climb", Range(space, 0, f.target.extent(0)), KOKKOS_LAMBDA(const NodeId leaf) {
        if (f.children(leaf) != 0) return;
        NodeId n = leaf;
        while (true) {
          f.settle(n);
          if (!f.is_child(n)) return;
          const NodeId parent = f.target(n);
          Kokkos::memory_fence();  // what settle wrote is visible before the arrival
          if (Kokkos::atomic_fetch_add(&f.arrived(parent), 1u) + 1 != f.children(parent)) return;
          Kokkos::memory_fence();  // and read after it
          n = parent;
        }
      });
}

/// From the heads of paths of best children downward: matched and unmatched nodes alternate where it pays.
void descend(const ExecutionSpace& space, const Forest& f) {
  Kokkos::parallel_for(
      "KoHyPar::matching::descend", Range(space, 0, f.target.extent(0)), KOKKOS_LAMBDA(const NodeId head) {
        bool matched_upward = false;
        if (f.in_root_pair(head)) {
          const NodeId other = f.target(head);
          matched_upward = f.score(head) + f.children_sum(head) + f.children_sum(other) >
                           f.unmatched_best(head) + f.unmatched_best(other);
          if (matched_upward) f.partner(head) = other;
        } else if (f.target(head) != invalid_id && f.best_child(f.target(head)) == head) {
          return;  // inside another head's path
        }
        for (NodeId n = head, child = f.best_child(n); child != invalid_id;
             n = child, child = f.best_child(n)) {
          if (!matched_upward) {
            f.partner(n) = child;
            f.partner(child) = n;
          }
          matched_upward = !matched_upward;
        }
      });
}

/// Pairs two nodes that share nothing for certain: their inbound counts are added.
KOKKOS_INLINE_FUNCTION void pair_if_within(const Hypergraph& h, const PairLimits& limits, NodeId a, NodeId b,
                                           const DeviceView<NodeId>& partners) {
  if (limits.within.extent(0) != 0 && limits.within(a) != limits.within(b)) return;
  if (h.node_sizes(a) + h.node_sizes(b) > limits.max_size) return;
  if (h.inbound_sizes(a) + h.inbound_sizes(b) > limits.max_inbound) return;
  partners(a) = b;
  partners(b) = a;
}

}  // namespace

DeviceView<NodeId> match_candidates(const ExecutionSpace& space, const Candidates& candidates,
                                    NodeId num_nodes) {
  Forest forest = allocate(space, num_nodes);
  for (int round = 0; round < candidates.per_node; ++round) {
    if (choose_targets(space, forest, candidates) == 0) break;
    list_children(space, forest);
    climb(space, forest);
    descend(space, forest);
  }
  return forest.partner;
}

void pair_leftovers(const ExecutionSpace& space, const Hypergraph& h, const Candidates& candidates,
                    const PairLimits& limits, const DeviceView<NodeId>& partners) {
  const auto leftovers = select(
      space, "KoHyPar::matching::leftovers", h.num_nodes, KOKKOS_LAMBDA(const std::size_t n) {
        return partners(n) == invalid_id && candidates.neighbors(n * candidates.per_node) == invalid_id;
      });
  const std::size_t n = leftovers.extent(0);
  if (n < 2) return;
  auto keys = uninitialized<std::uint64_t>("KoHyPar::matching::leftover_keys", n);
  // Stable sorts by size, then by part; the ids were ascending.
  Kokkos::parallel_for(
      "KoHyPar::matching::leftover_sizes", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        keys(i) = static_cast<std::uint64_t>(h.node_sizes(leftovers(i)));
      });
  stable_sort_by_key(space, keys, leftovers, 61);
  if (limits.within.extent(0) != 0) {
    Kokkos::parallel_for(
        "KoHyPar::matching::leftover_parts", Range(space, 0, n),
        KOKKOS_LAMBDA(const std::size_t i) { keys(i) = limits.within(leftovers(i)); });
    stable_sort_by_key(space, keys, leftovers, 32);
  }
  Kokkos::parallel_for(
      "KoHyPar::matching::pair_leftovers", Range(space, 0, n / 2), KOKKOS_LAMBDA(const std::size_t i) {
        pair_if_within(h, limits, leftovers(2 * i), leftovers(2 * i + 1), partners);
      });
}

void pair_by_target(const ExecutionSpace& space, const Hypergraph& h, const Candidates& candidates,
                    const PairLimits& limits, const DeviceView<NodeId>& partners) {
  const auto spokes = select(
      space, "KoHyPar::matching::spokes", h.num_nodes, KOKKOS_LAMBDA(const std::size_t n) {
        return partners(n) == invalid_id && candidates.neighbors(n * candidates.per_node) != invalid_id;
      });
  const std::size_t n = spokes.extent(0);
  if (n < 2) return;
  auto keys = uninitialized<std::uint64_t>("KoHyPar::matching::spoke_keys", n);
  Kokkos::parallel_for(
      "KoHyPar::matching::spoke_keys", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const std::size_t node = spokes(i);
        keys(i) = (std::uint64_t{candidates.neighbors(node * candidates.per_node)} << 32) | node;
      });
  sort_keys(space, keys, 64);
  // Within a run of equal targets, the first and second, third and fourth, ... are paired.
  Kokkos::parallel_for(
      "KoHyPar::matching::pair_spokes", Range(space, 0, n), KOKKOS_LAMBDA(const std::size_t i) {
        const auto target = [&](std::size_t at) { return keys(at) >> 32; };
        if (i > 0 && target(i - 1) == target(i)) return;  // the first of a run pairs it all
        for (std::size_t j = i; j + 1 < n && target(j + 1) == target(i); j += 2)
          pair_if_within(h, limits, static_cast<NodeId>(keys(j)), static_cast<NodeId>(keys(j + 1)), partners);
      });
}

Clustering clusters_of_pairs(const ExecutionSpace& space, const DeviceView<NodeId>& partners) {
  auto leaders = uninitialized<NodeId>("KoHyPar::matching::leaders", partners.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::matching::leaders", Range(space, 0, partners.extent(0)), KOKKOS_LAMBDA(const NodeId n) {
        leaders(n) = partners(n) == invalid_id ? n : Kokkos::min(n, partners(n));
      });
  return number_clusters(space, leaders);
}

}  // namespace kohypar

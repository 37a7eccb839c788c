#include <algorithm>
#include <numeric>
#include <queue>

#include "initial/starts.hpp"

namespace kohypar {

namespace {

/// Parts as rows of (hyperedge, whether inbound), and the transpose.
class PartMerger {
 public:
  PartMerger(const HostLevel& level, const Limits& limits, Start& start)
      : level_(level),
        limits_(limits),
        start_(start),
        parts_(start.num_parts),
        parts_of_(level.num_hyperedges),
        into_(start.num_parts),
        shared_weight_(start.num_parts, 0),
        shared_inbound_(start.num_parts, 0) {
    std::iota(into_.begin(), into_.end(), PartId{0});
    for (NodeId n = 0; n < level.num_nodes; ++n) {
      Part& part = parts_[start.parts[n]];
      part.size += level.node_sizes(n);
      part.inbound += level.base_inbound(n);
      for (PinOffset at = level.node_offsets(n); at < level.node_offsets(n + 1); ++at)
        part.touched.push_back({level.incident(at), at < level.node_offsets(n) + level.inbound_counts(n)});
    }
    for (PartId p = 0; p < start.num_parts; ++p) {
      sort_unique(parts_[p].touched);
      for (const Touched& t : parts_[p].touched) {
        parts_of_[t.hyperedge].push_back({p, t.inbound});
        if (t.inbound) parts_[p].inbound += level.multiplicities(t.hyperedge);
      }
    }
  }

  void run() {
    merge_neighbors();
    merge_strangers();
    renumber();
  }

 private:
  struct Touched {
    HyperedgeId hyperedge;
    bool inbound;
  };
  struct Toucher {
    PartId part;
    bool inbound;
  };
  struct Part {
    Weight size = 0;
    Weight inbound = 0;
    std::vector<Touched> touched;  // ascending by hyperedge
  };

  /// Ascending by hyperedge, one entry each, inbound if any was.
  static void sort_unique(std::vector<Touched>& touched) {
    std::sort(touched.begin(), touched.end(), [](const Touched& a, const Touched& b) {
      return a.hyperedge != b.hyperedge ? a.hyperedge < b.hyperedge : a.inbound > b.inbound;
    });
    touched.erase(std::unique(touched.begin(), touched.end(),
                              [](const Touched& a, const Touched& b) { return a.hyperedge == b.hyperedge; }),
                  touched.end());
  }

  PartId find(PartId p) {
    while (into_[p] != p) p = into_[p] = into_[into_[p]];
    return p;
  }

  /// Current parts by ascending size.
  std::vector<PartId> by_size() {
    std::vector<PartId> order;
    for (PartId p = 0; p < parts_.size(); ++p)
      if (into_[p] == p) order.push_back(p);
    std::stable_sort(order.begin(), order.end(),
                     [&](PartId a, PartId b) { return parts_[a].size < parts_[b].size; });
    return order;
  }

  void merge_neighbors() {
    using Entry = std::pair<Weight, PartId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> smallest;
    for (const PartId p : by_size()) smallest.push({parts_[p].size, p});
    while (!smallest.empty()) {
      const auto [size, p] = smallest.top();
      smallest.pop();
      if (into_[p] != p || parts_[p].size != size) continue;  // outdated
      if (nearly_full(parts_[p])) continue;
      const PartId q = best_neighbor(p);
      if (q == invalid_id) continue;
      merge(std::max(p, q), std::min(p, q));
      smallest.push({parts_[std::min(p, q)].size, std::min(p, q)});
    }
  }

  /// Parts that are tried as the smaller one of a pair; looking for partners of all others would be wasted
  /// time.
  [[nodiscard]] bool nearly_full(const Part& part) const {
    return part.size > limits_.max_size / 2 || part.inbound > limits_.max_inbound / 4 * 3;
  }

  /// The part that p shares most weight with among those it fits together with.
  PartId best_neighbor(PartId p) {
    std::vector<PartId> neighbors;
    for (const Touched& t : parts_[p].touched) count_shared(p, t, neighbors);
    PartId best = invalid_id;
    for (const PartId q : neighbors) {
      const bool fits = parts_[p].size <= limits_.max_size - parts_[q].size &&
                        parts_[p].inbound - shared_inbound_[q] <= limits_.max_inbound - parts_[q].inbound;
      if (fits && (best == invalid_id || shared_weight_[q] > shared_weight_[best] ||
                   (shared_weight_[q] == shared_weight_[best] && q < best)))
        best = q;
    }
    for (const PartId q : neighbors) shared_weight_[q] = shared_inbound_[q] = 0;
    return best;
  }

  /// Adds what hyperedge t of p shares with each other part that it touches.
  void count_shared(PartId p, const Touched& t, std::vector<PartId>& neighbors) {
    for (const auto& [q, inbound] : parts_of_[t.hyperedge]) {
      if (q == p) continue;
      if (shared_weight_[q] == 0) neighbors.push_back(q);
      shared_weight_[q] += level_.hyperedge_weights(t.hyperedge) + 1;  // + 1: weight 0 makes neighbours too
      if (t.inbound && inbound) shared_inbound_[q] += level_.multiplicities(t.hyperedge);
    }
  }

  void merge(PartId from, PartId to) {
    Part& a = parts_[from];
    Part& b = parts_[to];
    b.size += a.size;
    b.inbound += a.inbound;
    for (const Touched& t : a.touched)
      if (replace(t, from, to)) b.inbound -= level_.multiplicities(t.hyperedge);
    b.touched.insert(b.touched.end(), a.touched.begin(), a.touched.end());
    sort_unique(b.touched);
    a = {};
    into_[from] = to;
  }

  /// Replaces one part by another among those that a hyperedge touches. Returns whether it was inbound to
  /// both.
  bool replace(const Touched& t, PartId from, PartId to) {
    auto& list = parts_of_[t.hyperedge];
    const auto at = [&](PartId p) {
      return std::find_if(list.begin(), list.end(),
                          [&](const Toucher& toucher) { return toucher.part == p; });
    };
    const auto old = at(from), kept = at(to);
    if (kept == list.end()) {
      old->part = to;
      return false;
    }
    const bool both = old->inbound && kept->inbound;
    kept->inbound = old->inbound || kept->inbound;
    list.erase(old);
    return both;
  }

  /// Packs what is still small: the smallest part into the largest that has room, inbound counts simply
  /// added.
  void merge_strangers() {
    const std::vector<PartId> order = by_size();
    std::size_t small = 0, large = order.size();
    while (small + 1 < large) {
      const PartId p = order[small], q = order[large - 1];
      if (parts_[p].size <= limits_.max_size - parts_[q].size &&
          parts_[p].inbound <= limits_.max_inbound - parts_[q].inbound) {
        merge(p, q);
        ++small;
      } else {
        --large;
      }
    }
  }

  void renumber() {
    std::vector<PartId> number(parts_.size(), invalid_id);
    start_.num_parts = 0;
    for (PartId& p : start_.parts) {
      PartId& id = number[find(p)];
      if (id == invalid_id) id = start_.num_parts++;
      p = id;
    }
  }

  const HostLevel& level_;
  const Limits& limits_;
  Start& start_;
  std::vector<Part> parts_;
  std::vector<std::vector<Toucher>> parts_of_;  // by hyperedge
  std::vector<PartId> into_;                    // union-find
  std::vector<Weight> shared_weight_;           // by part, zero between calls
  std::vector<Weight> shared_inbound_;
};

}  // namespace

void merge_parts(const HostLevel& level, const Limits& limits, Start& start) {
  if (start.num_parts > 1) PartMerger(level, limits, start).run();
}

}  // namespace kohypar

#include <algorithm>
#include <numeric>
#include <queue>

#include "initial/starts.hpp"

namespace kohypar {

namespace {

/// Parts as rows of (hyperedge, whether inbound), and the transpose as part ids per hyperedge.
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
        parts_of_[t.hyperedge].push_back(p);
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
      const PartId q = best_neighbor(p);
      if (q == invalid_id) continue;
      merge(std::max(p, q), std::min(p, q));
      smallest.push({parts_[std::min(p, q)].size, std::min(p, q)});
    }
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
    auto& list = parts_of_[t.hyperedge];
    for (PartId& q : list) q = find(q);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const PartId q : list) {
      if (q == p) continue;
      if (shared_weight_[q] == 0) neighbors.push_back(q);
      shared_weight_[q] += level_.hyperedge_weights(t.hyperedge) + 1;  // + 1: weight 0 makes neighbours too
      if (t.inbound && is_inbound(q, t.hyperedge)) shared_inbound_[q] += level_.multiplicities(t.hyperedge);
    }
  }

  [[nodiscard]] bool is_inbound(PartId p, HyperedgeId e) const {
    const auto& touched = parts_[p].touched;
    const auto at = std::lower_bound(touched.begin(), touched.end(), e,
                                     [](const Touched& t, HyperedgeId id) { return t.hyperedge < id; });
    return at != touched.end() && at->hyperedge == e && at->inbound;
  }

  void merge(PartId from, PartId to) {
    Part& a = parts_[from];
    Part& b = parts_[to];
    b.inbound += a.inbound;
    for (const Touched& t : a.touched)
      if (t.inbound && is_inbound(to, t.hyperedge)) b.inbound -= level_.multiplicities(t.hyperedge);
    b.size += a.size;
    b.touched.insert(b.touched.end(), a.touched.begin(), a.touched.end());
    sort_unique(b.touched);
    a = {};
    into_[from] = to;
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
  std::vector<std::vector<PartId>> parts_of_;  // by hyperedge
  std::vector<PartId> into_;                   // union-find
  std::vector<Weight> shared_weight_;          // by part, zero between calls
  std::vector<Weight> shared_inbound_;
};

}  // namespace

void merge_parts(const HostLevel& level, const Limits& limits, Start& start) {
  if (start.num_parts > 1) PartMerger(level, limits, start).run();
}

}  // namespace kohypar

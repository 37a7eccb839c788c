#include "initial/starts.hpp"

#include <algorithm>
#include <queue>

#include "initial/part_builder.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

Start fill_in_order(const HostLevel& level, const Limits& limits) {
  Start start{std::vector<PartId>(level.num_nodes), 0};
  PartBuilder part(level, limits);
  for (NodeId n = 0; n < level.num_nodes; ++n) {
    if (n == 0 || !part.fits(n)) {
      part.start();
      ++start.num_parts;
    }
    part.add(n);
    start.parts[n] = start.num_parts - 1;
  }
  return start;
}

namespace {

/// A node that shares hyperedges with the growing part.
struct Attraction {
  Weight weight;
  NodeId node;
  bool operator<(const Attraction& other) const {  // for a heap with the heaviest, then smallest id on top
    return weight != other.weight ? weight < other.weight : node > other.node;
  }
};

// Hyperedges with more pins attract nobody: they say little about who belongs together, and walking them for
// every part that they touch would be quadratic.
constexpr PinOffset largest_attracting = 4096;

/// The state of grow_greedily.
class Grower {
 public:
  Grower(const HostLevel& level, const Limits& limits, std::uint64_t variant)
      : level_(level),
        variant_(variant),
        part_(level, limits),
        start_{std::vector<PartId>(level.num_nodes, invalid_id), 0},
        touched_(level.num_hyperedges, 0),
        attraction_(level.num_nodes, 0),
        refused_(level.num_nodes, 0),
        is_changed_(level.num_nodes, false) {}

  Start run() {
    NodeId next = 0;
    for (NodeId seed = first_seed(); seed != invalid_id; seed = choose_seed(next)) {
      begin_part();
      take(seed);
      grow();
    }
    return std::move(start_);
  }

 private:
  [[nodiscard]] NodeId first_seed() const {
    if (level_.num_nodes == 0) return invalid_id;
    return variant_ == 0 ? 0 : static_cast<NodeId>(mix(variant_) % level_.num_nodes);
  }

  void begin_part() {
    for (const NodeId n : attracted_) attraction_[n] = 0;
    attracted_.clear();
    heap_ = {};
    part_.start();
    ++start_.num_parts;
  }

  /// The unassigned node most attracted to the part just finished, else the one with the smallest id: parts
  /// then follow one another through the hypergraph and leave few crumbs between them.
  NodeId choose_seed(NodeId& next) const {
    NodeId best = invalid_id;
    for (const NodeId n : attracted_) {
      if (start_.parts[n] != invalid_id) continue;
      if (best == invalid_id || attraction_[n] > attraction_[best] ||
          (attraction_[n] == attraction_[best] && n < best))
        best = n;
    }
    if (best != invalid_id) return best;
    while (next < level_.num_nodes && start_.parts[next] != invalid_id) ++next;
    return next < level_.num_nodes ? next : invalid_id;
  }

  void take(NodeId n) {
    part_.add(n);
    start_.parts[n] = start_.num_parts - 1;
    changed_.clear();
    for (PinOffset at = level_.node_offsets(n); at < level_.node_offsets(n + 1); ++at)
      touch(level_.incident(at));
    for (const NodeId m : changed_) {
      is_changed_[m] = false;
      if (refused_[m] != start_.num_parts) heap_.push({attraction_[m], m});
    }
  }

  /// The first pin of e in the part attracts e's other nodes by e's weight.
  void touch(HyperedgeId e) {
    const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
    if (touched_[e] == start_.num_parts || level_.hyperedge_weights(e) == 0 ||
        end - begin > largest_attracting)
      return;
    touched_[e] = start_.num_parts;
    for (PinOffset i = begin; i < end; ++i) {
      const NodeId m = level_.pins(i);
      if (start_.parts[m] != invalid_id) continue;
      if (attraction_[m] == 0) attracted_.push_back(m);
      attraction_[m] += level_.hyperedge_weights(e);
      if (is_changed_[m]) continue;
      is_changed_[m] = true;
      changed_.push_back(m);
    }
  }

  void grow() {
    while (!heap_.empty()) {
      const auto [weight, n] = heap_.top();
      heap_.pop();
      if (start_.parts[n] != invalid_id || attraction_[n] != weight) continue;  // outdated
      if (part_.fits(n)) {
        take(n);
      } else {
        refused_[n] = start_.num_parts;  // for good: the part only grows
      }
    }
  }

  const HostLevel& level_;
  const std::uint64_t variant_;
  PartBuilder part_;
  Start start_;
  std::vector<PartId> touched_;     // by hyperedge: last part, counted from 1, with a pin in it
  std::vector<Weight> attraction_;  // by node: to the growing part
  std::vector<NodeId> attracted_;   // nodes with attraction
  std::vector<PartId> refused_;     // by node: last part, counted from 1, it did not fit in
  std::vector<NodeId> changed_;     // nodes that the node just taken attracts more
  std::vector<bool> is_changed_;    // by node
  std::priority_queue<Attraction> heap_;
};

}  // namespace

Start grow_greedily(const HostLevel& level, const Limits& limits, std::uint64_t variant) {
  return Grower(level, limits, variant).run();
}

Weight connectivity_of(const HostLevel& level, const std::vector<PartId>& parts) {
  std::vector<HyperedgeId> seen;  // by part: last hyperedge
  Weight sum = 0;
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) {
    Weight lambda = 0;
    for (PinOffset i = level.hyperedge_offsets(e); i < level.hyperedge_offsets(e + 1); ++i) {
      const PartId p = parts[level.pins(i)];
      if (p >= seen.size()) seen.resize(p + std::size_t{1}, invalid_id);
      if (seen[p] == e) continue;
      seen[p] = e;
      ++lambda;
    }
    if (lambda > 1) sum += level.hyperedge_weights(e) * (lambda - 1);
  }
  return sum;
}

}  // namespace kohypar

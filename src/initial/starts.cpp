#include "initial/starts.hpp"

#include <algorithm>

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

// Hyperedges with more pins attract nobody: they say little about who belongs together, and walking them for
// every part that they touch would be quadratic.
constexpr PinOffset largest_attracting = 4096;

/// The state of grow_greedily.
class Grower {
 public:
  Grower(const HostLevel& level, const Limits& limits, std::uint64_t variant)
      : level_(level),
        limits_(limits),
        variant_(variant),
        start_{std::vector<PartId>(level.num_nodes, invalid_id), 0},
        touched_by_(level.num_hyperedges, 0),
        inbound_to_(level.num_hyperedges, 0),
        attraction_(level.num_nodes, 0),
        shared_inbound_(level.num_nodes, 0) {}

  Start run() {
    NodeId next = 0;
    for (NodeId seed = first_seed(); seed != invalid_id; seed = choose_seed(next)) {
      begin_part();
      for (NodeId n = seed; n != invalid_id; n = best_fitting()) take(n);
    }
    return std::move(start_);
  }

 private:
  [[nodiscard]] NodeId first_seed() const {
    if (level_.num_nodes == 0) return invalid_id;
    return variant_ == 0 ? 0 : static_cast<NodeId>(mix(variant_) % level_.num_nodes);
  }

  /// The unassigned node most attracted to the part just finished, else the one with the smallest id: parts
  /// then follow one another through the hypergraph and leave few crumbs between them.
  NodeId choose_seed(NodeId& next) const {
    NodeId best = invalid_id;
    for (const NodeId n : attracted_)
      if (start_.parts[n] == invalid_id && more_attracted(n, best)) best = n;
    if (best != invalid_id) return best;
    while (next < level_.num_nodes && start_.parts[next] != invalid_id) ++next;
    return next < level_.num_nodes ? next : invalid_id;
  }

  [[nodiscard]] bool more_attracted(NodeId a, NodeId b) const {
    if (b == invalid_id) return true;
    return attraction_[a] != attraction_[b] ? attraction_[a] > attraction_[b] : a < b;
  }

  void begin_part() {
    for (const NodeId n : attracted_) attraction_[n] = shared_inbound_[n] = 0;
    attracted_.clear();
    open_.clear();
    size_ = inbound_ = 0;
    ++start_.num_parts;
  }

  void take(NodeId n) {
    size_ += level_.node_sizes(n);
    inbound_ += level_.inbound_sizes(n) - shared_inbound_[n];
    start_.parts[n] = start_.num_parts - 1;
    const PinOffset begin = level_.node_offsets(n), end = level_.node_offsets(n + 1);
    for (PinOffset at = begin; at < end; ++at)
      touch(level_.incident(at), at < begin + level_.inbound_counts(n));
  }

  /// The part's first pin in e attracts e's other nodes by e's weight; its first destination pin means that
  /// e's other destinations bring e in for free.
  void touch(HyperedgeId e, bool is_inbound) {
    const bool attracts = touched_by_[e] != start_.num_parts &&
                          level_.hyperedge_offsets(e + 1) - level_.hyperedge_offsets(e) <= largest_attracting;
    const bool enters = is_inbound && inbound_to_[e] != start_.num_parts;
    if (!attracts && !enters) return;
    touched_by_[e] = start_.num_parts;
    if (enters) inbound_to_[e] = start_.num_parts;
    const Weight weight = attracts ? level_.hyperedge_weights(e) : 0;
    const Weight multiplicity = enters ? level_.multiplicities(e) : 0;
    if (weight == 0 && multiplicity == 0) return;
    const PinOffset begin = level_.hyperedge_offsets(e), destinations = begin + level_.source_counts(e);
    for (PinOffset i = begin; i < level_.hyperedge_offsets(e + 1); ++i) {
      const NodeId m = level_.pins(i);
      if (attraction_[m] == 0 && shared_inbound_[m] == 0) {
        attracted_.push_back(m);
        if (start_.parts[m] == invalid_id) open_.push_back(m);
      }
      attraction_[m] += weight;
      if (i >= destinations) shared_inbound_[m] += multiplicity;
    }
  }

  /// The most attracted node that still fits; forgets those that don't, for the part only grows.
  NodeId best_fitting() {
    NodeId best = invalid_id;
    std::size_t kept = 0;
    for (const NodeId n : open_) {
      if (start_.parts[n] != invalid_id || level_.node_sizes(n) > limits_.max_size - size_ ||
          level_.inbound_sizes(n) - shared_inbound_[n] > limits_.max_inbound - inbound_)
        continue;
      open_[kept++] = n;
      if (more_attracted(n, best)) best = n;
    }
    open_.resize(kept);
    return best;
  }

  const HostLevel& level_;
  const Limits& limits_;
  const std::uint64_t variant_;
  Start start_;
  std::vector<PartId> touched_by_;      // by hyperedge: last part, counted from 1, with a pin in it
  std::vector<PartId> inbound_to_;      // by hyperedge: last part, counted from 1, with a destination in it
  std::vector<Weight> attraction_;      // by node: weight of hyperedges shared with the growing part
  std::vector<Weight> shared_inbound_;  // by node: its inbound hyperedges that are the part's already
  std::vector<NodeId> attracted_;       // nodes with either
  std::vector<NodeId> open_;            // of which unassigned and not known not to fit
  Weight size_ = 0;
  Weight inbound_ = 0;
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

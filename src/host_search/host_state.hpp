// A partition of a host level with exact counts and gains, changed move by move.
#pragma once

#include <bit>
#include <kohypar/limits.hpp>
#include <span>
#include <vector>

#include "initial/host_level.hpp"

namespace kohypar {

/// Parts, their sizes and inbound counts, for every hyperedge the parts it touches, and for every node what
/// it would gain in every part: the sequential counterpart of PartitionState. A move costs the pins of those
/// hyperedges that it brings to a new part or takes away from one.
class HostState {
 public:
  HostState(const HostLevel& level, const Limits& limits, std::vector<PartId> parts, PartId num_parts);

  [[nodiscard]] const std::vector<PartId>& parts() const { return parts_; }
  [[nodiscard]] PartId num_parts() const { return static_cast<PartId>(sizes_.size()); }
  [[nodiscard]] Weight size(PartId p) const { return sizes_[p]; }
  [[nodiscard]] Weight inbound(PartId p) const { return inbound_[p]; }
  [[nodiscard]] Weight connectivity() const { return connectivity_; }

  /// By how much connectivity falls if n moves to p, another part than its own.
  [[nodiscard]] Weight gain(NodeId n, PartId p) const { return benefit_[n] + shared(n, p); }

  /// Weight of n's hyperedges that touch p.
  [[nodiscard]] Weight shared(NodeId n, PartId p) const { return shared_[std::size_t{n} * num_parts() + p]; }

  /// Whether p stays within the limits with n, which is not in p.
  [[nodiscard]] bool fits(NodeId n, PartId p) const {
    if (sizes_[p] > limits_.max_size - level_.node_sizes(n)) return false;
    const Weight room = limits_.max_inbound - inbound_[p];
    return level_.inbound_sizes(n) <= room || new_inbound(n, p) <= room;
  }

  /// Calls visit(p) for every part p but n's own that shares hyperedges of positive weight with n, ascending.
  template <class Visit>
  void for_each_adjacent_part(NodeId n, const Visit& visit) const;

  /// Moves n to another part. Appends to `affected`, if it isn't null, the hyperedges that this brought to a
  /// new part, took away from one, or left with a single pin somewhere: other nodes' gains change with them.
  void move(NodeId n, PartId to, std::vector<HyperedgeId>* affected = nullptr);

 private:
  /// What a hyperedge has in one part.
  struct Entry {
    PartId part;
    std::uint32_t pins;          ///< >= 1
    std::uint32_t destinations;  ///< of the pins
  };

  [[nodiscard]] std::span<const Entry> entries(HyperedgeId e) const {
    return {entries_.data() + level_.hyperedge_offsets(e), lambda_[e]};
  }
  [[nodiscard]] std::span<const NodeId> pins(HyperedgeId e) const {
    const PinOffset begin = level_.hyperedge_offsets(e);
    return {level_.pins.data() + begin, level_.hyperedge_offsets(e + 1) - begin};
  }
  std::uint32_t take_pin(HyperedgeId e, PartId part, bool is_destination);
  std::uint32_t add_pin(HyperedgeId e, PartId part, bool is_destination);
  /// Distinct inbound hyperedges that p gets if n moves there from another part.
  [[nodiscard]] Weight new_inbound(NodeId n, PartId p) const;
  void share(HyperedgeId e, PartId part, Weight weight);
  void share_inbound(HyperedgeId e, PartId part, Weight multiplicity);
  void reward_single_pin(HyperedgeId e, PartId part, NodeId except, Weight weight);

  const HostLevel& level_;
  const Limits& limits_;
  std::vector<PartId> parts_;
  std::vector<Weight> sizes_, inbound_;
  std::vector<Entry> entries_;  // of e from hyperedge_offsets(e)
  std::vector<std::uint32_t> lambda_;
  std::size_t words_;           // of a set of parts
  std::vector<Weight> shared_;  // nodes by parts
  /// Nodes by parts: inbound hyperedges of the node that are the part's too. Empty where no part is near the
  /// limit: they are then counted when asked for.
  std::vector<Weight> shared_inbound_;
  std::vector<std::uint64_t> adjacent_;  // nodes by words: bits of the parts with a positive share
  std::vector<Weight> benefit_;  // by node: weight of hyperedges it is the only pin of in its part, less all
  Weight connectivity_ = 0;
};

template <class Visit>
void HostState::for_each_adjacent_part(NodeId n, const Visit& visit) const {
  const PartId own = parts_[n];
  const std::uint64_t* const words = adjacent_.data() + n * words_;
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
      const PartId p = static_cast<PartId>(64 * w) + static_cast<PartId>(std::countr_zero(rest));
      if (p != own) visit(p);
    }
}

}  // namespace kohypar

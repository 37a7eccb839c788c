// A partition of a host level with exact counts and gains, changed move by move.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "host_search/part_shares.hpp"
#include "host_search/problem.hpp"

namespace kohypar {

/// Parts, their sizes and inbound counts, for every hyperedge the parts it touches, and for every node what
/// it would gain in every part: the sequential counterpart of PartitionState. A move costs the pins of those
/// hyperedges that it brings to a new part or takes away from one.
class HostState {
 public:
  HostState(const HostLevel& level, const HostProblem& problem, std::vector<PartId> parts, PartId num_parts);

  [[nodiscard]] const std::vector<PartId>& parts() const { return parts_; }
  [[nodiscard]] PartId num_parts() const { return static_cast<PartId>(sizes_.size()); }
  [[nodiscard]] Weight size(PartId p) const { return sizes_[p]; }
  [[nodiscard]] Weight inbound(PartId p) const { return inbound_[p]; }
  /// What the problem minimises: connectivity, plus cut_weight times the weight of cut hyperedges.
  [[nodiscard]] Weight objective() const { return objective_; }

  /// How much size stands above the capacities of parts, in sum.
  [[nodiscard]] Weight overload() const;

  /// By how much the objective falls if n moves to p, another part than its own.
  [[nodiscard]] Weight gain(NodeId n, PartId p) const { return benefit(n) + shared(n, p); }

  /// The part of it that does not depend on p: weight of n's hyperedges that leave n's part with it, less
  /// all, and less cut_weight times those that are not cut.
  [[nodiscard]] Weight benefit(NodeId n) const { return benefit_[n]; }

  /// Weight of n's hyperedges that touch p, and cut_weight times that of those with at most one pin
  /// elsewhere: the part of the gain that depends on p.
  [[nodiscard]] Weight shared(NodeId n, PartId p) const { return share(n, p).weight; }
  [[nodiscard]] PartShare share(NodeId n, PartId p) const { return shares_.at(n, p); }

  /// Whether p stays within the limits with n, which is not in p.
  [[nodiscard]] bool fits(NodeId n, PartId p) const {
    return has_room(n, p) && (inbound_is_sure(n, p) || inbound_fits(n, share(n, p)));
  }

  /// The same where what n shares with the part is at hand.
  [[nodiscard]] bool fits(NodeId n, const PartShare& share) const {
    return has_room(n, share.part) && (inbound_is_sure(n, share.part) || inbound_fits(n, share));
  }

  /// Calls visit(p) for every part p but n's own that shares hyperedges of positive weight with n.
  template <class Visit>
  void for_each_adjacent_part(NodeId n, const Visit& visit) const {
    for_each_share(n, [&](const PartShare& share) { visit(share.part); });
  }

  /// Likewise visit(share), with what n shares with the part.
  template <class Visit>
  void for_each_share(NodeId n, const Visit& visit) const {
    const PartId own = parts_[n];
    for (const PartShare& share : shares_.row(n))
      if (share.part != own && share.weight > 0) visit(share);
  }

  /// Moves n to another part. Appends to `affected`, if it isn't null, the hyperedges that this brought to a
  /// new part, took away from one, or left with a single pin somewhere: other nodes' gains change with them.
  void move(NodeId n, PartId to, std::vector<HyperedgeId>* affected = nullptr);

 private:
  /// What a hyperedge has in one part.
  struct Entry {
    PartId part;
    std::uint32_t pins;          ///< >= 1
    std::uint32_t destinations;  ///< of the pins
    NodeId nodes;                ///< exclusive or of the pins: the pin itself where there is one
  };

  [[nodiscard]] std::span<const Entry> entries(HyperedgeId e) const {
    return {entries_.get() + level_.hyperedge_offsets(e), lambda_[e]};
  }
  [[nodiscard]] bool has_room(NodeId n, PartId p) const {
    return sizes_[p] <= problem_.capacity(p) - level_.node_sizes(n);
  }
  [[nodiscard]] bool inbound_is_sure(NodeId n, PartId p) const {
    return level_.inbound_sizes(n) <= problem_.limits.max_inbound - inbound_[p];
  }
  [[nodiscard]] bool inbound_fits(NodeId n, const PartShare& share) const;
  [[nodiscard]] Weight count_shared_inbound(NodeId n, PartId p) const;
  void count_pins();
  void collect_shares();
  Entry take_pin(HyperedgeId e, PartId part, NodeId n, bool is_destination);
  Entry add_pin(HyperedgeId e, PartId part, NodeId n, bool is_destination);
  void add_share(HyperedgeId e, PartId part, Weight weight, Weight multiplicity);
  [[nodiscard]] Weight cut_weight(HyperedgeId e) const;
  void change_cut(HyperedgeId e, Weight weight);
  void follow_cut(HyperedgeId e, PartId from, std::uint32_t left, PartId to, std::uint32_t before);

  const HostLevel& level_;
  const HostProblem& problem_;
  std::vector<PartId> parts_;
  std::vector<Weight> sizes_, inbound_;
  std::unique_ptr<Entry[]> entries_;  // of e from hyperedge_offsets(e)
  std::vector<std::uint32_t> lambda_;
  PartShares shares_;
  /// Whether shares count inbound hyperedges: where no part is near the limit they are counted when asked
  /// for.
  bool shares_have_inbound_ = false;
  std::vector<Weight> benefit_;  // by node
  Weight objective_ = 0;
};

}  // namespace kohypar

// One part under construction, with exact counts.
#pragma once

#include <kohypar/limits.hpp>
#include <vector>

#include "initial/host_level.hpp"

namespace kohypar {

/// Size and distinct inbound hyperedges of the part being filled. Starting the next part costs O(1): stamps
/// tell to which part a hyperedge was counted last.
class PartBuilder {
 public:
  PartBuilder(const HostLevel& level, const Limits& limits)
      : level_(level), limits_(limits), inbound_stamp_(level.num_hyperedges, 0) {}

  /// Starts an empty part.
  void start() {
    ++stamp_;
    size_ = 0;
    inbound_ = 0;
    empty_ = true;
  }

  /// Whether the part stays within the limits with n; an empty part takes any node.
  [[nodiscard]] bool fits(NodeId n) const {
    if (empty_) return true;
    if (level_.node_sizes(n) > limits_.max_size - size_) return false;
    const Weight room = limits_.max_inbound - inbound_;
    return level_.inbound_sizes(n) <= room || new_inbound(n) <= room;
  }

  void add(NodeId n) {
    inbound_ += new_inbound(n);
    size_ += level_.node_sizes(n);
    empty_ = false;
    for (std::uint32_t i = 0; i < level_.inbound_counts(n); ++i)
      inbound_stamp_[level_.incident(level_.node_offsets(n) + i)] = stamp_;
  }

 private:
  [[nodiscard]] Weight new_inbound(NodeId n) const {
    Weight sum = level_.base_inbound(n);
    for (std::uint32_t i = 0; i < level_.inbound_counts(n); ++i) {
      const HyperedgeId e = level_.incident(level_.node_offsets(n) + i);
      if (inbound_stamp_[e] != stamp_) sum += level_.multiplicities(e);
    }
    return sum;
  }

  const HostLevel& level_;
  const Limits& limits_;
  std::vector<std::uint32_t> inbound_stamp_;
  std::uint32_t stamp_ = 0;
  Weight size_ = 0;
  Weight inbound_ = 0;
  bool empty_ = true;
};

}  // namespace kohypar

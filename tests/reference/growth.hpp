// Slow, obvious twin of the growth in blocks: shared weights and inbound hyperedges counted afresh from sets
// for every node that could be next.
#pragma once

#include <algorithm>

#include "initial/block_growth.hpp"
#include "reference/partition_state.hpp"

namespace kohypar::reference {

class BlockGrowth {
 public:
  BlockGrowth(const SetHypergraph& h, const Limits& limits) : h_(h), limits_(limits) {
    incident_.resize(h.sizes.size());
    inbound_.resize(h.sizes.size());
    for (HyperedgeId e = 0; e < h.weights.size(); ++e) {
      for (const NodeId n : h.sources[e]) incident_[n].insert(e);
      for (const NodeId n : h.destinations[e]) {
        incident_[n].insert(e);
        inbound_[n].insert(e);
      }
    }
  }

  std::vector<PartId> run(NodeId block_size) {
    const auto num_nodes = static_cast<NodeId>(h_.sizes.size());
    parts_.assign(num_nodes, invalid_id);
    for (NodeId begin = 0; begin < num_nodes; begin += block_size)
      grow_block(begin, std::min(num_nodes - begin, block_size) + begin);
    return parts_;
  }

 private:
  struct Use {
    std::set<HyperedgeId> touched, inbound;
    Weight size = 0, inbound_count = 0;
  };

  void grow_block(NodeId begin, NodeId end) {
    for (NodeId seed = begin; seed != invalid_id; ++num_parts_) {
      Use use;
      for (NodeId n = seed; n != invalid_id; n = best(use, begin, end, true)) take(n, use);
      seed = best(use, begin, end, false);
    }
  }

  void take(NodeId n, Use& use) {
    parts_[n] = num_parts_;
    use.size += h_.sizes[n];
    use.inbound_count += inbound_of(n) - shared_inbound(n, use);
    use.touched.insert(incident_[n].begin(), incident_[n].end());
    use.inbound.insert(inbound_[n].begin(), inbound_[n].end());
  }

  NodeId best(const Use& use, NodeId begin, NodeId end, bool must_fit) const {
    NodeId chosen = invalid_id;
    Weight most = -1;
    for (NodeId n = begin; n < end; ++n) {
      if (parts_[n] != invalid_id) continue;
      const Weight shared = shared_inbound(n, use), inbound = inbound_of(n);
      if (must_fit && (use.size + h_.sizes[n] > limits_.max_size ||
                       use.inbound_count + inbound - shared > limits_.max_inbound))
        continue;
      Weight weight = 0, shared_weight = 0;
      for (const HyperedgeId e : incident_[n]) {
        weight += h_.weights[e];
        if (use.touched.contains(e)) shared_weight += h_.weights[e];
      }
      const Weight attraction = attraction_of(shared_weight, weight, shared, inbound);
      if (attraction <= most) continue;
      most = attraction;
      chosen = n;
    }
    return chosen;
  }

  [[nodiscard]] Weight inbound_of(NodeId n) const {
    Weight sum = h_.base_inbound[n];
    for (const HyperedgeId e : inbound_[n]) sum += h_.multiplicities[e];
    return sum;
  }

  [[nodiscard]] Weight shared_inbound(NodeId n, const Use& use) const {
    Weight sum = 0;
    for (const HyperedgeId e : inbound_[n])
      if (use.inbound.contains(e)) sum += h_.multiplicities[e];
    return sum;
  }

  const SetHypergraph& h_;
  const Limits& limits_;
  std::vector<std::set<HyperedgeId>> incident_, inbound_;  // per node
  std::vector<PartId> parts_;
  PartId num_parts_ = 0;
};

}  // namespace kohypar::reference

#include "host_search/balance.hpp"

#include <algorithm>

#include "host_search/node_heap.hpp"

namespace kohypar {

namespace {

class Balancer {
 public:
  Balancer(const HostLevel& level, const HostProblem& problem, HostState& state)
      : level_(level), problem_(problem), state_(state) {}

  /// Moves nodes out of a part until it is within its capacity or no node fits elsewhere.
  void relieve(PartId part) {
    NodeHeap heap(level_.num_nodes);
    const auto offer = [&](NodeId n) {
      const PartId target = refuge(n);
      if (target != invalid_id) heap.set(n, state_.gain(n, target), n);
    };
    for (NodeId n = first_free(); n < level_.num_nodes; ++n)
      if (state_.parts()[n] == part && level_.node_sizes(n) > 0) offer(n);
    while (is_over(part) && !heap.empty()) {
      const NodeId n = heap.top();
      const Weight expected = heap.top_key();
      heap.erase(n);
      const PartId target = refuge(n);
      if (target == invalid_id) continue;
      if (state_.gain(n, target) < expected) {  // by now; others may lose less
        offer(n);
      } else {
        state_.move(n, target);
      }
    }
  }

  void pack() {
    std::vector<NodeId> nodes;
    for (NodeId n = first_free(); n < level_.num_nodes; ++n) nodes.push_back(n);
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](NodeId a, NodeId b) { return level_.node_sizes(a) > level_.node_sizes(b); });
    std::vector<Weight> room(state_.num_parts());
    for (PartId p = 0; p < state_.num_parts(); ++p) room[p] = problem_.capacity(p);
    for (NodeId n = 0; n < first_free(); ++n) room[state_.parts()[n]] -= level_.node_sizes(n);
    for (const NodeId n : nodes) {
      const auto roomiest = static_cast<PartId>(std::max_element(room.begin(), room.end()) - room.begin());
      const PartId now = state_.parts()[n];
      const PartId p = room[now] >= level_.node_sizes(n) ? now : roomiest;
      room[p] -= level_.node_sizes(n);
      if (p != now) state_.move(n, p);
    }
  }

  [[nodiscard]] bool is_over(PartId p) const { return state_.size(p) > problem_.capacity(p); }

 private:
  [[nodiscard]] NodeId first_free() const { return static_cast<NodeId>(problem_.terminals.size()); }

  /// The part with room for n that it loses least in, then the one with most room.
  [[nodiscard]] PartId refuge(NodeId n) const {
    PartId best = invalid_id;
    const auto room = [&](PartId p) { return problem_.capacity(p) - state_.size(p); };
    for (PartId p = 0; p < state_.num_parts(); ++p) {
      if (p == state_.parts()[n] || !state_.fits(n, p)) continue;
      if (best == invalid_id || state_.shared(n, p) > state_.shared(n, best) ||
          (state_.shared(n, p) == state_.shared(n, best) && room(p) > room(best)))
        best = p;
    }
    return best;
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  HostState& state_;
};

}  // namespace

void repair_balance(const HostLevel& level, const HostProblem& problem, HostState& state) {
  if (state.overload() == 0) return;
  Balancer balancer(level, problem, state);
  for (PartId p = 0; p < state.num_parts(); ++p)
    if (balancer.is_over(p)) balancer.relieve(p);
  const Weight left = state.overload();
  if (left == 0) return;
  const std::vector<PartId> before = state.parts();
  balancer.pack();
  if (state.overload() < left) return;
  for (NodeId n = 0; n < level.num_nodes; ++n)
    if (state.parts()[n] != before[n]) state.move(n, before[n]);
}

}  // namespace kohypar

#include "host_search/local_search.hpp"

#include "host_search/node_heap.hpp"
#include "host_search/shuffle.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

constexpr int most_rounds = 4;
constexpr Weight least_gain_divisor = 1000;  // a round that gains less than this fraction is the last

// More seeds or fewer moves after the best state make rounds faster and gain less; these lose nothing to
// twice and four times the effort but what one more multilevel run gains.
constexpr std::size_t seeds_per_search = 25;
constexpr std::size_t fruitless_moves = 10;

// Parts of more nodes take part in no exchange: there are small nodes enough to fill any gap.
constexpr std::size_t most_exchanging = 256;

class LocalSearch {
 public:
  LocalSearch(const HostLevel& level, const Limits& limits, std::uint64_t seed, HostState& state)
      : level_(level),
        limits_(limits),
        seed_(seed),
        state_(state),
        heap_(level.num_nodes),
        target_(level.num_nodes, invalid_id),
        moved_in_search_(level.num_nodes, 0),
        moved_in_round_(level.num_nodes, 0),
        updated_by_move_(level.num_nodes, 0) {}

  void run() {
    for (round_ = 1; round_ <= most_rounds; ++round_) {
      const Weight before = state_.connectivity();
      const std::uint64_t seed = mix(seed_, round_);
      search_everywhere(seed);
      exchange(mix(seed));
      if (before - state_.connectivity() <= before / least_gain_divisor) break;
    }
  }

 private:
  struct Move {
    NodeId node;
    PartId from;
  };

  void search_everywhere(std::uint64_t seed) {
    std::vector<NodeId> seeds;
    for (const NodeId n : shuffled_ids(level_.num_nodes, seed)) {
      if (moved_in_round_[n] == round_ || !on_boundary(n)) continue;
      seeds.push_back(n);
      if (seeds.size() < seeds_per_search) continue;
      search_from(seeds);
      seeds.clear();
    }
    search_from(seeds);
  }

  void search_from(const std::vector<NodeId>& seeds) {
    ++search_;
    moves_.clear();
    heap_.clear();
    for (const NodeId n : seeds) insert(n, best_target(n));
    Weight least = state_.connectivity();
    std::size_t best_length = 0;
    while (!heap_.empty() && moves_.size() < best_length + fruitless_moves) {
      const NodeId n = heap_.top();
      heap_.erase(n);
      if (!state_.fits(n, target_[n])) {  // any more
        insert(n, best_target(n));
        continue;
      }
      move(n, target_[n]);
      if (state_.connectivity() >= least) continue;
      least = state_.connectivity();
      best_length = moves_.size();
    }
    for (; moves_.size() > best_length; moves_.pop_back())
      state_.move(moves_.back().node, moves_.back().from);
  }

  void move(NodeId n, PartId to) {
    const PartId from = state_.parts()[n];
    moves_.push_back({n, from});
    moved_in_search_[n] = search_;
    moved_in_round_[n] = round_;
    affected_.clear();
    state_.move(n, to, &affected_);
    ++move_;
    for (const HyperedgeId e : affected_) {
      const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
      if (end - begin > largest_followed) continue;
      for (PinOffset i = begin; i < end; ++i) update(level_.pins(i), from, to);
    }
  }

  /// Follows up a move between two parts: only gains in them, and what leaving its own part costs, can have
  /// changed for another node.
  void update(NodeId n, PartId from, PartId to) {
    if (updated_by_move_[n] == move_ || moved_in_search_[n] == search_) return;
    updated_by_move_[n] = move_;
    if (!heap_.contains(n) || target_[n] == from) {
      insert(n, best_target(n));
    } else {
      const bool closer = to != state_.parts()[n] && preferred(n, to, target_[n]) && state_.fits(n, to);
      insert(n, closer ? to : target_[n]);
    }
  }

  void insert(NodeId n, PartId target) {
    target_[n] = target;
    if (target == invalid_id) {
      heap_.erase(n);
    } else {
      heap_.set(n, state_.gain(n, target), static_cast<std::uint32_t>(mix(seed_, n) >> 32));
    }
  }

  [[nodiscard]] bool on_boundary(NodeId n) const {
    bool found = false;
    state_.for_each_adjacent_part(n, [&](PartId) { found = true; });
    return found;
  }

  /// Of two parts that n may move to, whether a is better: by gain, then pseudo-randomly, lest one part is
  /// flooded.
  [[nodiscard]] bool preferred(NodeId n, PartId a, PartId b) const {
    const Weight in_a = state_.shared(n, a), in_b = state_.shared(n, b);
    return in_a != in_b ? in_a > in_b : mix(seed_ ^ a, n) > mix(seed_ ^ b, n);
  }

  [[nodiscard]] PartId best_target(NodeId n) const {
    PartId best = invalid_id;
    state_.for_each_adjacent_part(n, [&](PartId p) {
      if ((best == invalid_id || preferred(n, p, best)) && state_.fits(n, p)) best = p;
    });
    return best;
  }

  /// The part among those without room that n would gain most in, if it gains in any.
  [[nodiscard]] PartId best_full_target(NodeId n) const {
    PartId best = invalid_id;
    state_.for_each_adjacent_part(n, [&](PartId p) {
      if (state_.gain(n, p) > 0 && (best == invalid_id || preferred(n, p, best)) && !state_.fits(n, p))
        best = p;
    });
    return best;
  }

  void exchange(std::uint64_t seed) {
    members_.assign(state_.num_parts(), {});
    for (NodeId n = 0; n < level_.num_nodes; ++n) members_[state_.parts()[n]].push_back(n);
    for (const NodeId n : shuffled_ids(level_.num_nodes, seed)) {
      const PartId full = best_full_target(n);
      if (full != invalid_id && members_[full].size() <= most_exchanging) exchange_into(n, full);
    }
  }

  /// Moves n into a full part and the node that gains most with it out of there, or neither.
  void exchange_into(NodeId n, PartId part) {
    const PartId from = state_.parts()[n];
    const Weight before = state_.connectivity();
    state_.move(n, part);
    NodeId leaver = invalid_id;
    PartId target = invalid_id;
    for (const NodeId m : members_[part]) {
      if (state_.size(part) - level_.node_sizes(m) > limits_.max_size) continue;
      const PartId p = best_target(m);
      if (p == invalid_id) continue;
      if (leaver != invalid_id && state_.gain(m, p) <= state_.gain(leaver, target)) continue;
      leaver = m;
      target = p;
    }
    if (leaver != invalid_id) {
      state_.move(leaver, target);
      if (state_.connectivity() < before && state_.inbound(part) <= limits_.max_inbound) {
        transfer(n, from, part);
        transfer(leaver, part, target);
        return;
      }
      state_.move(leaver, part);
    }
    state_.move(n, from);
  }

  void transfer(NodeId n, PartId from, PartId to) {
    std::erase(members_[from], n);
    members_[to].push_back(n);
  }

  const HostLevel& level_;
  const Limits& limits_;
  const std::uint64_t seed_;
  HostState& state_;
  NodeHeap heap_;
  std::vector<PartId> target_;  // by node in the heap
  std::vector<Move> moves_;     // of the current local search
  std::uint32_t round_ = 0, search_ = 0, move_ = 0;
  std::vector<std::uint32_t> moved_in_search_, moved_in_round_, updated_by_move_;  // by node: the last one
  std::vector<HyperedgeId> affected_;
  std::vector<std::vector<NodeId>> members_;  // by part, while exchanging
};

}  // namespace

void search_locally(const HostLevel& level, const Limits& limits, std::uint64_t seed, HostState& state) {
  LocalSearch(level, limits, seed, state).run();
}

}  // namespace kohypar

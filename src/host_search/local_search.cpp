#include "host_search/local_search.hpp"

#include <algorithm>
#include <limits>

#include "host_search/node_heap.hpp"
#include "host_search/shuffle.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

constexpr Weight least_gain_divisor = 1000;  // a round that gains less than this fraction is the last

// Parts of more nodes take part in no exchange: there are small nodes enough to fill any gap.
constexpr std::size_t most_exchanging = 256;

// Less than any gain, and can be added to one.
constexpr Weight hopeless = std::numeric_limits<Weight>::min() / 2;

class LocalSearch {
 public:
  LocalSearch(const HostLevel& level, const HostProblem& problem, const SearchEffort& effort,
              std::uint64_t seed, HostState& state)
      : level_(level),
        problem_(problem),
        effort_(effort),
        seed_(seed),
        state_(state),
        heap_(level.num_nodes),
        target_(level.num_nodes, invalid_id),
        moved_in_search_(level.num_nodes, 0),
        moved_in_round_(level.num_nodes, 0),
        changed_in_round_(level.num_nodes, 0),
        updated_by_move_(level.num_nodes, 0) {}

  void run(const std::vector<PartId>* settled) {
    const std::uint32_t first = settled == nullptr ? 1 : 2;
    if (settled != nullptr) note_changes_since(*settled);
    for (round_ = first; round_ < first + effort_.rounds; ++round_) {
      const Weight before = state_.objective();
      const std::uint64_t seed = mix(seed_, round_);
      search_from_each(shuffled_ids(level_.num_nodes, seed));
      exchange(mix(seed));
      if (before - state_.objective() <= before / least_gain_divisor) break;
    }
  }

  void run_around(std::vector<NodeId> nodes) {
    round_ = 1;
    shuffle(nodes, seed_);
    search_from_each(nodes);
  }

 private:
  struct Move {
    NodeId node;
    PartId from;
  };

  void search_from_each(const std::vector<NodeId>& nodes) {
    std::vector<NodeId> seeds;
    for (const NodeId n : nodes) {
      if (moved_in_round_[n] == round_ || problem_.is_terminal(n) || is_settled(n) || !on_boundary(n))
        continue;
      seeds.push_back(n);
      if (seeds.size() < effort_.seeds) continue;
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
    Weight least = state_.objective();
    std::size_t best_length = 0;
    while (!heap_.empty() && moves_.size() < best_length + effort_.fruitless_moves) {
      const NodeId n = heap_.top();
      heap_.erase(n);
      if (!state_.fits(n, target_[n])) {  // any more
        insert(n, best_target(n));
        continue;
      }
      move(n, target_[n]);
      if (state_.objective() >= least) continue;
      least = state_.objective();
      best_length = moves_.size();
    }
    for (; moves_.size() > best_length; moves_.pop_back())
      state_.move(moves_.back().node, moves_.back().from);
    for (const Move& move : moves_) note_change_around(move.node);
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

  /// Whether nothing around n has changed in this round or the one before, so that a search from there would
  /// but repeat what a fruitless one has tried.
  [[nodiscard]] bool is_settled(NodeId n) const { return changed_in_round_[n] + 1 < round_; }

  void note_changes_since(const std::vector<PartId>& settled) {
    round_ = 1;
    for (NodeId n = 0; n < level_.num_nodes; ++n)
      if (state_.parts()[n] != settled[n]) note_change_around(n);
  }

  void note_change_around(NodeId n) {
    for (PinOffset at = level_.node_offsets(n); at < level_.node_offsets(n + 1); ++at) {
      const HyperedgeId e = level_.incident(at);
      const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
      if (end - begin > largest_followed) continue;
      for (PinOffset i = begin; i < end; ++i) changed_in_round_[level_.pins(i)] = round_;
    }
  }

  /// Follows up a move between two parts: only gains in them, and what leaving its own part costs, can have
  /// changed for another node.
  void update(NodeId n, PartId from, PartId to) {
    if (updated_by_move_[n] == move_ || moved_in_search_[n] == search_ || problem_.is_terminal(n)) return;
    updated_by_move_[n] = move_;
    if (!heap_.contains(n) || target_[n] == from) return insert(n, best_target(n));
    const PartShare current = state_.share(n, target_[n]);
    if (to == target_[n] || to == state_.parts()[n]) return insert(n, current);
    const PartShare other = state_.share(n, to);
    insert(n, preferred(n, other, current) && state_.fits(n, other) ? other : current);
  }

  /// Into the heap, by what n gains in the share's part; out of it, where there is none.
  void insert(NodeId n, const PartShare& target) {
    target_[n] = target.part;
    if (target.part == invalid_id) {
      heap_.erase(n);
    } else {
      heap_.set(n, state_.benefit(n) + target.weight, static_cast<std::uint32_t>(mix(seed_, n) >> 32));
    }
  }

  [[nodiscard]] bool on_boundary(NodeId n) const {
    bool found = false;
    state_.for_each_adjacent_part(n, [&](PartId) { found = true; });
    return found;
  }

  /// Of what n shares with two parts that it may move to, whether a is better: by gain, then pseudo-randomly,
  /// lest one part is flooded.
  [[nodiscard]] bool preferred(NodeId n, const PartShare& a, const PartShare& b) const {
    return a.weight != b.weight ? a.weight > b.weight : mix(seed_ ^ a.part, n) > mix(seed_ ^ b.part, n);
  }

  /// What n shares with the part that it gains most in among those with room; invalid_id if there is none.
  [[nodiscard]] PartShare best_target(NodeId n) const {
    PartShare best = {0, invalid_id, 0};
    state_.for_each_share(n, [&](const PartShare& share) {
      if ((best.part == invalid_id || preferred(n, share, best)) && state_.fits(n, share)) best = share;
    });
    return best;
  }

  /// The part among those without room that n would gain most in, if it gains in any.
  [[nodiscard]] PartId best_full_target(NodeId n) const {
    const Weight least = -state_.benefit(n);
    PartShare best = {0, invalid_id, 0};
    state_.for_each_share(n, [&](const PartShare& share) {
      if (share.weight > least && (best.part == invalid_id || preferred(n, share, best)) &&
          !state_.fits(n, share))
        best = share;
    });
    return best.part;
  }

  void exchange(std::uint64_t seed) {
    members_.assign(state_.num_parts(), {});
    most_.assign(level_.num_nodes, 0);
    most_of_part_.assign(state_.num_parts(), hopeless);
    for (NodeId n = 0; n < level_.num_nodes; ++n) members_[state_.parts()[n]].push_back(n);
    const auto exchanges = [](const std::vector<NodeId>& part) { return part.size() <= most_exchanging; };
    if (std::none_of(members_.begin(), members_.end(), exchanges)) return;
    for (NodeId n = 0; n < level_.num_nodes; ++n) bound_gain(n);
    for (const NodeId n : shuffled_ids(level_.num_nodes, seed)) {
      if (problem_.is_terminal(n)) continue;
      const PartId full = best_full_target(n);
      if (full != invalid_id && exchanges(members_[full]) && may_exchange(n, full)) exchange_into(n, full);
    }
  }

  /// Notes what n would gain if the part that it shares most weight with had room.
  void bound_gain(NodeId n) {
    Weight most = hopeless;
    state_.for_each_share(
        n, [&](const PartShare& share) { most = std::max(most, state_.benefit(n) + share.weight); });
    most_[n] = most;
    Weight& most_of_part = most_of_part_[state_.parts()[n]];
    most_of_part = std::max(most_of_part, most);
  }

  /// Whether some node of a part might leave it for less than n gains in it. Once n is there, none gains
  /// more.
  [[nodiscard]] bool may_exchange(NodeId n, PartId part) const {
    const Weight gain = state_.gain(n, part);
    if (most_of_part_[part] + gain <= 0) return false;
    return std::any_of(members_[part].begin(), members_[part].end(),
                       [&](NodeId m) { return most_[m] + gain > 0; });
  }

  /// Moves n into a full part and the node that gains most with it out of there, or neither.
  void exchange_into(NodeId n, PartId part) {
    const PartId from = state_.parts()[n];
    const Weight before = state_.objective();
    affected_.clear();
    state_.move(n, part, &affected_);
    NodeId leaver = invalid_id;
    PartId target = invalid_id;
    Weight most = state_.objective() - before;
    for (const NodeId m : members_[part]) {
      if (problem_.is_terminal(m) || most_[m] <= most ||
          state_.size(part) - level_.node_sizes(m) > problem_.capacity(part))
        continue;
      const PartShare share = best_target(m);
      const Weight gain = state_.benefit(m) + share.weight;
      if (share.part == invalid_id || gain <= most) continue;
      leaver = m;
      target = share.part;
      most = gain;
    }
    if (leaver != invalid_id) {
      state_.move(leaver, target, &affected_);
      if (state_.inbound(part) <= problem_.limits.max_inbound) {
        transfer(n, from, part);
        transfer(leaver, part, target);
        note_change_around(n);
        note_change_around(leaver);
        for (const HyperedgeId e : affected_)
          for (PinOffset i = level_.hyperedge_offsets(e); i < level_.hyperedge_offsets(e + 1); ++i)
            bound_gain(level_.pins(i));
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
  const HostProblem& problem_;
  const SearchEffort effort_;
  const std::uint64_t seed_;
  HostState& state_;
  NodeHeap heap_;
  std::vector<PartId> target_;  // by node in the heap
  std::vector<Move> moves_;     // of the current local search
  std::uint32_t round_ = 0, search_ = 0, move_ = 0;
  std::vector<std::uint32_t> moved_in_search_, moved_in_round_, changed_in_round_,
      updated_by_move_;  // by node: the last one
  std::vector<HyperedgeId> affected_;
  // While exchanging:
  std::vector<std::vector<NodeId>> members_;  // by part
  std::vector<Weight> most_;                  // by node: at least what it gains anywhere
  std::vector<Weight> most_of_part_;          // likewise, of all members
};

}  // namespace

void search_locally(const HostLevel& level, const HostProblem& problem, const SearchEffort& effort,
                    std::uint64_t seed, HostState& state, const std::vector<PartId>* settled) {
  LocalSearch(level, problem, effort, seed, state).run(settled);
}

void search_around(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                   const std::vector<NodeId>& nodes, HostState& state) {
  LocalSearch(level, problem, {}, seed, state).run_around(nodes);
}

}  // namespace kohypar

#include "host_search/bisection.hpp"

#include <algorithm>
#include <bit>

#include "host_search/balance.hpp"
#include "host_search/local_search.hpp"
#include "host_search/multilevel_run.hpp"
#include "host_search/node_heap.hpp"
#include "host_search/shuffle.hpp"

namespace kohypar {

namespace {

// Starts of a bisection, and how long a local search follows each: levels are small, and all that follows
// builds on them.
constexpr std::uint64_t growths = 12;
constexpr SearchEffort thorough{.rounds = 8, .seeds = 1 << 20, .fruitless_moves = 64};

/// value * part / whole, rounded up.
Weight share_of(Weight value, Weight part, Weight whole) {
  if (whole == 0) return 0;
  __extension__ using Wide = unsigned __int128;
  return static_cast<Weight>(
      (static_cast<Wide>(value) * static_cast<Wide>(part) + static_cast<Wide>(whole) - 1) /
      static_cast<Wide>(whole));
}

class Bisection {
 public:
  Bisection(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
            const std::atomic<bool>* stop)
      : level_(level), problem_(problem), seed_(seed), stop_(stop), parts_(level.num_nodes, 0) {}

  std::vector<PartId> run() {
    split(0, static_cast<PartId>(problem_.capacities.size()));
    return std::move(parts_);
  }

 private:
  /// Splits the nodes of parts_ `first` among the parts first to last - 1.
  void split(PartId first, PartId last) {
    if (last - first < 2) return;
    const PartId middle = first + (last - first + 1) / 2;
    std::vector<NodeId> nodes, number(level_.num_nodes, invalid_id);
    for (NodeId n = 0; n < level_.num_nodes; ++n) {
      if (parts_[n] != first) continue;
      number[n] = static_cast<NodeId>(nodes.size());
      nodes.push_back(n);
    }
    if (nodes.empty()) return;
    const OwnedLevel side =
        OwnedLevel::induced(level_, number, static_cast<NodeId>(nodes.size()), 1 + problem_.cut_weight);
    HostProblem two;
    two.capacities = capacities_of_sides(side.level(), first, middle, last);
    for (const NodeId n : nodes)
      if (problem_.is_terminal(n)) two.terminals.push_back(problem_.terminals[n] < middle ? 0 : 1);
    const HostSolution halves =
        MultilevelRun(side.level(), two, {}, mix(mix(seed_, first), last), stop_).from_scratch();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (halves.parts[i] == 1) parts_[nodes[i]] = middle;
    split(first, middle);
    split(middle, last);
  }

  /// What each side may hold: its share of the nodes' size, and of the room to spare as much as leaves the
  /// same for each bisection that follows.
  [[nodiscard]] std::vector<Weight> capacities_of_sides(const HostLevel& level, PartId first, PartId middle,
                                                        PartId last) const {
    Weight left = 0, right = 0, total = 0, largest = 0;
    for (PartId p = first; p < last; ++p) {
      Weight& side = p < middle ? left : right;
      side += std::min(problem_.capacities[p], max_total_weight - side);  // where that is room for all nodes
    }
    for (NodeId n = 0; n < level.num_nodes; ++n) {
      total += level.node_sizes(n);
      largest = std::max(largest, level.node_sizes(n));
    }
    const auto depth = static_cast<Weight>(std::bit_width(last - first - 1u));
    const auto capacity = [&](Weight side) {
      const Weight share = share_of(total, side, left + right);
      if (share >= side) return side;
      return std::min(side, share + std::max((side - share) / depth, largest));
    };
    return {capacity(left), capacity(right)};
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  const std::uint64_t seed_;
  const std::atomic<bool>* stop_;
  std::vector<PartId> parts_;
};

/// Grows part 0 of a state, all whose other free nodes are in part 1.
class Growth {
 public:
  Growth(const HostLevel& level, const HostProblem& problem, std::uint64_t seed, HostState& state)
      : level_(level), problem_(problem), seed_(seed), state_(state), heap_(level.num_nodes) {}

  void run() {
    const Weight target = share_of(state_.size(0) + state_.size(1), problem_.capacities[0],
                                   problem_.capacities[0] + problem_.capacities[1]);
    for (NodeId n = 0; n < level_.num_nodes; ++n)
      if (state_.shared(n, 0) > 0) offer(n);
    const std::vector<NodeId> order = shuffled_ids(level_.num_nodes, seed_);
    for (auto next = order.begin(); state_.size(0) < target;) {
      while (heap_.empty() && next != order.end()) offer(*next++);
      if (heap_.empty()) return;
      take(heap_.top());
    }
  }

 private:
  void offer(NodeId n) {
    if (problem_.is_terminal(n) || state_.parts()[n] == 0 || !state_.fits(n, 0)) return;
    heap_.set(n, state_.gain(n, 0), static_cast<std::uint32_t>(mix(seed_, n) >> 32));
  }

  void take(NodeId n) {
    heap_.erase(n);
    if (!state_.fits(n, 0)) return;
    affected_.clear();
    state_.move(n, 0, &affected_);
    for (const HyperedgeId e : affected_) {
      const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
      if (end - begin > largest_followed) continue;
      for (PinOffset i = begin; i < end; ++i) offer(level_.pins(i));
    }
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  const std::uint64_t seed_;
  HostState& state_;
  NodeHeap heap_;
  std::vector<HyperedgeId> affected_;
};

}  // namespace

std::vector<PartId> bisect_recursively(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                                       const std::atomic<bool>* stop) {
  return Bisection(level, problem, seed, stop).run();
}

std::vector<PartId> grow_in_two(const HostLevel& level, const HostProblem& problem, std::uint64_t seed) {
  std::vector<PartId> all_in_one(level.num_nodes, 1);
  std::copy(problem.terminals.begin(), problem.terminals.end(), all_in_one.begin());
  HostSolution best;
  for (std::uint64_t i = 0; i < growths; ++i) {
    HostState state(level, problem, all_in_one, 2);
    Growth(level, problem, mix(seed, i), state).run();
    repair_balance(level, problem, state);
    search_locally(level, problem, thorough, mix(seed, i), state);
    HostSolution next{state.parts(), 2, state.objective(), state.overload()};
    if (i == 0 || better(next, best, problem.limits)) best = std::move(next);
  }
  return std::move(best.parts);
}

}  // namespace kohypar

#include "host_search/bisection.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

#include "host_search/balance.hpp"
#include "host_search/local_search.hpp"
#include "host_search/multilevel_run.hpp"
#include "host_search/node_heap.hpp"
#include "host_search/share_of.hpp"
#include "host_search/shuffle.hpp"

namespace kohypar {

namespace {

// Starts of a bisection, and how long a local search follows each: levels are small, and all that follows
// builds on them.
constexpr std::uint64_t growths = 12;
constexpr SearchEffort thorough{.rounds = 8, .seeds = 1 << 20, .fruitless_moves = 64};

/// Nodes to be split among the parts first to last - 1, at least two.
struct Side {
  PartId first, last;
  std::vector<NodeId> nodes;  ///< of the whole level, ascending; at least one
  OwnedLevel level;           ///< what they induce
};

class Bisection {
 public:
  Bisection(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
            const HostThreads& threads, const std::atomic<bool>* stop, std::size_t tries)
      : level_(level),
        problem_(problem),
        seed_(seed),
        threads_(threads),
        stop_(stop),
        tries_(tries),
        parts_(level.num_nodes, 0) {}

  std::vector<PartId> run() {
    std::vector<NodeId> all(level_.num_nodes);
    std::iota(all.begin(), all.end(), NodeId{0});
    std::vector<Side> sides;
    add_side(level_, 0, static_cast<PartId>(problem_.capacities.size()), all, all, sides);
    while (!sides.empty()) {
      std::vector<HostSolution> found(sides.size() * tries_);
      for_each_chunk(threads_, found.size(),
                     [&](std::size_t i) { found[i] = bisected(sides[i / tries_], i % tries_); });
      std::vector<std::vector<Side>> halves(sides.size());
      for_each_chunk(threads_, sides.size(), [&](std::size_t i) {
        const auto first = found.begin() + static_cast<std::ptrdiff_t>(i * tries_);
        const HostSolution& best = *std::min_element(
            first, first + static_cast<std::ptrdiff_t>(tries_),
            [&](const HostSolution& a, const HostSolution& b) { return better(a, b, problem_.limits); });
        split(sides[i], best.parts, halves[i]);
        sides[i] = {};
      });
      sides.clear();
      for (std::vector<Side>& both : halves) std::move(both.begin(), both.end(), std::back_inserter(sides));
    }
    return std::move(parts_);
  }

 private:
  [[nodiscard]] static PartId middle_of(const Side& side) {
    return side.first + (side.last - side.first + 1) / 2;
  }

  /// One of several tries to bisect a side.
  [[nodiscard]] HostSolution bisected(const Side& side, std::size_t attempt) const {
    const PartId middle = middle_of(side);
    const HostLevel& level = side.level.level();
    HostProblem two;
    two.capacities = capacities_of_sides(level, side.first, middle, side.last);
    for (const NodeId n : side.nodes)
      if (problem_.is_terminal(n)) two.terminals.push_back(problem_.terminals[n] < middle ? 0 : 1);
    const std::uint64_t seed = mix(mix(seed_, side.first), side.last);
    return MultilevelRun(level, two, Coarsening::shallow, {}, attempt == 0 ? seed : mix(seed, attempt), {1},
                         stop_)
        .from_scratch();
  }

  /// Splits a side in two, and appends those halves that have further parts.
  void split(const Side& side, const std::vector<PartId>& parts, std::vector<Side>& halves) {
    const PartId middle = middle_of(side);
    const HostLevel& level = side.level.level();
    std::vector<NodeId> ids[2], nodes[2];  // of the side, and of the whole level
    for (NodeId i = 0; i < level.num_nodes; ++i) {
      ids[parts[i]].push_back(i);
      nodes[parts[i]].push_back(side.nodes[i]);
    }
    // Hyperedges weigh by whether they lost a pin since the whole level, which only that one tells. Else each
    // split costs no more than its own pins.
    const bool from_whole = problem_.cut_weight > 0;
    const HostLevel& source = from_whole ? level_ : level;
    add_side(source, side.first, middle, from_whole ? nodes[0] : ids[0], nodes[0], halves);
    add_side(source, middle, side.last, from_whole ? nodes[1] : ids[1], nodes[1], halves);
  }

  /// Gives nodes their part if there is but one for them, else appends them as a side.
  /// @param ids of the nodes in `source`
  void add_side(const HostLevel& source, PartId first, PartId last, const std::vector<NodeId>& ids,
                std::vector<NodeId> nodes, std::vector<Side>& sides) {
    if (nodes.empty()) return;
    if (last - first < 2) {
      for (const NodeId n : nodes) parts_[n] = first;
      return;
    }
    std::vector<NodeId> number(source.num_nodes, invalid_id);
    for (std::size_t i = 0; i < ids.size(); ++i) number[ids[i]] = static_cast<NodeId>(i);
    OwnedLevel induced =
        OwnedLevel::induced(source, number, static_cast<NodeId>(ids.size()), 1 + problem_.cut_weight);
    sides.push_back({first, last, std::move(nodes), std::move(induced)});
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
  const HostThreads threads_;
  const std::atomic<bool>* stop_;
  const std::size_t tries_;
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
                                       const HostThreads& threads, const std::atomic<bool>* stop,
                                       std::size_t tries) {
  return Bisection(level, problem, seed, threads, stop, tries).run();
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

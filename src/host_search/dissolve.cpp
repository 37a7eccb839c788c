#include "host_search/dissolve.hpp"

#include <algorithm>

#include "host_search/local_search.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

// On levels of at most so many pins, what costs so many times its price too much may still become affordable.
constexpr PinOffset most_searched = PinOffset{1} << 16;
constexpr Weight worth_searching = 3;

class Dissolution {
 public:
  Dissolution(const HostLevel& level, const HostProblem& problem, std::uint64_t seed, HostSolution solution)
      : level_(level),
        problem_(problem),
        seed_(seed),
        state_(level, problem, std::move(solution.parts), solution.num_parts),
        is_open_(solution.num_parts, true),
        num_open_(solution.num_parts) {}

  HostSolution run() {
    while (num_open_ > 1 && close_smallest()) {
    }
    return result();
  }

 private:
  /// Empties the smallest part. Returns whether that was possible and worth its price; else all is as before.
  bool close_smallest() {
    const std::vector<PartId> before = state_.parts();
    const Weight connectivity = state_.objective();
    const Weight price = part_price(connectivity, num_open_);
    const PartId part = smallest_open();
    is_open_[part] = false;
    if (empty(part) && affordable(connectivity + price, price)) {
      --num_open_;
      return true;
    }
    is_open_[part] = true;
    for (NodeId n = 0; n < level_.num_nodes; ++n)
      if (state_.parts()[n] != before[n]) state_.move(n, before[n]);
    return false;
  }

  /// Whether connectivity is at most what a part may cost, on small levels after a search everywhere if need
  /// be.
  bool affordable(Weight most, Weight price) {
    if (num_open_ > problem_.limits.max_parts || state_.objective() <= most) return true;
    if (level_.num_pins > most_searched || state_.objective() > most + worth_searching * price) return false;
    search_locally(level_, problem_, {}, mix(seed_, num_open_), state_);
    return state_.objective() <= most;
  }

  [[nodiscard]] PartId smallest_open() const {
    PartId smallest = invalid_id;
    for (PartId p = 0; p < state_.num_parts(); ++p)
      if (is_open_[p] && (smallest == invalid_id || state_.size(p) < state_.size(smallest))) smallest = p;
    return smallest;
  }

  /// Moves a part's nodes elsewhere, larger ones first, and searches around them. Returns whether all found
  /// room.
  bool empty(PartId part) {
    std::vector<NodeId> members;
    for (NodeId n = 0; n < level_.num_nodes; ++n)
      if (state_.parts()[n] == part) members.push_back(n);
    std::stable_sort(members.begin(), members.end(),
                     [&](NodeId a, NodeId b) { return level_.node_sizes(a) > level_.node_sizes(b); });
    for (const NodeId n : members) {
      const PartId p = refuge(n);
      if (p == invalid_id) return false;
      state_.move(n, p);
    }
    search_around(level_, problem_, mix(seed_, part), members, state_);
    return true;
  }

  /// The open part that n gains most in, then the emptiest; invalid_id if n fits nowhere.
  [[nodiscard]] PartId refuge(NodeId n) const {
    PartId best = invalid_id;
    const auto preferred = [&](PartId p) {
      if (best == invalid_id) return true;
      const Weight gain = state_.gain(n, p), least = state_.gain(n, best);
      return gain != least ? gain > least : state_.size(p) < state_.size(best);
    };
    for (PartId p = 0; p < state_.num_parts(); ++p)
      if (is_open_[p] && preferred(p) && state_.fits(n, p)) best = p;
    return best;
  }

  [[nodiscard]] HostSolution result() const {
    HostSolution solution{state_.parts(), state_.num_parts(), state_.objective()};
    drop_empty_parts(solution);
    return solution;
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  const std::uint64_t seed_;
  HostState state_;
  std::vector<bool> is_open_;  // by part: not emptied
  PartId num_open_;
};

}  // namespace

void add_dissolved(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                   const HostThreads& threads, std::vector<HostSolution>& solutions) {
  std::vector<HostSolution> fewer(solutions.size());
  for_each_chunk(threads, solutions.size(),
                 [&](std::size_t i) { fewer[i] = dissolve_parts(level, problem, seed, solutions[i]); });
  for (std::size_t i = 0; i < fewer.size(); ++i)
    if (fewer[i].num_parts < solutions[i].num_parts) solutions.push_back(std::move(fewer[i]));
}

HostSolution dissolve_parts(const HostLevel& level, const HostProblem& problem, std::uint64_t seed,
                            HostSolution solution) {
  return Dissolution(level, problem, seed, std::move(solution)).run();
}

}  // namespace kohypar

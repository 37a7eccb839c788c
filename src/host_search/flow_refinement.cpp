#include "host_search/flow_refinement.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "host_search/stop.hpp"

namespace kohypar {

namespace {

constexpr Weight least_gain_divisor = 1000;  // of what is cut between the pairs of a round

// Hyperedges of more parts point to no pairs: hundreds each, and little would be gained where they stay cut
// anyway. Networks have them all the same.
constexpr std::size_t most_parts_of_pointers = 32;

struct AdjacentParts {
  PartId first, second;
  Weight cut = 0;
  std::vector<HyperedgeId> hyperedges;
};

class FlowRefinement {
 public:
  FlowRefinement(const HostLevel& level, const HostProblem& problem, const PairCutEffort& effort,
                 const HostThreads& threads, const std::atomic<bool>* stop, std::vector<PartId>& parts)
      : level_(level),
        problem_(problem),
        effort_(effort),
        threads_(threads),
        stop_(stop),
        parts_(parts),
        sizes_(problem.capacities.size(), 0),
        has_changed_(problem.capacities.size(), 1) {
    for (NodeId n = 0; n < level.num_nodes; ++n) sizes_[parts[n]] += level.node_sizes(n);
  }

  Weight run() {
    Weight sum = 0;
    for (;;) {
      std::vector<AdjacentParts> pairs = adjacent_parts();
      has_changed_.assign(sizes_.size(), 0);
      Weight cut = 0, gain = 0;
      for (const AdjacentParts& pair : pairs) cut += pair.cut;
      while (!pairs.empty()) gain += cut_all(take_disjoint(pairs));
      sum += gain;
      if (gain <= cut / least_gain_divisor) return sum;
    }
  }

 private:
  /// Pairs of which one has changed, by descending cut.
  [[nodiscard]] std::vector<AdjacentParts> adjacent_parts() const {
    std::vector<AdjacentParts> pairs;
    std::unordered_map<std::uint64_t, std::size_t> place;
    std::vector<PartId> touched;
    for (HyperedgeId e = 0; e < level_.num_hyperedges; ++e) {
      list_parts(e, touched);
      if (touched.size() > most_parts_of_pointers) continue;
      for (std::size_t i = 0; i < touched.size(); ++i)
        for (std::size_t j = i + 1; j < touched.size(); ++j) {
          const PartId a = touched[i], b = touched[j];
          if (!has_changed_[a] && !has_changed_[b]) continue;
          const auto [at, is_new] = place.try_emplace(std::uint64_t{a} << 32 | b, pairs.size());
          if (is_new) pairs.push_back({a, b, 0, {}});
          pairs[at->second].cut += level_.hyperedge_weights(e);
          pairs[at->second].hyperedges.push_back(e);
        }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const AdjacentParts& a, const AdjacentParts& b) { return a.cut > b.cut; });
    return pairs;
  }

  /// Ascending.
  void list_parts(HyperedgeId e, std::vector<PartId>& touched) const {
    touched.clear();
    for (PinOffset i = level_.hyperedge_offsets(e); i < level_.hyperedge_offsets(e + 1); ++i) {
      const PartId p = parts_[level_.pins(i)];
      const auto at = std::lower_bound(touched.begin(), touched.end(), p);
      if (at == touched.end() || *at != p) touched.insert(at, p);
    }
  }

  /// The first pairs that have no part in common with those before.
  [[nodiscard]] std::vector<AdjacentParts> take_disjoint(std::vector<AdjacentParts>& pairs) const {
    std::vector<std::uint8_t> is_taken(sizes_.size(), 0);
    const auto rest = std::stable_partition(pairs.begin(), pairs.end(), [&](const AdjacentParts& pair) {
      if (is_taken[pair.first] || is_taken[pair.second]) return false;
      is_taken[pair.first] = is_taken[pair.second] = 1;
      return true;
    });
    std::vector<AdjacentParts> taken(std::make_move_iterator(pairs.begin()), std::make_move_iterator(rest));
    pairs.erase(pairs.begin(), rest);
    return taken;
  }

  /// Returns the gain.
  Weight cut_all(std::vector<AdjacentParts> pairs) {
    std::vector<PairCut> cuts(pairs.size());
    for_each_chunk(threads_, pairs.size(), [&](std::size_t i) {
      check_stop(stop_);
      AdjacentParts& pair = pairs[i];
      cuts[i] = find_pair_cut(
          level_, problem_, parts_,
          {{pair.first, pair.second}, {sizes_[pair.first], sizes_[pair.second]}, std::move(pair.hyperedges)},
          effort_);
    });
    Weight gain = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (const NodeId n : cuts[i].moved)
        move(n, parts_[n] == pairs[i].first ? pairs[i].second : pairs[i].first);
      if (!cuts[i].moved.empty()) has_changed_[pairs[i].first] = has_changed_[pairs[i].second] = 1;
      gain += cuts[i].gain;
    }
    return gain;
  }

  void move(NodeId n, PartId to) {
    sizes_[parts_[n]] -= level_.node_sizes(n);
    sizes_[to] += level_.node_sizes(n);
    parts_[n] = to;
  }

  const HostLevel& level_;
  const HostProblem& problem_;
  const PairCutEffort& effort_;
  const HostThreads& threads_;
  const std::atomic<bool>* stop_;
  std::vector<PartId>& parts_;
  std::vector<Weight> sizes_;              // by part
  std::vector<std::uint8_t> has_changed_;  // likewise, since the last round began
};

}  // namespace

Weight refine_by_flows(const HostLevel& level, const HostProblem& problem, const PairCutEffort& effort,
                       const HostThreads& threads, const std::atomic<bool>* stop,
                       std::vector<PartId>& parts) {
  return FlowRefinement(level, problem, effort, threads, stop, parts).run();
}

}  // namespace kohypar

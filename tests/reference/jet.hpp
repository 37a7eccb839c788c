// Slow, obvious twin of Jet and of the relief of overloaded parts: one loop after the other, gains by
// counting pins.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "parallel/hash.hpp"
#include "reference/events.hpp"
#include "reference/partition_state.hpp"
#include "refinement/jet_state.hpp"

namespace kohypar::reference {

/// The two kinds of relief that JetState::relieve_once tells of.
enum class Relief { of_few_parts, of_many_parts };

/// A partition within capacities, whose first nodes are terminals. The objective is connectivity plus
/// cut_weight times the weight of cut hyperedges.
class JetTwin {
 public:
  JetTwin(const SetHypergraph& h, std::vector<PartId> parts, std::vector<Weight> capacities,
          NodeId num_terminals, Weight cut_weight = 0, Relief relief = Relief::of_few_parts)
      : h_(h),
        parts_(std::move(parts)),
        capacities_(std::move(capacities)),
        num_terminals_(num_terminals),
        cut_weight_(cut_weight),
        relief_(relief),
        pins_(h.weights.size()),
        incident_(parts_.size()) {
    for (HyperedgeId e = 0; e < pins_.size(); ++e) {
      pins_[e] = h.sources[e];
      pins_[e].insert(pins_[e].end(), h.destinations[e].begin(), h.destinations[e].end());
      for (const NodeId n : pins_[e]) incident_[n].push_back(e);
    }
  }

  [[nodiscard]] const std::vector<PartId>& parts() const { return parts_; }

  [[nodiscard]] std::vector<Weight> sizes() const {
    std::vector<Weight> sizes(capacities_.size());
    for (NodeId n = 0; n < parts_.size(); ++n) sizes[parts_[n]] += h_.sizes[n];
    return sizes;
  }

  [[nodiscard]] Weight overload() const {
    const auto now = sizes();
    Weight sum = 0;
    for (std::size_t p = 0; p < now.size(); ++p) sum += std::max<Weight>(0, now[p] - capacities_[p]);
    return sum;
  }

  [[nodiscard]] Weight connectivity() const {
    Weight sum = 0;
    for (HyperedgeId e = 0; e < pins_.size(); ++e) {
      std::set<PartId> touched;
      for (const NodeId n : pins_[e]) touched.insert(parts_[n]);
      if (!touched.empty()) sum += h_.weights[e] * static_cast<Weight>(touched.size() - 1);
    }
    return sum;
  }

  [[nodiscard]] Weight objective() const {
    Weight sum = connectivity();
    for (HyperedgeId e = 0; e < pins_.size(); ++e)
      if (!pins_[e].empty() && pins_in(e, parts_[pins_[e][0]]) < num_pins(e))
        sum += cut_weight_ * h_.weights[e];
    return sum;
  }

  /// Best move of every node that may move, as far as it is tolerable, in the order of nodes.
  [[nodiscard]] std::vector<Move> propose_unlimited(std::uint64_t seed, Weight stay_percent,
                                                    const std::set<NodeId>& excluded) const {
    std::vector<Move> moves;
    for (NodeId n = 0; n < parts_.size(); ++n) {
      if (is_terminal(n) || excluded.contains(n)) continue;
      const Move best = best_move(n, seed, [](PartId) { return true; });
      if (best.target != invalid_id && best.gain >= -(stay(n) * stay_percent / 100)) moves.push_back(best);
    }
    return moves;
  }

  /// Best move of every node out of overloaded parts into parts that hold it.
  [[nodiscard]] std::vector<Move> propose_relief(std::uint64_t seed) const {
    const auto now = sizes();
    std::vector<Move> moves;
    for (NodeId n = num_terminals_; n < parts_.size(); ++n) {
      if (now[parts_[n]] <= capacities_[parts_[n]]) continue;
      const Move best = best_move(n, seed, [&](PartId p) { return now[p] + h_.sizes[n] <= capacities_[p]; });
      if (best.target != invalid_id) moves.push_back(best);
    }
    return moves;
  }

  void relieve(std::uint64_t seed) {
    for (std::uint64_t round = 0; round < 16 && overload() > 0; ++round)
      if (!relieve_once(mix(seed, round))) return;
  }

  void refine(std::uint64_t seed) {
    relieve(seed);
    std::vector<PartId> best = parts_;
    Weight best_objective = objective(), best_overload = overload();
    for (const Weight temperature : {75, 65, 56, 46, 37, 28, 18, 9, 0}) {
      std::set<NodeId> excluded;
      for (int idle = 0; idle < 3; ++idle) {
        seed = mix(seed);
        const std::vector<Move> moves = afterburned(propose_unlimited(seed, temperature, excluded));
        if (moves.empty() && idle > 0) break;
        excluded.clear();
        for (const Move& move : moves) {
          parts_[move.node] = move.target;
          excluded.insert(move.node);
        }
        relieve(seed);
        const Weight now = objective(), over = overload();
        if (over > best_overload || (over == best_overload && now >= best_objective)) continue;
        if (over < best_overload || best_objective - now > best_objective / 1000) idle = -1;
        best = parts_;
        best_objective = now;
        best_overload = over;
      }
      parts_ = best;
    }
  }

 private:
  [[nodiscard]] bool is_terminal(NodeId n) const { return n < num_terminals_; }

  [[nodiscard]] Weight pins_in(HyperedgeId e, PartId part) const {
    return std::count_if(pins_[e].begin(), pins_[e].end(), [&](NodeId n) { return parts_[n] == part; });
  }

  [[nodiscard]] Weight num_pins(HyperedgeId e) const { return static_cast<Weight>(pins_[e].size()); }

  [[nodiscard]] Weight gain(NodeId n, PartId target) const {
    Weight sum = 0;
    for (const HyperedgeId e : incident_[n]) {
      if (pins_in(e, parts_[n]) == 1) sum += h_.weights[e];
      if (pins_in(e, target) == 0) sum -= h_.weights[e];
      if (num_pins(e) == 1) continue;
      if (pins_in(e, parts_[n]) == num_pins(e)) sum -= cut_weight_ * h_.weights[e];
      if (pins_in(e, target) == num_pins(e) - 1) sum += cut_weight_ * h_.weights[e];
    }
    return sum;
  }

  /// What leaving its part costs n: weight of hyperedges that it shares with others there, and what those
  /// would be cut for.
  [[nodiscard]] Weight stay(NodeId n) const {
    Weight sum = 0;
    for (const HyperedgeId e : incident_[n])
      if (pins_in(e, parts_[n]) > 1)
        sum += h_.weights[e] * (1 + (pins_in(e, parts_[n]) == num_pins(e) ? cut_weight_ : 0));
    return sum;
  }

  template <class Allowed>
  [[nodiscard]] Move best_move(NodeId n, std::uint64_t seed, const Allowed& allowed) const {
    const std::vector<Move> moves = moves_of(n, seed, allowed);
    return moves.empty() ? Move{n, invalid_id, 0} : moves[0];
  }

  /// All moves of n, best first.
  template <class Allowed>
  [[nodiscard]] std::vector<Move> moves_of(NodeId n, std::uint64_t seed, const Allowed& allowed) const {
    std::set<PartId> adjacent;
    for (const HyperedgeId e : incident_[n])
      if (h_.weights[e] > 0)
        for (const NodeId m : pins_[e]) adjacent.insert(parts_[m]);
    adjacent.erase(parts_[n]);
    std::vector<Move> moves;
    for (const PartId p : adjacent)
      if (allowed(p)) moves.push_back({n, p, gain(n, p)});
    std::sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) {
      return std::tuple(a.gain, mix(a.target, seed), a.target) >
             std::tuple(b.gain, mix(b.target, seed), b.target);
    });
    return moves;
  }

  /// Those that gain if all of higher gain, or equal gain and smaller node, go ahead.
  [[nodiscard]] std::vector<Move> afterburned(std::vector<Move> moves) const {
    by_gain(moves);
    JetTwin after = *this;
    std::vector<Move> kept;
    for (const Move& move : moves) {
      if (after.gain(move.node, move.target) >= 0) kept.push_back(move);
      after.parts_[move.node] = move.target;
    }
    return kept;
  }

  static void by_gain(std::vector<Move>& moves) {
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.gain > b.gain; });
  }

  bool relieve_once(std::uint64_t seed) {
    std::vector<Move> moves = propose_relief(seed);
    std::erase_if(moves, [&](const Move& move) { return h_.sizes[move.node] == 0; });
    for (Move& move : moves) move.gain = -rank(move);
    by_gain(moves);
    const std::vector<Move> placed =
        relief_ == Relief::of_few_parts ? fitting(moves) : placed_one_by_one(offered(moves), seed);
    for (const Move& move : placed) parts_[move.node] = move.target;
    return !placed.empty();
  }

  [[nodiscard]] Weight rank(const Move& move) const {
    return static_cast<Weight>(rank_of_relief(move.gain, h_.sizes[move.node]));
  }

  /// Of moves in order, those that parts need and have room for.
  [[nodiscard]] std::vector<Move> fitting(const std::vector<Move>& moves) const {
    const auto now = sizes();
    std::vector<Weight> left(now.size()), arrived(now.size());
    std::vector<Move> result;
    for (const Move& move : moves) {
      const PartId from = parts_[move.node];
      const bool leaves = left[from] < now[from] - capacities_[from];
      left[from] += h_.sizes[move.node];
      if (!leaves) continue;
      arrived[move.target] += h_.sizes[move.node];
      if (arrived[move.target] <= capacities_[move.target] - now[move.target]) result.push_back(move);
    }
    return result;
  }

  /// The nodes of moves in order, as far as parts offer them: of twice their excess.
  [[nodiscard]] std::vector<NodeId> offered(const std::vector<Move>& moves) const {
    const auto now = sizes();
    std::vector<Weight> left(now.size());
    std::vector<NodeId> nodes;
    for (const Move& move : moves) {
      const PartId from = parts_[move.node];
      if (left[from] < 2 * (now[from] - capacities_[from])) nodes.push_back(move.node);
      left[from] += h_.sizes[move.node];
    }
    return nodes;
  }

  /// Always the best, by rank, of all moves that nodes are about to try: each one's best four, one after the
  /// other. Of equal ones the first to be tried.
  [[nodiscard]] std::vector<Move> placed_one_by_one(const std::vector<NodeId>& nodes,
                                                    std::uint64_t seed) const {
    auto now = sizes();
    const auto before = now;
    std::map<std::pair<Weight, std::size_t>, std::vector<Move>> tries;  // by rank and turn
    std::size_t turn = 0;
    for (const NodeId n : nodes) {
      std::vector<Move> moves =
          moves_of(n, seed, [&](PartId p) { return before[p] + h_.sizes[n] <= capacities_[p]; });
      if (moves.size() > 4) moves.resize(4);
      tries[{rank(moves[0]), turn++}] = moves;
    }
    std::vector<Move> placed;
    while (!tries.empty()) {
      std::vector<Move> moves = tries.begin()->second;
      tries.erase(tries.begin());
      const Move move = moves[0];
      const PartId from = parts_[move.node];
      if (now[from] <= capacities_[from]) continue;
      if (now[move.target] + h_.sizes[move.node] <= capacities_[move.target]) {
        now[from] -= h_.sizes[move.node];
        now[move.target] += h_.sizes[move.node];
        placed.push_back(move);
      } else if (moves.size() > 1) {
        moves.erase(moves.begin());
        tries[{rank(moves[0]), turn++}] = moves;
      }
    }
    return placed;
  }

  const SetHypergraph& h_;
  std::vector<PartId> parts_;
  std::vector<Weight> capacities_;
  NodeId num_terminals_;
  Weight cut_weight_;
  Relief relief_;
  std::vector<std::vector<NodeId>> pins_;
  std::vector<std::vector<HyperedgeId>> incident_;
};

}  // namespace kohypar::reference

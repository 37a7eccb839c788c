// Chains of moves, one step after the other as src/refinement/chains.hpp words the rules.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "reference/events.hpp"

namespace kohypar::reference {

/// What chains know of a move; its position is its index in a vector of these.
struct ChainMove {
  PartId source = 0, target = 0;
  Weight gain = 0, size = 0, inbound_size = 0;
};

inline Weight distance(const ChainMove& a, const ChainMove& b) {
  return 10 * std::abs(a.size - b.size) + std::abs(a.inbound_size - b.inbound_size);
}

inline bool same_power_of_two(Weight a, Weight b) {
  if (a == 0 || b == 0) return a == b;
  Weight power = 1;
  while (power * 2 <= std::min(a, b)) power *= 2;
  return std::max(a, b) < power * 2;
}

/// Positions that follow each other; -1 is none.
struct Links {
  std::vector<int> successor, predecessor;
};

/// The best successor for move i among those without predecessor, given by (-gain, position); -1 if none.
inline int choose_successor(const std::vector<ChainMove>& moves, const std::vector<int>& by_gain,
                            const Links& links, int i, int window) {
  int best = -1;
  for (const int m : by_gain) {
    if (links.predecessor[m] != -1 || moves[m].source != moves[i].target ||
        !same_power_of_two(moves[m].size, moves[i].size))
      continue;
    if (window-- == 0) break;
    const auto grade = [&](int candidate) {
      return std::tuple(-moves[candidate].gain, distance(moves[i], moves[candidate]), candidate);
    };
    if (best == -1 || grade(m) < grade(best)) best = m;
  }
  return best;
}

inline Links link_moves(const std::vector<ChainMove>& moves, int rounds, int window) {
  const int n = static_cast<int>(moves.size());
  std::vector<int> by_gain(n);
  std::iota(by_gain.begin(), by_gain.end(), 0);
  std::stable_sort(by_gain.begin(), by_gain.end(),
                   [&](int a, int b) { return moves[a].gain > moves[b].gain; });
  Links links{std::vector<int>(n, -1), std::vector<int>(n, -1)};
  for (int round = 0; round < rounds; ++round) {
    std::map<int, std::pair<Weight, int>> claims;  // successor to the (distance, position) that gets it
    for (int i = 0; i < n; ++i) {
      if (links.successor[i] != -1) continue;
      const int m = choose_successor(moves, by_gain, links, i, window);
      if (m == -1) continue;
      const std::pair claim(distance(moves[i], moves[m]), i);
      const auto found = claims.emplace(m, claim).first;
      found->second = std::min(found->second, claim);
    }
    for (const auto& [m, claim] : claims) {
      links.successor[claim.second] = m;
      links.predecessor[m] = claim.second;
    }
  }
  return links;
}

/// Paths and cycles, each from its first move to its last.
inline std::vector<std::vector<int>> extract_chains(const Links& links) {
  const int n = static_cast<int>(links.successor.size());
  std::vector<std::vector<int>> chains;
  std::vector<bool> seen(n, false);
  const auto follow = [&](int start) {
    chains.emplace_back();
    for (int i = start; i != -1 && !seen[i]; i = links.successor[i]) {
      seen[i] = true;
      chains.back().push_back(i);
    }
  };
  for (int i = 0; i < n; ++i)
    if (links.predecessor[i] == -1) follow(i);
  for (int i = 0; i < n; ++i)
    if (!seen[i]) follow(i);
  return chains;
}

/// The order of the moves, as positions.
inline std::vector<std::uint32_t> sequence_by_chains(const std::vector<ChainMove>& moves, int rounds,
                                                     int window) {
  auto chains = extract_chains(link_moves(moves, rounds, window));
  const auto rank = [&](const std::vector<int>& chain) {
    Weight total = 0;
    for (const int i : chain) total += moves[i].gain;
    return std::pair(-total, chain.back());
  };
  std::sort(chains.begin(), chains.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<std::uint32_t> sequence;
  for (const auto& chain : chains) sequence.insert(sequence.end(), chain.rbegin(), chain.rend());
  return sequence;
}

}  // namespace kohypar::reference

// For every node the few neighbours it would best be clustered with.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/options.hpp>

namespace kohypar {

/// The rating of node pairs, in integers: eta(n, m) = noise + sum of r(e) over shared hyperedges e, with
/// r(e) = max(1, floor(weight * 2^shift / |e|)); the score divides by the root of the product of the two
/// sizes. Symmetric in n and m, so that all nodes agree on the order of pairs.
struct Rating {
  int shift = 0;            ///< chosen so that every sum of scores stays below 2^62
  std::uint64_t noise = 1;  ///< noise is below this: a tenth of the mean r(e)
  std::uint64_t seed = 0;   ///< of (seed, level)
  int size_power = 1;       ///< how often scores are divided by the root of the sizes' product, 0 to 2
  /// Hyperedges of more pins are rated between destinations at most `reach` places apart in their order, and
  /// between these and sources, which are few: all pairs would be quadratic, and say little. (One hyperedge
  /// over half of 60000 nodes, the first level on one thread: all pairs 43 s, a reach of 1024 7.5 s. Networks
  /// of the benchmarks have none so long.)
  PinOffset longest_whole = PinOffset{1} << 13;
  PinOffset reach = PinOffset{1} << 8;
};

/// Chooses the scale for a hypergraph's weights.
Rating make_rating(const ExecutionSpace& space, const Hypergraph& hypergraph, std::uint64_t seed, int level,
                   int size_power);

/// What a pair must respect to be a candidate.
struct PairLimits {
  Weight max_size = 0;        ///< of the two together
  Weight max_inbound = 0;     ///< of the two together, shared hyperedges that rate the pair counted once
  DeviceView<PartId> within;  ///< if not empty: only pairs inside one part
};

/// Up to `per_node` valid neighbours of every node, best first by (score, hash of the pair): a strict order
/// that both ends of a pair share. Unused places hold invalid_id.
struct Candidates {
  int per_node = 0;
  DeviceView<NodeId> neighbors;  ///< num_nodes * per_node
  DeviceView<Weight> scores;     ///< likewise
};

inline constexpr int max_candidates_per_node = 8;

/// Counts shared hyperedges, as far as they are rated, in scratch-memory histograms, a team per node (arXiv
/// 2605.20497, section V-C): hash tables, several passes over classes of ids where one table is too small, or
/// dense tiles of the id range for nodes with about as many neighbours as there are nodes. A thread of a host
/// has memory for a histogram over all ids, unless they are very many or `tuning` gives tiles. With a stride
/// above 1 only ids that it divides get candidates.
Candidates propose_candidates(const ExecutionSpace& space, const Hypergraph& hypergraph, const Rating& rating,
                              const PairLimits& limits, int per_node, const Tuning& tuning,
                              NodeId stride = 1);

}  // namespace kohypar

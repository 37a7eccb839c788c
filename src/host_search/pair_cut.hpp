// A smaller cut between two parts, found by maximum flow.
#pragma once

#include <vector>

#include "host_search/problem.hpp"

namespace kohypar {

/// How far and how long to look for a cut.
struct PairCutEffort {
  /// Of nodes that may change places, from the cut: 1 is its pins. (Nine circuits in 2 to 16 parts, km1 next
  /// to that without flows, visits not limited: 2 hops 0.9850 in 1.2 times the time, 3 hops 0.9835 in 1.9
  /// times.)
  int hops = 2;
  /// Nodes that may leave a part are of so much size that the other part could be above its capacity by as
  /// many times its room to spare. (16, 32, 100 times on the finest level alone: 0.9870, 0.9850, 0.9838.)
  Weight rooms = 100;
  /// Times the arcs of the network that may be looked at. (Five circuits in 2 to 16 parts: pairs that take
  /// more than 160 times make a hundredth of the gain in a fifth of the work.)
  std::uint64_t visits_per_arc = 128;
};

/// What two parts gain when nodes go from each to the other.
struct PairCut {
  Weight gain = 0;  ///< of connectivity; 0: none was found
  std::vector<NodeId> moved;
};

/// Two parts as they are, and hyperedges where the cut between them may be.
struct PartPair {
  PartId parts[2];
  Weight sizes[2];
  std::vector<HyperedgeId> hyperedges;  ///< each once; some may have no pins in one of the two
};

/// Looks for a smaller cut between two parts that keeps both within their capacities. A network of the nodes
/// near the cut, all others of a part its terminal, has minimum cuts next to either terminal. As long as both
/// leave one side too large, the smaller side takes in one more node from across its cut, if possible one
/// that opens no path, and among those one that lies deep in its own part; then the flow goes on: FlowCutter
/// (Gottesbüren, Hamann, Wagner, "Evaluation of a Flow-Based Hypergraph Bipartitioning Algorithm", ESA 2019).
/// A hyperedge with more than two pins is an arc, of its weight, from where all its pins lead to where all
/// are led to (Lawler, "Cutsets and Partitions of Hypergraphs", 1973).
/// @param parts of all nodes; whatever those other than the two are
PairCut find_pair_cut(const HostLevel& level, const HostProblem& problem, const std::vector<PartId>& parts,
                      const PartPair& pair, const PairCutEffort& effort);

}  // namespace kohypar

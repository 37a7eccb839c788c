// Metrics and violations of any partition, recomputed from the hypergraph alone.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>
#include <span>
#include <string>
#include <vector>

namespace kohypar {

/// What one part uses of its limits.
struct PartUse {
  Weight size = 0;     ///< sum of node sizes
  Weight inbound = 0;  ///< distinct hyperedges with a destination in the part
  std::uint64_t num_nodes = 0;
};

/// A limit that a part exceeds, or that the number of parts does, or a fixed node that stands elsewhere.
struct Violation {
  enum class Kind { size, inbound, parts, fixed };
  PartId part = 0;  ///< invalid_id if there are too many parts; of a fixed node, the one it is fixed to
  Kind kind = Kind::size;
  Weight value = 0;          ///< of a fixed node, the part it stands in
  Weight limit = 0;          ///< of a fixed node, the part it is fixed to
  NodeId node = invalid_id;  ///< the fixed node
};

struct CutHyperedge {
  HyperedgeId hyperedge = 0;
  PartId lambda = 0;  ///< parts it touches
};

/// Metrics of a partition, in scaled integer weights (divide by 2^weight_exponent for real ones).
struct Quality {
  Weight connectivity = 0;  ///< km1: sum of weight * (lambda - 1)
  Weight cut_net = 0;       ///< sum of weights of hyperedges with lambda > 1
  Weight soed = 0;          ///< sum of weight * lambda over hyperedges with lambda > 1
  PartId num_parts = 0;     ///< highest part id + 1, and no fewer than a balance has
  PartId num_empty_parts = 0;
  double imbalance = 0;  ///< max part size / ceil(total size / num_parts) - 1; num_parts being the balance's
  std::uint64_t num_cut_hyperedges = 0;
  std::vector<PartUse> parts;
  std::vector<Violation> violations;
  PartId parts_near_size_limit = 0;  ///< at 95 % of it, or of their capacity, or above
  PartId parts_near_inbound_limit = 0;
  int weight_exponent = 0;

  [[nodiscard]] double real(Weight value) const;  ///< value as the input's own weights
  [[nodiscard]] bool valid() const { return violations.empty(); }
};

/// Recomputes every metric on the host from pins and parts; shares nothing with the partitioner.
/// @param parts one part id per node, below the number of nodes or 2^20, whichever is larger.
/// Throws Error(input) on a wrong length or id.
Quality evaluate(const HostHypergraph& hypergraph, std::span<const PartId> parts, const Limits& limits);

/// Likewise, checked against a balance: sizes against the capacity of each part, the number of parts, and
/// fixed nodes. Throws Error(usage) if the balance has no parts or fixes another number of nodes.
Quality evaluate(const HostHypergraph& hypergraph, std::span<const PartId> parts, const Balance& balance);

/// Hyperedges with lambda > 1, ascending by id. Takes and throws what `evaluate` does.
std::vector<CutHyperedge> cut_hyperedges(const HostHypergraph& hypergraph, std::span<const PartId> parts);

}  // namespace kohypar

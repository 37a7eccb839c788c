#include <algorithm>
#include <cmath>
#include <kohypar/error.hpp>
#include <kohypar/quality.hpp>
#include <utility>

namespace kohypar {

namespace {

/// Parts are counted densely, so that an absurd id must not cost absurd memory. Larger hypergraphs may have
/// as many parts as nodes.
constexpr PartId always_allowed_parts = PartId{1} << 20;

void check_parts(const HostHypergraph& hypergraph, std::span<const PartId> parts) {
  if (parts.size() != hypergraph.num_nodes)
    throw Error(ErrorKind::input, "the partition has " + std::to_string(parts.size()) +
                                      " entries, but the hypergraph has " +
                                      std::to_string(hypergraph.num_nodes) + " nodes");
  const PartId allowed = std::max(hypergraph.num_nodes, always_allowed_parts);
  const auto bad = std::find_if(parts.begin(), parts.end(), [&](PartId part) { return part >= allowed; });
  if (bad != parts.end())
    throw Error(ErrorKind::input, "node " + std::to_string(bad - parts.begin()) + " is in part " +
                                      std::to_string(*bad) + ", but part ids must be below " +
                                      std::to_string(allowed));
}

PartId count_parts(std::span<const PartId> parts) {
  return parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end()) + 1;
}

/// Finds the distinct parts of one hyperedge after the other.
class DistinctParts {
 public:
  DistinctParts(const HostHypergraph& hypergraph, std::span<const PartId> parts)
      : hypergraph_(hypergraph), parts_(parts), last_seen_(count_parts(parts), invalid_id) {}

  /// Number of parts that hyperedge `e` touches. Calls `inbound(part)` once for each part that holds one of
  /// its destinations. A hyperedge must not be asked for twice in a row.
  template <class Inbound>
  PartId count(HyperedgeId e, const Inbound& inbound) {
    const PinOffset begin = hypergraph_.hyperedge_offsets[e], end = hypergraph_.hyperedge_offsets[e + 1];
    const PinOffset destinations = begin + hypergraph_.source_counts[e];
    PartId lambda = 0;
    // Destinations first: a part that holds a source as well is inbound all the same.
    for (PinOffset i = destinations; i < end; ++i)
      if (is_new(e, i)) {
        ++lambda;
        inbound(parts_[hypergraph_.pins[i]]);
      }
    for (PinOffset i = begin; i < destinations; ++i)
      if (is_new(e, i)) ++lambda;
    return lambda;
  }

 private:
  bool is_new(HyperedgeId e, PinOffset pin) {
    HyperedgeId& last = last_seen_[parts_[hypergraph_.pins[pin]]];
    return std::exchange(last, e) != e;
  }

  const HostHypergraph& hypergraph_;
  std::span<const PartId> parts_;
  std::vector<HyperedgeId> last_seen_;  ///< per part: the last hyperedge that touched it
};

void add_node_sizes(const HostHypergraph& hypergraph, std::span<const PartId> parts, Quality& quality) {
  for (NodeId n = 0; n < hypergraph.num_nodes; ++n) {
    PartUse& use = quality.parts[parts[n]];
    use.size += hypergraph.node_sizes[n];
    ++use.num_nodes;
  }
  quality.num_empty_parts = static_cast<PartId>(std::count_if(
      quality.parts.begin(), quality.parts.end(), [](const PartUse& use) { return use.num_nodes == 0; }));
}

void add_hyperedges(const HostHypergraph& hypergraph, std::span<const PartId> parts, Quality& quality) {
  DistinctParts distinct(hypergraph, parts);
  for (HyperedgeId e = 0; e < hypergraph.num_hyperedges(); ++e) {
    const PartId lambda = distinct.count(e, [&](PartId part) { ++quality.parts[part].inbound; });
    if (lambda < 2) continue;
    const Weight weight = hypergraph.hyperedge_weights[e];
    quality.connectivity += weight * (lambda - 1);
    quality.cut_net += weight;
    quality.soed += weight * lambda;
    ++quality.num_cut_hyperedges;
  }
}

/// Of the largest part above its share, if `num_parts` share.
double imbalance(const Quality& quality, PartId num_parts) {
  Weight total = 0, largest = 0;
  for (const PartUse& use : quality.parts) {
    total += use.size;
    largest = std::max(largest, use.size);
  }
  if (total == 0) return 0;
  const Weight average = (total - 1) / num_parts + 1;
  return static_cast<double>(largest) / static_cast<double>(average) - 1;
}

bool is_near(Weight value, Weight limit) {
  return limit != unlimited && value >= limit - limit / 20;
}

void compare_with_size(PartId part, Weight limit, Quality& quality) {
  const Weight size = quality.parts[part].size;
  if (size > limit) quality.violations.push_back({part, Violation::Kind::size, size, limit});
  if (is_near(size, limit)) ++quality.parts_near_size_limit;
}

void compare_with_count(PartId limit, Quality& quality) {
  if (quality.num_parts > limit)
    quality.violations.push_back({invalid_id, Violation::Kind::parts, quality.num_parts, limit});
}

void compare_with_limits(const Limits& limits, Quality& quality) {
  for (PartId p = 0; p < quality.num_parts; ++p) {
    compare_with_size(p, limits.max_size, quality);
    const Weight inbound = quality.parts[p].inbound;
    if (inbound > limits.max_inbound)
      quality.violations.push_back({p, Violation::Kind::inbound, inbound, limits.max_inbound});
    if (is_near(inbound, limits.max_inbound)) ++quality.parts_near_inbound_limit;
  }
  compare_with_count(limits.max_parts, quality);
}

void compare_with_balance(std::span<const PartId> parts, const Balance& balance, Quality& quality) {
  for (PartId p = 0; p < balance.num_parts(); ++p) compare_with_size(p, balance.capacities[p], quality);
  compare_with_count(balance.num_parts(), quality);
  for (NodeId n = 0; n < balance.fixed.size(); ++n)
    if (balance.fixed[n] != invalid_id && balance.fixed[n] != parts[n])
      quality.violations.push_back({balance.fixed[n], Violation::Kind::fixed, parts[n], balance.fixed[n], n});
}

void check_balance_fits(const HostHypergraph& hypergraph, const Balance& balance) {
  if (balance.capacities.empty()) throw Error(ErrorKind::usage, "the number of parts must be at least 1");
  if (!balance.fixed.empty() && balance.fixed.size() != hypergraph.num_nodes)
    throw Error(ErrorKind::usage, "parts are fixed for " + std::to_string(balance.fixed.size()) +
                                      " nodes, but the hypergraph has " +
                                      std::to_string(hypergraph.num_nodes));
}

/// All metrics, against no limits; of `least_parts` parts or more.
Quality measure(const HostHypergraph& hypergraph, std::span<const PartId> parts, PartId least_parts) {
  check_parts(hypergraph, parts);
  Quality quality;
  quality.weight_exponent = hypergraph.weight_exponent;
  quality.num_parts = std::max(count_parts(parts), least_parts);
  quality.parts.resize(quality.num_parts);
  add_node_sizes(hypergraph, parts, quality);
  add_hyperedges(hypergraph, parts, quality);
  return quality;
}

}  // namespace

double Quality::real(Weight value) const {
  return std::ldexp(static_cast<double>(value), -weight_exponent);
}

Quality evaluate(const HostHypergraph& hypergraph, std::span<const PartId> parts, const Limits& limits) {
  Quality quality = measure(hypergraph, parts, 0);
  quality.imbalance = imbalance(quality, quality.num_parts);
  compare_with_limits(limits, quality);
  return quality;
}

Quality evaluate(const HostHypergraph& hypergraph, std::span<const PartId> parts, const Balance& balance) {
  check_balance_fits(hypergraph, balance);
  Quality quality = measure(hypergraph, parts, balance.num_parts());
  quality.imbalance = imbalance(quality, balance.num_parts());
  compare_with_balance(parts, balance, quality);
  return quality;
}

std::vector<CutHyperedge> cut_hyperedges(const HostHypergraph& hypergraph, std::span<const PartId> parts) {
  check_parts(hypergraph, parts);
  DistinctParts distinct(hypergraph, parts);
  std::vector<CutHyperedge> cut;
  for (HyperedgeId e = 0; e < hypergraph.num_hyperedges(); ++e) {
    const PartId lambda = distinct.count(e, [](PartId) {});
    if (lambda > 1) cut.push_back({e, lambda});
  }
  return cut;
}

}  // namespace kohypar

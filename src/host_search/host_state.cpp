#include "host_search/host_state.hpp"

#include <algorithm>

namespace kohypar {

HostState::HostState(const HostLevel& level, const Limits& limits, std::vector<PartId> parts,
                     PartId num_parts)
    : level_(level),
      limits_(limits),
      parts_(std::move(parts)),
      sizes_(num_parts, 0),
      inbound_(num_parts, 0),
      entries_(level.num_pins),
      lambda_(level.num_hyperedges, 0),
      words_((num_parts + std::size_t{63}) / 64),
      shared_(std::size_t{level.num_nodes} * num_parts, 0),
      adjacent_(level.num_nodes * words_, 0),
      benefit_(level.num_nodes, 0) {
  for (NodeId n = 0; n < level.num_nodes; ++n) {
    sizes_[parts_[n]] += level.node_sizes(n);
    inbound_[parts_[n]] += level.base_inbound(n);
  }
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) {
    const PinOffset begin = level.hyperedge_offsets(e), end = level.hyperedge_offsets(e + 1);
    const Weight weight = level.hyperedge_weights(e);
    for (PinOffset i = begin; i < end; ++i) {
      benefit_[level.pins(i)] -= weight;
      add_pin(e, parts_[level.pins(i)], i >= begin + level.source_counts(e));
    }
    if (lambda_[e] > 0) connectivity_ -= weight;  // km1 counts all parts but one
    for (const Entry& entry : entries(e)) {
      share(e, entry.part, weight);
      if (entry.pins == 1) reward_single_pin(e, entry.part, invalid_id, weight);
    }
  }
  if (std::none_of(inbound_.begin(), inbound_.end(),
                   [&](Weight inbound) { return inbound > limits.max_inbound / 4 * 3; }))
    return;
  shared_inbound_.assign(shared_.size(), 0);
  for (HyperedgeId e = 0; e < level.num_hyperedges; ++e)
    for (const Entry& entry : entries(e))
      for (const NodeId m : pins(e).subspan(level.source_counts(e)))
        if (entry.destinations > 0)
          shared_inbound_[std::size_t{m} * num_parts + entry.part] += level.multiplicities(e);
}

/// Returns how many pins are left.
std::uint32_t HostState::take_pin(HyperedgeId e, PartId part, bool is_destination) {
  Entry* const begin = entries_.data() + level_.hyperedge_offsets(e);
  Entry* entry = begin;
  while (entry->part != part) ++entry;
  if (is_destination && --entry->destinations == 0) share_inbound(e, part, -level_.multiplicities(e));
  if (--entry->pins > 0) return entry->pins;
  *entry = begin[--lambda_[e]];
  connectivity_ -= level_.hyperedge_weights(e);
  return 0;
}

/// Returns how many pins were there before.
std::uint32_t HostState::add_pin(HyperedgeId e, PartId part, bool is_destination) {
  Entry* const begin = entries_.data() + level_.hyperedge_offsets(e);
  Entry* const end = begin + lambda_[e];
  Entry* const entry = std::find_if(begin, end, [part](const Entry& x) { return x.part == part; });
  if (entry == end) {
    *entry = {part, 0, 0};
    ++lambda_[e];
    connectivity_ += level_.hyperedge_weights(e);
  }
  if (is_destination && entry->destinations++ == 0) share_inbound(e, part, level_.multiplicities(e));
  return entry->pins++;
}

void HostState::share(HyperedgeId e, PartId part, Weight weight) {
  const std::uint64_t bit = std::uint64_t{1} << (part % 64);
  for (const NodeId m : pins(e)) {
    Weight& shared = shared_[std::size_t{m} * num_parts() + part];
    shared += weight;
    std::uint64_t& word = adjacent_[m * words_ + part / 64];
    word = shared > 0 ? word | bit : word & ~bit;
  }
}

/// What e adds to the inbound hyperedges of a part, and to those that its destinations share with it.
void HostState::share_inbound(HyperedgeId e, PartId part, Weight multiplicity) {
  inbound_[part] += multiplicity;
  if (shared_inbound_.empty()) return;
  for (const NodeId m : pins(e).subspan(level_.source_counts(e)))
    shared_inbound_[std::size_t{m} * num_parts() + part] += multiplicity;
}

void HostState::reward_single_pin(HyperedgeId e, PartId part, NodeId except, Weight weight) {
  for (const NodeId m : pins(e)) {
    if (parts_[m] != part || m == except) continue;
    benefit_[m] += weight;
    return;
  }
}

Weight HostState::new_inbound(NodeId n, PartId p) const {
  if (!shared_inbound_.empty())
    return level_.inbound_sizes(n) - shared_inbound_[std::size_t{n} * num_parts() + p];
  Weight sum = level_.base_inbound(n);
  const PinOffset begin = level_.node_offsets(n);
  for (PinOffset at = begin; at < begin + level_.inbound_counts(n); ++at) {
    const auto list = entries(level_.incident(at));
    const auto entry = std::find_if(list.begin(), list.end(), [p](const Entry& x) { return x.part == p; });
    if (entry == list.end() || entry->destinations == 0) sum += level_.multiplicities(level_.incident(at));
  }
  return sum;
}

void HostState::move(NodeId n, PartId to, std::vector<HyperedgeId>* affected) {
  const PartId from = parts_[n];
  sizes_[from] -= level_.node_sizes(n);
  sizes_[to] += level_.node_sizes(n);
  inbound_[from] -= level_.base_inbound(n);
  inbound_[to] += level_.base_inbound(n);
  parts_[n] = to;
  const PinOffset begin = level_.node_offsets(n), end = level_.node_offsets(n + 1);
  const PinOffset first_outbound = begin + level_.inbound_counts(n);
  for (PinOffset at = begin; at < end; ++at) {
    const HyperedgeId e = level_.incident(at);
    const Weight weight = level_.hyperedge_weights(e);
    const std::uint32_t left = take_pin(e, from, at < first_outbound);
    const std::uint32_t before = add_pin(e, to, at < first_outbound);
    if (left == 0) {
      share(e, from, -weight);
      benefit_[n] -= weight;
    } else if (left == 1) {
      reward_single_pin(e, from, n, weight);
    }
    if (before == 0) {
      share(e, to, weight);
      benefit_[n] += weight;
    } else if (before == 1) {
      reward_single_pin(e, to, n, -weight);
    }
    if (affected != nullptr && (left < 2 || before < 2)) affected->push_back(e);
  }
}

}  // namespace kohypar

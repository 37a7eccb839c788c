#include "host_search/host_state.hpp"

#include <algorithm>

namespace kohypar {

HostState::HostState(const HostLevel& level, const HostProblem& problem, std::vector<PartId> parts,
                     PartId num_parts)
    : level_(level),
      problem_(problem),
      parts_(std::move(parts)),
      sizes_(num_parts, 0),
      inbound_(num_parts, 0),
      entries_(std::make_unique_for_overwrite<Entry[]>(level.num_pins)),
      lambda_(level.num_hyperedges, 0),
      shares_(level.num_nodes),
      benefit_(level.num_nodes, 0) {
  for (NodeId n = 0; n < level.num_nodes; ++n) {
    sizes_[parts_[n]] += level.node_sizes(n);
    inbound_[parts_[n]] += level.base_inbound(n);
  }
  count_pins();
  shares_have_inbound_ = std::any_of(inbound_.begin(), inbound_.end(), [&](Weight inbound) {
    return inbound > problem.limits.max_inbound / 4 * 3;
  });
  collect_shares();
}

/// Fills the entries of every hyperedge and what follows from them.
void HostState::count_pins() {
  std::vector<std::uint32_t> place(num_parts(), 0);  // by part: of its entry, if it has one
  for (HyperedgeId e = 0; e < level_.num_hyperedges; ++e) {
    const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
    const PinOffset first_destination = begin + level_.source_counts(e);
    const Weight weight = level_.hyperedge_weights(e);
    Entry* const list = entries_.get() + begin;
    std::uint32_t count = 0;
    for (PinOffset i = begin; i < end; ++i) {
      const NodeId n = level_.pins(i);
      const PartId part = parts_[n];
      benefit_[n] -= weight;
      if (place[part] >= count || list[place[part]].part != part) {
        place[part] = count;
        list[count++] = {part, 0, 0, 0};
      }
      Entry& entry = list[place[part]];
      ++entry.pins;
      entry.destinations += i >= first_destination ? 1 : 0;
      entry.nodes ^= n;
    }
    lambda_[e] = count;
    for (const Entry& entry : entries(e)) {
      if (entry.pins == 1) benefit_[entry.nodes] += weight;
      if (entry.destinations > 0) inbound_[entry.part] += level_.multiplicities(e);
    }
    if (count > 0) objective_ += weight * static_cast<Weight>(count - 1);
    if (count > 1) objective_ += cut_weight(e);
    if (count == 1)
      for (PinOffset i = begin; i < end; ++i) benefit_[level_.pins(i)] -= cut_weight(e);
  }
}

/// Builds the rows of shares, one node after the other.
void HostState::collect_shares() {
  std::vector<std::uint32_t> place(num_parts(), 0);  // by part: of its share, if it has one
  std::vector<PartShare> row(num_parts());
  for (NodeId n = 0; n < level_.num_nodes; ++n) {
    std::uint32_t count = 0;
    const PinOffset begin = level_.node_offsets(n), end = level_.node_offsets(n + 1);
    const PinOffset first_outbound = begin + level_.inbound_counts(n);
    for (PinOffset at = begin; at < end; ++at) {
      const HyperedgeId e = level_.incident(at);
      const Weight weight = level_.hyperedge_weights(e);
      const std::uint32_t inbound = shares_have_inbound_ && at < first_outbound
                                        ? static_cast<std::uint32_t>(level_.multiplicities(e))
                                        : 0;
      for (const Entry& entry : entries(e)) {
        const PartId part = entry.part;
        if (place[part] >= count || row[place[part]].part != part) {
          place[part] = count;
          row[count++] = {0, part, 0};
        }
        const bool has_nearly_all =
            entry.pins + PinOffset{1} >= level_.hyperedge_offsets(e + 1) - level_.hyperedge_offsets(e);
        row[place[part]].weight += weight + (has_nearly_all ? cut_weight(e) : 0);
        if (entry.destinations > 0) row[place[part]].inbound += inbound;
      }
    }
    shares_.append_row({row.data(), count});
  }
}

/// Returns what is left.
HostState::Entry HostState::take_pin(HyperedgeId e, PartId part, NodeId n, bool is_destination) {
  Entry* const begin = entries_.get() + level_.hyperedge_offsets(e);
  Entry* entry = begin;
  while (entry->part != part) ++entry;
  --entry->pins;
  entry->nodes ^= n;
  if (is_destination && --entry->destinations == 0) inbound_[part] -= level_.multiplicities(e);
  const Entry left = *entry;
  if (left.pins == 0) {
    *entry = begin[--lambda_[e]];
    objective_ -= level_.hyperedge_weights(e);
  }
  return left;
}

/// Returns what was there before.
HostState::Entry HostState::add_pin(HyperedgeId e, PartId part, NodeId n, bool is_destination) {
  Entry* const begin = entries_.get() + level_.hyperedge_offsets(e);
  Entry* const end = begin + lambda_[e];
  Entry* const entry = std::find_if(begin, end, [part](const Entry& x) { return x.part == part; });
  if (entry == end) {
    *entry = {part, 0, 0, 0};
    ++lambda_[e];
    objective_ += level_.hyperedge_weights(e);
  }
  const Entry before = *entry;
  ++entry->pins;
  entry->nodes ^= n;
  if (is_destination && entry->destinations++ == 0) inbound_[part] += level_.multiplicities(e);
  return before;
}

/// What e adds to what its pins share with a part, and to the inbound hyperedges that its destinations share.
void HostState::add_share(HyperedgeId e, PartId part, Weight weight, Weight multiplicity) {
  const auto inbound = shares_have_inbound_ ? static_cast<std::uint32_t>(multiplicity) : 0;
  if (weight == 0 && inbound == 0) return;
  const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
  const PinOffset first_destination = begin + level_.source_counts(e);
  if (weight != 0)
    for (PinOffset i = begin; i < first_destination; ++i) shares_.add(level_.pins(i), part, weight, 0);
  for (PinOffset i = first_destination; i < end; ++i) shares_.add(level_.pins(i), part, weight, inbound);
}

/// What e adds to the objective for being cut, besides connectivity.
Weight HostState::cut_weight(HyperedgeId e) const {
  const bool can_be_cut = level_.hyperedge_offsets(e + 1) - level_.hyperedge_offsets(e) > 1;
  return can_be_cut ? problem_.cut_weight * level_.hyperedge_weights(e) : 0;
}

/// e becomes cut, at a positive weight, or ends being so: its pins no longer cut it by moving, or do.
void HostState::change_cut(HyperedgeId e, Weight weight) {
  objective_ += weight;
  for (PinOffset i = level_.hyperedge_offsets(e); i < level_.hyperedge_offsets(e + 1); ++i)
    benefit_[level_.pins(i)] += weight;
}

/// After a pin of e has moved, which leaves so many where it was and found so many where it is now. A part
/// has a share in the cut where it has all pins but one, which could end it by moving there. Gains change
/// only where one of the two parts has at most one pin.
void HostState::follow_cut(HyperedgeId e, PartId from, std::uint32_t left, PartId to, std::uint32_t before) {
  const Weight weight = cut_weight(e);
  const PinOffset cardinality = level_.hyperedge_offsets(e + 1) - level_.hyperedge_offsets(e);
  if (weight == 0) return;
  if (left + PinOffset{1} == cardinality) change_cut(e, weight);
  if (left + PinOffset{2} == cardinality) add_share(e, from, -weight, 0);
  if (before + PinOffset{2} == cardinality) add_share(e, to, weight, 0);
  if (before + PinOffset{1} == cardinality) change_cut(e, -weight);
}

Weight HostState::overload() const {
  Weight sum = 0;
  for (PartId p = 0; p < num_parts(); ++p) sum += std::max<Weight>(0, sizes_[p] - problem_.capacity(p));
  return sum;
}

bool HostState::inbound_fits(NodeId n, const PartShare& share) const {
  const Weight shared = shares_have_inbound_ ? Weight{share.inbound} : count_shared_inbound(n, share.part);
  return level_.inbound_sizes(n) - shared <= problem_.limits.max_inbound - inbound_[share.part];
}

Weight HostState::count_shared_inbound(NodeId n, PartId p) const {
  Weight sum = 0;
  const PinOffset begin = level_.node_offsets(n);
  for (PinOffset at = begin; at < begin + level_.inbound_counts(n); ++at) {
    const auto list = entries(level_.incident(at));
    const auto entry = std::find_if(list.begin(), list.end(), [p](const Entry& x) { return x.part == p; });
    if (entry != list.end() && entry->destinations > 0) sum += level_.multiplicities(level_.incident(at));
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
    const bool inbound = at < first_outbound;
    const Weight weight = level_.hyperedge_weights(e), multiplicity = level_.multiplicities(e);
    const Entry left = take_pin(e, from, n, inbound);
    const Entry before = add_pin(e, to, n, inbound);
    add_share(e, from, left.pins == 0 ? -weight : 0, inbound && left.destinations == 0 ? -multiplicity : 0);
    add_share(e, to, before.pins == 0 ? weight : 0, inbound && before.destinations == 0 ? multiplicity : 0);
    if (left.pins == 0) benefit_[n] -= weight;
    if (left.pins == 1) benefit_[left.nodes] += weight;
    if (before.pins == 0) benefit_[n] += weight;
    if (before.pins == 1) benefit_[before.nodes] -= weight;
    if (problem_.cut_weight > 0) follow_cut(e, from, left.pins, to, before.pins);
    if (affected != nullptr && (left.pins < 2 || before.pins < 2)) affected->push_back(e);
  }
}

}  // namespace kohypar

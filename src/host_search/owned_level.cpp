#include "host_search/owned_level.hpp"

#include <algorithm>
#include <bit>

#include "parallel/hash.hpp"

namespace kohypar {

/// Appends the images of hyperedges to a coarse level, one by one.
class Contractor {
 public:
  /// @param whole_weight_factor times which hyperedges weigh whose pins are all in clusters
  Contractor(const HostLevel& fine, const std::vector<NodeId>& cluster_of, NodeId num_clusters,
             Weight whole_weight_factor, OwnedLevel& coarse)
      : fine_(fine),
        cluster_of_(cluster_of),
        whole_weight_factor_(whole_weight_factor),
        coarse_(coarse),
        source_of_(num_clusters, invalid_id),
        destination_of_(num_clusters, invalid_id),
        table_(std::bit_ceil(std::size_t{2} * fine.num_hyperedges + 1), invalid_id) {
    coarse_.hyperedge_offsets_.push_back(0);
  }

  void append(HyperedgeId e) {
    collect(e);
    const std::size_t cardinality = sources_.size() + destinations_.size();
    if (cardinality == 0) return;
    if (cardinality == 1) {
      if (!destinations_.empty()) coarse_.base_inbound_[destinations_[0]] += fine_.multiplicities(e);
      return;
    }
    std::sort(sources_.begin(), sources_.end());
    std::sort(destinations_.begin(), destinations_.end());
    HyperedgeId& place = find_place();
    if (place == invalid_id) {
      place = static_cast<HyperedgeId>(coarse_.source_counts_.size());
      coarse_.pins_.insert(coarse_.pins_.end(), sources_.begin(), sources_.end());
      coarse_.pins_.insert(coarse_.pins_.end(), destinations_.begin(), destinations_.end());
      coarse_.hyperedge_offsets_.push_back(coarse_.pins_.size());
      coarse_.source_counts_.push_back(static_cast<std::uint32_t>(sources_.size()));
      coarse_.hyperedge_weights_.push_back(0);
      coarse_.multiplicities_.push_back(0);
    }
    coarse_.hyperedge_weights_[place] += fine_.hyperedge_weights(e) * (is_whole_ ? whole_weight_factor_ : 1);
    coarse_.multiplicities_[place] += fine_.multiplicities(e);
  }

 private:
  /// The images of e's pins, where they have one; a cluster that is source and destination stays a
  /// destination.
  void collect(HyperedgeId e) {
    sources_.clear();
    destinations_.clear();
    is_whole_ = true;
    const PinOffset begin = fine_.hyperedge_offsets(e), end = fine_.hyperedge_offsets(e + 1);
    const PinOffset first_destination = begin + fine_.source_counts(e);
    for (PinOffset i = first_destination; i < end; ++i)
      if (const NodeId c = cluster_of_[fine_.pins(i)]; c == invalid_id) {
        is_whole_ = false;
      } else if (destination_of_[c] != e) {
        destination_of_[c] = e;
        destinations_.push_back(c);
      }
    for (PinOffset i = begin; i < first_destination; ++i)
      if (const NodeId c = cluster_of_[fine_.pins(i)]; c == invalid_id) {
        is_whole_ = false;
      } else if (destination_of_[c] != e && source_of_[c] != e) {
        source_of_[c] = e;
        sources_.push_back(c);
      }
  }

  /// The place in the table of the coarse hyperedge with the collected pins, or a free one.
  HyperedgeId& find_place() {
    std::uint64_t hash = sources_.size();
    for (const NodeId c : sources_) hash = mix(hash, c);
    for (const NodeId c : destinations_) hash = mix(hash, c);
    std::size_t slot = hash & (table_.size() - 1);
    while (table_[slot] != invalid_id && !equals_collected(table_[slot]))
      slot = (slot + 1) & (table_.size() - 1);
    return table_[slot];
  }

  [[nodiscard]] bool equals_collected(HyperedgeId e) const {
    const auto begin = coarse_.pins_.begin() + static_cast<std::ptrdiff_t>(coarse_.hyperedge_offsets_[e]);
    const std::size_t cardinality = coarse_.hyperedge_offsets_[e + 1] - coarse_.hyperedge_offsets_[e];
    return coarse_.source_counts_[e] == sources_.size() &&
           cardinality == sources_.size() + destinations_.size() &&
           std::equal(sources_.begin(), sources_.end(), begin) &&
           std::equal(destinations_.begin(), destinations_.end(),
                      begin + static_cast<std::ptrdiff_t>(sources_.size()));
  }

  const HostLevel& fine_;
  const std::vector<NodeId>& cluster_of_;
  const Weight whole_weight_factor_;
  bool is_whole_ = true;  // whether all pins of the collected hyperedge have images
  OwnedLevel& coarse_;
  std::vector<HyperedgeId> source_of_, destination_of_;  // by cluster: last hyperedge that had it as such
  std::vector<HyperedgeId> table_;                       // open addressing, coarse hyperedges by hash of pins
  std::vector<NodeId> sources_, destinations_;
};

OwnedLevel OwnedLevel::contract(const HostLevel& fine, const std::vector<NodeId>& cluster_of,
                                NodeId num_clusters) {
  return contract(fine, cluster_of, num_clusters, 1);
}

OwnedLevel OwnedLevel::induced(const HostLevel& fine, const std::vector<NodeId>& number, NodeId num_kept,
                               Weight whole_weight_factor) {
  return contract(fine, number, num_kept, whole_weight_factor);
}

OwnedLevel OwnedLevel::contract(const HostLevel& fine, const std::vector<NodeId>& cluster_of,
                                NodeId num_clusters, Weight whole_weight_factor) {
  OwnedLevel coarse;
  coarse.node_sizes_.assign(num_clusters, 0);
  coarse.base_inbound_.assign(num_clusters, 0);
  for (NodeId n = 0; n < fine.num_nodes; ++n) {
    if (cluster_of[n] == invalid_id) continue;
    coarse.node_sizes_[cluster_of[n]] += fine.node_sizes(n);
    coarse.base_inbound_[cluster_of[n]] += fine.base_inbound(n);
  }
  Contractor contractor(fine, cluster_of, num_clusters, whole_weight_factor, coarse);
  for (HyperedgeId e = 0; e < fine.num_hyperedges; ++e) contractor.append(e);
  coarse.build_incidence();
  coarse.set_views();
  return coarse;
}

void OwnedLevel::build_incidence() {
  const std::size_t num_nodes = node_sizes_.size(), num_hyperedges = source_counts_.size();
  inbound_counts_.assign(num_nodes, 0);
  inbound_sizes_ = base_inbound_;
  node_offsets_.assign(num_nodes + 1, 0);
  const auto for_each_pin = [&](const auto& visit) {
    for (HyperedgeId e = 0; e < num_hyperedges; ++e)
      for (PinOffset i = hyperedge_offsets_[e]; i < hyperedge_offsets_[e + 1]; ++i)
        visit(e, pins_[i], i >= hyperedge_offsets_[e] + source_counts_[e]);
  };
  for_each_pin([&](HyperedgeId e, NodeId n, bool inbound) {
    ++node_offsets_[n + 1];
    if (!inbound) return;
    ++inbound_counts_[n];
    inbound_sizes_[n] += multiplicities_[e];
  });
  for (std::size_t n = 0; n < num_nodes; ++n) node_offsets_[n + 1] += node_offsets_[n];
  incident_.resize(pins_.size());
  std::vector<PinOffset> next_inbound(node_offsets_.begin(), node_offsets_.end() - 1),
      next_outbound(num_nodes);
  for (std::size_t n = 0; n < num_nodes; ++n) next_outbound[n] = node_offsets_[n] + inbound_counts_[n];
  for_each_pin([&](HyperedgeId e, NodeId n, bool inbound) {
    incident_[(inbound ? next_inbound : next_outbound)[n]++] = e;
  });
}

void OwnedLevel::set_views() {
  const auto view = [](auto& array) {
    return HostView<typename std::remove_reference_t<decltype(array)>::value_type>(array.data(),
                                                                                   array.size());
  };
  level_ = {static_cast<NodeId>(node_sizes_.size()),
            static_cast<HyperedgeId>(source_counts_.size()),
            pins_.size(),
            view(hyperedge_offsets_),
            view(pins_),
            view(source_counts_),
            view(hyperedge_weights_),
            view(multiplicities_),
            view(node_sizes_),
            view(base_inbound_),
            view(inbound_sizes_),
            view(node_offsets_),
            view(incident_),
            view(inbound_counts_)};
}

}  // namespace kohypar

#include "host_search/cluster.hpp"

#include <algorithm>
#include <bit>

#include "coarsening/rating.hpp"
#include "host_search/shuffle.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

constexpr NodeId shrink_numerator = 2, shrink_denominator = 5;

class Clusterer {
 public:
  Clusterer(const HostLevel& level, const ClusterRules& rules)
      : level_(level),
        rules_(rules),
        places_(level.num_nodes),
        members_(level.num_nodes, 1),
        sizes_(level.num_nodes),
        inbound_(level.num_nodes),
        roots_(level.num_nodes),
        shared_(level.num_nodes),
        shared_inbound_(rules.max_inbound == unlimited ? 0 : level.num_nodes) {
    for (NodeId n = 0; n < level.num_nodes; ++n) {
      places_[n] = {n, rules.within.empty() ? 0 : rules.within[n]};
      sizes_[n] = level.node_sizes(n);
      inbound_[n] = level.inbound_sizes(n);
      roots_[n] = size_root(sizes_[n]);
    }
    Weight total = 0;
    for (HyperedgeId e = 0; e < level.num_hyperedges; ++e) total += level.hyperedge_weights(e);
    rating_.shift = 52 - std::bit_width(static_cast<std::uint64_t>(total));
    rating_.size_power = rules.size_power;
  }

  HostClusters run() {
    NodeId clusters = level_.num_nodes;
    const auto enough = std::max(
        rules_.least_clusters,
        static_cast<NodeId>(std::uint64_t{level_.num_nodes} * shrink_numerator / shrink_denominator));
    for (const NodeId n : shuffled_ids(level_.num_nodes, rules_.seed)) {
      if (clusters <= enough) break;
      if (members_[places_[n].leader] > 1) continue;
      const Choice choice = best_cluster(n);
      if (choice.cluster == invalid_id) continue;
      join(n, choice);
      --clusters;
    }
    return number(clusters);
  }

 private:
  struct Choice {
    NodeId cluster = invalid_id;
    Weight score = -1;
    std::uint64_t hash = 0;
    Weight shared_inbound = 0;

    [[nodiscard]] bool better_than(const Choice& other) const {
      return score != other.score ? score > other.score : hash > other.hash;
    }
  };

  Choice best_cluster(NodeId n) {
    touched_.clear();
    const PinOffset begin = level_.node_offsets(n), end = level_.node_offsets(n + 1);
    for (PinOffset at = begin; at < end; ++at)
      rate(n, level_.incident(at), counts_inbound() && at < begin + level_.inbound_counts(n));
    Choice best;
    for (const NodeId c : touched_) {
      const Weight inbound = counts_inbound() ? shared_inbound_[c].count : 0;
      const bool fits = sizes_[c] <= rules_.max_size - sizes_[n] &&
                        inbound_[c] - inbound <= rules_.max_inbound - inbound_[n];
      if (fits) {
        const Choice choice{c, pair_score(rating_, shared_[c].score, 0, roots_[n], roots_[c]),
                            mix(rules_.seed ^ n, c), inbound};
        if (choice.better_than(best)) best = choice;
      }
      shared_[c] = {};
      if (counts_inbound()) shared_inbound_[c] = {};
    }
    return best;
  }

  /// Adds what n shares with the clusters of e's pins, once for every cluster.
  void rate(NodeId n, HyperedgeId e, bool inbound) {
    const PinOffset begin = level_.hyperedge_offsets(e), end = level_.hyperedge_offsets(e + 1);
    if (end - begin > rules_.largest_rated) return;
    const Weight increment = rating_increment(rating_, level_.hyperedge_weights(e), end - begin);
    const PinOffset first_destination = begin + level_.source_counts(e);
    const PartId within = places_[n].within;
    for (PinOffset i = begin; i < end; ++i) {
      const NodeId m = level_.pins(i);
      const Place place = places_[m];
      if (m == n || place.within != within) continue;
      const NodeId c = place.leader;
      Shared& shared = shared_[c];
      if (shared.score == 0) touched_.push_back(c);
      if (shared.last_hyperedge != e) shared.score += increment;
      shared.last_hyperedge = e;
      if (inbound && i >= first_destination && shared_inbound_[c].last_hyperedge != e)
        shared_inbound_[c] = {shared_inbound_[c].count + level_.multiplicities(e), e};
    }
  }

  void join(NodeId n, const Choice& choice) {
    const NodeId c = choice.cluster;
    places_[n].leader = c;
    ++members_[c];
    sizes_[c] += sizes_[n];
    inbound_[c] += inbound_[n] - choice.shared_inbound;
    roots_[c] = size_root(sizes_[c]);
  }

  HostClusters number(NodeId num_clusters) {
    HostClusters result{std::vector<NodeId>(level_.num_nodes), num_clusters};
    std::vector<NodeId> number(level_.num_nodes, invalid_id);
    NodeId next = 0;
    for (NodeId n = 0; n < level_.num_nodes; ++n) {
      NodeId& id = number[places_[n].leader];
      if (id == invalid_id) id = next++;
      result.cluster_of[n] = id;
    }
    return result;
  }

  [[nodiscard]] bool counts_inbound() const { return !shared_inbound_.empty(); }

  /// What a rating looks up of every pin.
  struct Place {
    NodeId leader;  ///< the cluster's first member
    PartId within;  ///< of the rules; 0 where they have none
  };

  /// What a cluster shares with the choosing node; zero between choices.
  struct Shared {
    Weight score = 0;
    HyperedgeId last_hyperedge = invalid_id;  // that was counted
  };
  struct SharedInbound {
    Weight count = 0;
    HyperedgeId last_hyperedge = invalid_id;
  };

  const HostLevel& level_;
  const ClusterRules& rules_;
  Rating rating_;
  std::vector<Place> places_;           // by node
  std::vector<std::uint32_t> members_;  // by leader, as are the following
  std::vector<Weight> sizes_, inbound_;
  std::vector<std::uint32_t> roots_;
  std::vector<Shared> shared_;
  std::vector<SharedInbound> shared_inbound_;  // empty: no limit asks for it
  std::vector<NodeId> touched_;
};

}  // namespace

HostClusters cluster_nodes(const HostLevel& level, const ClusterRules& rules) {
  return Clusterer(level, rules).run();
}

std::vector<PartId> project_parts(const std::vector<PartId>& coarse, std::span<const NodeId> cluster_of) {
  std::vector<PartId> parts(cluster_of.size());
  for (std::size_t n = 0; n < parts.size(); ++n) parts[n] = coarse[cluster_of[n]];
  return parts;
}

}  // namespace kohypar

// Levels that sequential coarsening makes: arrays of their own behind the views of a HostLevel.
#pragma once

#include <vector>

#include "initial/host_level.hpp"

namespace kohypar {

/// A level in host memory that owns its arrays. Plain vectors, for several threads make levels at once, which
/// Kokkos allocations are not meant for. Move only: the views point into the vectors.
class OwnedLevel {
 public:
  OwnedLevel() = default;
  OwnedLevel(OwnedLevel&&) = default;
  OwnedLevel& operator=(OwnedLevel&&) = default;
  OwnedLevel(const OwnedLevel&) = delete;
  OwnedLevel& operator=(const OwnedLevel&) = delete;

  [[nodiscard]] const HostLevel& level() const { return level_; }

  /// Contracts clusters: the sequential twin of contract() in coarsening/, with the same result.
  /// @param cluster_of per node of `fine`, below num_clusters; every cluster has a member
  static OwnedLevel contract(const HostLevel& fine, const std::vector<NodeId>& cluster_of,
                             NodeId num_clusters);

  /// The part of a hypergraph that some nodes induce: hyperedges keep the pins that are among them, and
  /// disappear with fewer than two.
  /// @param number per node of `fine`: its id in the result, or invalid_id if it is left out
  /// @param whole_weight_factor times which hyperedges weigh that lose no pin
  static OwnedLevel induced(const HostLevel& fine, const std::vector<NodeId>& number, NodeId num_kept,
                            Weight whole_weight_factor);

 private:
  friend class Contractor;
  static OwnedLevel contract(const HostLevel& fine, const std::vector<NodeId>& cluster_of,
                             NodeId num_clusters, Weight whole_weight_factor);
  void build_incidence();
  void set_views();

  HostLevel level_;
  std::vector<PinOffset> hyperedge_offsets_, node_offsets_;
  std::vector<NodeId> pins_;
  std::vector<HyperedgeId> incident_;
  std::vector<std::uint32_t> source_counts_, inbound_counts_;
  std::vector<Weight> hyperedge_weights_, multiplicities_, node_sizes_, base_inbound_, inbound_sizes_;
};

}  // namespace kohypar

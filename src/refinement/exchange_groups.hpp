// Groups of parts that search side by side, and what their nodes share with their parts.
#pragma once

#include <cstdint>
#include <vector>

#include "refinement/state.hpp"

namespace kohypar {

/// A part's place in its group is a bit of two words.
inline constexpr PartId max_parts_per_group = 64;

/// How parts are cut into groups: group g has those from g * parts_per_group - shift on, as far as there are
/// such, and each part its place there.
struct PartGroups {
  PartId num_parts, parts_per_group, shift;

  [[nodiscard]] std::size_t size() const {
    return (std::size_t{num_parts} + shift + parts_per_group - 1) / parts_per_group;
  }
  KOKKOS_FUNCTION std::size_t group_of(PartId part) const {
    return (std::size_t{part} + shift) / parts_per_group;
  }
  /// Of one of the group's parts.
  KOKKOS_FUNCTION PartId place_of(std::size_t group, PartId part) const {
    return static_cast<PartId>(part + shift - group * parts_per_group);
  }
  KOKKOS_FUNCTION PartId part_at(std::size_t group, PartId place) const {
    return static_cast<PartId>(group * parts_per_group + place - shift);
  }
  /// group <= size(); the first part of the one after the last is num_parts.
  KOKKOS_FUNCTION PartId first_part(std::size_t group) const {
    const std::size_t unshifted = group * parts_per_group;
    return static_cast<PartId>(unshifted <= shift ? 0
                                                  : Kokkos::min<std::size_t>(unshifted - shift, num_parts));
  }
};

/// A hypergraph's nodes in the order of (part, id), and where each part's begin.
struct GroupedNodes {
  Hypergraph hypergraph;
  DeviceView<PartId> parts;  ///< by node
  PartGroups groups;
  DeviceView<NodeId> nodes;                                     ///< by position
  DeviceView<std::uint32_t> starts;                             ///< per part and one more: a position
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> host_starts;  ///< likewise
  std::uint32_t most_nodes;                                     ///< of a group
  std::uint32_t most_hyperedges;                                ///< of a node

  KOKKOS_FUNCTION std::uint32_t start_of_group(std::size_t group) const {
    return starts(groups.first_part(group));
  }
  [[nodiscard]] std::uint32_t host_start_of_group(std::size_t group) const {
    return host_starts(groups.first_part(group));
  }
};
GroupedNodes group_nodes(const ExecutionSpace& space, const Hypergraph& hypergraph,
                         const DeviceView<PartId>& parts, const PartGroups& groups);

/// Consecutive groups.
struct GroupRange {
  std::size_t first, last;  ///< before `last`
};

/// The pins of every hyperedge in every one of some groups: a row for each group and hyperedge.
struct GroupRows {
  std::size_t first_group;
  DeviceView<PinOffset> offsets;  ///< by group since the first and hyperedge, and one more
  /// The pin's position since its group's first, times two, and one more for destinations; in a row in any
  /// order, which nothing that is counted depends on.
  DeviceView<std::uint32_t> pins;
  /// By group since the first: of all its nodes, the pins in the group of their hyperedges.
  std::vector<PinOffset> num_neighbors;
};
/// Memory: 12 bytes per group and hyperedge, 4 per pin.
GroupRows list_rows(const ExecutionSpace& space, const GroupedNodes& grouped, const GroupRange& range);

/// Some groups as a search changes them.
struct ExchangeLists {
  GroupedNodes grouped;
  std::size_t first_group;
  std::uint32_t first_position;  ///< of their nodes
  /// By position since the first and one more: where a node's neighbours begin, which are the pins in the
  /// group of the node's hyperedges, its own among them.
  DeviceView<PinOffset> neighbor_offsets;
  DeviceView<std::uint64_t> neighbors;  ///< see unpack; in any order, which nothing depends on
  /// Two values per node, by position since the first, and place: the weight of the node's hyperedges that
  /// have another pin there, and the multiplicities of its inbound ones that have another destination there.
  DeviceView<Weight> shares;

  struct Neighbor {
    std::uint32_t position;   ///< since the group's first
    bool is_destination;      ///< of the hyperedge
    std::uint32_t hyperedge;  ///< which of the node's
  };
  KOKKOS_FUNCTION static std::uint64_t pack(const Neighbor& neighbor) {
    return std::uint64_t{neighbor.hyperedge} << 32 | neighbor.position << 1 |
           (neighbor.is_destination ? 1 : 0);
  }
  KOKKOS_FUNCTION static Neighbor unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word) >> 1, (word & 1) != 0, static_cast<std::uint32_t>(word >> 32)};
  }
  KOKKOS_FUNCTION std::size_t share_at(std::uint32_t position, PartId place) const {
    return 2 * (std::size_t{position - first_position} * grouped.groups.parts_per_group + place);
  }
  KOKKOS_FUNCTION Weight& shared_weight(std::uint32_t position, PartId place) const {
    return shares(share_at(position, place));
  }
  KOKKOS_FUNCTION Weight& shared_inbound(std::uint32_t position, PartId place) const {
    return shares(share_at(position, place) + 1);
  }
};

/// Of groups that have rows.
ExchangeLists list_neighbors(const ExecutionSpace& space, const GroupedNodes& grouped, const GroupRows& rows,
                             const GroupRange& range);

/// Of one group in what list_neighbors makes: 8 a neighbour, 16 a node and place, 16 a node.
std::uint64_t bytes_of_lists(const GroupedNodes& grouped, const GroupRows& rows, std::size_t group);

}  // namespace kohypar

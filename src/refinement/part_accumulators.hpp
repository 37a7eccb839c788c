// Per-part sums in a team's scratch memory: what proposals collect about the parts around a node.
#pragma once

#include <kohypar/types.hpp>

#include "parallel/hash.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

/// Adds to a sum that `shared` tells to be other threads' too. Only used for sums that are read after a
/// barrier, so that their order does not show.
KOKKOS_INLINE_FUNCTION void accumulate(Weight& sum, Weight value, bool shared) {
  if (shared) {
    add_shared(&sum, value);
  } else {
    sum += value;
  }
}

/// Sums for a contiguous tile of the part ids, one slot a part.
class DenseAccumulator {
 public:
  static std::size_t scratch_bytes(std::uint32_t slots) { return 2 * Scratch<Weight>::shmem_size(slots); }

  template <class Member>
  KOKKOS_FUNCTION DenseAccumulator(const Member& team, std::uint32_t slots)
      : weights_(team.team_scratch(0), slots), inbound_(team.team_scratch(0), slots) {}

  KOKKOS_FUNCTION std::uint32_t slots() const { return static_cast<std::uint32_t>(weights_.extent(0)); }
  /// How many part ids one pass over the lists can take.
  KOKKOS_FUNCTION PartId span(PartId) const { return slots(); }

  KOKKOS_FUNCTION void clear(std::uint32_t slot) const {
    weights_(slot) = 0;
    inbound_(slot) = 0;
  }
  KOKKOS_FUNCTION std::uint32_t slot_of(PartId part, PartId first, bool) const { return part - first; }
  KOKKOS_FUNCTION PartId part_at(std::uint32_t slot, PartId first) const { return first + slot; }
  KOKKOS_FUNCTION Weight& weight(std::uint32_t slot) const { return weights_(slot); }
  KOKKOS_FUNCTION Weight& inbound(std::uint32_t slot) const { return inbound_(slot); }

 private:
  Scratch<Weight> weights_, inbound_;
};

/// Sums for any parts, at most half as many as there are slots (a power of two): linear probing.
class HashAccumulator {
 public:
  static std::size_t scratch_bytes(std::uint32_t slots) {
    return DenseAccumulator::scratch_bytes(slots) + Scratch<PartId>::shmem_size(slots);
  }

  template <class Member>
  KOKKOS_FUNCTION HashAccumulator(const Member& team, std::uint32_t slots)
      : sums_(team, slots), parts_(team.team_scratch(0), slots) {}

  KOKKOS_FUNCTION std::uint32_t slots() const { return sums_.slots(); }
  KOKKOS_FUNCTION PartId span(PartId num_parts) const { return num_parts; }

  KOKKOS_FUNCTION void clear(std::uint32_t slot) const {
    sums_.clear(slot);
    parts_(slot) = invalid_id;
  }
  KOKKOS_FUNCTION std::uint32_t slot_of(PartId part, PartId, bool shared) const {
    const std::uint32_t mask = slots() - 1;
    for (auto slot = static_cast<std::uint32_t>(mix(part)) & mask;; slot = (slot + 1) & mask) {
      if (claim(slot, part, shared)) return slot;
    }
  }
  KOKKOS_FUNCTION PartId part_at(std::uint32_t slot, PartId) const { return parts_(slot); }
  KOKKOS_FUNCTION Weight& weight(std::uint32_t slot) const { return sums_.weight(slot); }
  KOKKOS_FUNCTION Weight& inbound(std::uint32_t slot) const { return sums_.inbound(slot); }

 private:
  KOKKOS_FUNCTION bool claim(std::uint32_t slot, PartId part, bool shared) const {
    if (shared) {
      const PartId holder = Kokkos::atomic_compare_exchange(&parts_(slot), invalid_id, part);
      return holder == invalid_id || holder == part;
    }
    if (parts_(slot) == invalid_id) parts_(slot) = part;
    return parts_(slot) == part;
  }

  DenseAccumulator sums_;
  Scratch<PartId> parts_;
};

}  // namespace kohypar

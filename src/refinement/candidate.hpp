// The best target of a node.
#pragma once

#include <kohypar/types.hpp>
#include <limits>

namespace kohypar {

/// The best target so far: by weight of the shared hyperedges (and what ScoreTerms add), then hash, then part
/// id.
struct Candidate {
  Weight weight = std::numeric_limits<Weight>::min();  ///< below any candidate's
  std::uint64_t hash = 0;
  PartId part = invalid_id;  ///< invalid_id: none

  KOKKOS_FUNCTION bool better_than(const Candidate& other) const {
    if (weight != other.weight) return weight > other.weight;
    if (hash != other.hash) return hash > other.hash;
    return part > other.part;
  }
};

}  // namespace kohypar

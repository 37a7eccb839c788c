// The best target of a node, and its reduction over a team.
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

/// Kokkos reducer: the better candidate.
struct BestCandidate {
  using reducer = BestCandidate;
  using value_type = Candidate;
  using result_view_type = Kokkos::View<Candidate, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  KOKKOS_FUNCTION explicit BestCandidate(Candidate& result) : result_(result) {}
  KOKKOS_FUNCTION void join(Candidate& into, const Candidate& from) const {
    if (from.better_than(into)) into = from;
  }
  KOKKOS_FUNCTION void init(Candidate& value) const { value = Candidate{}; }
  KOKKOS_FUNCTION Candidate& reference() const { return result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&result_); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }

 private:
  Candidate& result_;
};

}  // namespace kohypar

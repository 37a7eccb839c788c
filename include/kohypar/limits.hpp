// What a valid partition must respect.
#pragma once

#include <kohypar/types.hpp>
#include <vector>

namespace kohypar {

inline constexpr Weight unlimited = std::numeric_limits<Weight>::max();

/// Limits of every part. Node sizes are one number today; a vector of resources is to follow.
struct Limits {
  Weight max_size = unlimited;     ///< Ω: sum of node sizes in a part
  Weight max_inbound = unlimited;  ///< Δ: distinct hyperedges with a destination in a part
  PartId max_parts = invalid_id;   ///< most parts a result may have; invalid_id: any number
};

/// What a balanced partition must respect: a given number of parts, each within a capacity, some perhaps
/// empty.
struct Balance {
  std::vector<Weight> capacities;  ///< one per part: the most sum of node sizes
  std::vector<PartId> fixed;       ///< per node: its part, or invalid_id if it is free; empty: all are free

  [[nodiscard]] PartId num_parts() const { return static_cast<PartId>(capacities.size()); }
};

/// (1 + epsilon) * ceil(total_size / num_parts), rounded down, for every part, as KaHyPar and Mt-KaHyPar
/// define it.
Balance uniform_balance(PartId num_parts, double epsilon, Weight total_size);

}  // namespace kohypar

// What a valid partition must respect.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

inline constexpr Weight unlimited = std::numeric_limits<Weight>::max();

/// Limits of every part. Node sizes are one number today; a vector of resources is to follow.
struct Limits {
  Weight max_size = unlimited;     ///< Ω: sum of node sizes in a part
  Weight max_inbound = unlimited;  ///< Δ: distinct hyperedges with a destination in a part
  PartId max_parts = invalid_id;   ///< most parts a result may have; invalid_id: any number
};

}  // namespace kohypar

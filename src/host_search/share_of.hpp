// Proportions of weights.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// value * part / whole, rounded up; 0 of nothing. All not negative.
inline Weight share_of(Weight value, Weight part, Weight whole) {
  if (whole == 0) return 0;
  __extension__ using Wide = unsigned __int128;
  return static_cast<Weight>(
      (static_cast<Wide>(value) * static_cast<Wide>(part) + static_cast<Wide>(whole) - 1) /
      static_cast<Wide>(whole));
}

}  // namespace kohypar

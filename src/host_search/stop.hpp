// The way out of searches on the host.
#pragma once

#include <atomic>
#include <kohypar/error.hpp>

namespace kohypar {

/// Throws Error(interrupted) where a search is told to stop.
/// @param stop null if it never is
inline void check_stop(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load()) throw Error(ErrorKind::interrupted, "interrupted");
}

}  // namespace kohypar

// Shapes of teams: what a kernel asks for on a device, one thread per team on a host.
#pragma once

#include <algorithm>
#include <kohypar/types.hpp>

namespace kohypar {

inline constexpr bool runs_on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

/// Threads times vector lanes of a team stay below this, whatever is asked for.
inline constexpr int max_team_lanes = 512;

/// `league` teams of `threads` x `lanes` on devices. On hosts the lanes are a plain loop and a team is one
/// thread, unless `tuned_threads` (Tuning::team_size; 0: not tuned) asks for more.
inline Kokkos::TeamPolicy<ExecutionSpace> team_policy(const ExecutionSpace& space, std::size_t league,
                                                      int threads, int lanes, int tuned_threads = 0) {
  const int size = tuned_threads > 0 ? tuned_threads : (runs_on_host ? 1 : threads);
  const int most = runs_on_host ? space.concurrency() : max_team_lanes / lanes;
  return Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(league), std::min(size, most),
                                            runs_on_host ? 1 : lanes);
}

}  // namespace kohypar

// Shapes of teams: what a kernel asks for on a device, one thread per team on a host.
#pragma once

#include <algorithm>
#include <kohypar/types.hpp>

namespace kohypar {

inline constexpr bool runs_on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

/// Memory of a team.
template <class T>
using Scratch =
    Kokkos::View<T*, ExecutionSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Where large tables of a team stand. Hosts offer no more than 32 KB at level 0; their level 1 is the same
/// memory.
KOKKOS_INLINE_FUNCTION constexpr int scratch_level() {
  return runs_on_host ? 1 : 0;
}

/// Threads times vector lanes of a team stay below this, whatever is asked for.
inline constexpr int max_team_lanes = 512;

/// `league` teams of `threads` x `lanes` on devices. On hosts the lanes are a plain loop and a team is one
/// thread, unless `tuned_threads` (Tuning::team_size; 0: not tuned) asks for more.
///
/// All kernels are said to be light, which only matters for how large functors come to a GPU: Kokkos for CUDA
/// passes those of 512 bytes and more (a Hypergraph has 296) through one buffer in constant memory else, and
/// the host waits until the kernel before that used it has ended.
inline auto team_policy(const ExecutionSpace& space, std::size_t league, int threads, int lanes,
                        int tuned_threads = 0) {
  const int size = tuned_threads > 0 ? tuned_threads : (runs_on_host ? 1 : threads);
  const int most = runs_on_host ? space.concurrency() : max_team_lanes / lanes;
  return Kokkos::Experimental::require(
      Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(league), std::min(size, most),
                                         runs_on_host ? 1 : lanes),
      Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

}  // namespace kohypar

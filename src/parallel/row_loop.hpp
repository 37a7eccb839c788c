// Loops over the rows of compressed lists.
#pragma once

#include <algorithm>
#include <kohypar/types.hpp>
#include <string>

namespace kohypar {

/// Rows differ in length by orders of magnitude: threads take more work when they are done.
using RowPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
using RowThread = RowPolicy::member_type;

/// Calls body(thread, row) for every row below `num_rows`, one team thread per row: a warp on GPUs, which
/// shares a row's entries by Kokkos::ThreadVectorRange(thread, ...), and a plain thread on hosts.
template <class Body>
void for_each_row(const ExecutionSpace& space, const std::string& label, std::size_t num_rows,
                  const Body& body) {
  if (num_rows == 0) return;
  constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;
  constexpr int threads_per_team = on_host ? 1 : 8;
  constexpr int vector_length = on_host ? 1 : 32;
  constexpr std::size_t rows_per_team = on_host ? 32 : threads_per_team;  // on hosts to amortise scheduling
  const std::size_t num_teams = (num_rows + rows_per_team - 1) / rows_per_team;
  Kokkos::parallel_for(
      label, RowPolicy(space, static_cast<int>(num_teams), threads_per_team, vector_length),
      KOKKOS_LAMBDA(const RowThread& thread) {
        const std::size_t first = thread.league_rank() * rows_per_team;
        const std::size_t last = Kokkos::min(num_rows, first + rows_per_team);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(thread, first, last),
                             [&](const std::size_t row) { body(thread, row); });
      });
}

}  // namespace kohypar

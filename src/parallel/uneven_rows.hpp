// Loops over the rows of compressed lists of which most are short and a few long.
#pragma once

#include <kohypar/types.hpp>
#include <string>

#include "parallel/reducers.hpp"
#include "parallel/scan.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

/// Rows with more entries than a thread should go through alone are told apart once, for many loops.
struct UnevenRows {
  static constexpr PinOffset longest_alone = 32;

  std::size_t num_rows = 0;
  DeviceView<PinOffset> offsets;        ///< num_rows + 1
  DeviceView<std::uint32_t> long_rows;  ///< ids of the others
};

inline UnevenRows uneven_rows(const ExecutionSpace& space, const DeviceView<PinOffset>& offsets,
                              std::size_t num_rows) {
  return {num_rows, offsets,
          select(
              space, "KoHyPar::uneven_rows", num_rows, KOKKOS_LAMBDA(const std::size_t row) {
                return offsets(row + 1) - offsets(row) > UnevenRows::longest_alone;
              })};
}

namespace detail {

/// Teams of the first long_rows take a row each, those after them `rows_per_team` rows, a thread per row.
template <class Body>
struct UnevenRowKernel {
  using Team = Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using Sum = typename Body::Sum;
  static constexpr bool asks = requires { typename Body::Answer; };

  UnevenRows rows;
  std::size_t rows_per_team;
  Body body;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Scratch<Weight> totals(team.team_scratch(0), Body::num_totals);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Body::num_totals),
                         [&](const int i) { totals(i) = 0; });
    team.team_barrier();
    go_through_rows(team, totals.data());
    if constexpr (Body::num_totals > 0) {
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Body::num_totals), [&](const int i) {
        if (totals(i) != 0) Kokkos::atomic_add(&body.totals(i), totals(i));
      });
    }
  }

  KOKKOS_FUNCTION void go_through_rows(const Team& team, Weight* totals) const {
    const auto rank = static_cast<std::size_t>(team.league_rank());
    const std::size_t num_long = rows.long_rows.extent(0);
    if (rank < num_long) return together(team, rows.long_rows(rank), totals);
    const std::size_t first = (rank - num_long) * rows_per_team;
    const std::size_t last = Kokkos::min(rows.num_rows, first + rows_per_team);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](const std::size_t row) {
      if (rows.offsets(row + 1) - rows.offsets(row) <= UnevenRows::longest_alone)
        alone(static_cast<std::uint32_t>(row), totals);
    });
  }

  KOKKOS_FUNCTION void alone(std::uint32_t row, Weight* totals) const {
    const PinOffset begin = rows.offsets(row), end = rows.offsets(row + std::size_t{1});
    auto sum = Sum();
    if (body.wants(row))
      for (PinOffset at = begin; at < end; ++at) body.collect(row, at, sum);
    body.finish(row, sum, totals);
    if constexpr (asks) {
      for (std::uint32_t left = body.questions(row, sum); left != 0; left &= left - 1) {
        const int question = Kokkos::countr_zero(left);
        auto answer = typename Body::Answer();
        for (PinOffset at = begin; at < end; ++at) body.look(row, at, question, answer);
        body.conclude(row, question, answer);
      }
    }
  }

  KOKKOS_FUNCTION void together(const Team& team, std::uint32_t row, Weight* totals) const {
    const PinOffset begin = rows.offsets(row), end = rows.offsets(row + std::size_t{1});
    auto sum = Sum();
    if (body.wants(row)) {
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, begin, end),
          [&](const PinOffset at, Sum& of_thread) { body.collect(row, at, of_thread); }, SumOf<Sum>(sum));
    }
    team.team_barrier();  // what decides what a row wants may change when it is finished
    Kokkos::single(Kokkos::PerTeam(team), [&] { body.finish(row, sum, totals); });
    if constexpr (asks) {
      using Answer = typename Body::Answer;
      for (std::uint32_t left = body.questions(row, sum); left != 0; left &= left - 1) {
        const int question = Kokkos::countr_zero(left);
        auto answer = Answer();
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, begin, end),
            [&](const PinOffset at, Answer& of_thread) { body.look(row, at, question, of_thread); },
            SumOf<Answer>(answer));
        Kokkos::single(Kokkos::PerTeam(team), [&] { body.conclude(row, question, answer); });
      }
    }
  }
};

}  // namespace detail

/// For every row, calls body.collect(row, entry, sum) for its entries if body.wants(row), then, by one
/// thread, body.finish(row, sum, totals). Where there is a Body::Answer, calls after that, for every bit of
/// body.questions(row, sum), body.look(row, entry, bit, answer) for the row's entries and, by one thread,
/// body.conclude(row, bit, answer). Sums and answers start as Sum() and Answer() and add up by +=; finish
/// adds to `totals` by add_shared, and what Body::num_totals teams have there comes to be added to
/// body.totals.
/// @param tuned_threads Tuning::team_size
template <class Body>
void for_uneven_rows(const ExecutionSpace& space, const std::string& label, const UnevenRows& rows,
                     const Body& body, int tuned_threads) {
  if (rows.num_rows == 0) return;
  constexpr int threads = 128;
  constexpr std::size_t rows_per_team = threads;
  const std::size_t teams = rows.long_rows.extent(0) + (rows.num_rows + rows_per_team - 1) / rows_per_team;
  auto policy = team_policy(space, teams, threads, 1, tuned_threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch<Weight>::shmem_size(Body::num_totals)));
  Kokkos::parallel_for(label, policy, detail::UnevenRowKernel<Body>{rows, rows_per_team, body});
}

}  // namespace kohypar

// Sums over the rows of a frontier, of what neighbours hold for each source: the one kernel in which both
// sweeps spend their time.
#pragma once

#include <bit>

#include "betweenness/frontier.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

/// Sources that a vector lane takes: one on devices, where a warp reads a row of 32 values at once; all on
/// hosts, where a thread goes along a row of edges once.
inline constexpr int sources_per_lane = runs_on_host ? max_lanes : 1;

/// Values by vertex and source: those of vertex v are values(v * lanes) to values((v + 1) * lanes - 1).
template <class Number>
struct LaneValues {
  DeviceView<Number> values;
  int lanes = max_lanes;

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Number& operator()(std::size_t vertex, int lane) const {
    return values(vertex * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane));
  }
};

/// What is summed up: for vertex v and source s, value(u, s) over the neighbours u of v with bit s in
/// present(u), in the order of the row.
template <class Number>
struct GatherTask {
  DividedRows divided;
  Frontier frontier;
  PieceMap pieces;  ///< of the frontier; empty for RowMapping::team_per_vertex
  DeviceView<SourceMask> present;
  LaneValues<Number> values;
  LaneValues<Number> partial;  ///< by slot of a piece

  using Sums = Kokkos::Array<Number, sources_per_lane>;

  [[nodiscard]] KOKKOS_INLINE_FUNCTION static SourceMask bits_of(SourceMask mask, int part) {
    if constexpr (sources_per_lane == max_lanes) return mask;
    return (mask >> (part * sources_per_lane)) & ((SourceMask{1} << sources_per_lane % max_lanes) - 1);
  }

  /// The sums of one piece, for one vector lane. Four edges at a time hide the latency of dependent reads.
  KOKKOS_INLINE_FUNCTION void sum_piece(PinOffset begin, PinOffset end, SourceMask wanted, int part,
                                        Sums& sums) const {
    for (int k = 0; k < sources_per_lane; ++k) sums[k] = Number(0.0);
    constexpr int width = 4;
    PinOffset i = begin;
    for (; i + width <= end; i += width) {
      VertexId neighbors[width];
      SourceMask bits[width];
      for (int j = 0; j < width; ++j) neighbors[j] = divided.rows.neighbors(i + j);
      for (int j = 0; j < width; ++j) bits[j] = bits_of(present(neighbors[j]), part) & wanted;
      for (int j = 0; j < width; ++j) add(neighbors[j], bits[j], part, sums);
    }
    for (; i < end; ++i) {
      const VertexId neighbor = divided.rows.neighbors(i);
      add(neighbor, bits_of(present(neighbor), part) & wanted, part, sums);
    }
  }

  /// The place of the lowest set bit's sum. A constant on devices, which keeps the one sum in a register.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION static int sum_index(SourceMask bits) {
    if constexpr (sources_per_lane == 1) return 0;
    return Kokkos::countr_zero(bits);
  }

  KOKKOS_INLINE_FUNCTION void add(VertexId neighbor, SourceMask bits, int part, Sums& sums) const {
    for (; bits != 0; bits &= bits - 1) {
      const int k = sum_index(bits);
      sums[k] += values(neighbor, part * sources_per_lane + k);
    }
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION PinOffset piece_begin(VertexId row, PinOffset piece) const {
    return divided.rows.offsets(row) + piece * piece_length;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION PinOffset piece_end(VertexId row, PinOffset piece) const {
    return Kokkos::min(piece_begin(row, piece) + piece_length, divided.rows.offsets(row + 1));
  }
};

namespace detail {

/// As for_each_row, with as many vector lanes as sources: where these are few, a warp takes several rows.
/// Calls body(index, part) for each part of the sources.
template <class Body>
void for_each_part(const ExecutionSpace& space, const std::string& label, std::size_t count, int lanes,
                   const Body& body) {
  if (count == 0) return;
  const int vector_length = runs_on_host ? 1 : static_cast<int>(std::bit_ceil(static_cast<unsigned>(lanes)));
  const int threads = runs_on_host ? 1 : 256 / vector_length;
  const std::size_t per_team = runs_on_host ? 32 : static_cast<std::size_t>(threads);
  const int parts = runs_on_host ? 1 : lanes;
  Kokkos::parallel_for(
      label, RowPolicy(space, static_cast<int>((count + per_team - 1) / per_team), threads, vector_length),
      KOKKOS_LAMBDA(const RowThread& thread) {
        const std::size_t first = thread.league_rank() * per_team;
        const std::size_t last = Kokkos::min(count, first + per_team);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(thread, first, last), [&](const std::size_t index) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, parts),
                               [&](const int part) { body(index, part); });
        });
      });
}

/// One team thread a piece; rows of one piece are finished here, the others leave partial sums.
template <class Number, class Finish>
void gather_pieces(const ExecutionSpace& space, const std::string& label, const GatherTask<Number>& task,
                   const Finish& finish) {
  using Task = GatherTask<Number>;
  for_each_part(
      space, label, task.pieces.num_pieces, task.values.lanes,
      KOKKOS_LAMBDA(const std::size_t number, const int part) {
        const auto [entry, piece, is_whole] = task.pieces.locate(number);
        const SourceMask wanted = Task::bits_of(task.frontier.masks(entry), part);
        if (wanted == 0) return;
        const VertexId row = task.frontier.ids(entry);
        typename Task::Sums sums;
        task.sum_piece(task.piece_begin(row, piece), task.piece_end(row, piece), wanted, part, sums);
        for (SourceMask rest = wanted; rest != 0; rest &= rest - 1) {
          const int k = Task::sum_index(rest), lane = part * sources_per_lane + k;
          if (is_whole) {
            finish(entry, row, lane, sums[k]);
          } else {
            task.partial(task.divided.slots(row) + piece, lane) = sums[k];
          }
        }
      });
}

/// Adds up the partial sums of the rows that have several.
template <class Number, class Finish>
void combine_pieces(const ExecutionSpace& space, const std::string& label, const GatherTask<Number>& task,
                    const Finish& finish) {
  using Task = GatherTask<Number>;
  for_each_part(
      space, label, task.pieces.divided.extent(0), task.values.lanes,
      KOKKOS_LAMBDA(const std::size_t index, const int part) {
        const std::size_t entry = task.pieces.divided(index);
        const VertexId row = task.frontier.ids(entry);
        const PinOffset first = task.divided.slots(row), last = task.divided.slots(row + 1);
        for (SourceMask rest = Task::bits_of(task.frontier.masks(entry), part); rest != 0; rest &= rest - 1) {
          const int lane = part * sources_per_lane + Task::sum_index(rest);
          Number sum = task.partial(first, lane);
          for (PinOffset slot = first + 1; slot < last; ++slot) sum += task.partial(slot, lane);
          finish(entry, row, lane, sum);
        }
      });
}

/// One team thread a row, whatever its length.
template <class Number, class Finish>
void gather_rows(const ExecutionSpace& space, const std::string& label, const GatherTask<Number>& task,
                 const Finish& finish) {
  using Task = GatherTask<Number>;
  for_each_part(
      space, label, task.frontier.size(), task.values.lanes,
      KOKKOS_LAMBDA(const std::size_t entry, const int part) {
        const SourceMask wanted = Task::bits_of(task.frontier.masks(entry), part);
        if (wanted == 0) return;
        const VertexId row = task.frontier.ids(entry);
        const PinOffset pieces =
            count_pieces(task.divided.rows.offsets(row + 1) - task.divided.rows.offsets(row));
        typename Task::Sums total, sums;
        task.sum_piece(task.piece_begin(row, 0), task.piece_end(row, 0), wanted, part, total);
        for (PinOffset piece = 1; piece < pieces; ++piece) {
          task.sum_piece(task.piece_begin(row, piece), task.piece_end(row, piece), wanted, part, sums);
          for (int k = 0; k < sources_per_lane; ++k) total[k] += sums[k];
        }
        for (SourceMask rest = wanted; rest != 0; rest &= rest - 1) {
          const int k = Task::sum_index(rest);
          finish(entry, row, part * sources_per_lane + k, total[k]);
        }
      });
}

}  // namespace detail

/// Calls finish(entry, vertex, lane, sum) once for every vertex of the frontier and every source of its mask.
template <class Number, class Finish>
void gather(const ExecutionSpace& space, const std::string& label, RowMapping mapping,
            const GatherTask<Number>& task, const Finish& finish) {
  if (mapping == RowMapping::team_per_vertex) return detail::gather_rows(space, label, task, finish);
  detail::gather_pieces(space, label, task, finish);
  detail::combine_pieces(space, label, task, finish);
}

}  // namespace kohypar

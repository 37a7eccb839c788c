// Sums over the rows of a frontier, of what neighbours hold for each source: the one kernel in which both
// sweeps spend their time.
#pragma once

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

  /// Calls use(lane, k) for the set bits k of a part's mask.
  template <class Use>
  KOKKOS_INLINE_FUNCTION static void for_each_source(SourceMask bits, int part, const Use& use) {
    if constexpr (sources_per_lane == 1) {
      if (bits != 0) use(part, 0);
    } else {
      for (; bits != 0; bits &= bits - 1) {
        const int k = Kokkos::countr_zero(bits);
        use(part * sources_per_lane + k, k);
      }
    }
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

  KOKKOS_INLINE_FUNCTION void add(VertexId neighbor, SourceMask bits, int part, Sums& sums) const {
    for_each_source(bits, part, [&](int lane, int k) { sums[k] += values(neighbor, lane); });
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION PinOffset piece_begin(VertexId row, PinOffset piece) const {
    return divided.rows.offsets(row) + piece * piece_length;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION PinOffset piece_end(VertexId row, PinOffset piece) const {
    return Kokkos::min(piece_begin(row, piece) + piece_length, divided.rows.offsets(row + 1));
  }
};

namespace detail {

inline constexpr int parts_per_thread = max_lanes / sources_per_lane;

/// One team thread a piece; rows of one piece are finished here, the others leave partial sums.
template <class Number, class Finish>
void gather_pieces(const ExecutionSpace& space, const std::string& label, const GatherTask<Number>& task,
                   const Finish& finish) {
  using Task = GatherTask<Number>;
  for_each_row(
      space, label, task.pieces.num_pieces, KOKKOS_LAMBDA(const RowThread& thread, const std::size_t index) {
        const std::size_t entry = task.pieces.owner(index);
        const VertexId row = task.frontier.ids(entry);
        const PinOffset piece = index - task.pieces.offsets(entry);
        const bool is_whole = task.pieces.offsets(entry + 1) - task.pieces.offsets(entry) == 1;
        const PinOffset begin = task.piece_begin(row, piece), end = task.piece_end(row, piece);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, parts_per_thread), [&](const int part) {
          const SourceMask wanted = Task::bits_of(task.frontier.masks(entry), part);
          if (wanted == 0) return;
          typename Task::Sums sums;
          task.sum_piece(begin, end, wanted, part, sums);
          Task::for_each_source(wanted, part, [&](int lane, int k) {
            if (is_whole) {
              finish(entry, row, lane, sums[k]);
            } else {
              task.partial(task.divided.slots(row) + piece, lane) = sums[k];
            }
          });
        });
      });
}

/// Adds up the partial sums of the rows that have several.
template <class Number, class Finish>
void combine_pieces(const ExecutionSpace& space, const std::string& label, const GatherTask<Number>& task,
                    const Finish& finish) {
  using Task = GatherTask<Number>;
  for_each_row(
      space, label, task.pieces.divided.extent(0),
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t index) {
        const std::size_t entry = task.pieces.divided(index);
        const VertexId row = task.frontier.ids(entry);
        const PinOffset first = task.divided.slots(row), last = task.divided.slots(row + 1);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, parts_per_thread), [&](const int part) {
          Task::for_each_source(Task::bits_of(task.frontier.masks(entry), part), part, [&](int lane, int) {
            Number sum = task.partial(first, lane);
            for (PinOffset slot = first + 1; slot < last; ++slot) sum += task.partial(slot, lane);
            finish(entry, row, lane, sum);
          });
        });
      });
}

/// One team thread a row, whatever its length.
template <class Number, class Finish>
void gather_rows(const ExecutionSpace& space, const std::string& label, const GatherTask<Number>& task,
                 const Finish& finish) {
  using Task = GatherTask<Number>;
  for_each_row(
      space, label, task.frontier.size(), KOKKOS_LAMBDA(const RowThread& thread, const std::size_t entry) {
        const VertexId row = task.frontier.ids(entry);
        const PinOffset pieces =
            count_pieces(task.divided.rows.offsets(row + 1) - task.divided.rows.offsets(row));
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, parts_per_thread), [&](const int part) {
          const SourceMask wanted = Task::bits_of(task.frontier.masks(entry), part);
          if (wanted == 0) return;
          typename Task::Sums total, sums;
          task.sum_piece(task.piece_begin(row, 0), task.piece_end(row, 0), wanted, part, total);
          for (PinOffset piece = 1; piece < pieces; ++piece) {
            task.sum_piece(task.piece_begin(row, piece), task.piece_end(row, piece), wanted, part, sums);
            for (int k = 0; k < sources_per_lane; ++k) total[k] += sums[k];
          }
          Task::for_each_source(wanted, part, [&](int lane, int k) { finish(entry, row, lane, total[k]); });
        });
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

#include "betweenness/frontier.hpp"

#include "betweenness/rows.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/teams.hpp"
#include "parallel/work_meter.hpp"

namespace kohypar {

namespace {

struct PieceCounts {
  PinOffset more = 0;     ///< pieces but the first ones
  PinOffset divided = 0;  ///< entries with several pieces
  PinOffset edges = 0;
  KOKKOS_INLINE_FUNCTION PieceCounts& operator+=(const PieceCounts& other) {
    more += other.more;
    divided += other.divided;
    edges += other.edges;
    return *this;
  }
};

}  // namespace

DividedRows divide_rows(const ExecutionSpace& space, const CompressedRows& rows) {
  DividedRows result;
  result.rows = rows;
  result.slots = offsets_from_counts(
      space, "KoHyPar::betweenness::slots", rows.num_rows(),
      KOKKOS_LAMBDA(const std::size_t v) {
        const PinOffset pieces = count_pieces(rows.offsets(v + 1) - rows.offsets(v));
        return pieces == 1 ? 0 : pieces;
      },
      result.num_slots);
  return result;
}

PieceMap map_pieces(const ExecutionSpace& space, const CompressedRows& rows,
                    const DeviceView<VertexId>& ids) {
  const std::size_t n = ids.extent(0);
  PieceMap map;
  map.offsets = uninitialized<PinOffset>("KoHyPar::betweenness::piece_offsets", n + 1);
  const auto offsets = map.offsets;
  const auto divided = uninitialized<VertexId>("KoHyPar::betweenness::divided", n);
  PieceCounts total;
  Kokkos::parallel_scan(
      "KoHyPar::betweenness::pieces", WideRange(space, 0, n + 1),
      KOKKOS_LAMBDA(const std::size_t e, PieceCounts& sum, const bool final) {
        if (final) offsets(e) = sum.more;
        if (e == n) return;
        const PinOffset degree = rows.offsets(ids(e) + 1) - rows.offsets(ids(e));
        const PinOffset pieces = count_pieces(degree);
        if (pieces > 1 && final) divided(sum.divided) = static_cast<VertexId>(e);
        sum.more += pieces - 1;
        sum.divided += pieces > 1 ? 1 : 0;
        sum.edges += degree;
      },
      total);
  map.num_entries = n;
  map.num_pieces = n + total.more;
  map.num_edges = total.edges;
  map.divided = Kokkos::subview(divided, std::pair(PinOffset{0}, total.divided));
  return map;
}

Frontier take_frontier(const ExecutionSpace& space, const DeviceView<SourceMask>& found,
                       const DeviceView<SourceMask>& visited) {
  const std::size_t n = found.extent(0);
  const auto scratch = uninitialized<VertexId>("KoHyPar::betweenness::frontier_scratch", n);
  std::size_t size = 0;
  Kokkos::parallel_scan(
      "KoHyPar::betweenness::frontier", WideRange(space, 0, n),
      KOKKOS_LAMBDA(const std::size_t v, std::size_t& sum, const bool final) {
        if (found(v) == 0) return;
        if (final) scratch(sum) = static_cast<VertexId>(v);
        ++sum;
      },
      size);
  const Frontier frontier{uninitialized<VertexId>("KoHyPar::betweenness::frontier_ids", size),
                          uninitialized<SourceMask>("KoHyPar::betweenness::frontier_masks", size)};
  Kokkos::parallel_for(
      "KoHyPar::betweenness::visit", WideRange(space, 0, size), KOKKOS_LAMBDA(const std::size_t e) {
        const VertexId v = scratch(e);
        frontier.ids(e) = v;
        frontier.masks(e) = found(v);
        visited(v) |= found(v);
        found(v) = 0;
      });
  return frontier;
}

void scatter_masks(const ExecutionSpace& space, const Frontier& frontier,
                   const DeviceView<SourceMask>& masks) {
  Kokkos::parallel_for(
      "KoHyPar::betweenness::scatter_masks", WideRange(space, 0, frontier.size()),
      KOKKOS_LAMBDA(const std::size_t e) { masks(frontier.ids(e)) = frontier.masks(e); });
}

void clear_masks(const ExecutionSpace& space, const Frontier& frontier, const DeviceView<SourceMask>& masks) {
  Kokkos::parallel_for(
      "KoHyPar::betweenness::clear_masks", WideRange(space, 0, frontier.size()),
      KOKKOS_LAMBDA(const std::size_t e) { masks(frontier.ids(e)) = 0; });
}

std::uint64_t count_members(const ExecutionSpace& space, const Frontier& frontier) {
  std::uint64_t members = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::betweenness::members", WideRange(space, 0, frontier.size()),
      KOKKOS_LAMBDA(const std::size_t e, std::uint64_t& sum) {
        sum += static_cast<std::uint64_t>(Kokkos::popcount(frontier.masks(e)));
      },
      members);
  return members;
}

void discover(const ExecutionSpace& space, const CompressedRows& rows, const Frontier& frontier,
              const PieceMap& pieces, const DeviceView<SourceMask>& visited,
              const DeviceView<SourceMask>& found) {
  work_meter::add_visited_pins(pieces.num_edges);
  for_each_row(
      space, "KoHyPar::betweenness::discover", pieces.num_pieces,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t number) {
        const RowPiece piece = pieces.locate(number);
        const SourceMask mask = frontier.masks(piece.entry);
        const VertexId row = frontier.ids(piece.entry);
        const PinOffset begin = rows.offsets(row) + piece.piece * piece_length;
        const PinOffset end = Kokkos::min(begin + piece_length, rows.offsets(row + 1));
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, begin, end), [&](const PinOffset i) {
          const VertexId neighbor = rows.neighbors(i);
          const SourceMask fresh = mask & ~visited(neighbor);
          // Most bits are there already: looking first saves the atomic operation.
          if ((fresh & ~found(neighbor)) != 0) Kokkos::atomic_or(&found(neighbor), fresh);
        });
      });
}

void discover_backward(const ExecutionSpace& space, const CompressedRows& rows,
                       const DeviceView<SourceMask>& present, SourceMask sources,
                       const DeviceView<SourceMask>& visited, const DeviceView<SourceMask>& found) {
  constexpr PinOffset step = runs_on_host ? 4 : 32;
  const std::size_t n = rows.num_rows();
  const auto looked_at =
      uninitialized<std::uint64_t>("KoHyPar::betweenness::looked_at", work_meter::is_on() ? n : 0);
  for_each_row(
      space, "KoHyPar::betweenness::discover_backward", n,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t v) {
        const SourceMask missing = sources & ~visited(v);
        const PinOffset begin = rows.offsets(v), end = missing != 0 ? rows.offsets(v + 1) : begin;
        SourceMask all = 0;
        PinOffset i = begin;
        for (; i < end && all != missing; i += step) {
          SourceMask some = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(thread, i, Kokkos::min(i + step, end)),
              [&](const PinOffset j, SourceMask& bits) { bits |= present(rows.neighbors(j)); },
              Kokkos::BOr<SourceMask>(some));
          all |= some & missing;
        }
        Kokkos::single(Kokkos::PerThread(thread), [&]() {
          if (all != 0) found(v) = all;
          if (looked_at.extent(0) > 0) looked_at(v) = Kokkos::min(i, end) - begin;
        });
      });
  if (looked_at.extent(0) > 0) work_meter::add_visited_pins(space, looked_at);
}

std::uint64_t count_unfinished_edges(const ExecutionSpace& space, const CompressedRows& rows,
                                     SourceMask sources, const DeviceView<SourceMask>& visited) {
  std::uint64_t edges = 0;
  Kokkos::parallel_reduce(
      "KoHyPar::betweenness::unfinished", WideRange(space, 0, rows.num_rows()),
      KOKKOS_LAMBDA(const std::size_t v, std::uint64_t& sum) {
        if ((sources & ~visited(v)) != 0) sum += rows.offsets(v + 1) - rows.offsets(v);
      },
      edges);
  return edges;
}

}  // namespace kohypar

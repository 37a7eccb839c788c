#include "betweenness/grid.hpp"

#include <algorithm>

#include "betweenness/rows.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

namespace {

/// Core vertices by local row or column number; invalid_id where a block is short. `local_number` inverts it.
struct LocalVertices {
  DeviceView<VertexId> vertices, numbers;
};

template <class Number>
LocalVertices local_vertices(const ExecutionSpace& space, VertexId num_core, VertexId num_local,
                             const Number& local_number) {
  const LocalVertices local{filled(space, "KoHyPar::grid::vertices", num_local, invalid_id),
                            uninitialized<VertexId>("KoHyPar::grid::numbers", num_core)};
  Kokkos::parallel_for(
      "KoHyPar::grid::local_vertices", WideRange(space, 0, num_core), KOKKOS_LAMBDA(const std::size_t v) {
        const VertexId number = local_number(static_cast<VertexId>(v));
        local.numbers(v) = number;
        if (number != invalid_id) local.vertices(number) = static_cast<VertexId>(v);
      });
  return local;
}

CompressedRows on_device(const ExecutionSpace& space, const CompressedRows& rows) {
  CompressedRows copy{rows.offsets,
                      uninitialized<VertexId>("KoHyPar::grid::neighbors", rows.neighbors.extent(0))};
  Kokkos::deep_copy(space, copy.neighbors, rows.neighbors);
  return copy;
}

}  // namespace

bool share_rows(const CompressedRows& a, const CompressedRows& b) {
  return a.offsets.data() == b.offsets.data();
}

Block make_block(const ExecutionSpace& space, const Core& core, const Grid* grid) {
  const VertexId n = core.num_vertices();
  Block block;
  if (grid == nullptr) {
    block.out = core.host_memory ? on_device(space, core.out) : core.out;
    block.in = core.in;
    if (core.host_memory) block.in = share_rows(core.in, core.out) ? block.out : on_device(space, core.in);
    block.weights = core.weights;
    block.size = std::max<VertexId>(n, 1);
    return block;
  }
  block.rows = grid->rows();
  block.columns = grid->columns();
  block.row = grid->row();
  block.column = grid->column();
  const auto rows = static_cast<VertexId>(block.rows), columns = static_cast<VertexId>(block.columns);
  block.size = std::max<VertexId>((n + rows * columns - 1) / (rows * columns), 1);
  const auto own = static_cast<VertexId>(block.column) * rows + static_cast<VertexId>(block.row);
  block.first_own = std::min(own * block.size, n);
  block.own_row = static_cast<VertexId>(block.column) * block.size;
  block.own_column = static_cast<VertexId>(block.row) * block.size;
  block.weights =
      Kokkos::subview(core.weights, std::pair(block.first_own, std::min(block.first_own + block.size, n)));
  const LocalVertices by_row = local_vertices(
      space, n, columns * block.size, KOKKOS_LAMBDA(const VertexId v) { return block.row_vertex(v); });
  const LocalVertices by_column = local_vertices(
      space, n, rows * block.size, KOKKOS_LAMBDA(const VertexId v) { return block.column_vertex(v); });
  block.in = restrict_rows(space, core.in, by_row.vertices, by_column.numbers);
  block.out = restrict_rows(space, core.out, by_column.vertices, by_row.numbers);
  return block;
}

std::vector<std::size_t> sizes_by_block(const ExecutionSpace& space, const DeviceView<VertexId>& ids,
                                        VertexId block_size, int count) {
  const auto blocks = static_cast<std::size_t>(count);
  const auto sizes = uninitialized<std::uint64_t>("KoHyPar::grid::sizes", blocks);
  Kokkos::parallel_for(
      "KoHyPar::grid::sizes", WideRange(space, 0, blocks), KOKKOS_LAMBDA(const std::size_t i) {
        const auto first = static_cast<VertexId>(i * block_size);
        sizes(i) = first_at_least(ids, first + block_size) - first_at_least(ids, first);
      });
  std::vector<std::uint64_t> host(blocks);
  Kokkos::deep_copy(space, HostView<std::uint64_t>(host.data(), blocks), sizes);
  space.fence("KoHyPar::grid::sizes");
  return {host.begin(), host.end()};
}

DeviceView<std::byte> find_takers(const ExecutionSpace& space, Exchange& along_column, const Block& block) {
  const CompressedRows out = block.out;
  const auto has_edges = uninitialized<std::byte>("KoHyPar::grid::has_edges", out.num_rows());
  Kokkos::parallel_for(
      "KoHyPar::grid::has_edges", WideRange(space, 0, out.num_rows()), KOKKOS_LAMBDA(const std::size_t v) {
        has_edges(v) = static_cast<std::byte>(out.offsets(v + 1) > out.offsets(v) ? 1 : 0);
      });
  const Sizes counts(static_cast<std::size_t>(along_column.size()), block.size);
  return along_column.all_to_all(has_edges, counts, counts);
}

PackedList list_for_takers(const ExecutionSpace& space, const Frontier& own,
                           const DeviceView<std::byte>& takers, VertexId block_size, int processes) {
  const std::size_t size = own.size();
  const auto pairs = select(
      space, "KoHyPar::grid::expand", size * static_cast<std::size_t>(processes),
      KOKKOS_LAMBDA(const std::size_t i) {
        return takers(i / size * block_size + own.ids(i % size)) != std::byte{0};
      });
  const auto ids = uninitialized<VertexId>("KoHyPar::grid::expanded_ids", pairs.extent(0));
  const auto masks = uninitialized<SourceMask>("KoHyPar::grid::expanded_masks", pairs.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::grid::expand", WideRange(space, 0, pairs.extent(0)), KOKKOS_LAMBDA(const std::size_t e) {
        ids(e) = own.ids(pairs(e) % size);
        masks(e) = own.masks(pairs(e) % size);
      });
  return pack(space, ids, masks, sizes_by_block(space, pairs, static_cast<VertexId>(size), processes));
}

void take_new(const ExecutionSpace& space, const Frontier& entries, VertexId first,
              const DeviceView<SourceMask>& visited, const DeviceView<SourceMask>& found) {
  Kokkos::parallel_for(
      "KoHyPar::grid::take", WideRange(space, 0, entries.size()), KOKKOS_LAMBDA(const std::size_t e) {
        const VertexId own = entries.ids(e) - first;
        const SourceMask fresh = entries.masks(e) & ~visited(own);
        entries.ids(e) = own;
        entries.masks(e) = fresh;
        if (fresh != 0) Kokkos::atomic_or(&found(own), fresh);
      });
}

void mark_visited(const ExecutionSpace& space, const Frontier& own, VertexId first,
                  const DeviceView<SourceMask>& visited) {
  Kokkos::parallel_for(
      "KoHyPar::grid::mark_visited", WideRange(space, 0, own.size()),
      KOKKOS_LAMBDA(const std::size_t e) { visited(first + own.ids(e)) |= own.masks(e); });
}

}  // namespace kohypar

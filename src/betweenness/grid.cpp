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

}  // namespace

Block make_block(const ExecutionSpace& space, const Core& core, const Grid* grid) {
  const VertexId n = core.num_vertices();
  Block block;
  if (grid == nullptr) {
    block.in = core.in;
    block.out = core.out;
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

void unite_found(const ExecutionSpace& space, Exchange& along_row, const Block& block,
                 const DeviceView<SourceMask>& visited, const DeviceView<SourceMask>& found) {
  const std::vector<std::size_t> counts(static_cast<std::size_t>(block.columns), block.size);
  const auto received = along_row.all_to_all(found, counts, counts);
  const auto own = uninitialized<SourceMask>("KoHyPar::grid::own_found", block.size);
  const std::size_t size = block.size, processes = counts.size(), first = block.own_row;
  Kokkos::parallel_for(
      "KoHyPar::grid::unite", WideRange(space, 0, size), KOKKOS_LAMBDA(const std::size_t v) {
        SourceMask all = 0;
        for (std::size_t process = 0; process < processes; ++process) all |= received(process * size + v);
        own(v) = all & ~visited(first + v);
      });
  Kokkos::deep_copy(space, found, along_row.all_gather(own, counts));
}

}  // namespace kohypar

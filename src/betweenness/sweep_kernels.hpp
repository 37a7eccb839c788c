// The kernels of the sweeps but for the sums over rows.
#pragma once

#include "betweenness/gather.hpp"
#include "betweenness/packed_list.hpp"
#include "betweenness/rows.hpp"
#include "betweenness/wide_double.hpp"

namespace kohypar {

/// Stores a vertex' path count.
template <class Number>
struct StorePathCount {
  LaneValues<Number> sigma;
  DeviceView<VertexId> left_range;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t, VertexId vertex, int lane, const Number& sum) const {
    sigma(vertex, lane) = sum;
    if (leaves_range(sum)) left_range(0) = 1;
  }
};

/// Turns S into g and the dependency, which takes the place of the path count.
template <class Number>
struct StoreDependency {
  LaneValues<Number> sigma;
  LaneValues<Number> ratio;
  DeviceView<double> weights;
  DeviceView<double> multiplicities;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t, VertexId vertex, int lane, const Number& sum) const {
    const Number count = sigma(vertex, lane);
    Number own = weights(vertex) / count;
    own += sum;
    ratio(vertex, lane) = own;
    sigma(vertex, lane) = Number(to_double(count * sum) * multiplicities(static_cast<std::size_t>(lane)));
  }
};

/// Calls finish(entry, vertex, lane, value(entry, lane)) for every vertex of a frontier and source of its
/// mask.
template <class Value, class Finish>
void finish_each(const ExecutionSpace& space, const std::string& label, const Frontier& frontier,
                 const Value& value, const Finish& finish) {
  for_each_row(
      space, label, frontier.size(), KOKKOS_LAMBDA(const RowThread& thread, const std::size_t entry) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, max_lanes), [&](const int lane) {
          if ((frontier.masks(entry) >> lane & 1) != 0)
            finish(entry, frontier.ids(entry), lane, value(entry, lane));
        });
      });
}

/// The value of an entry's vertex.
template <class Number>
struct ByVertex {
  DeviceView<VertexId> ids;
  LaneValues<Number> values;

  KOKKOS_INLINE_FUNCTION Number operator()(std::size_t entry, int lane) const {
    return values(ids(entry), lane);
  }
};

/// Keeps values in the order of a list.
template <class Number>
struct StorePacked {
  PackedValues<Number> packed;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t entry, VertexId, int lane, const Number& value) const {
    packed(entry, lane) = value;
  }
};

/// The value of vertices without successors.
template <class Number>
struct Zero {
  KOKKOS_INLINE_FUNCTION Number operator()(std::size_t, int) const { return Number(0.0); }
};

/// Copies a value to its vertex.
template <class Number>
struct StoreByVertex {
  LaneValues<Number> values;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t, VertexId vertex, int lane, const Number& value) const {
    values(vertex, lane) = value;
  }
};

/// Adds what the processes of a list have sent to the values of its vertices, in the order of ranks.
template <class Number>
void add_groups(const ExecutionSpace& space, const PackedList& list, const DeviceView<Number>& received,
                const LaneValues<Number>& sums) {
  const PackedValues<Number> packed(list, received);
  const auto ids = list.ids;
  std::size_t first = 0;
  for (const std::size_t size : list.entries) {
    for_each_row(
        space, "KoHyPar::betweenness::add_groups", size,
        KOKKOS_LAMBDA(const RowThread& thread, const std::size_t index) {
          const std::size_t entry = first + index;
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(thread, max_lanes), [&](const int lane) {
            if ((packed.masks(entry) >> lane & 1) != 0) sums(ids(entry), lane) += packed(entry, lane);
          });
        });
    first += size;
  }
}

/// Adds the lanes' values of each vertex, lane by lane.
template <class Number>
void add_lanes(const ExecutionSpace& space, const LaneValues<Number>& dependencies,
               const DeviceView<double>& scores) {
  Kokkos::parallel_for(
      "KoHyPar::betweenness::add_lanes", WideRange(space, 0, scores.extent(0)),
      KOKKOS_LAMBDA(const std::size_t v) {
        double sum = scores(v);
        for (int lane = 0; lane < dependencies.lanes; ++lane) sum += to_double(dependencies(v, lane));
        scores(v) = sum;
      });
}

/// Sets the value of each source.
template <class Number>
void set_at_sources(const ExecutionSpace& space, const Frontier& sources, const LaneValues<Number>& values,
                    double value) {
  Kokkos::parallel_for(
      "KoHyPar::betweenness::sources", WideRange(space, 0, sources.size()),
      KOKKOS_LAMBDA(const std::size_t e) {
        for (SourceMask bits = sources.masks(e); bits != 0; bits &= bits - 1)
          values(sources.ids(e), Kokkos::countr_zero(bits)) = Number(value);
      });
}

/// Adds a number to all ids.
inline DeviceView<VertexId> shifted(const ExecutionSpace& space, const DeviceView<VertexId>& ids,
                                    VertexId offset) {
  const auto result = uninitialized<VertexId>("KoHyPar::betweenness::shifted", ids.extent(0));
  Kokkos::parallel_for(
      "KoHyPar::betweenness::shift", WideRange(space, 0, ids.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { result(i) = ids(i) + offset; });
  return result;
}

}  // namespace kohypar

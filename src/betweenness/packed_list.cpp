#include "betweenness/packed_list.hpp"

#include "betweenness/rows.hpp"
#include "parallel/scan.hpp"

namespace kohypar {

PackedList pack(const ExecutionSpace& space, const DeviceView<VertexId>& ids,
                const DeviceView<SourceMask>& masks, const Sizes& entries) {
  PackedList list{ids, masks, {}, entries, Sizes(entries.size())};
  PinOffset total = 0;
  list.offsets = offsets_from_counts(
      space, "KoHyPar::betweenness::value_offsets", ids.extent(0),
      KOKKOS_LAMBDA(const std::size_t e) { return static_cast<PinOffset>(Kokkos::popcount(masks(e))); },
      total);
  if (entries.size() == 1) {
    list.values[0] = total;
    return list;
  }
  // Where the groups end, fetched together.
  std::vector<PinOffset> ends(entries.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    end += entries[i];
    Kokkos::deep_copy(space, Kokkos::View<PinOffset, Kokkos::HostSpace>(&ends[i]),
                      Kokkos::subview(list.offsets, end));
  }
  space.fence("KoHyPar::betweenness::value_offsets");
  for (std::size_t i = 0; i < entries.size(); ++i) list.values[i] = ends[i] - (i == 0 ? 0 : ends[i - 1]);
  return list;
}

}  // namespace kohypar

// Work of a run as counts that no clock and no other load of the machine can blur.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar::work_meter {

struct Work {
  /// Kernels that have a label of KoHyPar's, but for those within sorts, which are each backend's own.
  std::uint64_t kernels = 0;
  /// Keys and values given to sorts, once each, whatever the passes over them.
  std::uint64_t sorted_bytes = 0;
  /// What the passes over pins go through: every (node, hyperedge, other pin) that the rating of pairs looks
  /// at, the pins that contraction gets, and the pins of the hyperedges whose lists of parts are made anew.
  /// Of betweenness centrality, the edges that are looked at to find a level.
  std::uint64_t visited_pins = 0;
};

/// Counts from zero until stop() returns what was counted. Needs Kokkos initialised; kernels are counted
/// through Kokkos Tools' callbacks, and a loaded tool keeps getting its own. One run at a time.
void start();
Work stop();
bool is_on();

/// For the phases; nothing happens unless the meter is on.
void add_sorted_bytes(std::uint64_t bytes);
void add_visited_pins(std::uint64_t pins);
/// The sum of `pins`, which takes a kernel (not counted) while the meter is on.
void add_visited_pins(const ExecutionSpace& space, const DeviceView<std::uint64_t>& pins);

}  // namespace kohypar::work_meter

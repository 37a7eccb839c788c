// How to search.
#pragma once

#include <atomic>
#include <functional>
#include <kohypar/types.hpp>
#include <string>

namespace kohypar {

enum class Effort { fast, standard, high };
enum class RefinementMethod { events, coloring };

/// What a balanced partition minimises: connectivity (sum of weight * (lambda - 1)) or the weight of cut
/// hyperedges.
enum class Objective { km1, cut };

/// One step of a long run, for progress displays.
struct Progress {
  const char* phase = "";  ///< "coarsening", "initial partition", "refinement"
  int level = 0;           ///< 0 is the input
  NodeId num_nodes = 0;
  HyperedgeId num_hyperedges = 0;
  PinOffset num_pins = 0;
  PartId num_parts = 0;      ///< 0 before there are parts
  Weight connectivity = -1;  ///< -1 before there is one
};

/// Sizes that steer kernels. They never change a result: a test holds that.
struct Tuning {
  int team_size = 0;            ///< threads per team; 0: chosen by the backend
  std::uint32_t tile_size = 0;  ///< entries of a scratch histogram; 0: chosen by the backend
  unsigned host_threads = 0;    ///< threads that search small cores; 0: as many as ExecutionSpace has if it
                                ///< is the host's, else as many as the machine has
};

/// Steps that a run can do without, to measure what each is worth (perf/ablation.py).
struct LeaveOut {
  bool noise = false;     ///< in the ratings of pairs while levels are coarsened
  bool merging = false;   ///< of the parts that an initial partition begins with
  bool chaining = false;  ///< of moves; they then come in the order of their gains
};

struct Options {
  std::uint64_t seed = 1;
  Effort effort = Effort::standard;
  int candidates = 4;          ///< Π, 1 to 8: proposals kept per node
  int refinement_rounds = 16;  ///< Θ per level
  RefinementMethod refinement = RefinementMethod::events;
  Objective objective = Objective::km1;  ///< of balanced partitions
  std::uint64_t memory_limit = 0;  ///< bytes of device memory, hypergraph included, above which a run ends
                                   ///< with Error(out_of_memory); 0: none. It never changes a result.
  /// Where no more pairs of pins share a hyperedge once twins are merged, many sequential runs search side by
  /// side on the host: there kernels take longer to launch than to run. 0: never.
  std::uint64_t host_search_pin_pairs = std::uint64_t{1} << 22;
  /// Balanced problems are coarsened on the device to so many nodes, to a quarter if they then have many
  /// pins, or to 256 nodes a part (128 with more than 128 parts) if that is more, before the host searches.
  NodeId balanced_core_nodes = NodeId{1} << 15;
  Tuning tuning;
  LeaveOut leave_out;
  std::function<void(const Progress&)> on_progress;  ///< may be empty
  const std::atomic<bool>* stop = nullptr;           ///< set to true: partition throws Error(interrupted)
};

}  // namespace kohypar

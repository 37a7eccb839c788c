// From a hypergraph in host memory to a checked partition in host memory.
#pragma once

#include <kohypar/report.hpp>
#include <vector>

namespace kohypar::programs {

/// What a run returned, on the host.
struct RunResult {
  std::vector<PartId> parts;
  PartId num_parts = 0;
  Weight connectivity = 0;  ///< as the partitioner tracked it
};

/// Partitions, or improves `initial` unless it is empty; Kokkos is initialised. Fills in the run's timings,
/// memory and levels. Throws Error(out_of_memory) with the need and the limit.
RunResult run_partitioner(const HostHypergraph& hypergraph, const std::vector<PartId>& initial,
                          const Limits& limits, RunReport& run);

/// Compares a result with what was recomputed from the hypergraph. Throws Error(infeasible) if it isn't
/// valid, and Error(internal) if the partitioner's own numbers differ.
void check_result(const RunResult& result, const Quality& recomputed);

}  // namespace kohypar::programs

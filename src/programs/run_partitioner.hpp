// From a hypergraph in host memory to a checked partition in host memory.
#pragma once

#include <kohypar/report.hpp>
#include <optional>
#include <vector>

namespace kohypar::programs {

/// What to find.
struct Task {
  Limits limits;                   ///< unless there is a balance
  std::optional<Balance> balance;  ///< balanced k-way instead
  std::vector<PartId> initial;     ///< improved, unless empty
};

/// What a run returned, on the host.
struct RunResult {
  std::vector<PartId> parts;
  PartId num_parts = 0;
  Weight connectivity = 0;  ///< as the partitioner tracked it
};

/// Does a task; Kokkos is initialised. Fills in the run's timings, memory and levels. Throws
/// Error(out_of_memory) with the need and the limit.
RunResult run_partitioner(const HostHypergraph& hypergraph, const Task& task, RunReport& run);

/// Compares a result with what was recomputed from the hypergraph. Throws Error(infeasible) if it isn't
/// valid, and Error(internal) if the partitioner's own numbers differ.
void check_result(const RunResult& result, const Quality& recomputed);

}  // namespace kohypar::programs

#include "programs/run_partitioner.hpp"

#include <chrono>
#include <kohypar/error.hpp>

#include "parallel/device_memory.hpp"
#include "programs/memory.hpp"

namespace kohypar::programs {

namespace {

template <class T>
auto unmanaged(T* data, std::size_t size) {
  return Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data, size);
}

Partition partition_or_improve(const ExecutionSpace& space, const HostHypergraph& host, const Task& task,
                               const Options& options) {
  const Hypergraph hypergraph = upload(space, host);
  if (task.initial.empty())
    return task.balance ? partition(space, hypergraph, *task.balance, options)
                        : partition(space, hypergraph, task.limits, options);
  const DeviceView<PartId> parts(
      Kokkos::view_alloc("KoHyPar::programs::initial", Kokkos::WithoutInitializing), task.initial.size());
  Kokkos::deep_copy(space, parts, unmanaged(task.initial.data(), task.initial.size()));
  return task.balance ? improve(space, hypergraph, parts, *task.balance, options)
                      : improve(space, hypergraph, parts, task.limits, options);
}

RunResult run_on_device(const ExecutionSpace& space, const HostHypergraph& host, const Task& task,
                        RunReport& run) {
  const auto start = std::chrono::steady_clock::now();
  const Partition found = partition_or_improve(space, host, task, run.options);
  RunResult result{std::vector<PartId>(found.parts.extent(0)), found.num_parts, found.connectivity};
  Kokkos::deep_copy(space, unmanaged(result.parts.data(), result.parts.size()), found.parts);
  space.fence("KoHyPar::programs::run_partitioner");
  run.partition_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.timings = found.timings;
  run.peak_device_bytes = found.peak_device_bytes;
  run.num_levels = found.num_levels;
  return result;
}

}  // namespace

RunResult run_partitioner(const HostHypergraph& hypergraph, const Task& task, RunReport& run) {
  const ExecutionSpace space;
  try {
    return run_on_device(space, hypergraph, task, run);
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    throw Error(ErrorKind::out_of_memory,
                "out of device memory: this hypergraph needs about " +
                    readable_bytes(estimated_device_bytes(hypergraph)) + ", the device has " +
                    readable_bytes(device_memory_bytes(space)) + " (" + error.what() + ")");
  }
}

void check_result(const RunResult& result, const Quality& recomputed) {
  if (!recomputed.valid())
    throw Error(ErrorKind::infeasible,
                "no valid partition was found, and nothing written; limits exceeded: " +
                    std::to_string(recomputed.violations.size()));
  if (result.connectivity != recomputed.connectivity || result.num_parts != recomputed.num_parts)
    throw Error(ErrorKind::internal,
                "a defect of KoHyPar: connectivity " + std::to_string(result.connectivity) + " and " +
                    std::to_string(result.num_parts) + " parts were tracked, but recomputed they are " +
                    std::to_string(recomputed.connectivity) + " and " + std::to_string(recomputed.num_parts) +
                    "; nothing was written, please report the input and the options");
}

}  // namespace kohypar::programs

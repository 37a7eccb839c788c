#include "parallel/work_meter.hpp"

#include <atomic>
#include <string_view>

namespace kohypar::work_meter {

namespace {

namespace Tools = Kokkos::Tools::Experimental;

std::atomic<bool> running{false};
std::atomic<std::uint64_t> kernels{0}, sorted_bytes{0}, visited_pins{0};
Tools::EventSet next_callbacks;

constexpr std::string_view meter_label = "KoHyPar::work_meter";

void count_kernel(std::string_view label) {
  if (!running || !label.starts_with("KoHyPar::")) return;
  if (label.starts_with("KoHyPar::sort::") || label == meter_label) return;
  ++kernels;
}

void on_parallel_for(const char* label, const std::uint32_t device, std::uint64_t* id) {
  count_kernel(label);
  if (next_callbacks.begin_parallel_for != nullptr) next_callbacks.begin_parallel_for(label, device, id);
}

void on_parallel_reduce(const char* label, const std::uint32_t device, std::uint64_t* id) {
  count_kernel(label);
  if (next_callbacks.begin_parallel_reduce != nullptr)
    next_callbacks.begin_parallel_reduce(label, device, id);
}

void on_parallel_scan(const char* label, const std::uint32_t device, std::uint64_t* id) {
  count_kernel(label);
  if (next_callbacks.begin_parallel_scan != nullptr) next_callbacks.begin_parallel_scan(label, device, id);
}

}  // namespace

// Callbacks stay only while they are needed: Kokkos fences kernels for a tool that has not said otherwise.
void start() {
  next_callbacks = Tools::get_callbacks();
  kernels = sorted_bytes = visited_pins = 0;
  running = true;
  Tools::set_begin_parallel_for_callback(on_parallel_for);
  Tools::set_begin_parallel_reduce_callback(on_parallel_reduce);
  Tools::set_begin_parallel_scan_callback(on_parallel_scan);
}

Work stop() {
  running = false;
  Tools::set_begin_parallel_for_callback(next_callbacks.begin_parallel_for);
  Tools::set_begin_parallel_reduce_callback(next_callbacks.begin_parallel_reduce);
  Tools::set_begin_parallel_scan_callback(next_callbacks.begin_parallel_scan);
  return {kernels, sorted_bytes, visited_pins};
}

bool is_on() {
  return running;
}

void add_sorted_bytes(std::uint64_t bytes) {
  if (running) sorted_bytes += bytes;
}

void add_visited_pins(std::uint64_t pins) {
  if (running) visited_pins += pins;
}

void add_visited_pins(const ExecutionSpace& space, const DeviceView<std::uint64_t>& pins) {
  if (!running) return;
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      std::string(meter_label),
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, pins.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, std::uint64_t& into) { into += pins(i); }, sum);
  visited_pins += sum;
}

}  // namespace kohypar::work_meter

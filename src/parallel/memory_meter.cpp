#include "parallel/memory_meter.hpp"

#include <atomic>
#include <cstring>
#include <kohypar/error.hpp>
#include <kohypar/types.hpp>
#include <string>

namespace kohypar::memory_meter {

namespace {

namespace Tools = Kokkos::Tools::Experimental;

std::atomic<std::int64_t> bytes_now{0};
std::atomic<std::int64_t> bytes_peak{0};
Tools::EventSet next_callbacks;

bool is_ours(const Kokkos_Profiling_SpaceHandle& space) {
  return std::strncmp(space.name, MemorySpace::name(), sizeof(space.name)) == 0;
}

void on_allocate(const Kokkos_Profiling_SpaceHandle space, const char* label, const void* where,
                 const std::uint64_t size) {
  if (is_ours(space)) {
    const std::int64_t now = bytes_now += static_cast<std::int64_t>(size);
    std::int64_t seen = bytes_peak;
    while (seen < now && !bytes_peak.compare_exchange_weak(seen, now)) {
    }
  }
  if (next_callbacks.allocate_data != nullptr) next_callbacks.allocate_data(space, label, where, size);
}

void on_deallocate(const Kokkos_Profiling_SpaceHandle space, const char* label, const void* where,
                   const std::uint64_t size) {
  if (is_ours(space)) bytes_now -= static_cast<std::int64_t>(size);
  if (next_callbacks.deallocate_data != nullptr) next_callbacks.deallocate_data(space, label, where, size);
}

std::uint64_t not_negative(std::int64_t value) {
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

}  // namespace

void install() {
  static const bool installed = [] {
    next_callbacks = Tools::get_callbacks();
    Tools::set_allocate_data_callback(on_allocate);
    Tools::set_deallocate_data_callback(on_deallocate);
    return true;
  }();
  static_cast<void>(installed);
}

std::uint64_t current() {
  return not_negative(bytes_now);
}
std::uint64_t peak() {
  return not_negative(bytes_peak);
}
void reset_peak() {
  bytes_peak = bytes_now.load();
}

void check(std::uint64_t limit) {
  check(peak(), limit);
}

void check(std::uint64_t peak, std::uint64_t limit) {
  if (limit != 0 && peak > limit)
    throw Error(ErrorKind::out_of_memory, "needs " + std::to_string(peak) +
                                              " bytes of device memory or more, above the limit of " +
                                              std::to_string(limit));
}

}  // namespace kohypar::memory_meter

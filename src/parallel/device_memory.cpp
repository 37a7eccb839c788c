#include "parallel/device_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace kohypar {

namespace {

template <class Space>
std::uint64_t memory_of(const Space& space) {
  if constexpr (requires { space.cuda_device_prop().totalGlobalMem; }) {
    return space.cuda_device_prop().totalGlobalMem;
  } else if constexpr (requires { space.hip_device_prop().totalGlobalMem; }) {
    return space.hip_device_prop().totalGlobalMem;
  } else {
    static_cast<void>(space);
    return host_memory_bytes();
  }
}

}  // namespace

std::uint64_t device_memory_bytes(const ExecutionSpace& space) {
  return memory_of(space);
}

std::uint64_t host_memory_bytes() {
  const auto physical =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  return std::min<std::uint64_t>(physical, limit.rlim_cur);
}

}  // namespace kohypar

// How much memory the execution space's device has.
#pragma once

#include <kohypar/types.hpp>

namespace kohypar {

/// Bytes of memory of the device `space` runs on; for host spaces those of the machine, or the process's
/// limit (RLIMIT_AS) where it is less. For messages and plans: no result may depend on it.
std::uint64_t device_memory_bytes(const ExecutionSpace& space);

/// The same for the host.
std::uint64_t host_memory_bytes();

}  // namespace kohypar

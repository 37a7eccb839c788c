// What a run needs of memory, and what to say where it isn't there.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <stdexcept>
#include <string>

namespace kohypar::programs {

/// Bytes of a hypergraph in host memory.
std::uint64_t host_bytes(const HostHypergraph& hypergraph);

/// About the peak of device memory while the hypergraph is partitioned, if few hyperedges are cut; up to four
/// times as much if most are. For information, not for decisions.
std::uint64_t estimated_device_bytes(const HostHypergraph& hypergraph);

/// "1.5 GiB".
std::string readable_bytes(std::uint64_t bytes);

/// Whether an exception is a failed allocation, of the host's or of Kokkos.
bool is_out_of_memory(const std::exception& error);

/// What failed, and how much memory the machine has.
std::string out_of_memory_text(const std::exception& error);

}  // namespace kohypar::programs

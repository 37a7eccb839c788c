// What the readers and writers of the single formats look like; one source file a format.
#pragma once

#include <kohypar/io.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// A file's content (inflated), its name for messages, and the threads to read it with.
struct Input {
  std::string_view bytes;
  std::string name;
  HostThreads threads = {};
};

/// Reads one format. Throws Error(input) naming line or byte offset and what was expected there; never
/// allocates more than a small multiple of the content. Appends warnings.
HostHypergraph read_hgr(const Input& input, bool first_pin_is_source, std::vector<std::string>& warnings);
HostHypergraph read_snn(const Input& input, std::vector<std::string>& warnings);
HostHypergraph read_axh(const Input& input, std::vector<std::string>& warnings);
HostHypergraph read_mtx(const Input& input, NetModel net_model, std::vector<std::string>& warnings);
HostHypergraph read_graph(const Input& input, std::vector<std::string>& warnings);

/// As read_hypergraph, from memory.
ReadResult parse_hypergraph(const Input& input, Format format, const ReadOptions& options);

/// As read_partition, read_fixed and read_capacities, from memory.
std::vector<PartId> parse_partition(const Input& input, NodeId num_nodes);
std::vector<PartId> parse_fixed(const Input& input, NodeId num_nodes, PartId num_parts);
std::vector<Weight> parse_capacities(const Input& input, PartId num_parts);

/// Writes one format, whatever it can't hold left out (see conversion_losses).
void write_hgr(const HostHypergraph& hypergraph, OutputFile& file);
void write_snn(const HostHypergraph& hypergraph, OutputFile& file);
void write_axh(const HostHypergraph& hypergraph, OutputFile& file);
void write_mtx(const HostHypergraph& hypergraph, OutputFile& file);
void write_graph(const HostHypergraph& hypergraph, OutputFile& file);

/// Whether a count of nodes, or of other things that need not occur in the file, is believable: a lie must
/// not make us allocate. Up to a million of them cost little, more of them than bytes in the file make no
/// sense.
inline bool believable_count(std::uint64_t count, const Input& input) {
  return count <= std::max<std::uint64_t>(std::uint64_t{1} << 20, input.bytes.size());
}

/// The message for a count that isn't.
inline std::string unbelievable(const char* things, std::uint64_t count, const Input& input) {
  return std::to_string(count) + " " + things + " can't be true in a file of " +
         std::to_string(input.bytes.size()) + " bytes";
}

/// The last step of every reader: repairs pins with a counted warning, converts real weights, checks totals.
void finish_reading(const Input& input, HostHypergraph& hypergraph, std::vector<std::string>& warnings);

}  // namespace kohypar

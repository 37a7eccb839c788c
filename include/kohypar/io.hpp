// Readers and writers of hypergraph and partition files.
#pragma once

#include <kohypar/hypergraph.hpp>
#include <kohypar/limits.hpp>
#include <string>
#include <vector>

namespace kohypar {

enum class Format { hgr, snn, axh, mtx, graph };
enum class NetModel { row, column };

struct ReadOptions {
  std::string format = {};             ///< "hgr", "snn", ...; empty: from the file's name (".gz" ignored)
  NetModel net_model = NetModel::row;  ///< .mtx: hyperedges are rows or columns
  bool first_pin_is_source = false;    ///< .hgr: netlists put the driver first
};

/// Format by name, or by the extension of a path with an optional ".gz". Throws Error(usage) if unknown.
Format parse_format(const std::string& name);
Format format_of_path(const std::string& path);
const char* to_string(Format format);

struct ReadResult {
  HostHypergraph hypergraph;
  Format format = Format::hgr;
  std::vector<std::string> warnings;  ///< e.g. "FILE: 3 repeated pins dropped"
};

/// Reads a hypergraph; gzip-compressed input of any format is recognised by its content.
/// Throws Error(input) naming file, line or byte offset, and what was expected there.
ReadResult read_hypergraph(const std::string& path, const ReadOptions& options = {});

/// What `format` can't hold of this hypergraph, one sentence each; empty if it can hold everything.
std::vector<std::string> conversion_losses(const HostHypergraph& hypergraph, Format format);

/// Writes beside, then renames, so that a failed write leaves no file. What the format can't hold is changed
/// as conversion_losses says. Throws Error(internal) where the file can't be written, Error(usage) for a
/// ".gz" path.
void write_hypergraph(const HostHypergraph& hypergraph, const std::string& path, Format format);

/// One part id per line, `num_nodes` lines. Throws Error(input) naming the line.
std::vector<PartId> read_partition(const std::string& path, NodeId num_nodes);

/// Balance::fixed from a .fix file, as hMETIS and KaHyPar have them: `num_nodes` lines, each the part of a
/// node, below `num_parts`, or -1 if the node is free (then invalid_id). Throws Error(input) naming the line.
std::vector<PartId> read_fixed(const std::string& path, NodeId num_nodes, PartId num_parts);

/// Balance::capacities: `num_parts` lines, each the most size of a part, below 2^61. Throws Error(input)
/// naming the line.
std::vector<Weight> read_capacities(const std::string& path, PartId num_parts);

/// "-" is standard output. Writes beside, then renames.
void write_partition(const std::string& path, const std::vector<PartId>& parts);

/// Spiking-neural-network benchmark hypergraphs: lenet, alexnet, vgg11, mobilenet, rand:N:FANOUT,
/// model:SIDE:LAYERS:RADIUS:CHANNELS. Only rand depends on the seed. Throws Error(usage) on an unknown name
/// or unusable numbers.
HostHypergraph generate_network(const std::string& name, std::uint64_t seed);

/// Streams a generated network to a .snn file without holding it in memory.
void generate_network_file(const std::string& name, std::uint64_t seed, const std::string& path);

}  // namespace kohypar

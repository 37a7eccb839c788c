#include "io/formats.hpp"

#include <array>
#include <kohypar/error.hpp>

#include "hypergraph/host.hpp"
#include "io/with_input.hpp"

namespace kohypar {

namespace {

constexpr std::array<std::pair<Format, const char*>, 5> format_names{{{Format::hgr, "hgr"},
                                                                      {Format::snn, "snn"},
                                                                      {Format::axh, "axh"},
                                                                      {Format::mtx, "mtx"},
                                                                      {Format::graph, "graph"}}};

bool is_compressed_name(const std::string& path) {
  return path.ends_with(".gz");
}

void warn(const Input& input, std::uint64_t count, const char* what, std::vector<std::string>& warnings) {
  if (count > 0) warnings.push_back(input.name + ": " + std::to_string(count) + what);
}

HostHypergraph read_as(Format format, const Input& input, const ReadOptions& options,
                       std::vector<std::string>& warnings) {
  switch (format) {
    case Format::hgr:
      return read_hgr(input, options.first_pin_is_source, warnings);
    case Format::snn:
      return read_snn(input, warnings);
    case Format::axh:
      return read_axh(input, warnings);
    case Format::mtx:
      return read_mtx(input, options.net_model, warnings);
    case Format::graph:
      return read_graph(input, warnings);
  }
  throw Error(ErrorKind::internal, "unknown format");
}

}  // namespace

Format parse_format(const std::string& name) {
  for (const auto& [format, format_name] : format_names)
    if (name == format_name) return format;
  throw Error(ErrorKind::usage, "unknown format '" + name + "': expected hgr, snn, axh, mtx or graph");
}

Format format_of_path(const std::string& path) {
  const std::string plain = is_compressed_name(path) ? path.substr(0, path.size() - 3) : path;
  const std::size_t name = plain.find_last_of('/') + 1;  // npos + 1 is 0
  const std::size_t dot = plain.find_last_of('.');
  if (dot != std::string::npos && dot >= name)
    for (const auto& [format, format_name] : format_names)
      if (plain.compare(dot + 1, std::string::npos, format_name) == 0) return format;
  throw Error(ErrorKind::usage, path + ": the name tells no format (.hgr, .snn, .axh, .mtx or .graph)");
}

const char* to_string(Format format) {
  for (const auto& [known, name] : format_names)
    if (known == format) return name;
  return "unknown";
}

void finish_reading(const Input& input, HostHypergraph& h, std::vector<std::string>& warnings) {
  if (h.node_sizes.empty()) h.node_sizes.assign(h.num_nodes, 1);
  const PinRepairs repairs = normalize_pins(h, input.threads);
  warn(input, repairs.repeated_pins, " repeated pins dropped", warnings);
  warn(input, repairs.sources_also_destinations, " sources are also destinations, and kept as such only",
       warnings);
  if (!h.real_weights.empty()) scale_real_weights(h);
  check_totals(h, input.name);
}

ReadResult parse_hypergraph(const Input& input, Format format, const ReadOptions& options) {
  ReadResult result;
  result.format = format;
  result.hypergraph = read_as(format, input, options, result.warnings);
  return result;
}

ReadResult read_hypergraph(const std::string& path, const ReadOptions& options) {
  const Format format = options.format.empty() ? format_of_path(path) : parse_format(options.format);
  return with_input(path, [&](const Input& input) { return parse_hypergraph(input, format, options); });
}

void write_hypergraph(const HostHypergraph& hypergraph, const std::string& path, Format format) {
  if (is_compressed_name(path)) throw Error(ErrorKind::usage, path + ": compressed files are only read");
  OutputFile file(path);
  switch (format) {
    case Format::hgr:
      write_hgr(hypergraph, file);
      break;
    case Format::snn:
      write_snn(hypergraph, file);
      break;
    case Format::axh:
      write_axh(hypergraph, file);
      break;
    case Format::mtx:
      write_mtx(hypergraph, file);
      break;
    case Format::graph:
      write_graph(hypergraph, file);
      break;
  }
  file.commit();
}

std::vector<PartId> read_partition(const std::string& path, NodeId num_nodes) {
  return with_input(path, [&](const Input& input) { return parse_partition(input, num_nodes); });
}

std::vector<PartId> read_fixed(const std::string& path, NodeId num_nodes, PartId num_parts) {
  return with_input(path, [&](const Input& input) { return parse_fixed(input, num_nodes, num_parts); });
}

std::vector<Weight> read_capacities(const std::string& path, PartId num_parts) {
  return with_input(path, [&](const Input& input) { return parse_capacities(input, num_parts); });
}

}  // namespace kohypar

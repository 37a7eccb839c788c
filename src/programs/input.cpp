#include "programs/input.hpp"

#include <chrono>

#include "programs/settings.hpp"

namespace kohypar::programs {

Input read_input(const CommandLine& line, const std::string& path, Display& display) {
  const ReadOptions options = input_options(line, path);
  display.step("reading " + path);
  const auto start = std::chrono::steady_clock::now();
  Input input{path, read_hypergraph(path, options), 0};
  input.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  display.warn(input.file.warnings);
  return input;
}

Report start_report(const std::string& command, const Input& input) {
  const HostHypergraph& hypergraph = input.file.hypergraph;
  Report report;
  report.command = command;
  report.input = input.path;
  report.format = to_string(input.file.format);
  report.num_nodes = hypergraph.num_nodes;
  report.num_hyperedges = hypergraph.num_hyperedges();
  report.num_pins = hypergraph.num_pins();
  report.directed = hypergraph.directed;
  report.read_seconds = input.seconds;
  report.warnings = input.file.warnings;
  return report;
}

Quality evaluate_for(const Report& report, const HostHypergraph& hypergraph,
                     const std::vector<PartId>& parts) {
  return report.balance ? evaluate(hypergraph, parts, report.balance->balance)
                        : evaluate(hypergraph, parts, report.limits);
}

std::string counts(const HostHypergraph& hypergraph) {
  return std::to_string(hypergraph.num_nodes) + " nodes, " + std::to_string(hypergraph.num_hyperedges()) +
         " hyperedges, " + std::to_string(hypergraph.num_pins()) + " pins";
}

}  // namespace kohypar::programs

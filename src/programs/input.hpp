// Reading a subcommand's input.
#pragma once

#include <kohypar/io.hpp>
#include <kohypar/report.hpp>
#include <string>

#include "programs/display.hpp"

namespace kohypar::programs {

struct Input {
  std::string path;
  ReadResult file;
  double seconds = 0;
};

/// Reads with the line's input options; shows progress and warnings.
Input read_input(const CommandLine& line, const std::string& path, Display& display);

/// A report's fields that follow from the input alone.
Report start_report(const std::string& command, const Input& input);

/// Checks parts against the balance of a report, or else its limits.
Quality evaluate_for(const Report& report, const HostHypergraph& hypergraph,
                     const std::vector<PartId>& parts);

/// "12 nodes, 3 hyperedges, 8 pins".
std::string counts(const HostHypergraph& hypergraph);

}  // namespace kohypar::programs

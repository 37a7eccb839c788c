// The run report: what a program prints for people and writes as JSON for programs.
#pragma once

#include <kohypar/limits.hpp>
#include <kohypar/options.hpp>
#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>
#include <string>
#include <vector>

namespace kohypar {

struct Report {
  std::string command;  ///< "partition" or "evaluate"
  std::string input;    ///< path as given
  std::string format;
  NodeId num_nodes = 0;
  HyperedgeId num_hyperedges = 0;
  PinOffset num_pins = 0;
  bool directed = false;
  Limits limits;
  Options options;
  Quality quality;
  std::vector<CutHyperedge> cut_hyperedges;
  std::vector<PhaseTiming> timings;
  double read_seconds = 0;
  double partition_seconds = 0;  ///< host memory to host memory
  std::uint64_t peak_device_bytes = 0;
  int num_levels = 0;
  std::vector<std::string> warnings;
};

/// Version and Kokkos backends, e.g. "KoHyPar 0.1.0, Kokkos 4.6.1, Serial OpenMP".
std::string version_string();

/// Writes JSON as described by `share/kohypar/report.schema.json`; beside, then renamed.
void write_report(const std::string& path, const Report& report);

/// A summary of a few lines for a person.
std::string summary(const Report& report);

}  // namespace kohypar

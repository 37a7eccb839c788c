// The run report: what a program prints for people and writes as JSON for programs.
#pragma once

#include <kohypar/limits.hpp>
#include <kohypar/options.hpp>
#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kohypar {

/// The part of a report that only a run of the partitioner has.
struct RunReport {
  Options options;
  std::string initial;  ///< path of the partition it started from; empty: none
  std::vector<PhaseTiming> timings;
  double partition_seconds = 0;  ///< host memory to host memory
  std::uint64_t peak_device_bytes = 0;
  int num_levels = 0;
};

/// The balance that was asked for, and how.
struct BalanceReport {
  Balance balance;
  double epsilon = 0;      ///< unless capacities were given
  std::string capacities;  ///< path of the file with the capacity of each part; empty: epsilon
  std::string fixed;       ///< path of the file with fixed nodes; empty: none
};

struct Report {
  std::string command;  ///< "partition" or "evaluate"
  std::string input;    ///< path as given
  std::string format;
  NodeId num_nodes = 0;
  HyperedgeId num_hyperedges = 0;
  PinOffset num_pins = 0;
  bool directed = false;
  Limits limits;                         ///< none where there is a balance
  std::optional<BalanceReport> balance;  ///< of balanced k-way partitions
  Quality quality;
  std::vector<CutHyperedge> cut_hyperedges;
  double read_seconds = 0;
  std::vector<std::string> warnings;
  std::optional<RunReport> run;
};

/// Version and Kokkos backends, e.g. "KoHyPar 0.1.0, Kokkos 4.6.1, OpenMP".
std::string version_string();

/// Writes JSON as described by `share/kohypar/report.schema.json`; beside, then renamed. "-" is standard
/// output. Weights are the input's own: real ones are scaled back.
void write_report(const std::string& path, const Report& report);

/// A summary of a few lines for a person, each ended by a newline; the first violations are among them.
std::string summary(const Report& report);

/// Seconds and calls of each phase of a run, one line a phase, longest first.
std::string timing_table(const RunReport& run);

}  // namespace kohypar

// What `kohypar-bc` writes and prints.
#pragma once

#include <kohypar/betweenness.hpp>
#include <string>
#include <vector>

namespace kohypar::programs {

/// A finished run, on the host.
struct BetweennessReport {
  std::string input;
  bool directed = false;
  VertexId num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t dropped_loops = 0;
  std::uint64_t dropped_repetitions = 0;
  bool graph_is_on_host = false;
  double read_seconds = 0;  ///< from the file, or the generator, to the graph on the device
  BetweennessOptions options;
  Betweenness run;
  double teps = 0;
  int processes = 1, grid_rows = 1, grid_columns = 1, replicas = 1;
  std::string placement;               ///< --distribution
  std::vector<std::uint64_t> devices;  ///< Kokkos' number of each process' device; 2^64 - 1: the host
  std::string mpi;                     ///< the library's version; empty: none
  bool mpi_takes_device_memory = false;
  std::vector<double> scores;
  std::vector<std::uint64_t> labels;  ///< empty: names are ids
  std::vector<std::string> warnings;

  [[nodiscard]] std::uint64_t name_of(VertexId v) const { return labels.empty() ? v : labels[v]; }
};

/// One score a line, in the order of the vertices; "name score" where the file names vertices. Beside, then
/// renamed; "-" is standard output.
void write_scores(const std::string& path, const BetweennessReport& report);

/// Everything but the scores, as JSON; beside, then renamed.
void write_report(const std::string& path, const BetweennessReport& report);

/// A few lines for a person, the ten highest scores among them.
std::string summary(const BetweennessReport& report);

}  // namespace kohypar::programs

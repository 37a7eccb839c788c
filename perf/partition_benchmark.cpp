// Times whole runs of the constrained partitioner, from the hypergraph in host memory to the partition in
// host memory, and prints one JSON object with quality, time by phase and memory. README.md says how results
// are recorded.
//
// usage: kohypar_partition_benchmark NETWORK|FILE MAX_SIZE MAX_INBOUND [RUNS [fast|default|high]]
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>
#include <kohypar/report.hpp>
#include <string>
#include <vector>

#include "io/json_writer.hpp"

namespace {

using namespace kohypar;

struct Run {
  Partition partition;
  std::vector<PartId> parts;
  double seconds = 0;
};

Run run_once(const ExecutionSpace& space, const HostHypergraph& host, const Limits& limits,
             const Options& options) {
  Run run;
  run.parts.resize(host.num_nodes);
  const Kokkos::Timer timer;
  run.partition = partition(space, upload(space, host), limits, options);
  Kokkos::deep_copy(space, HostView<PartId>(run.parts.data(), run.parts.size()), run.partition.parts);
  space.fence("KoHyPar::benchmark");
  run.seconds = timer.seconds();
  return run;
}

/// FNV-1a of the part ids: equal partitions on every backend have equal fingerprints.
std::string fingerprint(const std::vector<PartId>& parts) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const PartId part : parts) hash = (hash ^ part) * 1099511628211ull;
  return std::to_string(hash);
}

Effort effort_of(const std::string& name) {
  return name == "fast" ? Effort::fast : name == "high" ? Effort::high : Effort::standard;
}

void print(const std::string& name, const HostHypergraph& host, const Limits& limits, const Quality& quality,
           const Run& run, const std::vector<double>& seconds) {
  JsonWriter json(std::cout);
  json.object([&] {
    json.member("input", name);
    json.member("nodes", host.num_nodes);
    json.member("hyperedges", host.num_hyperedges());
    json.member("pins", host.num_pins());
    json.member("max_size", limits.max_size);
    json.member("max_inbound", limits.max_inbound);
    json.member("version", version_string());
    json.member("connectivity", quality.real(quality.connectivity));
    json.member("parts", quality.num_parts);
    json.member("valid", quality.valid());
    json.member("fingerprint", fingerprint(run.parts));
    json.member("peak_device_bytes", run.partition.peak_device_bytes);
    json.member("seconds_median", seconds[seconds.size() / 2]);
    json.key("seconds");
    json.array([&] {
      for (const double s : seconds) json.value(s);
    });
    json.key("phases");
    json.object([&] {
      for (const PhaseTiming& timing : run.partition.timings) json.member(timing.phase, timing.seconds);
    });
  });
  std::cout << '\n';
}

int benchmark(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: kohypar_partition_benchmark NETWORK|FILE MAX_SIZE MAX_INBOUND [RUNS "
                 "[fast|default|high]]\n";
    return 2;
  }
  const std::string input = argv[1];
  const HostHypergraph host =
      std::filesystem::exists(input) ? read_hypergraph(input).hypergraph : generate_network(input, 1);
  const Limits limits{.max_size = std::stoll(argv[2]), .max_inbound = std::stoll(argv[3])};
  const int runs = argc > 4 ? std::max(1, std::stoi(argv[4])) : 3;
  Options options;
  if (argc > 5) options.effort = effort_of(argv[5]);

  const ExecutionSpace space;
  Run run = run_once(space, host, limits, options);  // warm-up: loads kernels
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    run = run_once(space, host, limits, options);
    seconds.push_back(run.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  print(std::filesystem::path(input).filename().string(), host, limits, evaluate(host, run.parts, limits),
        run, seconds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return benchmark(argc, argv);
  } catch (const Error& error) {
    std::cerr << "kohypar_partition_benchmark: " << error.what() << '\n';
    return error.exit_code();
  }
}

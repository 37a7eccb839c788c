// Times whole runs of the partitioner, from the hypergraph in host memory to the partition in host memory,
// and prints one JSON object with quality, time by phase, memory by level and work. README.md says how
// results are recorded.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <kohypar/partition.hpp>
#include <kohypar/quality.hpp>
#include <kohypar/report.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/json_writer.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/work_meter.hpp"
#include "programs/command_line.hpp"
#include "programs/memory.hpp"
#include "programs/settings.hpp"

namespace {

using namespace kohypar;
using programs::CommandLine;

struct Run {
  Partition partition;
  std::vector<PartId> parts;
  double seconds = 0;
};

/// Limits, unless there is a balance.
struct Demand {
  Limits limits;
  std::optional<BalanceReport> balance;
};

Run run_once(const ExecutionSpace& space, const HostHypergraph& host, const Demand& demand,
             const Options& options) {
  Run run;
  run.parts.resize(host.num_nodes);
  const Kokkos::Timer timer;
  const Hypergraph hypergraph = upload(space, host);
  run.partition = demand.balance ? partition(space, hypergraph, demand.balance->balance, options)
                                 : partition(space, hypergraph, demand.limits, options);
  Kokkos::deep_copy(space, HostView<PartId>(run.parts.data(), run.parts.size()), run.partition.parts);
  space.fence("KoHyPar::benchmark");
  run.seconds = timer.seconds();
  return run;
}

/// Device memory when a level was done with in a phase: pooled blocks that lie idle are part of it.
struct MemoryStep {
  Progress progress;
  std::uint64_t live_bytes = 0;
  std::uint64_t peak_bytes = 0;  ///< since the step before
};

/// What the untimed run shows, which also loads the kernels.
struct Observation {
  std::vector<MemoryStep> memory;
  work_meter::Work work;
  std::uint64_t peak_bytes = 0;
};

void add_step(std::vector<MemoryStep>& steps, const Progress& progress) {
  const MemoryStep step{progress, memory_meter::current(), memory_meter::peak()};
  memory_meter::reset_peak();
  const bool continues = !steps.empty() && steps.back().progress.level == progress.level &&
                         std::string(steps.back().progress.phase) == progress.phase;
  if (!continues) return steps.push_back(step);
  steps.back().live_bytes = step.live_bytes;
  steps.back().peak_bytes = std::max(steps.back().peak_bytes, step.peak_bytes);
}

Run observe(const ExecutionSpace& space, const HostHypergraph& host, const Demand& demand, Options options,
            Observation& seen) {
  options.on_progress = [&](const Progress& progress) { add_step(seen.memory, progress); };
  work_meter::start();
  Run run = run_once(space, host, demand, options);
  seen.work = work_meter::stop();
  seen.peak_bytes = run.partition.peak_device_bytes;  // since the last step
  for (const MemoryStep& step : seen.memory) seen.peak_bytes = std::max(seen.peak_bytes, step.peak_bytes);
  return run;
}

/// FNV-1a of the part ids: equal partitions on every backend have equal fingerprints.
std::string fingerprint(const std::vector<PartId>& parts) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const PartId part : parts) hash = (hash ^ part) * 1099511628211ull;
  return std::to_string(hash);
}

struct Settings {
  std::string input;
  std::uint64_t network_seed = 1;
  Limits limits;
  std::optional<programs::BalanceSettings> balance;
  int runs = 0;
  Options options;
};

CommandLine declare() {
  CommandLine line(
      {"INPUT", "(--max-size N | --preset NAME | -k K) [OPTION...]",
       "Partitions INPUT, a file or a network that `kohypar generate` knows, once to warm up, count and "
       "watch memory,\nthen --runs times for the record, and prints JSON.",
       "  kohypar_partition_benchmark lenet --max-size 1024 --max-inbound 4096\n"
       "  kohypar_partition_benchmark lenet --preset loihi --runs 0 --host-search off --without-noise\n"
       "  kohypar_partition_benchmark ibm01.hgr.gz -k 4 -e 0.03\n",
       "kohypar_partition_benchmark"});
  line.positional("INPUT");
  programs::add_limit_options(line);
  programs::add_balance_options(line);
  programs::add_search_options(line);
  line.value("Measurement", "runs", "N", "Timed runs, 3 by default; 0: no times");
  line.value("Measurement", "network-seed", "N", "Seed of a generated network, 1 by default");
  line.value("Measurement", "host-search", "on|off", "off: all levels are searched on the device");
  for (const char* step : {"noise", "merging", "chaining"})
    line.flag("Measurement", std::string("without-") + step, std::string("Leave out ") + step);
  return line;
}

Settings read_settings(const CommandLine& line) {
  if (!line.has("max-size") && !line.has("preset") && !line.has("k"))
    throw Error(ErrorKind::usage, "a limit is missing: --max-size N or --preset NAME, or -k K");
  Settings settings{line.text("INPUT"),
                    line.unsigned_integer("network-seed", 1),
                    programs::limits(line),
                    programs::balance_settings(line),
                    static_cast<int>(line.integer("runs", 0, 1000, 3)),
                    programs::search_options(line)};
  if (line.choice("host-search", {"on", "off"}, 0) == 1) settings.options.host_search_pin_pairs = 0;
  settings.options.leave_out = {.noise = line.has("without-noise"),
                                .merging = line.has("without-merging"),
                                .chaining = line.has("without-chaining")};
  return settings;
}

void print_options(JsonWriter& json, const Options& options) {
  constexpr const char* efforts[] = {"fast", "default", "high"};
  json.key("options");
  json.object_line([&] {
    json.member("seed", options.seed);
    json.member("effort", efforts[static_cast<int>(options.effort)]);
    json.member("candidates", options.candidates);
    json.member("refinement_rounds", options.refinement_rounds);
    json.member("refinement", options.refinement == RefinementMethod::events ? "events" : "coloring");
    json.member("host_search", options.host_search_pin_pairs > 0);
    json.member("noise", !options.leave_out.noise);
    json.member("merging", !options.leave_out.merging);
    json.member("chaining", !options.leave_out.chaining);
    json.member("memory_limit", options.memory_limit);
  });
}

void print_input(JsonWriter& json, const HostHypergraph& host, const Settings& settings) {
  json.member("input", std::filesystem::path(settings.input).filename().string());
  json.member("nodes", host.num_nodes);
  json.member("hyperedges", host.num_hyperedges());
  json.member("pins", host.num_pins());
  if (settings.balance) {
    json.member("k", settings.balance->num_parts);
    json.member("epsilon", settings.balance->epsilon);
  } else {
    json.member("max_size", settings.limits.max_size);
    json.member("max_inbound", settings.limits.max_inbound);
  }
  json.member("version", version_string());
  print_options(json, settings.options);
}

void print_observation(JsonWriter& json, const Observation& seen) {
  json.key("work");
  json.object_line([&] {
    json.member("kernels", seen.work.kernels);
    json.member("sorted_bytes", seen.work.sorted_bytes);
    json.member("visited_pins", seen.work.visited_pins);
  });
  json.key("memory");
  json.array([&] {
    for (const MemoryStep& step : seen.memory)
      json.object_line([&] {
        json.member("phase", step.progress.phase);
        json.member("level", step.progress.level);
        json.member("nodes", step.progress.num_nodes);
        json.member("pins", step.progress.num_pins);
        json.member("live_bytes", step.live_bytes);
        json.member("peak_bytes", step.peak_bytes);
      });
  });
}

void print(const HostHypergraph& host, const Settings& settings, const Quality& quality, const Run& run,
           const Observation& seen, const std::vector<double>& seconds) {
  JsonWriter json(std::cout);
  json.object([&] {
    print_input(json, host, settings);
    json.member("connectivity", quality.real(quality.connectivity));
    json.member("parts", quality.num_parts);
    json.member("valid", quality.valid());
    if (settings.balance) json.member("imbalance", quality.imbalance);
    json.member("fingerprint", fingerprint(run.parts));
    json.member("peak_device_bytes", std::max(seen.peak_bytes, run.partition.peak_device_bytes));
    if (!seconds.empty()) json.member("seconds_median", seconds[seconds.size() / 2]);
    json.list("seconds", seconds);
    json.key("phases");
    json.object([&] {
      for (const PhaseTiming& timing : run.partition.timings) json.member(timing.phase, timing.seconds);
    });
    print_observation(json, seen);
  });
  std::cout << '\n';
}

int benchmark(const Settings& settings) {
  const HostHypergraph host = std::filesystem::exists(settings.input)
                                  ? read_hypergraph(settings.input).hypergraph
                                  : generate_network(settings.input, settings.network_seed);
  Demand demand{settings.limits, {}};
  if (settings.balance) demand.balance = programs::read_balance(*settings.balance, host);
  const ExecutionSpace space;
  Observation seen;
  Run run = observe(space, host, demand, settings.options, seen);
  std::vector<double> seconds;
  for (int i = 0; i < settings.runs; ++i) {
    run = run_once(space, host, demand, settings.options);
    seconds.push_back(run.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  const Quality quality = demand.balance ? evaluate(host, run.parts, demand.balance->balance)
                                         : evaluate(host, run.parts, demand.limits);
  print(host, settings, quality, run, seen, seconds);
  return 0;
}

int run_program(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::erase_if(arguments, [](const std::string& argument) { return argument.starts_with("--kokkos-"); });
  CommandLine line = declare();
  if (!line.parse(arguments)) return 0;
  const Settings settings = read_settings(line);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return benchmark(settings);
}

int fail(ErrorKind kind, const std::string& message) {
  std::cerr << "kohypar_partition_benchmark: " << message << '\n';
  return static_cast<int>(kind);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const Error& error) {
    return fail(error.kind(), error.what());
  } catch (const std::exception& error) {
    if (!programs::is_out_of_memory(error)) return fail(ErrorKind::internal, error.what());
    return fail(ErrorKind::out_of_memory, programs::out_of_memory_text(error));
  }
}

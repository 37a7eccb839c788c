// Times betweenness centrality, graph on the device to scores on the device, and prints one JSON object: the
// time of each run, traversed edges per second, options, the frontier profile, and a fingerprint of the
// scores. Started by a launcher of MPI programs, all its processes share the work; the time of a run is then
// the longest of theirs, and bytes sent, device memory and devices are listed by process.
//
// usage: kohypar_betweenness_benchmark INPUT SOURCES [RUNS] [OPTION...]
//   INPUT            a graph file or rmat:SCALE:EDGEFACTOR[:SEED]
//   SOURCES          how many, drawn with seed 1; 0: all
//   RUNS             after one to warm up, 3 by default
//   no-degree-one    search from trees too
//   directed         edges have a direction
//   team-per-vertex  rows whole instead of pieces of rows (see RowMapping)
//   no-kept-offsets  scan again in the backward sweep
//   forward-only     frontiers look for unvisited vertices, never the other way round
//   at-once=N        sources at once, 1 to 32
//   grid=RxC         each copy of the graph on R x C processes, 1x1 by default
//   replicas=F       copies of the graph; as many as there are processes for by default
//   place=WHICH      blocks, random or partition: what decides which process owns a vertex
//   ablation         all of these one after the other
#include <algorithm>
#include <bit>
#include <filesystem>
#include <iostream>
#include <kohypar/betweenness.hpp>
#include <kohypar/error.hpp>
#include <kohypar/report.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "io/json_writer.hpp"
#include "programs/kokkos_session.hpp"
#include "programs/processes.hpp"

namespace {

using namespace kohypar;

constexpr const char* placements[] = {"blocks", "random", "partition"};

struct Variant {
  std::string name;
  BetweennessOptions options;
};

/// What is timed: the options given, or each design decision undone alone.
std::vector<Variant> variants(const BetweennessOptions& given, bool ablation) {
  std::vector<Variant> list = {{"given", given}};
  if (!ablation) return list;
  const auto add = [&](const std::string& name, const auto& change) {
    list.push_back({name, given});
    change(list.back().options);
  };
  add("team-per-vertex", [](auto& options) { options.mapping = RowMapping::team_per_vertex; });
  add("no-kept-offsets", [](auto& options) { options.keep_offsets = false; });
  add("forward-only", [](auto& options) { options.search_backward = false; });
  add("no-degree-one", [](auto& options) { options.degree_one = false; });
  for (const int lanes : {16, 8, 4, 1})
    add("at-once=" + std::to_string(lanes), [&](auto& options) { options.sources_at_once = lanes; });
  return list;
}

/// FNV-1a of the scores' bits.
std::string fingerprint(const DeviceView<double>& scores) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scores);
  std::uint64_t hash = 14695981039346656037ull;
  for (std::size_t v = 0; v < host.extent(0); ++v)
    hash = (hash ^ Kokkos::bit_cast<std::uint64_t>(host(v))) * 1099511628211ull;
  return std::to_string(hash);
}

/// All processes begin together; the time is the longest of theirs.
Betweenness timed(const ExecutionSpace& space, const Graph& graph, const BetweennessOptions& options,
                  const Distribution& distribution, const programs::Processes& processes) {
  processes.gather(0);
  Betweenness result = betweenness(space, graph, options, distribution);
  const auto longest = [&](double& seconds) {
    double most = 0;
    for (const std::uint64_t bits : processes.gather(std::bit_cast<std::uint64_t>(seconds)))
      most = std::max(most, std::bit_cast<double>(bits));
    seconds = most;
  };
  longest(result.seconds);
  longest(result.reduction_seconds);
  longest(result.placement_seconds);
  longest(result.traversal_seconds);
  return result;
}

void write_variant(JsonWriter& json, const ExecutionSpace& space, const Graph& graph, const Variant& variant,
                   const Distribution& distribution, const programs::Processes& processes, int runs) {
  timed(space, graph, variant.options, distribution, processes);  // to warm up: loads kernels
  std::vector<Betweenness> results;
  for (int i = 0; i < runs; ++i)
    results.push_back(timed(space, graph, variant.options, distribution, processes));
  std::sort(results.begin(), results.end(),
            [](const Betweenness& a, const Betweenness& b) { return a.seconds < b.seconds; });
  const Betweenness& median = results[results.size() / 2];
  json.object([&] {
    json.member("variant", variant.name);
    json.member("sources", median.num_sources);
    json.member("traversals", median.num_traversals);
    json.member("folded_vertices", median.num_folded);
    json.member("sources_at_once", median.sources_at_once);
    json.member("teps", median.teps(graph));
    json.member("seconds_median", median.seconds);
    json.member("reduction_seconds", median.reduction_seconds);
    json.member("placement_seconds", median.placement_seconds);
    json.member("traversal_seconds", median.traversal_seconds);
    json.list("seconds", results, [&](const Betweenness& result) { json.value(result.seconds); });
    json.list("frontier_profile", median.levels,
              [&](const LevelProfile& level) { json.value(level.vertices); });
    json.list("bytes_sent", median.bytes_sent);
    json.list("peak_device_bytes", median.peak_device_bytes);
    json.member("fingerprint", fingerprint(median.scores));
  });
}

void write_processes(JsonWriter& json, const programs::Processes& processes,
                     const Distribution& distribution) {
  json.member("processes", processes.size());
  json.member("grid_rows", distribution.rows);
  json.member("grid_columns", distribution.columns);
  json.member("replicas", distribution.replicas);
  json.member("placement", placements[static_cast<int>(distribution.placement)]);
  if (distribution.processes != nullptr) {
    json.member("mpi", processes.library());
    json.member("messages_through",
                distribution.processes->takes_device_memory() ? "device memory" : "pinned host memory");
  }
  // -1: a host's threads
  json.list("devices", processes.gather(static_cast<std::uint64_t>(Kokkos::device_id())),
            [&](std::uint64_t id) { json.value(static_cast<std::int64_t>(id)); });
}

int benchmark(const std::vector<std::string>& words, const programs::Processes& processes) {
  if (words.size() < 2) {
    if (processes.rank() == 0)
      std::cerr << "usage: kohypar_betweenness_benchmark INPUT SOURCES [RUNS] [OPTION...]\n";
    return 2;
  }
  const std::string input = words[0];
  BetweennessOptions options;
  options.num_sources = std::stoull(words[1]);
  Distribution distribution{processes.several(), 1, 1, 0};
  int runs = 3;
  bool directed = false, ablation = false;
  for (const std::string& word : std::vector<std::string>(words.begin() + 2, words.end())) {
    if (word == "no-degree-one") {
      options.degree_one = false;
    } else if (word == "directed") {
      directed = true;
    } else if (word == "team-per-vertex") {
      options.mapping = RowMapping::team_per_vertex;
    } else if (word == "no-kept-offsets") {
      options.keep_offsets = false;
    } else if (word == "forward-only") {
      options.search_backward = false;
    } else if (word.starts_with("at-once=")) {
      options.sources_at_once = std::stoi(word.substr(8));
    } else if (word.starts_with("grid=")) {
      const std::size_t cross = std::min(word.find('x'), word.size() - 1);
      distribution.rows = std::stoi(word.substr(5, cross - 5));
      distribution.columns = std::stoi(word.substr(cross + 1));
    } else if (word.starts_with("replicas=")) {
      distribution.replicas = std::stoi(word.substr(9));
    } else if (word.starts_with("place=")) {
      const auto found = std::find(std::begin(placements), std::end(placements), word.substr(6));
      if (found == std::end(placements)) throw Error(ErrorKind::usage, word + " is unknown");
      distribution.placement = static_cast<Placement>(found - std::begin(placements));
    } else if (word == "ablation") {
      ablation = true;
    } else {
      runs = std::max(1, std::stoi(word));
    }
  }

  if (distribution.replicas == 0)
    distribution.replicas = std::max(1, processes.size() / (distribution.rows * distribution.columns));

  const ExecutionSpace space;
  std::vector<std::string> warnings;
  const Graph graph = is_rmat(input) ? generate_rmat(space, parse_rmat(input), directed)
                                     : build_graph(space, read_edges(input, directed, warnings), directed);
  std::ostringstream out;  // of every process; the first one's is printed
  JsonWriter json(out);
  json.object([&] {
    json.member("input", std::filesystem::path(input).filename().string());
    json.member("version", version_string());
    json.member("directed", directed);
    json.member("vertices", graph.num_vertices);
    json.member("edges", graph.num_edges);
    write_processes(json, processes, distribution);
    json.key("variants");
    json.array([&] {
      for (const Variant& variant : variants(options, ablation))
        write_variant(json, space, graph, variant, distribution, processes, runs);
    });
  });
  if (processes.rank() == 0) std::cout << out.str() << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::vector<std::string> kokkos_arguments = programs::take_kokkos_arguments(words);
  const programs::Processes processes(false);
  const programs::KokkosSession kokkos(kokkos_arguments);
  int code = 1;
  try {
    code = benchmark(words, processes);
  } catch (const Error& error) {
    std::cerr << "kohypar_betweenness_benchmark: " << error.what() << '\n';
    code = error.exit_code();
  } catch (const std::exception& error) {
    std::cerr << "kohypar_betweenness_benchmark: " << error.what() << '\n';
  }
  if (code != 0) processes.end_all(code);  // the others may wait for this one
  return code;
}

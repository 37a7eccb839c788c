// Times betweenness centrality, graph on the device to scores on the device, and prints one JSON object: the
// time of each run, traversed edges per second, options, the frontier profile, and a fingerprint of the
// scores.
//
// usage: kohypar_betweenness_benchmark INPUT SOURCES [RUNS] [OPTION...]
//   INPUT            a graph file or rmat:SCALE:EDGEFACTOR[:SEED]
//   SOURCES          how many, drawn with seed 1; 0: all
//   RUNS             after one to warm up, 3 by default
//   no-degree-one    search from trees too
//   directed         edges have a direction
//   team-per-vertex  rows whole instead of pieces of rows (see RowMapping)
//   no-kept-offsets  scan again in the backward sweep
//   at-once=N        sources at once, 1 to 32
//   ablation         all of these one after the other
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <kohypar/betweenness.hpp>
#include <kohypar/error.hpp>
#include <kohypar/report.hpp>
#include <string>
#include <vector>

#include "io/json_writer.hpp"

namespace {

using namespace kohypar;

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

void write_variant(JsonWriter& json, const ExecutionSpace& space, const Graph& graph, const Variant& variant,
                   int runs) {
  betweenness(space, graph, variant.options);  // to warm up: loads kernels
  std::vector<Betweenness> results;
  for (int i = 0; i < runs; ++i) results.push_back(betweenness(space, graph, variant.options));
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
    json.member("traversal_seconds", median.traversal_seconds);
    json.list("seconds", results, [&](const Betweenness& result) { json.value(result.seconds); });
    json.list("frontier_profile", median.levels,
              [&](const LevelProfile& level) { json.value(level.vertices); });
    json.member("fingerprint", fingerprint(median.scores));
  });
}

int benchmark(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: kohypar_betweenness_benchmark INPUT SOURCES [RUNS] [OPTION...]\n";
    return 2;
  }
  const std::string input = argv[1];
  BetweennessOptions options;
  options.num_sources = std::stoull(argv[2]);
  int runs = 3;
  bool directed = false, ablation = false;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "no-degree-one") {
      options.degree_one = false;
    } else if (word == "directed") {
      directed = true;
    } else if (word == "team-per-vertex") {
      options.mapping = RowMapping::team_per_vertex;
    } else if (word == "no-kept-offsets") {
      options.keep_offsets = false;
    } else if (word.starts_with("at-once=")) {
      options.sources_at_once = std::stoi(word.substr(8));
    } else if (word == "ablation") {
      ablation = true;
    } else {
      runs = std::max(1, std::stoi(word));
    }
  }

  const ExecutionSpace space;
  std::vector<std::string> warnings;
  const Graph graph = is_rmat(input) ? generate_rmat(space, parse_rmat(input), directed)
                                     : build_graph(space, read_edges(input, directed, warnings), directed);
  JsonWriter json(std::cout);
  json.object([&] {
    json.member("input", std::filesystem::path(input).filename().string());
    json.member("version", version_string());
    json.member("directed", directed);
    json.member("vertices", graph.num_vertices);
    json.member("edges", graph.num_edges);
    json.key("variants");
    json.array([&] {
      for (const Variant& variant : variants(options, ablation))
        write_variant(json, space, graph, variant, runs);
    });
  });
  std::cout << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return benchmark(argc, argv);
  } catch (const Error& error) {
    std::cerr << "kohypar_betweenness_benchmark: " << error.what() << '\n';
    return error.exit_code();
  }
}

#include "programs/betweenness_report.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "io/json_writer.hpp"
#include "io/output_file.hpp"
#include "io/version_members.hpp"

namespace kohypar::programs {

namespace {

/// The vertices with the highest scores, ties by id.
std::vector<VertexId> top_vertices(const std::vector<double>& scores) {
  constexpr std::size_t most = 10;
  std::vector<VertexId> order(scores.size());
  std::iota(order.begin(), order.end(), VertexId{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](VertexId a, VertexId b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  order.erase(end, order.end());
  return order;
}

void write_versions(JsonWriter& json, const BetweennessReport& report) {
  json.key("versions");
  json.object([&] {
    write_version_members(json);
    if (!report.mpi.empty()) json.member("mpi", report.mpi);
  });
}

void write_distribution(JsonWriter& json, const BetweennessReport& report) {
  json.key("distribution");
  json.object([&] {
    json.member("processes", report.processes);
    json.member("replicas", report.replicas);
    json.member("grid_rows", report.grid_rows);
    json.member("grid_columns", report.grid_columns);
    json.member("placement", report.placement);
    json.list(
        "devices", report.devices,  // null: the host
        [&](std::uint64_t id) { static_cast<std::int64_t>(id) < 0 ? json.value(nullptr) : json.value(id); });
    json.member("mpi_takes_device_memory", report.mpi_takes_device_memory);
    json.list("bytes_sent", report.run.bytes_sent);  // by each process
    json.list("peak_device_bytes", report.run.peak_device_bytes);
  });
}

void write_input(JsonWriter& json, const BetweennessReport& report) {
  json.key("input");
  json.object([&] {
    json.member("path", report.input);
    json.member("directed", report.directed);
    json.member("vertices", report.num_vertices);
    json.member("edges", report.num_edges);
    json.member("dropped_loops", report.dropped_loops);
    json.member("dropped_repetitions", report.dropped_repetitions);
    json.member("memory", report.graph_is_on_host ? "host" : "device");
    json.member("read_seconds", report.read_seconds);
  });
}

void write_run(JsonWriter& json, const BetweennessReport& report) {
  const Betweenness& run = report.run;
  json.member("estimate", run.is_estimate);
  json.member("normalized", report.options.normalize);
  json.member("seed", report.options.seed);
  json.member("degree_one", report.options.degree_one && !report.directed);
  json.member("sources", run.num_sources);
  json.member("folded_vertices", run.num_folded);
  json.member("traversals", run.num_traversals);
  json.member("wide_traversals", run.wide_traversals);
  json.key("memory_limit");
  report.options.memory_limit == 0 ? json.value(nullptr) : json.value(report.options.memory_limit);
  json.member("sources_at_once", run.sources_at_once);
  json.member("seconds", run.seconds);
  json.member("reduction_seconds", run.reduction_seconds);
  json.member("placement_seconds", run.placement_seconds);
  json.member("traversal_seconds", run.traversal_seconds);
  json.member("teps", report.teps);
  // Vertices reached at each distance, summed over the traversals.
  json.list("frontier_profile", run.levels, [&](const LevelProfile& level) { json.value(level.vertices); });
}

std::string fixed(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

void write_scores(const std::string& path, const BetweennessReport& report) {
  OutputFile file(path);
  for (VertexId v = 0; v < report.num_vertices; ++v) {
    if (!report.labels.empty()) {
      file.write_number(report.labels[v]);
      file.write(' ');
    }
    file.write_number(report.scores[v]);
    file.write('\n');
  }
  file.commit();
}

void write_report(const std::string& path, const BetweennessReport& report) {
  std::ostringstream out;
  JsonWriter json(out);
  json.object([&] {
    json.member("command", "betweenness");
    write_versions(json, report);
    write_input(json, report);
    write_run(json, report);
    write_distribution(json, report);
    json.list("top", top_vertices(report.scores), [&](const VertexId v) {
      json.object_line([&] {
        json.member("vertex", report.name_of(v));
        json.member("score", report.scores[v]);
      });
    });
    json.list("warnings", report.warnings);
  });
  out << '\n';
  OutputFile file(path);
  file.write(out.str());
  file.commit();
}

std::string summary(const BetweennessReport& report) {
  const Betweenness& run = report.run;
  std::ostringstream out;
  out << report.input << ": " << report.num_vertices << " vertices, " << report.num_edges
      << (report.directed ? " directed" : "") << " edges\n";
  out << run.num_sources << " sources" << (run.is_estimate ? " (scores are estimates)" : "") << ", "
      << run.num_traversals << " traversals";
  if (run.num_folded > 0) out << ", " << run.num_folded << " vertices folded";
  out << "; " << fixed(run.seconds, "%.3g") << " s, " << fixed(report.teps / 1e6, "%.3g")
      << " million traversed edges per second\n";
  if (report.processes > 1)
    out << report.replicas << (report.replicas == 1 ? " copy" : " copies") << " of the graph on "
        << report.grid_rows << " x " << report.grid_columns << " processes each\n";
  for (const VertexId v : top_vertices(report.scores))
    out << "  " << report.name_of(v) << "  " << fixed(report.scores[v], "%.6g") << '\n';
  return out.str();
}

}  // namespace kohypar::programs

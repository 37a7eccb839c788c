// The program `kohypar-bc`: betweenness centrality of a graph.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <kohypar/report.hpp>

#include "io/edge_list.hpp"
#include "parallel/device_memory.hpp"
#include "parallel/memory_meter.hpp"
#include "parallel/teams.hpp"
#include "programs/betweenness_report.hpp"
#include "programs/command_line.hpp"
#include "programs/display.hpp"
#include "programs/interruption.hpp"
#include "programs/kokkos_session.hpp"
#include "programs/memory.hpp"
#include "programs/processes.hpp"
#include "programs/settings.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::programs;

CommandLine declare() {
  CommandLine line(
      {"", "INPUT [OPTION...]",
       "Betweenness centrality of the vertices of an unweighted graph.\n"
       "INPUT is a METIS graph (.graph), a square Matrix Market matrix (.mtx), a list of edges as SNAP "
       "publishes them\n(any other name), all also gzip-compressed, or rmat:SCALE:EDGEFACTOR[:SEED].\n"
       "Undirected graphs count each pair of vertices once. From some of the sources, scores are estimates.",
       "  kohypar-bc inputs/karate.txt\n"
       "  kohypar-bc web-Google.txt.gz --directed --sources 1000 -o scores.txt --report report.json\n"
       "  kohypar-bc rmat:20:16 --sources 512 --kokkos-num-threads=8\n",
       "kohypar-bc"});
  line.positional("INPUT");
  line.flag("Graph", "directed", "Edges have a direction; in .mtx files from row to column");
  line.value(
      "Sources", "sources", "all|N|FILE",
      "All vertices; N of them, drawn uniformly among those with an edge; or those that FILE names, one a "
      "line. All by default");
  line.value("Sources", "seed", "N", "Seed of the draw, 1 by default");
  line.flag("Search", "no-degree-one", "Search from trees too instead of folding them into their roots");
  line.flag("Search", "normalize", "Divide by the number of pairs of other vertices, as NetworkX does");
  line.value("Processes", "grid", "RxC", "Spread each copy of the graph over R x C processes of an MPI run");
  line.value("Processes", "replicas", "FR",
             "Deal the sources to FR copies of the graph. Without both options every process has a copy");
  line.value("Processes", "distribution", "NAME|FILE",
             "Which process of a copy has which vertices: blocks of ids, the default; random; partition, by "
             "KoHyPar itself, so that few edges join processes; or a file of parts as kohypar partition "
             "writes them");
  line.value(
      "Processes", "memory-limit", "SIZE",
      "End with exit code 5 rather than use more device memory in a process, e.g. 16G (K, M, G: 1024); "
      "edges above it stay in the host's memory until a grid divides them");
  line.value(
      "Output", "o,output", "FILE",
      "One score a line, in the order of the vertices; \"vertex score\" for lists of edges; - is standard "
      "output");
  line.value("Output", "report", "FILE",
             "Write time, traversed edges per second and more as JSON (betweenness.schema.json)");
  line.flag("Other", "version", "Print version and Kokkos backends");
  add_display_options(line);
  return line;
}

struct Settings {
  std::string input, output, report, sources, distribution;
  BetweennessOptions options = {};
  bool directed = false;
  int grid_rows = 0, grid_columns = 0, replicas = 0;  ///< 0: not given

  [[nodiscard]] bool standard_output_is_taken() const { return output == "-" || report == "-"; }
};

bool is_number(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "RxC".
void read_grid(const std::string& text, Settings& settings) {
  const std::size_t cross = text.find('x');
  const std::string rows = text.substr(0, cross), columns = cross < text.size() ? text.substr(cross + 1) : "";
  constexpr std::size_t most_digits = 4;
  if (!is_number(rows) || !is_number(columns) || rows.size() > most_digits || columns.size() > most_digits ||
      std::stoi(rows) == 0 || std::stoi(columns) == 0)
    throw Error(ErrorKind::usage, "--grid takes rows x columns such as 2x2, not '" + text + "'");
  settings.grid_rows = std::stoi(rows);
  settings.grid_columns = std::stoi(columns);
}

Settings read_settings(const CommandLine& line) {
  Settings settings{line.text("INPUT"), line.text("output"), line.text("report"), line.text("sources", "all"),
                    line.text("distribution", "blocks")};
  settings.directed = line.has("directed");
  settings.options.seed = line.unsigned_integer("seed", 1);
  settings.options.degree_one = !line.has("no-degree-one");
  settings.options.normalize = line.has("normalize");
  settings.options.memory_limit = line.bytes("memory-limit");
  if (is_number(settings.sources))
    settings.options.num_sources = static_cast<std::uint64_t>(line.integer("sources", 1, max_id_count, 1));
  if (line.has("grid")) read_grid(line.text("grid"), settings);
  settings.replicas = static_cast<int>(line.integer("replicas", 1, 9999, 0));
  if (settings.output == "-" && settings.report == "-")
    throw Error(ErrorKind::usage, "-o - and --report - exclude each other");
  check_output_folder(settings.output);
  check_output_folder(settings.report);
  if (is_rmat(settings.input)) parse_rmat(settings.input);
  return settings;
}

Placement placement_of(const std::string& name) {
  if (name == "blocks") return Placement::blocks;
  if (name == "random") return Placement::random;
  return name == "partition" ? Placement::partition : Placement::given;
}

/// What is not given: as many copies as fit, each on a grid as square as can be.
Distribution distribute(const Settings& settings, const Processes& processes) {
  const int size = processes.size();
  Distribution result{processes.several(), settings.grid_rows, settings.grid_columns, settings.replicas,
                      placement_of(settings.distribution)};
  if (result.rows == 0) {
    const int in_copy = result.replicas == 0 ? 1 : std::max(1, size / result.replicas);
    for (int rows = 1; rows * rows <= in_copy; ++rows)
      if (in_copy % rows == 0) result.rows = rows;
    result.columns = in_copy / result.rows;
  }
  if (result.replicas == 0) result.replicas = std::max(1, size / (result.rows * result.columns));
  return result;
}

/// Before anything is read.
void check_fits(const Distribution& distribution, int processes) {
  if (distribution.rows * distribution.columns * distribution.replicas != processes)
    throw Error(ErrorKind::usage,
                std::to_string(distribution.replicas) + " copies on " + std::to_string(distribution.rows) +
                    " x " + std::to_string(distribution.columns) + " processes each don't fit " +
                    std::to_string(processes) + (processes == 1 ? " process" : " processes"));
}

/// Loops and repetitions included.
std::uint64_t count_edges(const Settings& settings, const EdgeList& edges) {
  return is_rmat(settings.input) ? parse_rmat(settings.input).edge_factor * edges.num_vertices
                                 : edges.edges.size();
}

/// What a process may use; 0: all that there is of a host's memory.
std::uint64_t allowed_memory(const ExecutionSpace& space, const BetweennessOptions& options) {
  if (options.memory_limit != 0) return options.memory_limit;
  return runs_on_host ? 0 : device_memory_bytes(space);
}

Graph make_graph(const ExecutionSpace& space, const Settings& settings, const EdgeList& edges) {
  const std::uint64_t allowed = allowed_memory(space, settings.options);
  const bool fits =
      allowed == 0 || device_bytes_to_build(edges.num_vertices, count_edges(settings, edges)) <= allowed;
  const GraphMemory memory = fits ? GraphMemory::device : GraphMemory::host;
  if (is_rmat(settings.input))
    return generate_rmat(space, parse_rmat(settings.input), settings.directed, memory);
  return build_graph(space, edges, settings.directed, memory);
}

void warn_of_dropped(const Graph& graph, BetweennessReport& report) {
  if (is_rmat(report.input)) return;  // there it is a matter of course
  const auto warn = [&](std::uint64_t count, const char* what) {
    if (count > 0) report.warnings.push_back(report.input + ": " + std::to_string(count) + what);
  };
  warn(graph.dropped_loops, " self loops dropped");
  warn(graph.dropped_repetitions, " repeated edges dropped");
}

void find_scores(const Settings& settings, const EdgeList& edges, const Distribution& distribution,
                 BetweennessReport& report, Display& display) {
  const ExecutionSpace space;
  const Kokkos::Timer timer;
  display.step("building the graph");
  const Graph graph = make_graph(space, settings, edges);
  space.fence("KoHyPar::programs::graph");
  memory_meter::check(settings.options.memory_limit);
  report.read_seconds += timer.seconds();
  report.graph_is_on_host = graph.host_memory != nullptr;
  report.num_vertices = graph.num_vertices;
  report.num_edges = graph.num_edges;
  report.dropped_loops = graph.dropped_loops;
  report.dropped_repetitions = graph.dropped_repetitions;
  warn_of_dropped(graph, report);

  report.options.stop = &stop_on_signal();
  report.options.on_progress = [&](const BetweennessProgress& progress) {
    display.step("searched from " + std::to_string(progress.done) + " of " + std::to_string(progress.total) +
                 " vertices");
  };
  report.run = betweenness(space, graph, report.options, distribution);
  report.teps = report.run.teps(graph);
  report.scores.resize(graph.num_vertices);
  Kokkos::deep_copy(space, HostView<double>(report.scores.data(), report.scores.size()), report.run.scores);
  space.fence("KoHyPar::programs::scores");
  report.run.scores = {};  // Kokkos ends before the report does
}

/// As find_scores; says what is needed where device memory runs out.
void try_to_find_scores(const Settings& settings, const EdgeList& edges, const Distribution& distribution,
                        BetweennessReport& report, Display& display) {
  const char* const more_processes = "; a larger --grid divides the edges among more processes";
  try {
    find_scores(settings, edges, distribution, report, display);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory) throw;
    throw Error(error.kind(), std::string("a process ") + error.what() + more_processes);
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    throw Error(ErrorKind::out_of_memory,
                "out of device memory: this graph needs about " +
                    readable_bytes(device_bytes_to_build(edges.num_vertices, count_edges(settings, edges))) +
                    ", the device has " + readable_bytes(device_memory_bytes(ExecutionSpace())) + " (" +
                    error.what() + ")");
  }
}

/// Writes both files or none.
void write_results(const Settings& settings, const BetweennessReport& report) {
  if (!settings.output.empty()) write_scores(settings.output, report);
  try {
    if (!settings.report.empty()) write_report(settings.report, report);
  } catch (...) {
    if (!settings.output.empty() && settings.output != "-") std::remove(settings.output.c_str());
    throw;
  }
}

/// The graph's edges; of a generated one, the number of vertices alone. Reads the distribution's parts too.
EdgeList read_input(const Settings& settings, Distribution& distribution, BetweennessReport& report,
                    Display& display) {
  const auto start = std::chrono::steady_clock::now();
  EdgeList edges;
  if (is_rmat(settings.input)) {
    edges.num_vertices = static_cast<VertexId>(std::uint64_t{1} << parse_rmat(settings.input).scale);
  } else {
    display.step("reading " + settings.input);
    edges = read_edges(settings.input, settings.directed, report.warnings);
  }
  if (settings.sources != "all" && !is_number(settings.sources))
    report.options.sources = read_sources(settings.sources, edges);
  if (distribution.placement == Placement::given)
    distribution.parts = read_partition(settings.distribution, edges.num_vertices);
  report.read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return edges;
}

BetweennessReport start_report(const Settings& settings, const Processes& processes,
                               const Distribution& distribution) {
  BetweennessReport report;
  report.input = settings.input;
  report.directed = settings.directed;
  report.options = settings.options;
  report.processes = processes.size();
  report.grid_rows = distribution.rows;
  report.grid_columns = distribution.columns;
  report.replicas = distribution.replicas;
  report.placement = settings.distribution;
  report.mpi = processes.library();
  if (distribution.processes != nullptr)
    report.mpi_takes_device_memory = distribution.processes->takes_device_memory();
  return report;
}

int run(const CommandLine& line, const std::vector<std::string>& kokkos_arguments, const Settings& settings,
        const Processes& processes) {
  Distribution distribution = distribute(settings, processes);
  const bool is_first = processes.rank() == 0;
  exit_on_signal();
  Display display(line, !is_first);
  BetweennessReport report = start_report(settings, processes, distribution);
  EdgeList edges;
  processes.agree([&] {
    check_fits(distribution, processes.size());
    edges = read_input(settings, distribution, report, display);
  });
  {
    const KokkosSession kokkos(kokkos_arguments);
    report.devices = processes.gather(static_cast<std::uint64_t>(Kokkos::device_id()));
    try_to_find_scores(settings, edges, distribution, report, display);
  }
  if (!is_first) return 0;
  report.labels = std::move(edges.labels);
  display.warn(report.warnings);
  write_results(settings, report);
  display.clear();
  if (!display.quiet()) (settings.standard_output_is_taken() ? std::cerr : std::cout) << summary(report);
  return 0;
}

/// Says what went wrong unless another process does.
int fail(ErrorKind kind, const std::string& message) {
  if (message.empty()) return static_cast<int>(kind);
  std::cerr << "kohypar-bc: " << message << '\n';
  if (kind == ErrorKind::usage) std::cerr << "Try 'kohypar-bc --help'.\n";
  return static_cast<int>(kind);
}

/// The exit code of some work, its error said.
int exit_code_of(const std::function<int()>& work) {
  try {
    const int code = work();
    if (!std::cout.flush()) throw Error(ErrorKind::internal, "standard output can't be written");
    return code;
  } catch (const Error& error) {
    return fail(error.kind(), error.what());
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) return fail(ErrorKind::out_of_memory, out_of_memory_text(error));
    return fail(ErrorKind::internal, error.what());
  }
}

int run_in_processes(const CommandLine& line, const std::vector<std::string>& kokkos_arguments) {
  const Settings settings = read_settings(line);
  check_kokkos_arguments(kokkos_arguments);
  const Processes processes(settings.grid_rows * settings.grid_columns > 1 || settings.replicas > 1);
  const int code = exit_code_of([&] { return run(line, kokkos_arguments, settings, processes); });
  // The others may wait for this one.
  if (code != 0) processes.end_all(code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::vector<std::string> kokkos_arguments = take_kokkos_arguments(arguments);
  return exit_code_of([&] {
    if (arguments == std::vector<std::string>{"--version"}) {
      std::cout << version_string() << '\n';
      return 0;
    }
    CommandLine line = declare();
    return line.parse(arguments) ? run_in_processes(line, kokkos_arguments) : 0;
  });
}

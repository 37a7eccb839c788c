#include "programs/settings.hpp"

#include <array>
#include <filesystem>
#include <kohypar/error.hpp>
#include <numeric>

namespace kohypar::programs {

namespace {

constexpr std::array<Preset, 4> known_presets = {{
    {"loihi", {1024, 4096, 4096}},
    {"loihi84", {4096, 65536, 7056}},
    {"loihi1024", {4096, 65536, 1048576}},
    {"truenorth", {256, 256, 4096}},
}};

constexpr Weight largest = unlimited - 1;

// Tables of parts stay small, and `evaluate` takes as many for any hypergraph.
constexpr PartId most_parts = PartId{1} << 20;
constexpr double usual_epsilon = 0.03;

void require_format(const CommandLine& line, const std::string& option, Format actual, Format needed) {
  if (line.has(option) && actual != needed)
    throw Error(ErrorKind::usage,
                "--" + option + " applies to ." + to_string(needed) + " input, not to ." + to_string(actual));
}

}  // namespace

std::span<const Preset> presets() {
  return known_presets;
}

void add_input_options(CommandLine& line) {
  line.value("Input", "format", "NAME",
             "hgr, snn, axh, mtx or graph; by default from the file's name (.gz is fine)");
  line.value("Input", "net-model", "MODEL", ".mtx: hyperedges are rows (row, default) or columns (column)");
  line.flag("Input", "first-pin-is-source", ".hgr: a hyperedge's first pin drives the others");
}

ReadOptions input_options(const CommandLine& line, const std::string& path) {
  ReadOptions options;
  options.format = line.text("format");
  options.net_model = line.choice("net-model", {"row", "column"}, 0) == 0 ? NetModel::row : NetModel::column;
  options.first_pin_is_source = line.has("first-pin-is-source");
  const Format format = options.format.empty() ? format_of_path(path) : parse_format(options.format);
  require_format(line, "net-model", format, Format::mtx);
  require_format(line, "first-pin-is-source", format, Format::hgr);
  return options;
}

void add_limit_options(CommandLine& line) {
  line.value("Limit", "max-size", "N", "Most total node size of a part");
  line.value("Limit", "max-inbound", "N",
             "Most distinct hyperedges with a destination in a part; unlimited by default");
  line.value("Limit", "max-parts", "N", "Most parts; unlimited by default");
  line.value("Limit", "preset", "NAME",
             "Limits of a chip or system instead: loihi (1024, 4096, 4096), loihi84 (4096, 65536, 7056), "
             "loihi1024 (4096, 65536, 1048576), truenorth (256, 256, 4096)");
}

Limits limits(const CommandLine& line) {
  for (const char* other : {"max-size", "max-inbound", "max-parts"}) line.exclude("preset", other);
  if (line.has("preset")) {
    std::vector<std::string> names;
    for (const Preset& preset : known_presets) names.emplace_back(preset.name);
    return known_presets[line.choice("preset", names, 0)].limits;
  }
  Limits limits;
  limits.max_size = line.integer("max-size", 1, largest, unlimited);
  limits.max_inbound = line.integer("max-inbound", 0, largest, unlimited);
  limits.max_parts = static_cast<PartId>(line.integer("max-parts", 1, max_id_count, invalid_id));
  return limits;
}

void add_balance_options(CommandLine& line) {
  line.value("Balance", "k", "K", "Number of parts, some perhaps empty, instead of limits");
  line.value("Balance", "e,epsilon", "EPS",
             "A part may hold (1 + EPS) times the average, which is rounded up; 0.03 by default");
  line.value("Balance", "part-capacities", "FILE", "Most size of each part instead: K lines, a number each");
  line.value("Balance", "fixed", "FILE", "Parts of fixed nodes: a line per node, -1 for free ones");
}

std::optional<BalanceSettings> balance_settings(const CommandLine& line) {
  if (!line.has("k")) {
    for (const char* option : {"epsilon", "part-capacities", "fixed"})
      if (line.has(option)) throw Error(ErrorKind::usage, "--" + std::string(option) + " needs -k");
    return std::nullopt;
  }
  for (const char* limit : {"max-size", "max-inbound", "max-parts", "preset"}) line.exclude("k", limit);
  line.exclude("part-capacities", "epsilon");
  return BalanceSettings{static_cast<PartId>(line.integer("k", 1, most_parts, 1)),
                         line.real("epsilon", 0, usual_epsilon, "0.03"), line.text("part-capacities"),
                         line.text("fixed")};
}

BalanceReport read_balance(const BalanceSettings& settings, const HostHypergraph& hypergraph) {
  const Weight total = std::accumulate(hypergraph.node_sizes.begin(), hypergraph.node_sizes.end(), Weight{0});
  BalanceReport report{uniform_balance(settings.num_parts, settings.epsilon, total), settings.epsilon,
                       settings.capacities, settings.fixed};
  Balance& balance = report.balance;
  if (!settings.capacities.empty())
    balance.capacities = read_capacities(settings.capacities, settings.num_parts);
  if (!settings.fixed.empty())
    balance.fixed = read_fixed(settings.fixed, hypergraph.num_nodes, settings.num_parts);
  return report;
}

void add_search_options(CommandLine& line) {
  line.value("Search", "seed", "N",
             "Seed of all random choices, 1 by default; equal seeds give equal results");
  line.value("Search", "effort", "LEVEL", "fast, default or high");
  line.value("Search", "candidates", "N", "Pairing candidates kept per node, 1 to 8, 4 by default");
  line.value("Search", "refinement-rounds", "N", "Within limits: refinement rounds a level, 16 by default");
  line.value("Search", "refinement", "METHOD",
             "Within limits: events, by default, or coloring: moves that share no hyperedge at once");
  line.value("Search", "objective", "NAME",
             "With -k: km1, by default, or cut, the weight of hyperedges in more than one part");
  line.value("Search", "memory-limit", "SIZE",
             "End rather than use more device memory, e.g. 16G (K, M, G: 1024)");
}

Options search_options(const CommandLine& line) {
  constexpr Effort efforts[] = {Effort::fast, Effort::standard, Effort::high};
  Options options;
  options.seed = line.unsigned_integer("seed", options.seed);
  options.effort = efforts[line.choice("effort", {"fast", "default", "high"}, 1)];
  options.candidates = static_cast<int>(line.integer("candidates", 1, 8, options.candidates));
  options.refinement_rounds =
      static_cast<int>(line.integer("refinement-rounds", 0, 1000000, options.refinement_rounds));
  constexpr RefinementMethod methods[] = {RefinementMethod::events, RefinementMethod::coloring};
  options.refinement = methods[line.choice("refinement", {"events", "coloring"}, 0)];
  constexpr Objective objectives[] = {Objective::km1, Objective::cut};
  options.objective = objectives[line.choice("objective", {"km1", "cut"}, 0)];
  options.memory_limit = line.bytes("memory-limit");
  return options;
}

Format output_format(const std::string& path) {
  check_output_folder(path);
  if (path.ends_with(".gz"))
    throw Error(ErrorKind::usage, path + ": compressed files are read, but not written; leave out .gz");
  return format_of_path(path);
}

void check_output_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw Error(ErrorKind::usage, path + ": there is no folder " + folder.string());
}

}  // namespace kohypar::programs

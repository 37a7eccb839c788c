// `kohypar partition`: read, partition, check, write.
#include <cstdio>
#include <iostream>
#include <kohypar/error.hpp>

#include "programs/commands.hpp"
#include "programs/input.hpp"
#include "programs/interruption.hpp"
#include "programs/kokkos_session.hpp"
#include "programs/run_partitioner.hpp"
#include "programs/settings.hpp"

namespace kohypar::programs {

namespace {

CommandLine declare() {
  CommandLine line(
      {"partition", "INPUT (--max-size N | --preset NAME | -k K) [OPTION...]",
       "Splits the nodes of INPUT into parts within a size and a distinct-inbound limit, with as few "
       "parts and as\nlittle connectivity as it finds; or into K balanced parts. The result is checked "
       "before it "
       "is written.",
       "  kohypar partition lenet.snn --preset loihi\n"
       "  kohypar partition ibm01.hgr.gz --max-size 512 --max-inbound 1500 -o parts.txt --report "
       "report.json\n"
       "  kohypar partition ibm01.hgr.gz -k 8 -e 0.03 --objective cut\n"
       "  kohypar partition vgg11.snn --max-size 4096 --max-inbound 65536 --timings "
       "--kokkos-num-threads=8\n"});
  line.positional("INPUT");
  add_limit_options(line);
  add_balance_options(line);
  line.value(
      "Output", "o,output", "FILE",
      "One part id per line, in the order of nodes; - is standard output. INPUT.part.NUMBER_OF_PARTS by "
      "default");
  line.value("Output", "report", "FILE", "Write metrics, parts, timings and more as JSON");
  line.flag("Output", "timings", "Print the time of every phase");
  add_search_options(line);
  line.value("Search", "initial", "FILE", "Improve this partition instead of starting afresh");
  add_input_options(line);
  add_display_options(line);
  return line;
}

struct Settings {
  std::string input, output, report, initial;
  Limits limits;
  std::optional<BalanceSettings> balance;
  Options options;
  bool timings = false;

  [[nodiscard]] bool standard_output_is_taken() const { return output == "-" || report == "-"; }
};

/// Throws Error(usage) on options that belong to the other way of partitioning.
void check_mode(const CommandLine& line, const Settings& settings) {
  if (!settings.balance) {
    if (line.has("objective")) throw Error(ErrorKind::usage, "--objective needs -k");
    if (!line.has("max-size") && !line.has("preset"))
      throw Error(ErrorKind::usage, "a limit is missing: --max-size N or --preset NAME, or -k K");
    return;
  }
  if (line.has("refinement-rounds"))
    throw Error(ErrorKind::usage,
                "-k and --refinement-rounds exclude each other: Jet ends when it finds nothing more");
  if (settings.options.refinement == RefinementMethod::coloring)
    throw Error(ErrorKind::usage, "-k and --refinement coloring exclude each other");
}

Settings read_settings(const CommandLine& line) {
  line.exclude("timings", "quiet");
  Settings settings{.input = line.text("INPUT"),
                    .output = line.text("output"),
                    .report = line.text("report"),
                    .initial = line.text("initial"),
                    .limits = limits(line),
                    .balance = balance_settings(line),
                    .options = search_options(line),
                    .timings = line.has("timings")};
  check_mode(line, settings);
  if (settings.output == "-" && settings.report == "-")
    throw Error(ErrorKind::usage, "-o - and --report - exclude each other");
  check_output_folder(settings.output);
  check_output_folder(settings.report);
  return settings;
}

RunResult find_partition(const Input& input, const Settings& settings, const Report& report, RunReport& run,
                         Display& display) {
  const HostHypergraph& hypergraph = input.file.hypergraph;
  Task task{settings.limits, std::nullopt, {}};
  if (report.balance) task.balance = report.balance->balance;
  if (!settings.initial.empty()) task.initial = read_partition(settings.initial, hypergraph.num_nodes);
  run.initial = settings.initial;
  run.options = settings.options;
  run.options.stop = &stop_on_signal();
  run.options.on_progress = [&](const Progress& progress) {
    display.step(progress, hypergraph.weight_exponent);
  };
  display.step("copying to the device");
  const RunResult result = run_partitioner(hypergraph, task, run);
  throw_if_stopped();
  return result;
}

/// Writes both files or none.
void write_results(const Settings& settings, const std::string& output, const std::vector<PartId>& parts,
                   const Report& report) {
  write_partition(output, parts);
  try {
    if (!settings.report.empty()) write_report(settings.report, report);
  } catch (...) {
    if (output != "-") std::remove(output.c_str());
    throw;
  }
}

void print_summary(const Settings& settings, const std::string& output, const Report& report,
                   const Display& display) {
  if (display.quiet()) return;
  std::ostream& out = settings.standard_output_is_taken() ? std::cerr : std::cout;
  const bool is_wanted = !settings.standard_output_is_taken() || display.shows_progress();
  if (is_wanted) {
    out << summary(report);
    if (output != "-") out << "partition written to " << output << '\n';
    if (!settings.report.empty() && settings.report != "-")
      out << "report written to " << settings.report << '\n';
  }
  if (settings.timings) out << timing_table(*report.run);
}

}  // namespace

int partition_command(const Arguments& arguments, const Arguments& kokkos_arguments) {
  CommandLine line = declare();
  if (!line.parse(arguments)) return 0;
  const Settings settings = read_settings(line);
  check_kokkos_arguments(kokkos_arguments);
  exit_on_signal();
  Display display(line);
  const Input input = read_input(line, settings.input, display);
  Report report = start_report("partition", input);
  report.limits = settings.limits;
  if (settings.balance) report.balance = read_balance(*settings.balance, input.file.hypergraph);
  const KokkosSession kokkos(kokkos_arguments);

  const RunResult result = find_partition(input, settings, report, report.run.emplace(), display);
  display.step("checking the result");
  report.quality = evaluate_for(report, input.file.hypergraph, result.parts);
  check_result(result, report.quality);
  if (!settings.report.empty()) report.cut_hyperedges = cut_hyperedges(input.file.hypergraph, result.parts);

  const std::string output = settings.output.empty()
                                 ? settings.input + ".part." + std::to_string(report.quality.num_parts)
                                 : settings.output;
  write_results(settings, output, result.parts, report);
  display.clear();
  print_summary(settings, output, report, display);
  return 0;
}

}  // namespace kohypar::programs

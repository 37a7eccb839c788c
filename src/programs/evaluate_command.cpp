// `kohypar evaluate`: metrics and violations of any partition file.
#include <iostream>
#include <kohypar/error.hpp>

#include "programs/commands.hpp"
#include "programs/input.hpp"
#include "programs/interruption.hpp"
#include "programs/settings.hpp"

namespace kohypar::programs {

namespace {

CommandLine declare() {
  CommandLine line(
      {"evaluate", "INPUT PARTITION [OPTION...]",
       "Computes connectivity, cut-net, SOED and what each part uses from the files alone, and checks "
       "the limits given.\nPARTITION has one line per node, its part id from 0. Exit code 4 if a limit "
       "is exceeded.",
       "  kohypar evaluate lenet.snn lenet.snn.part.12 --preset loihi\n"
       "  kohypar evaluate ibm01.hgr.gz parts.txt --max-size 512 --report quality.json\n"
       "  kohypar evaluate ibm01.hgr.gz ibm01.hgr.gz.part.8 -k 8 -e 0.03\n"});
  line.positional("INPUT");
  line.positional("PARTITION");
  add_limit_options(line);
  add_balance_options(line);
  line.value("Output", "report", "FILE", "Write everything as JSON; - is standard output");
  add_input_options(line);
  add_display_options(line);
  return line;
}

}  // namespace

int evaluate_command(const Arguments& arguments) {
  CommandLine line = declare();
  if (!line.parse(arguments)) return 0;
  const Limits limit = limits(line);
  const std::optional<BalanceSettings> balance = balance_settings(line);
  const std::string report_path = line.text("report"), partition_path = line.text("PARTITION");
  check_output_folder(report_path);
  exit_on_signal(report_path);
  Display display(line);

  const Input input = read_input(line, line.text("INPUT"), display);
  const HostHypergraph& hypergraph = input.file.hypergraph;
  const std::vector<PartId> parts = read_partition(partition_path, hypergraph.num_nodes);
  Report report = start_report("evaluate", input);
  report.limits = limit;
  if (balance) report.balance = read_balance(*balance, hypergraph);
  report.quality = evaluate_for(report, hypergraph, parts);
  if (!report_path.empty()) {
    report.cut_hyperedges = cut_hyperedges(hypergraph, parts);
    write_report(report_path, report);
  }
  display.clear();
  if (!display.quiet()) (report_path == "-" ? std::cerr : std::cout) << summary(report);
  if (!report.quality.valid())
    throw Error(ErrorKind::infeasible, partition_path + ": not valid; limits exceeded: " +
                                           std::to_string(report.quality.violations.size()));
  return 0;
}

}  // namespace kohypar::programs

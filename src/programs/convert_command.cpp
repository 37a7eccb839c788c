// `kohypar convert`: between all formats, never losing anything unasked.
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
      {"convert", "INPUT OUTPUT [OPTION...]",
       "Converts between .hgr, .snn, .axh, .mtx and .graph; formats follow from the extensions.\n"
       "What OUTPUT's format can't hold is refused (exit code 3), unless --lossy.",
       "  kohypar convert netlist.hgr.gz netlist.axh --first-pin-is-source\n"
       "  kohypar convert lenet.snn lenet.hgr --lossy\n"});
  line.positional("INPUT");
  line.positional("OUTPUT");
  line.flag("Output", "lossy", "Drop what OUTPUT's format can't hold");
  add_input_options(line);
  add_display_options(line);
  return line;
}

void refuse(const std::string& path, const std::vector<std::string>& losses) {
  std::string text = path + ": ";
  for (const std::string& loss : losses) text += loss + "; ";
  throw Error(ErrorKind::input, text + "--lossy converts all the same");
}

}  // namespace

int convert_command(const Arguments& arguments) {
  CommandLine line = declare();
  if (!line.parse(arguments)) return 0;
  const std::string path = line.text("OUTPUT");
  const Format format = output_format(path);
  exit_on_signal(path);
  Display display(line);
  const Input input = read_input(line, line.text("INPUT"), display);
  const HostHypergraph& hypergraph = input.file.hypergraph;
  const std::vector<std::string> losses = conversion_losses(hypergraph, format);
  if (!losses.empty() && !line.has("lossy")) refuse(path, losses);
  display.warn(losses);
  display.step("writing " + path);
  write_hypergraph(hypergraph, path, format);
  display.clear();
  if (!display.quiet()) std::cout << counts(hypergraph) << " written to " << path << '\n';
  return 0;
}

}  // namespace kohypar::programs

// `kohypar generate`: benchmark networks.
#include <iostream>
#include <kohypar/error.hpp>

#include "programs/commands.hpp"
#include "programs/display.hpp"
#include "programs/interruption.hpp"
#include "programs/settings.hpp"

namespace kohypar::programs {

namespace {

CommandLine declare() {
  CommandLine line(
      {"generate", "NETWORK -o FILE [OPTION...]",
       "Writes the hypergraph of a spiking neural network, one hyperedge per neuron with targets.\n"
       "NETWORK is lenet, alexnet, vgg11, mobilenet, rand:NEURONS:FANOUT or "
       "model:SIDE:LAYERS:RADIUS:CHANNELS.",
       "  kohypar generate lenet -o lenet.snn\n"
       "  kohypar generate rand:16384:127 -o rand.snn --seed 7\n"});
  line.positional("NETWORK");
  line.value("Output", "o,output", "FILE", "The format follows from the extension: .snn or .axh");
  line.value("Other", "seed", "N", "Seed of the random networks, 1 by default");
  add_display_options(line);
  return line;
}

void generate(const std::string& network, std::uint64_t seed, const std::string& path, Format format) {
  if (format == Format::snn) return generate_network_file(network, seed, path);
  const HostHypergraph hypergraph = generate_network(network, seed);
  const std::vector<std::string> losses = conversion_losses(hypergraph, format);
  if (!losses.empty())
    throw Error(ErrorKind::input, path + ": " + losses.front() +
                                      "; generate .snn, then `kohypar convert --lossy` does it all the same");
  write_hypergraph(hypergraph, path, format);
}

}  // namespace

int generate_command(const Arguments& arguments) {
  CommandLine line = declare();
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw Error(ErrorKind::usage, "-o FILE is missing");
  const std::string network = line.text("NETWORK"), path = line.text("output");
  const std::uint64_t seed = line.unsigned_integer("seed", 1);
  const Format format = output_format(path);
  exit_on_signal(path);
  Display display(line);
  display.step("generating " + network);
  generate(network, seed, path, format);
  display.clear();
  if (!display.quiet()) std::cout << network << " written to " << path << '\n';
  return 0;
}

}  // namespace kohypar::programs

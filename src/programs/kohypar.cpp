// The program `kohypar`: finds the subcommand, runs it, and turns errors into messages and exit codes.
#include <iostream>
#include <kohypar/error.hpp>
#include <kohypar/report.hpp>

#include "programs/commands.hpp"
#include "programs/kokkos_session.hpp"
#include "programs/memory.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::programs;

constexpr const char* help_text =
    "KoHyPar partitions hypergraphs under a size and a distinct-inbound limit, or into K balanced parts, on "
    "CPUs\n"
    "and GPUs.\n"
    "\n"
    "Usage:\n"
    "  kohypar partition INPUT (--max-size N | --preset NAME | -k K) [OPTION...]   find a partition\n"
    "  kohypar evaluate INPUT PARTITION [OPTION...]                                metrics and violations of "
    "one\n"
    "  kohypar info INPUT                                                          sizes, degrees, memory "
    "needed\n"
    "  kohypar convert INPUT OUTPUT [--lossy]                                      between file formats\n"
    "  kohypar generate NETWORK -o FILE                                            benchmark networks\n"
    "  kohypar --version                                                           version and Kokkos "
    "backends\n"
    "\n"
    "`kohypar COMMAND --help` lists a command's options, with examples. Arguments that start with --kokkos-\n"
    "go to Kokkos, e.g. --kokkos-num-threads=8 or --kokkos-device-id=1.\n"
    "Inputs are .hgr, .snn, .axh, .mtx or .graph files, also gzip-compressed.\n"
    "\n"
    "Exit codes: 0 done and valid, 2 usage, 3 input unreadable or malformed, 4 no valid partition,\n"
    "5 out of memory, 130 interrupted, 1 anything else.\n";

int run(const std::string& command, const Arguments& arguments, const Arguments& kokkos_arguments) {
  if (command == "partition") return partition_command(arguments, kokkos_arguments);
  if (command == "evaluate") return evaluate_command(arguments);
  if (command == "generate") return generate_command(arguments);
  if (command == "convert") return convert_command(arguments);
  if (command == "info") return info_command(arguments);
  if (command == "--version") {
    std::cout << version_string() << '\n';
    return 0;
  }
  if (command == "--help" || command == "-h" || command == "help") {
    std::cout << help_text;
    return 0;
  }
  throw Error(ErrorKind::usage,
              command.empty() ? "a command is missing" : "unknown command '" + command + "'");
}

int fail(const std::string& command, ErrorKind kind, const std::string& message) {
  std::cerr << "kohypar: " << message << '\n';
  if (kind == ErrorKind::usage) {
    const bool is_known = !command.empty() && command[0] != '-' && message.rfind("unknown command", 0) != 0;
    std::cerr << "Try 'kohypar " << (is_known ? command + " " : "") << "--help'.\n";
  }
  return static_cast<int>(kind);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments(argv + 1, argv + argc);
  const Arguments kokkos_arguments = take_kokkos_arguments(arguments);
  const std::string command = arguments.empty() ? "" : arguments.front();
  if (!arguments.empty()) arguments.erase(arguments.begin());
  try {
    const int code = run(command, arguments, kokkos_arguments);
    if (!std::cout.flush()) throw Error(ErrorKind::internal, "standard output can't be written");
    return code;
  } catch (const Error& error) {
    return fail(command, error.kind(), error.what());
  } catch (const std::exception& error) {
    if (is_out_of_memory(error)) return fail(command, ErrorKind::out_of_memory, out_of_memory_text(error));
    return fail(command, ErrorKind::internal, error.what());
  }
}

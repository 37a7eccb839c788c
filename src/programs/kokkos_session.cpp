#include "programs/kokkos_session.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kohypar/error.hpp>

namespace kohypar::programs {

std::vector<std::string> take_kokkos_arguments(std::vector<std::string>& arguments) {
  std::vector<std::string> taken;
  const auto is_for_kokkos = [](const std::string& argument) { return argument.rfind("--kokkos-", 0) == 0; };
  std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(taken), is_for_kokkos);
  std::erase_if(arguments, is_for_kokkos);
  return taken;
}

void check_kokkos_arguments(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, equals),
                      value = argument.substr(std::min(equals + 1, argument.size()));
    const bool takes_number = name == "--kokkos-num-threads" || name == "--kokkos-device-id";
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    if (takes_number && !is_number)
      throw Error(ErrorKind::usage, name + " takes a whole number, e.g. " + name + "=2");
  }
}

KokkosSession::KokkosSession(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"kohypar", "--kokkos-disable-warnings"});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  Kokkos::initialize(argc, argv.data());
}

KokkosSession::~KokkosSession() {
  Kokkos::finalize();
}

}  // namespace kohypar::programs

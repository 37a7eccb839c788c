#include "version.hpp"

#include <kohypar/report.hpp>
#include <kohypar/types.hpp>

namespace kohypar {

std::string kohypar_version() {
  return KOHYPAR_VERSION;
}

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

std::vector<std::string> backends() {
  std::vector<std::string> names = {ExecutionSpace::name()};
  const std::string host = Kokkos::DefaultHostExecutionSpace::name();
  if (host != names.front()) names.push_back(host);
  return names;
}

std::string version_string() {
  std::string text = "KoHyPar " + kohypar_version() + ", Kokkos " + kokkos_version() + ",";
  for (const std::string& name : backends()) text += " " + name;
  return text;
}

}  // namespace kohypar

// What the program was built from.
#pragma once

#include <string>
#include <vector>

namespace kohypar {

/// Versions as "major.minor.patch".
std::string kohypar_version();
std::string kokkos_version();

/// Names of the Kokkos execution spaces in use: the device's, then the host's where it is another.
std::vector<std::string> backends();

}  // namespace kohypar

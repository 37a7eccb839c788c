// Kokkos within a program.
#pragma once

#include <string>
#include <vector>

namespace kohypar::programs {

/// Moves the arguments that are for Kokkos, --kokkos-*, out of `arguments`.
std::vector<std::string> take_kokkos_arguments(std::vector<std::string>& arguments);

/// Kokkos aborts on a number that is none, so it is looked at before. Throws Error(usage).
void check_kokkos_arguments(const std::vector<std::string>& arguments);

/// Kokkos' initialisation, without its advice about thread binding.
class KokkosSession {
 public:
  explicit KokkosSession(std::vector<std::string> arguments);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
};

}  // namespace kohypar::programs

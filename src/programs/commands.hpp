// The subcommands of `kohypar`. Each takes the arguments after its name and returns the exit code; errors are
// thrown as kohypar::Error.
#pragma once

#include <string>
#include <vector>

namespace kohypar::programs {

using Arguments = std::vector<std::string>;

/// @param kokkos_arguments the --kokkos-* arguments, wherever they stood; the other subcommands run without
/// Kokkos, so that they also work where the device is missing.
int partition_command(const Arguments& arguments, const Arguments& kokkos_arguments);
int evaluate_command(const Arguments& arguments);
int generate_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int info_command(const Arguments& arguments);

}  // namespace kohypar::programs

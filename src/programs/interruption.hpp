// How SIGINT and SIGTERM end a program: exit code 130, no output left. A signal that was ignored when the
// program started stays ignored.
#pragma once

#include <atomic>
#include <string>

namespace kohypar::programs {

/// From now on a signal removes the unfinished file of `output`, if one is named, and ends the program at
/// once.
void exit_on_signal(const std::string& output = "");

/// From now on the first signal sets the flag returned, and the second one ends the program at once.
const std::atomic<bool>& stop_on_signal();

/// Throws Error(interrupted) if the flag is set.
void throw_if_stopped();

}  // namespace kohypar::programs

#include "programs/interruption.hpp"

#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <kohypar/error.hpp>
#include <string_view>

#include "io/output_file.hpp"

namespace kohypar::programs {

namespace {

// What the handlers use; they may call async-signal-safe functions alone.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<char, PATH_MAX> unfinished{};  ///< file to remove; empty: none

void handle(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction current {};
    sigaction(signal, nullptr, &current);
    if (current.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

void say(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

void leave(int) {
  if (unfinished[0] != '\0') ::unlink(unfinished.data());
  say("\nkohypar: interrupted\n");
  ::_exit(static_cast<int>(ErrorKind::interrupted));
}

void stop(int signal) {
  if (stop_requested.exchange(true)) leave(signal);
  say("\nkohypar: stopping after this step; another signal ends it at once\n");
}

}  // namespace

void exit_on_signal(const std::string& output) {
  const std::string path = output.empty() ? "" : unfinished_path(output);
  unfinished.fill('\0');
  if (path.size() < unfinished.size()) path.copy(unfinished.data(), path.size());
  handle(leave);
}

const std::atomic<bool>& stop_on_signal() {
  handle(stop);
  return stop_requested;
}

void throw_if_stopped() {
  if (stop_requested) throw Error(ErrorKind::interrupted, "interrupted");
}

}  // namespace kohypar::programs

#include "programs/display.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <sstream>

namespace kohypar::programs {

namespace {

/// What fits on one line of the terminal: a longer one could not be rewritten in place.
std::string fit_terminal(const std::string& text) {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return text.substr(0, is_known ? size.ws_col - std::size_t{1} : 79);
}

}  // namespace

void add_display_options(CommandLine& line) {
  line.flag("Other", "progress", "Show progress even if standard error is no terminal");
  line.flag("Other", "quiet", "Print errors only");
}

Display::Display(const CommandLine& line, bool silent) : quiet_(silent || line.has("quiet")) {
  line.exclude("progress", "quiet");
  if (quiet_) return;
  if (::isatty(STDERR_FILENO) != 0) {
    mode_ = Mode::terminal;
  } else if (line.has("progress")) {
    mode_ = Mode::lines;
  }
}

void Display::step(const std::string& text) {
  if (mode_ == Mode::lines) std::cerr << text << std::endl;
  if (mode_ != Mode::terminal) return;
  std::cerr << "\r\x1b[K" << fit_terminal(text) << std::flush;
  shown_ = true;
}

void Display::step(const Progress& progress, int weight_exponent) {
  if (!shows_progress()) return;
  std::ostringstream text;
  text << progress.phase << ", level " << progress.level << ": " << progress.num_nodes << " nodes";
  if (progress.num_parts > 0) text << ", " << progress.num_parts << " parts";
  if (progress.connectivity >= 0)
    text << ", connectivity " << std::ldexp(static_cast<double>(progress.connectivity), -weight_exponent);
  step(text.str());
}

void Display::warn(const std::vector<std::string>& warnings) {
  if (quiet_) return;
  clear();
  for (const std::string& warning : warnings) std::cerr << "kohypar: warning: " << warning << '\n';
}

void Display::clear() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace kohypar::programs

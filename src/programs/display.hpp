// What a program shows on standard error while it works.
#pragma once

#include <kohypar/options.hpp>
#include <string>
#include <vector>

#include "programs/command_line.hpp"

namespace kohypar::programs {

/// --progress and --quiet.
void add_display_options(CommandLine& line);

/// One line that is rewritten in place on a terminal; with --progress elsewhere, a line per step. Otherwise
/// only warnings, and with --quiet not even those.
class Display {
 public:
  /// @param silent as with --quiet: another process shows the same
  explicit Display(const CommandLine& line, bool silent = false);
  ~Display() { clear(); }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  [[nodiscard]] bool quiet() const { return quiet_; }
  [[nodiscard]] bool shows_progress() const { return mode_ != Mode::none; }

  void step(const std::string& text);
  /// A step of the partitioner, weights shown divided by 2^weight_exponent.
  void step(const Progress& progress, int weight_exponent);
  void warn(const std::vector<std::string>& warnings);
  /// Removes the line from the terminal.
  void clear();

 private:
  enum class Mode { none, lines, terminal };
  bool quiet_ = false;
  Mode mode_ = Mode::none;
  bool shown_ = false;
};

}  // namespace kohypar::programs

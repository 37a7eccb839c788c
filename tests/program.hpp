// Runs the built programs as a user does: own process, own folder, exit code, both outputs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace kohypar::test {

/// A folder of its own for a test, removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& content) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] std::set<std::string> files() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = -1;  ///< exit code; -1 if a signal ended the program
  std::string out, err;
};

struct RunOptions {
  std::uint64_t address_space = 0;  ///< bytes the program may map; 0: no limit
  int signal = 0;                   ///< sent once `when` holds
  std::function<bool(const std::string& err)> when;
};

/// Runs words[0], a path, with the other words as its arguments; else as run_kohypar.
Outcome run_program(const TemporaryFolder& folder, std::vector<std::string> words,
                    const RunOptions& options = {});

/// Runs `kohypar` with `arguments` in `folder`, with no terminal. A run of more than two minutes is killed.
Outcome run_kohypar(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
                    const RunOptions& options = {});

}  // namespace kohypar::test

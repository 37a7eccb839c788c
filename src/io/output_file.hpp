// Output files that appear under their name only when they are complete.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace kohypar {

/// Where an output file is written until it is complete: beside `path`, on the same file system.
/// Programs remove it when a signal ends them.
std::string unfinished_path(const std::string& path);

/// Written beside, then renamed by `commit`; destroyed without it, it leaves no file, and a file that had the
/// name before stays as it was. "-" is standard output.
/// Throws Error(internal) naming the file and the system's reason.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view bytes);
  void commit();

 private:
  [[nodiscard]] bool is_standard_output() const { return path_ == "-"; }

  std::string path_;
  std::string unfinished_;
  std::ofstream file_;
  bool committed_ = false;
};

}  // namespace kohypar

// Output files that appear complete or not at all.
#pragma once

#include <charconv>
#include <cstdint>
#include <kohypar/types.hpp>
#include <string>
#include <string_view>

namespace kohypar {

/// Where an output file is written until it is complete: beside `path` (a symbolic link's target), in the
/// same folder. Programs remove it when a signal ends them.
std::string unfinished_path(const std::string& path);

/// Writes beside the target and renames in `commit`; without a commit nothing is left. A target that is no
/// regular file (a pipe, a terminal, /dev/null) is written directly, and "-" is standard output.
class OutputFile {
 public:
  /// Throws Error(internal) where the file can't be created, as do the other members where it can't be
  /// written.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void write(char byte) { write(std::string_view(&byte, 1)); }

  /// As decimal text.
  template <class Integer>
  void write_number(Integer value) {
    char digits[24];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    write(std::string_view(digits, static_cast<std::size_t>(result.ptr - digits)));
  }

  /// As it lies in memory; files are little endian.
  template <class T>
  void write_binary(const T* values, std::size_t count) {
    write(std::string_view(reinterpret_cast<const char*>(values), count * sizeof(T)));
  }

  /// Replaces bytes written before, e.g. counts that are known only at the end.
  void overwrite(std::uint64_t offset, std::string_view bytes);

  /// The file is complete: puts it in its place.
  void commit();

 private:
  void open_target();
  void flush();
  void write_through(std::string_view bytes);
  void discard() noexcept;
  [[noreturn]] void fail(const char* what);

  std::string path_;        ///< as given, for messages
  std::string unfinished_;  ///< empty if written directly, or done
  int descriptor_ = -1;
  HostArray<char> buffer_;
  std::size_t used_ = 0;
};

}  // namespace kohypar

// The bytes of an input file, whatever way they come.
#pragma once

#include <kohypar/types.hpp>
#include <string>
#include <string_view>

namespace kohypar {

/// Holds the whole content of a file: mapped if it is a regular one, read if it is a pipe, inflated if it is
/// gzip-compressed (recognised by its first bytes).
class InputFile {
 public:
  /// Throws Error(input) where the file can't be opened or read, or its compressed content is damaged.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void unmap() noexcept;

  std::string_view bytes_;
  HostArray<char> owned_;
  void* mapping_ = nullptr;
  std::size_t mapping_size_ = 0;
};

/// Whether the content starts as gzip does.
bool is_gzip(std::string_view bytes);

/// Inflates all members of a gzip file. Memory grows with what really comes out, at most doubling.
/// Throws Error(input) if the content is damaged, truncated or followed by something else.
HostArray<char> inflate_gzip(std::string_view compressed, const std::string& name);

}  // namespace kohypar

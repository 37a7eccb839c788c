#include "io/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <kohypar/error.hpp>

namespace kohypar {

static_assert(std::endian::native == std::endian::little, "binary formats are little endian");

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

/// The path with symbolic links resolved, so that what a link points to is replaced and not the link.
std::string resolved(const std::string& path) {
  std::error_code error;
  const std::string target = std::filesystem::weakly_canonical(path, error).string();
  return error || target.empty() ? path : target;
}

}  // namespace

std::string unfinished_path(const std::string& path) {
  return resolved(path) + "." + std::to_string(::getpid()) + ".unfinished";
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    std::fflush(stdout);  // what the process printed before comes first
    descriptor_ = ::dup(STDOUT_FILENO);
  } else {
    open_target();
  }
  if (descriptor_ < 0) fail("can't be written");
  buffer_.resize(buffer_size);
}

void OutputFile::open_target() {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);  // a folder fails here
    return;
  }
  const std::string unfinished = unfinished_path(path_);
  ::unlink(unfinished.c_str());  // left by a process that had this one's number and was killed
  descriptor_ = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) unfinished_ = unfinished;
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
  unfinished_.clear();
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.size() > buffer_.size() - used_) flush();
  if (bytes.size() > buffer_.size()) return write_through(bytes);
  std::memcpy(buffer_.data() + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

void OutputFile::flush() {
  const std::size_t used = std::exchange(used_, 0);
  write_through({buffer_.data(), used});
}

void OutputFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("can't be written");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  flush();
  const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (count != static_cast<ssize_t>(bytes.size())) fail("can't be written");
}

void OutputFile::commit() {
  flush();
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) fail("can't be written");
  if (unfinished_.empty()) return;
  if (::rename(unfinished_.c_str(), resolved(path_).c_str()) != 0) fail("can't be put in its place");
  unfinished_.clear();
}

void OutputFile::fail(const char* what) {
  const std::string message = path_ + ": " + what + ": " + std::strerror(errno);
  discard();
  throw Error(ErrorKind::internal, message);
}

}  // namespace kohypar

#include "io/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <kohypar/error.hpp>

namespace kohypar {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, path + ": " + what + ": " + std::strerror(errno));
}

/// Closes a file descriptor at the end of a scope.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

HostArray<char> read_all(int descriptor, const std::string& path) {
  HostArray<char> content(std::size_t{1} << 16);
  std::size_t size = 0;
  while (true) {
    if (size == content.size()) content.resize(2 * size);
    const ssize_t count = ::read(descriptor, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "can't be read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

}  // namespace

InputFile::InputFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(path, "can't be opened");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, "can't be read");
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (address == MAP_FAILED) fail(path, "can't be mapped");
    mapping_ = address;
    mapping_size_ = size;
    ::madvise(address, size, MADV_WILLNEED);  // only speeds up: a failure is harmless
    bytes_ = {static_cast<const char*>(address), size};
  } else {
    owned_ = read_all(file.get(), path);
    bytes_ = {owned_.data(), owned_.size()};
  }
  if (!is_gzip(bytes_)) return;
  try {
    HostArray<char> inflated = inflate_gzip(bytes_, path);
    unmap();
    owned_ = std::move(inflated);
    bytes_ = {owned_.data(), owned_.size()};
  } catch (...) {
    unmap();  // no destructor runs for an unfinished object
    throw;
  }
}

InputFile::~InputFile() {
  unmap();
}

void InputFile::unmap() noexcept {
  if (mapping_ != nullptr) ::munmap(mapping_, mapping_size_);
  mapping_ = nullptr;
}

}  // namespace kohypar

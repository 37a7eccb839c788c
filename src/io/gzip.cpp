#include <zlib.h>

#include <algorithm>
#include <kohypar/error.hpp>
#include <new>

#include "io/input_file.hpp"

namespace kohypar {

namespace {

/// One zlib stream over the members of a gzip file.
class Inflater {
 public:
  Inflater(std::string_view compressed, const std::string& name) : compressed_(compressed), name_(name) {
    const int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  HostArray<char> run() {
    while (true) {
      const int status = step();
      if (status == Z_STREAM_END) {
        if (consumed_ == compressed_.size()) break;
        if (!is_gzip(compressed_.substr(consumed_))) fail("the end of the compressed file");
        if (inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status == Z_BUF_ERROR && consumed_ == compressed_.size()) {
        fail("more compressed data: the file is truncated");
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail("valid compressed data");
      }
    }
    content_.resize(size_);
    return std::move(content_);
  }

 private:
  /// Inflates what fits; zlib counts in 32 bits.
  int step() {
    if (size_ == content_.size()) content_.resize(std::max<std::size_t>(std::size_t{1} << 16, 2 * size_));
    const std::size_t most = std::size_t{1} << 30;
    const std::size_t input = std::min(most, compressed_.size() - consumed_);
    const std::size_t room = std::min(most, content_.size() - size_);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed_.data())) + consumed_;
    stream_.avail_in = static_cast<uInt>(input);
    stream_.next_out = reinterpret_cast<Bytef*>(content_.data()) + size_;
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    consumed_ += input - stream_.avail_in;
    size_ += room - stream_.avail_out;
    return status;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(ErrorKind::input,
                name_ + ": compressed byte " + std::to_string(consumed_) + ": expected " + expected);
  }

  std::string_view compressed_;
  const std::string& name_;
  z_stream stream_{};
  HostArray<char> content_;
  std::size_t consumed_ = 0;
  std::size_t size_ = 0;
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

HostArray<char> inflate_gzip(std::string_view compressed, const std::string& name) {
  return Inflater(compressed, name).run();
}

}  // namespace kohypar

#include "io/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <kohypar/error.hpp>
#include <system_error>
#include <utility>

namespace kohypar {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::internal, path + ": " + what + ": " + std::generic_category().message(errno));
}

}  // namespace

std::string unfinished_path(const std::string& path) {
  return path + "." + std::to_string(::getpid()) + ".unfinished";
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), unfinished_(unfinished_path(path_)) {
  if (is_standard_output()) return;
  file_.open(unfinished_, std::ios::binary | std::ios::trunc);
  if (!file_) fail(path_, "can't be written");
}

OutputFile::~OutputFile() {
  if (committed_ || is_standard_output()) return;
  file_.close();
  std::remove(unfinished_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  std::ostream& out = is_standard_output() ? std::cout : file_;
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void OutputFile::commit() {
  if (is_standard_output()) {
    if (!std::cout.flush()) fail("standard output", "can't be written");
    return;
  }
  file_.close();
  if (!file_) fail(path_, "can't be written");
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) fail(path_, "can't be renamed");
  committed_ = true;
}

}  // namespace kohypar

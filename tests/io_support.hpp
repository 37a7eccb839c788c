// Temporary files, binary contents and comparisons for tests of readers and writers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <optional>
#include <string>

#include "io/formats.hpp"

namespace kohypar::test {

/// A folder that is gone at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kohypar-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::size_t num_files() const {
    const std::filesystem::directory_iterator entries(path_);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

inline std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Little-endian words, floats among them: Bytes() << 3u << 1.5f.
class Bytes {
 public:
  template <class T>
  Bytes&& operator<<(T value) && {
    static_assert(sizeof value == 4);
    content_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return std::move(*this);
  }
  operator std::string() && { return std::move(content_); }

 private:
  std::string content_;
};

/// One thread and the usual chunks; then chunks so small that every line has its own, and several threads.
inline std::vector<HostThreads> thread_choices() {
  return {{.count = 1}, {.count = 1, .chunk = 7}, {.count = 3, .chunk = 1}};
}

/// Parses a file "FILE" of that content.
inline ReadResult parse(std::string_view content, Format format, const ReadOptions& options = {},
                        const HostThreads& threads = {}) {
  return parse_hypergraph({.bytes = content, .name = "FILE", .threads = threads}, format, options);
}

inline void expect_equal(const HostHypergraph& a, const HostHypergraph& b) {
  EXPECT_EQ(a.num_nodes, b.num_nodes);
  EXPECT_EQ(a.directed, b.directed);
  EXPECT_EQ(a.hyperedge_offsets, b.hyperedge_offsets);
  EXPECT_EQ(a.pins, b.pins);
  EXPECT_EQ(a.source_counts, b.source_counts);
  EXPECT_EQ(a.hyperedge_weights, b.hyperedge_weights);
  EXPECT_EQ(a.node_sizes, b.node_sizes);
  EXPECT_EQ(a.weight_exponent, b.weight_exponent);
  EXPECT_EQ(a.real_weights, b.real_weights);
  EXPECT_EQ(a.has_hyperedge_weights, b.has_hyperedge_weights);
  EXPECT_EQ(a.has_node_sizes, b.has_node_sizes);
}

/// Expects work() to throw an Error of that kind and returns its message.
template <class Work>
std::string error_of(ErrorKind kind, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace kohypar::test

// Counts that lie must not make readers allocate: the largest single request to operator new is watched.
#include <atomic>
#include <cstdlib>
#include <new>

#include "io_support.hpp"

namespace {

std::atomic<std::size_t> largest_request = 0;

void* watched(std::size_t size) {
  std::size_t largest = largest_request;
  while (size > largest && !largest_request.compare_exchange_weak(largest, size)) {
  }
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* const memory = watched(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

using namespace kohypar;
using test::Bytes;

std::size_t largest_request_of(std::string_view content, Format format) {
  largest_request = 0;
  try {
    test::parse(content, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
  }
  return largest_request;
}

TEST(Allocation, IsNotLedByCountsThatLie) {
  const std::vector<std::pair<Format, std::string>> liars = {
      {Format::hgr, "2147483647 1048576 11\n1 1\n"},
      {Format::hgr, "1 2147483647 11\n1 1\n"},
      {Format::hgr, "1 1048576\n1 2\n"},
      {Format::snn, Bytes() << 1048576u << 0x7fffffffu << 0u << 0u << 1.0f},
      {Format::snn, Bytes() << 1048576u << 1u << 0xffffffffu << 0u << 1.0f},
      {Format::axh, Bytes() << 0x7fffffffu << 1u << 1u << 1u << 0u << 1.0f},
      {Format::axh, Bytes() << 1048576u << 1u << 0xffffffffu << 0x7fffffffu << 0u << 1.0f},
      {Format::mtx,
       "%%MatrixMarket matrix coordinate pattern general\n1048576 1048576 9223372036854775807\n1 1\n"},
      {Format::mtx, "%%MatrixMarket matrix coordinate pattern general\n2147483647 2147483647 1\n1 1\n"},
      {Format::graph, "2 2147483647\n2\n1\n"},
      {Format::graph, "2147483647 1\n2\n1\n"},
  };
  const std::size_t for_a_million_nodes = std::size_t{9} << 20;
  for (const auto& [format, content] : liars)
    EXPECT_LE(largest_request_of(content, format), for_a_million_nodes) << content;
}

TEST(Allocation, IsASmallMultipleOfTheFile) {
  std::string content = "100000 100000 11\n";
  for (int e = 1; e <= 100000; ++e) content += "1 " + std::to_string(e) + "\n";
  for (int n = 1; n <= 100000; ++n) content += "1\n";
  EXPECT_LE(largest_request_of(content, Format::hgr), 4 * content.size());
}

}  // namespace

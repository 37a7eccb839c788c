// Readers against malformed files: each is refused with exit code 3 and a message that names file, line or
// byte, and what was expected there; whatever the number of threads and the cuts between chunks.
#include <limits>

#include "io_support.hpp"

namespace {

using namespace kohypar;
using test::Bytes;
using test::error_of;

struct Malformed {
  std::string content;
  std::string message;  ///< after "FILE: "
};

void expect_refused(Format format, const std::vector<Malformed>& cases, const ReadOptions& options = {}) {
  for (const auto& [content, message] : cases)
    for (const HostThreads& threads : test::thread_choices())
      EXPECT_EQ(error_of(ErrorKind::input, [&] { test::parse(content, format, options, threads); }),
                "FILE: " + message)
          << "content: " << content;
}

TEST(MalformedHgr, Header) {
  const std::string hyperedges = "expected a number of hyperedges from 0 to 2147483647, found ";
  const std::string nodes = "expected a number of nodes from 0 to 2147483647, found ";
  expect_refused(Format::hgr, {
                                  {"", "line 1: " + hyperedges + "the end of the file"},
                                  {"% only\n\n% comments\n", "line 4: " + hyperedges + "the end of the file"},
                                  {"x 3\n", "line 1: " + hyperedges + "'x'"},
                                  {"-1 3\n", "line 1: " + hyperedges + "'-1'"},
                                  {"1.0 3\n", "line 1: " + hyperedges + "'1.0'"},
                                  {"2147483648 3\n", "line 1: " + hyperedges + "'2147483648'"},
                                  {"4294967297 3\n", "line 1: " + hyperedges + "'4294967297'"},
                                  {"2\n1\n", "line 1: " + nodes + "the end of the line"},
                                  {"2", "line 1: " + nodes + "the end of the file"},
                                  {"1 4294967295\n1\n", "line 1: " + nodes + "'4294967295'"},
                                  {"1 3 2\n1\n", "line 1: expected a format (0, 1, 10 or 11), found '2'"},
                                  {"1 3 100\n1\n", "line 1: expected a format (0, 1, 10 or 11), found '100'"},
                                  {"1 3 1 1\n1 1\n", "line 1: expected the end of the line, found '1'"},
                                  {std::string("\0\0", 2), "line 1: " + hyperedges +
                                                               "'?"
                                                               "?'"},
                              });
}

TEST(MalformedHgr, Body) {
  expect_refused(
      Format::hgr,
      {
          {"2 3\n1 2\n", "line 3: expected hyperedge 2 of 2, found the end of the file"},
          {"2 3\n1 2\n\n% more to come\n", "line 5: expected hyperedge 2 of 2, found the end of the file"},
          {"2147483647 3\n1 2\n", "line 3: expected hyperedge 2 of 2147483647, found the end of the file"},
          {"2 3\n1 2\n0 1\n", "line 3: expected a node id from 1 to 3, found '0'"},
          {"2 3\r\n1 2\r\n4\r\n", "line 3: expected a node id from 1 to 3, found '4'"},
          {"1 3\n1 4294967297\n", "line 2: expected a node id from 1 to 3, found '4294967297'"},
          {"1 3\n1 -2\n", "line 2: expected a node id from 1 to 3, found '-2'"},
          {"1 3\n1 2x 3\n", "line 2: expected a node id from 1 to 3, found '2x'"},
          {"1 3\n1 % 3\n", "line 2: expected a node id from 1 to 3, found '%'"},
          {"1 3\n1 2\n1 3\n", "line 3: expected the end of the file, found '1'"},
          {"1 3\n1 2\n\nend", "line 4: expected the end of the file, found 'end'"},
          {"0 0\n1\n", "line 2: expected the end of the file, found '1'"},
          {"1 0\n1\n", "line 2: expected a node id from 1 to 0, found '1'"},
          {"1 1048577\n1\n", "line 1: 1048577 nodes can't be true in a file of 12 bytes"},
          {"1 3\n" + std::string(50, '7') + "\n",
           "line 2: expected a node id from 1 to 3, found '" + std::string(40, '7') + "...'"},
      });
}

TEST(MalformedHgr, Weights) {
  const std::string weight = "expected a hyperedge weight from 0 to 2305843009213693951, found ";
  const std::string node = "expected a node weight from 0 to 2305843009213693951, found ";
  expect_refused(
      Format::hgr,
      {
          {"1 3 1\n-1 2 3\n", "line 2: " + weight + "'-1'"},
          {"1 3 1\nnan 2 3\n", "line 2: " + weight + "'nan'"},
          {"1 3 1\ninf 2 3\n", "line 2: " + weight + "'inf'"},
          {"1 3 1\n1.5 2 3\n", "line 2: " + weight + "'1.5'"},
          {"1 3 1\n9223372036854775808 2\n", "line 2: " + weight + "'9223372036854775808'"},
          {"1 3 1\n7\n", "line 2: expected a node id from 1 to 3, found the end of the line"},
          {"1 3 1\n7", "line 2: expected a node id from 1 to 3, found the end of the file"},
          {"1 3 1\n1152921504606846976 2 3\n",
           "hyperedge weights are too large: the sum of weight times cardinality reaches 2^61 at hyperedge "
           "0"},
          {"1 2 10\n1 2\n5\n", "line 4: expected the weight of node 2 of 2, found the end of the file"},
          {"1 2 10\n1 2\n5\n-6\n", "line 4: " + node + "'-6'"},
          {"1 2 10\n1 2\n5 1\n6\n", "line 3: expected the end of the line, found '1'"},
          {"1 2 10\n1 2\n5\n6\n7\n", "line 5: expected the end of the file, found '7'"},
          {"1 2 11\n3 1 2\n1e3\n6\n", "line 3: " + node + "'1e3'"},
          {"1 2 10\n1 2\n2305843009213693951\n1\n",
           "node weights are too large: their sum reaches 2^61 at node 1"},
          {"1 2147483647 10\n1 2\n5\n", "line 1: 2147483647 nodes can't be true in a file of 22 bytes"},
      });
}

constexpr std::uint32_t lie = std::numeric_limits<std::uint32_t>::max();

TEST(MalformedSnn, EveryTruncationIsRefused) {
  const std::string whole = Bytes() << 4u << 2u << 2u << 0u << 1u << 3u << 1.5f << 1u << 2u << 0u << 1.0f;
  ASSERT_EQ(test::parse(whole, Format::snn).hypergraph.num_pins(), 5u);
  for (std::size_t size = 0; size < whole.size(); ++size)
    for (const HostThreads& threads : test::thread_choices()) {
      const std::string message =
          error_of(ErrorKind::input, [&] { test::parse(whole.substr(0, size), Format::snn, {}, threads); });
      EXPECT_TRUE(message.starts_with("FILE: byte ")) << size << ": " << message;
    }
}

TEST(MalformedSnn, ContentsAndCountsThatLie) {
  expect_refused(
      Format::snn,
      {
          {"", "byte 0: expected a number of nodes and of hyperedges, found the end of the file"},
          {Bytes() << lie << 0u, "byte 0: expected a number of nodes below 2^31, found 4294967295"},
          {Bytes() << 1u << lie, "byte 4: expected a number of hyperedges below 2^31, found 4294967295"},
          {Bytes() << 0x7fffffffu << 0u, "byte 0: 2147483647 nodes can't be true in a file of 8 bytes"},
          {Bytes() << 2u << 0x7fffffffu << 0u << 0u << 1.0f,
           "byte 4: 2147483647 hyperedges can't be true in a file of 20 bytes"},
          {Bytes() << 2u << 1u << lie << 0u << 1u << 1.0f,
           "byte 8: expected 17179869192 bytes of hyperedge 0, found 16 bytes before the end of the file"},
          {Bytes() << 2u << 1u << 2u << 0u << 1u << 1.0f,
           "byte 8: expected 20 bytes of hyperedge 0, found 16 bytes before the end of the file"},
          {Bytes() << 2u << 1u << 0u << 0u << 1u << 1.0f,
           "byte 20: expected the end of the file after 1 hyperedges, found 4 more bytes"},
          {Bytes() << 2u << 1u << 1u << 2u << 1u << 1.0f, "byte 12: expected a node id below 2, found 2"},
          {Bytes() << 2u << 1u << 1u << 0u << lie << 1.0f,
           "byte 16: expected a node id below 2, found 4294967295"},
          {Bytes() << 2u << 1u << 1u << 0u << 1u << -1.0f,
           "byte 20: expected a finite weight of at least 0 for hyperedge 0, found -1.000000"},
          {Bytes() << 2u << 1u << 1u << 0u << 1u << std::numeric_limits<float>::infinity(),
           "byte 20: expected a finite weight of at least 0 for hyperedge 0, found inf"},
          {Bytes() << 2u << 1u << 1u << 0u << 1u << std::numeric_limits<float>::quiet_NaN(),
           "byte 20: expected a finite weight of at least 0 for hyperedge 0, found nan"},
      });
}

TEST(MalformedAxh, EveryTruncationIsRefused) {
  const std::string whole = Bytes() << 4u << 2u << 3u << 2u << 0u << 1u << 3u << 1.5f << 1u << 1u << 2u
                                    << 1.0f;
  ASSERT_EQ(test::parse(whole, Format::axh).hypergraph.num_pins(), 4u);
  for (std::size_t size = 0; size < whole.size(); ++size)
    for (const HostThreads& threads : test::thread_choices()) {
      const std::string message =
          error_of(ErrorKind::input, [&] { test::parse(whole.substr(0, size), Format::axh, {}, threads); });
      EXPECT_TRUE(message.starts_with("FILE: byte ")) << size << ": " << message;
    }
}

TEST(MalformedAxh, ContentsAndCountsThatLie) {
  expect_refused(
      Format::axh,
      {
          {Bytes() << 2u << 1u << 0u << 0u << 1u << 1.0f, "byte 8: expected at least one pin, found 0"},
          {Bytes() << 2u << 1u << 1u << 0u << 1u << 1.0f, "byte 12: expected at least one source, found 0"},
          {Bytes() << 2u << 1u << 1u << 2u << 1u << 1.0f,
           "byte 12: expected no more sources than pins, found 2"},
          {Bytes() << 2u << 1u << lie << lie << 1u << 1.0f,
           "byte 8: expected 17179869192 bytes of hyperedge 0, found 16 bytes before the end of the file"},
          {Bytes() << 2u << 2u << 1u << 1u << 1u << 1.0f,
           "byte 4: 2 hyperedges can't be true in a file of 24 bytes"},
          {Bytes() << 2u << 1u << 1u << 1u << 2u << 1.0f, "byte 16: expected a node id below 2, found 2"},
          {Bytes() << 2u << 1u << 1u << 1u << 1u << -0.5f,
           "byte 20: expected a finite weight of at least 0 for hyperedge 0, found -0.500000"},
          {std::string(Bytes() << 2u << 0u) + "x",
           "byte 8: expected the end of the file after 0 hyperedges, found 1 more bytes"},
      });
}

const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string real = "%%MatrixMarket matrix coordinate real general\n";

TEST(MalformedMtx, Header) {
  expect_refused(
      Format::mtx,
      {
          {"", "line 1: expected %%matrixmarket, found the end of the file"},
          {"2 2 1\n1 1\n", "line 1: expected %%matrixmarket, found '2'"},
          {"%%MatrixMarket vector\n", "line 1: expected matrix, found 'vector'"},
          {"%%MatrixMarket matrix array real general\n", "line 1: expected coordinate, found 'array'"},
          {"%%MatrixMarket matrix coordinate string general\n",
           "line 1: expected pattern or real or double or integer or complex, found 'string'"},
          {"%%MatrixMarket matrix coordinate real\n",
           "line 1: expected general or symmetric or skew-symmetric or hermitian, found the end of the line"},
          {"%%MatrixMarket matrix coordinate real general 1\n",
           "line 1: expected the end of the line, found '1'"},
          {pattern, "line 2: expected a number of rows from 0 to 2147483647, found the end of the file"},
          {pattern + "2 -2 1\n", "line 2: expected a number of columns from 0 to 2147483647, found '-2'"},
          {pattern + "4294967295 2 1\n",
           "line 2: expected a number of rows from 0 to 2147483647, found '4294967295'"},
          {pattern + "2147483647 2 0\n", "line 2: 2147483647 rows can't be true in a file of 64 bytes"},
          {pattern + "2 2147483647 0\n", "line 2: 2147483647 columns can't be true in a file of 64 bytes"},
          {pattern + "2 2\n",
           "line 2: expected a number of entries from 0 to 9223372036854775807, found the end of the line"},
          {"%%MatrixMarket matrix coordinate pattern symmetric\n2 3 0\n",
           "line 2: a symmetric matrix must have as many rows as columns"},
      });
}

TEST(MalformedMtx, Entries) {
  expect_refused(
      Format::mtx,
      {
          {pattern + "2 3 4294967295\n1 1\n",
           "line 4: expected entry 2 of 4294967295, found the end of the file"},
          {pattern + "2 3 9223372036854775807\n1 1\n",
           "line 4: expected entry 2 of 9223372036854775807, found the end of the file"},
          {pattern + "2 3 1\n3 1\n", "line 3: expected a row from 1 to 2, found '3'"},
          {pattern + "2 3 1\n0 1\n", "line 3: expected a row from 1 to 2, found '0'"},
          {pattern + "2 3 1\n1 4\n", "line 3: expected a column from 1 to 3, found '4'"},
          {pattern + "2 3 1\n1\n", "line 3: expected a column from 1 to 3, found the end of the line"},
          {pattern + "2 3 1\n1 2 3\n", "line 3: expected the end of the line, found '3'"},
          {pattern + "2 3 1\n1 2\n1 3\n", "line 4: expected the end of the file after 1 entries, found '1'"},
          {real + "2 3 1\n1 2\n", "line 3: expected a finite value, found the end of the line"},
          {real + "2 3 1\n1 2 x\n", "line 3: expected a finite value, found 'x'"},
          {real + "2 3 1\n1 2 nan\n", "line 3: expected a finite value, found 'nan'"},
          {real + "2 3 1\n1 2 -inf\n", "line 3: expected a finite value, found '-inf'"},
          {"%%MatrixMarket matrix coordinate complex general\n2 3 1\n1 2 1.5\n",
           "line 3: expected a finite value, found the end of the line"},
      });
}

TEST(MalformedGraph, HeaderAndLines) {
  expect_refused(
      Format::graph,
      {
          {"", "line 1: expected a number of vertices from 0 to 2147483647, found the end of the file"},
          {"3\n", "line 1: expected a number of edges from 0 to 2147483647, found the end of the line"},
          {"4294967295 1\n",
           "line 1: expected a number of vertices from 0 to 2147483647, found '4294967295'"},
          {"2147483647 1\n", "line 1: 2147483647 vertices can't be true in a file of 13 bytes"},
          {"2 4294967295\n2\n1\n",
           "line 1: expected a number of edges from 0 to 2147483647, found '4294967295'"},
          {"2 2147483647\n2\n1\n", "line 1: expected 2147483647 edges, found 1"},
          {"2 1 100\n2\n1\n", "line 1: expected a format (0, 1, 10 or 11), found '100'"},
          {"2 1 10 2\n1 2\n1 1\n", "line 1: expected a number of vertex weights from 1 to 1, found '2'"},
          {"2 1 10 1 7\n1 2\n1 1\n", "line 1: expected the end of the line, found '7'"},
          {"3 1\n2\n1\n", "line 4: expected the line of vertex 3 of 3, found the end of the file"},
          {"2 1\n2\n1\n1\n", "line 4: expected the end of the file, found '1'"},
          {"2 1\n3\n1\n", "line 2: expected a neighbour from 1 to 2, found '3'"},
          {"2 1\n2\n0\n", "line 3: expected a neighbour from 1 to 2, found '0'"},
          {"2 1\n1\n1\n", "line 2: expected another vertex than the line's own, found '1'"},
          {"2 1 1\n2\n1 1\n",
           "line 2: expected an edge weight from 0 to 2305843009213693951, found the end of the line"},
          {"2 1 1\n2 -4\n1 -4\n",
           "line 2: expected an edge weight from 0 to 2305843009213693951, found '-4'"},
          {"2 1 10\n\n1 1\n",
           "line 2: expected a vertex weight from 0 to 2305843009213693951, found the end of the line"},
      });
}

TEST(MalformedGraph, EdgesThatDisagree) {
  expect_refused(
      Format::graph,
      {
          {"3 2\n2 3\n1\n\n", "line 2: neighbour 3 doesn't list vertex 1 with the same weight"},
          {"% c\n3 1\n2\n% c\n\n1\n", "line 3: neighbour 2 doesn't list vertex 1 with the same weight"},
          {"2 1 1\n2 5\n1 6\n", "line 2: neighbour 2 doesn't list vertex 1 with the same weight"},
          {"2 2\n2 2\n1 1\n", "line 2: neighbour 2 is listed twice"},
          {"2 2\n2\n1\n", "line 1: expected 2 edges, found 1"},
          {"3 1\n2 3\n1\n1\n", "line 1: expected 1 edges, found 2"},
      });
}

TEST(MalformedPartition, IsRefused) {
  const std::vector<Malformed> cases = {
      {"", "line 1: expected the part of node 0 of 3, found the end of the file"},
      {"0\n1\n", "line 3: expected the part of node 2 of 3, found the end of the file"},
      {"0\n1\n-1\n", "line 3: expected a part id from 0 to 2147483647, found '-1'"},
      {"0\n1\n2147483648\n", "line 3: expected a part id from 0 to 2147483647, found '2147483648'"},
      {"0\n1 1\n2\n", "line 2: expected the end of the line, found '1'"},
      {"0\n1\n2\n3\n", "line 4: expected the end of the file after 3 nodes, found '3'"},
      {"0\n1.5\n2\n", "line 2: expected a part id from 0 to 2147483647, found '1.5'"},
  };
  for (const auto& [content, message] : cases)
    for (const HostThreads& threads : test::thread_choices())
      EXPECT_EQ(error_of(ErrorKind::input,
                         [&] { parse_partition({.bytes = content, .name = "FILE", .threads = threads}, 3); }),
                "FILE: " + message);
}

TEST(MalformedFixed, IsRefused) {
  const std::string id = "expected -1 (free) or a part id from -1 to 4, found ";
  const std::vector<Malformed> cases = {
      {"", "line 1: expected the part of node 0 of 3, found the end of the file"},
      {"0\n-1\n", "line 3: expected the part of node 2 of 3, found the end of the file"},
      {"0\n-2\n1\n", "line 2: " + id + "'-2'"},
      {"0\n5\n1\n", "line 2: " + id + "'5'"},
      {"4294967295\n0\n1\n", "line 1: " + id + "'4294967295'"},
      {"0\n99999999999999999999\n1\n", "line 2: " + id + "'99999999999999999999'"},
      {"0\n-\n1\n", "line 2: " + id + "'-'"},
      {"0\n1\n+2\n", "line 3: " + id + "'+2'"},
      {"0\n1 1\n2\n", "line 2: expected the end of the line, found '1'"},
      {"0\n1\n2\n-1\n", "line 4: expected the end of the file after 3 nodes, found '-1'"},
  };
  for (const auto& [content, message] : cases)
    for (const HostThreads& threads : test::thread_choices())
      EXPECT_EQ(error_of(ErrorKind::input,
                         [&] { parse_fixed({.bytes = content, .name = "FILE", .threads = threads}, 3, 5); }),
                "FILE: " + message);
}

TEST(MalformedCapacities, AreRefused) {
  const std::string capacity = "expected a capacity from 0 to 2305843009213693951, found ";
  const std::vector<Malformed> cases = {
      {"", "line 1: expected the capacity of part 0 of 3, found the end of the file"},
      {"7\n% c\n7\n", "line 4: expected the capacity of part 2 of 3, found the end of the file"},
      {"7\n-1\n7\n", "line 2: " + capacity + "'-1'"},
      {"7\n7.5\n7\n", "line 2: " + capacity + "'7.5'"},
      {"7\n1e3\n7\n", "line 2: " + capacity + "'1e3'"},
      {"7\n7\n2305843009213693952\n", "line 3: " + capacity + "'2305843009213693952'"},
      {"7 7 7\n", "line 2: expected the capacity of part 1 of 3, found the end of the file"},
      {"7 7\n7\n7\n", "line 1: expected the end of the line, found '7'"},
      {"7\n7\n7\n\n7\n", "line 5: expected the end of the file after 3 parts, found '7'"},
  };
  for (const auto& [content, message] : cases)
    for (const HostThreads& threads : test::thread_choices())
      EXPECT_EQ(
          error_of(ErrorKind::input,
                   [&] { parse_capacities({.bytes = content, .name = "FILE", .threads = threads}, 3); }),
          "FILE: " + message);
}

/// Text cut anywhere is refused or, where the cut took nothing but blanks or digits, still valid.
TEST(MalformedText, EveryTruncationIsRefusedOrValid) {
  const std::vector<std::pair<Format, std::string>> whole = {
      {Format::hgr,
       "% comment\n3 12 11\n7 1 2\r\n8 12\n9 3 4 5\n" + std::string("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12")},
      {Format::mtx, real + "% comment\n3 4 3\n1 1 2.5\n2 4 -1e-3\n3 2 7\n"},
      {Format::graph, "4 3 11\n1 2 5\n1 1 5 3 6\n2 2 6 4 12\n1 3 12\n"},
  };
  for (const auto& [format, text] : whole) {
    validate(test::parse(text, format).hypergraph, "whole");
    for (std::size_t size = 0; size < text.size(); ++size) try {
        validate(test::parse(text.substr(0, size), format).hypergraph, "part");
        EXPECT_GE(size + 2, text.size()) << to_string(format);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_TRUE(std::string(error.what()).starts_with("FILE: line ")) << error.what();
      }
  }
}

}  // namespace

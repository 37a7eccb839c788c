// Readers of graphs.
#include <gtest/gtest.h>

#include "io/edge_list.hpp"
#include "io_support.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::test;

std::vector<std::pair<VertexId, VertexId>> pairs(const EdgeList& list) {
  std::vector<std::pair<VertexId, VertexId>> result;
  for (const Edge& edge : list.edges) result.emplace_back(edge.from, edge.to);
  return result;
}

using Pairs = std::vector<std::pair<VertexId, VertexId>>;

TEST(EdgeLists, AreReadWhateverTheThreads) {
  const std::string content = "# FromNodeId ToNodeId\n7\t9\n\n  # more\n9 18446744073709551615\r\n7 7\n0 9";
  for (const HostThreads& threads : thread_choices()) {
    const EdgeList list = read_edge_list({.bytes = content, .name = "FILE", .threads = threads});
    EXPECT_EQ(list.num_vertices, 4u);
    EXPECT_EQ(list.labels, (std::vector<std::uint64_t>{0, 7, 9, 18446744073709551615u}));
    EXPECT_EQ(pairs(list), (Pairs{{1, 2}, {2, 3}, {1, 1}, {0, 2}}));
  }
  EXPECT_EQ(read_edge_list({.bytes = "", .name = "FILE"}).num_vertices, 0u);
}

TEST(EdgeLists, RefuseWhatIsNone) {
  const std::string vertex = "expected a vertex from 0 to 18446744073709551615, found ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 2\n3\n", "line 2: " + vertex + "the end of the line"},
      {"1 2\n3", "line 2: " + vertex + "the end of the file"},
      {"1 2 3\n", "line 1: expected the end of the line, found '3'"},
      {"1 -2\n", "line 1: " + vertex + "'-2'"},
      {"1 2\n% no comment\n", "line 2: " + vertex + "'%'"},
      {"1 18446744073709551616\n", "line 1: " + vertex + "'18446744073709551616'"},
      {"1.5 2\n", "line 1: " + vertex + "'1.5'"},
      {"1 2\n\n# c\nx 1\n9 y\n", "line 4: " + vertex + "'x'"},
      {std::string("\0\1", 2), "line 1: " + vertex + "'?" + "?'"},
  };
  for (const auto& [content, message] : cases)
    for (const HostThreads& threads : thread_choices())
      EXPECT_EQ(error_of(ErrorKind::input,
                         [&] { read_edge_list({.bytes = content, .name = "FILE", .threads = threads}); }),
                "FILE: " + message);
}

TEST(EdgeLists, MatricesMustBeSquare) {
  const std::string general = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_EQ(pairs(read_mtx_edges({.bytes = general + "3 3 2\n1 2\n3 1\n", .name = "FILE"}, false)),
            (Pairs{{0, 1}, {2, 0}}));
  EXPECT_EQ(error_of(ErrorKind::input,
                     [&] { read_mtx_edges({.bytes = general + "3 2 1\n1 2\n", .name = "FILE"}, false); }),
            "FILE: line 2: the matrix of a graph must have as many rows as columns");
  const std::string symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n";
  EXPECT_EQ(pairs(read_mtx_edges({.bytes = symmetric, .name = "FILE"}, false)), (Pairs{{1, 0}, {2, 2}}));
  EXPECT_EQ(pairs(read_mtx_edges({.bytes = symmetric, .name = "FILE"}, true)),
            (Pairs{{1, 0}, {0, 1}, {2, 2}}));
}

TEST(EdgeLists, FormatsFollowFromNames) {
  const TemporaryFolder folder;
  std::vector<std::string> warnings;
  write_file(folder.file("a.graph"), "3 2\n2\n1 3\n2\n");
  write_file(folder.file("a.mtx"), "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
  write_file(folder.file("a.txt"), "5 6\n");
  EXPECT_EQ(pairs(read_edges(folder.file("a.graph"), false, warnings)), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(pairs(read_edges(folder.file("a.mtx"), true, warnings)), (Pairs{{0, 1}}));
  EXPECT_EQ(pairs(read_edges(folder.file("a.txt"), false, warnings)), (Pairs{{0, 1}}));
  error_of(ErrorKind::usage, [&] { read_edges(folder.file("a.graph"), true, warnings); });
  error_of(ErrorKind::input, [&] { read_edges(folder.file("none.txt"), true, warnings); });
  EXPECT_TRUE(warnings.empty());
}

TEST(Sources, AreReadAsTheGraphNamesThem) {
  EdgeList named{.num_vertices = 2, .edges = {}, .labels = {5, 70}},
      numbered{.num_vertices = 3, .edges = {}, .labels = {}};
  EXPECT_EQ(parse_sources({.bytes = "# two\n70\n5\n", .name = "FILE"}, named), (std::vector<VertexId>{1, 0}));
  EXPECT_EQ(parse_sources({.bytes = "2\n", .name = "FILE"}, numbered), (std::vector<VertexId>{2}));
  const auto message = [](const std::string& content, const EdgeList& graph) {
    return error_of(ErrorKind::input, [&] { parse_sources({.bytes = content, .name = "FILE"}, graph); });
  };
  EXPECT_EQ(message("5\n6\n", named), "FILE: line 2: expected a vertex of the graph, found '6'");
  EXPECT_EQ(message("3\n", numbered), "FILE: line 1: expected a vertex of the graph, found '3'");
  EXPECT_EQ(message("1 2\n", numbered), "FILE: line 1: expected the end of the line, found '2'");
  EXPECT_EQ(message("# none\n", numbered), "FILE: line 2: expected a vertex, found the end of the file");
}

}  // namespace

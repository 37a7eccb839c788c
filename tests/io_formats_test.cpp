// What well-formed files of each format mean.
#include <zlib.h>

#include <random>

#include "io_support.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::Bytes;
using test::parse;

template <class T>
HostArray<T> array(std::initializer_list<T> values) {
  return HostArray<T>(values);
}

TEST(Hgr, CommentsBlankLinesCrLfAndMissingFinalNewlineDontMatter) {
  const std::string plain = "3 4\n1 2\n4\n2 3 4\n";
  const HostHypergraph expected = parse(plain, Format::hgr).hypergraph;
  EXPECT_EQ(expected.num_nodes, 4u);
  EXPECT_EQ(expected.hyperedge_offsets, array<PinOffset>({0, 2, 3, 6}));
  EXPECT_EQ(expected.pins, array<NodeId>({0, 1, 3, 1, 2, 3}));
  EXPECT_EQ(expected.hyperedge_weights, array<Weight>({1, 1, 1}));
  EXPECT_EQ(expected.node_sizes, array<Weight>({1, 1, 1, 1}));
  EXPECT_FALSE(expected.directed);
  const std::string variants[] = {
      "3 4\r\n1 2\r\n4\r\n2 3 4\r\n",
      "% head\n\n  3\t4 0 \n% one\n1 2\n\n4\n  %two\n2 3  4",
      "3 4\n1 2\n4\n2 3 4\n\n \n% end",
  };
  for (const std::string& variant : variants)
    for (const HostThreads& threads : test::thread_choices())
      test::expect_equal(parse(variant, Format::hgr, {}, threads).hypergraph, expected);
}

TEST(Hgr, WeightsOfHyperedgesAndNodes) {
  for (const HostThreads& threads : test::thread_choices()) {
    const HostHypergraph h = parse("2 3 11\n5 1 3\n0 2\n7\n0\n9\n", Format::hgr, {}, threads).hypergraph;
    EXPECT_EQ(h.hyperedge_weights, array<Weight>({5, 0}));
    EXPECT_EQ(h.node_sizes, array<Weight>({7, 0, 9}));
    EXPECT_TRUE(h.has_hyperedge_weights && h.has_node_sizes);
    EXPECT_EQ(h.pins, array<NodeId>({0, 2, 1}));
    const HostHypergraph nodes_only = parse("1 2 10\n1 2\n3\n4", Format::hgr, {}, threads).hypergraph;
    EXPECT_EQ(nodes_only.node_sizes, array<Weight>({3, 4}));
    EXPECT_EQ(nodes_only.hyperedge_weights, array<Weight>({1}));
  }
}

TEST(Hgr, RepeatedPinsAreDroppedWithOneWarning) {
  const ReadResult read = parse("3 4\n4 2 4 2 4\n1 3\n1 1\n", Format::hgr);
  EXPECT_EQ(read.hypergraph.hyperedge_offsets, array<PinOffset>({0, 2, 4, 5}));
  EXPECT_EQ(read.hypergraph.pins, array<NodeId>({1, 3, 0, 2, 0}));
  EXPECT_EQ(read.warnings, std::vector<std::string>{"FILE: 4 repeated pins dropped"});
}

TEST(Hgr, FirstPinIsSource) {
  const ReadOptions options{.first_pin_is_source = true};
  const ReadResult read = parse("3 4\n4 2 1\n3\n2 1 2\n", Format::hgr, options);
  EXPECT_TRUE(read.hypergraph.directed);
  EXPECT_EQ(read.hypergraph.pins, array<NodeId>({3, 0, 1, 2, 0, 1}));
  EXPECT_EQ(read.hypergraph.source_counts, array<std::uint32_t>({1, 1, 0}));
  EXPECT_EQ(read.warnings,
            std::vector<std::string>{"FILE: 1 sources are also destinations, and kept as such only"});
}

TEST(Hgr, WithoutHyperedgesOrNodes) {
  EXPECT_EQ(parse("0 5", Format::hgr).hypergraph.num_nodes, 5u);
  EXPECT_EQ(parse("0 0\n", Format::hgr).hypergraph.num_hyperedges(), 0u);
  validate(parse("0 5 11\n1\n2\n3\n4\n5\n", Format::hgr).hypergraph, "weights only");
}

TEST(Snn, SourcesFirstAndRealWeights) {
  const std::string content = Bytes() << 5u << 3u                             //
                                      << 2u << 4u << 3u << 1u << 0.5f         // 4 -> 1 3
                                      << 0u << 2u << 0.0f                     // 2 -> nothing
                                      << 3u << 1u << 1u << 0u << 0u << 1.5f;  // 1 -> 0 and itself
  for (const HostThreads& threads : test::thread_choices()) {
    const ReadResult read = parse(content, Format::snn, {}, threads);
    const HostHypergraph& h = read.hypergraph;
    validate(h, "FILE");
    EXPECT_TRUE(h.directed);
    EXPECT_EQ(h.pins, array<NodeId>({4, 1, 3, 2, 0, 1}));
    EXPECT_EQ(h.source_counts, array<std::uint32_t>({1, 1, 0}));
    EXPECT_EQ(h.real_weights, array<float>({0.5f, 0.0f, 1.5f}));
    EXPECT_EQ(h.weight_exponent, 1);
    EXPECT_EQ(h.hyperedge_weights, array<Weight>({1, 0, 3}));
    EXPECT_EQ(read.warnings,
              (std::vector<std::string>{"FILE: 1 repeated pins dropped",
                                        "FILE: 1 sources are also destinations, and kept as such only"}));
  }
}

TEST(Axh, SeveralSources) {
  const std::string content = Bytes() << 4u << 1u << 4u << 2u << 3u << 1u << 2u << 0u << 8.0f;
  const HostHypergraph h = parse(content, Format::axh).hypergraph;
  EXPECT_EQ(h.pins, array<NodeId>({1, 3, 0, 2}));
  EXPECT_EQ(h.source_counts, array<std::uint32_t>({2}));
  EXPECT_EQ(h.hyperedge_weights, array<Weight>({8}));
  EXPECT_EQ(h.weight_exponent, 0);
}

TEST(Mtx, RowsOrColumnsAreHyperedges) {
  const std::string valid =
      "%%MatrixMarket matrix coordinate real general\n% made up\n3 4 5\n"
      "3 1 1.5\n1 4 -2\n1 2 +1e-400\n3 3 0\n3 4 1\n";
  for (const HostThreads& threads : test::thread_choices()) {
    const ReadResult rows = parse(valid, Format::mtx, {}, threads);
    EXPECT_EQ(rows.hypergraph.num_nodes, 4u);
    EXPECT_EQ(rows.hypergraph.hyperedge_offsets, array<PinOffset>({0, 2, 5}));
    EXPECT_EQ(rows.hypergraph.pins, array<NodeId>({1, 3, 0, 2, 3}));
    EXPECT_EQ(rows.warnings, std::vector<std::string>{
                                 "FILE: 1 rows without entries are no hyperedges; the ids count the others"});
    const ReadResult columns = parse(valid, Format::mtx, {.net_model = NetModel::column}, threads);
    EXPECT_EQ(columns.hypergraph.num_nodes, 3u);
    EXPECT_EQ(columns.hypergraph.hyperedge_offsets, array<PinOffset>({0, 1, 2, 3, 5}));
    EXPECT_EQ(columns.hypergraph.pins, array<NodeId>({2, 0, 2, 0, 2}));
    EXPECT_TRUE(columns.warnings.empty());
  }
}

TEST(Mtx, SymmetricEntriesStandForTwo) {
  for (const char* const symmetry : {"symmetric", "skew-symmetric", "Hermitian"}) {
    const std::string content =
        std::string("%%MatrixMarket MATRIX coordinate Pattern ") + symmetry + "\n3 3 3\n2 1\n3 3\n3 1\n";
    const HostHypergraph h = parse(content, Format::mtx).hypergraph;
    EXPECT_EQ(h.hyperedge_offsets, array<PinOffset>({0, 2, 3, 5}));
    EXPECT_EQ(h.pins, array<NodeId>({1, 2, 0, 0, 2}));
  }
}

TEST(Graph, EdgesInTheOrderOfTheirSmallerEnds) {
  for (const HostThreads& threads : test::thread_choices()) {
    const HostHypergraph h =
        parse("% c\n4 3 011 1\n7 3 5 2 6\n0 1 6\n% c\n8 1 5 4 9\n1 3 9\n\n", Format::graph, {}, threads)
            .hypergraph;
    EXPECT_EQ(h.pins, array<NodeId>({0, 2, 0, 1, 2, 3}));
    EXPECT_EQ(h.hyperedge_weights, array<Weight>({5, 6, 9}));
    EXPECT_EQ(h.node_sizes, array<Weight>({7, 0, 8, 1}));
    const HostHypergraph isolated = parse("3 1\n2\n1\n\n", Format::graph, {}, threads).hypergraph;
    EXPECT_EQ(isolated.num_nodes, 3u);
    EXPECT_EQ(isolated.pins, array<NodeId>({0, 1}));
  }
}

TEST(Partition, OneIdALine) {
  for (const HostThreads& threads : test::thread_choices()) {
    const std::vector<PartId> expected = {3, 0, 2147483647};
    EXPECT_EQ(parse_partition({.bytes = "3\n0\n2147483647\n", .name = "FILE", .threads = threads}, 3),
              expected);
    EXPECT_EQ(parse_partition({.bytes = "3\r\n0 \r\n\n2147483647", .name = "FILE", .threads = threads}, 3),
              expected);
  }
  const test::TemporaryFolder folder;
  std::vector<PartId> parts(300000);
  for (std::size_t n = 0; n < parts.size(); ++n) parts[n] = static_cast<PartId>(n * 7919 % 1000);
  write_partition(folder.file("p"), parts);
  EXPECT_EQ(read_partition(folder.file("p"), static_cast<NodeId>(parts.size())), parts);
}

TEST(Fixed, MinusOneIsFree) {
  const std::vector<PartId> expected = {2, invalid_id, 0};
  for (const HostThreads& threads : test::thread_choices())
    for (const char* const content : {"2\n-1\n0\n", "% of KaHyPar\n2\r\n -1 \r\n\n0"})
      EXPECT_EQ(parse_fixed({.bytes = content, .name = "FILE", .threads = threads}, 3, 3), expected);
  const test::TemporaryFolder folder;
  test::write_file(folder.file("a.fix"), "2\n-1\n0\n");
  EXPECT_EQ(read_fixed(folder.file("a.fix"), 3, 3), expected);
}

TEST(Capacities, OneALine) {
  const std::vector<Weight> expected = {5, 0, 2305843009213693951};
  for (const HostThreads& threads : test::thread_choices())
    for (const char* const content :
         {"5\n0\n2305843009213693951\n", "5\t\r\n\n0\n% last\n2305843009213693951"})
      EXPECT_EQ(parse_capacities({.bytes = content, .name = "FILE", .threads = threads}, 3), expected);
  const test::TemporaryFolder folder;
  test::write_file(folder.file("c"), "5\n0\n2305843009213693951\n");
  EXPECT_EQ(read_capacities(folder.file("c"), 3), expected);
}

TEST(Formats, AreToldFromNames) {
  EXPECT_EQ(format_of_path("a.hgr"), Format::hgr);
  EXPECT_EQ(format_of_path("/x.mtx/b.graph.gz"), Format::graph);
  EXPECT_EQ(parse_format("axh"), Format::axh);
  test::error_of(ErrorKind::usage, [] { parse_format("hgr.gz"); });
  for (const char* const path : {"hgr", "a.txt", "x.hgr/file", ".gz", "a.hgr.bz2", ""})
    test::error_of(ErrorKind::usage, [&] { format_of_path(path); });
}

void write_gzip(const std::string& path, std::string_view content) {
  const gzFile file = gzopen(path.c_str(), "ab");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

TEST(Gzip, AnyFormatIsInflated) {
  const test::TemporaryFolder folder;
  const auto h = test::random_hypergraph({.nodes = 5000, .hyperedges = 3000, .max_pins = 90}, 1);
  for (const Format format : {Format::snn, Format::axh}) {
    const std::string plain = folder.file(std::string("a.") + to_string(format));
    write_hypergraph(h, plain, format);
    const std::string content = test::file_content(plain);
    write_gzip(plain + ".gz", std::string_view(content).substr(0, 1000));
    write_gzip(plain + ".gz", std::string_view(content).substr(1000));  // a second member
    test::expect_equal(read_hypergraph(plain + ".gz").hypergraph, read_hypergraph(plain).hypergraph);
  }
}

TEST(Gzip, DamagedFilesAreRefused) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.hgr");  // recognised by content, not by name
  write_gzip(path, "1 3\n1 2 3\n");
  EXPECT_EQ(read_hypergraph(path).hypergraph.num_pins(), 3u);
  const std::string whole = test::file_content(path);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    test::write_file(path, std::string_view(whole).substr(0, size));
    const std::string message = test::error_of(ErrorKind::input, [&] { read_hypergraph(path); });
    EXPECT_TRUE(message.starts_with(path + ": compressed byte ")) << message;
  }
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // the checksum
  for (const std::string& content : {damaged, whole + "tail"}) {
    test::write_file(path, content);
    test::error_of(ErrorKind::input, [&] { read_hypergraph(path); });
  }
}

TEST(Files, ThatCantBeReadAreNamed) {
  const test::TemporaryFolder folder;
  const std::string missing = folder.file("missing.hgr");
  EXPECT_EQ(test::error_of(ErrorKind::input, [&] { read_hypergraph(missing); }),
            missing + ": can't be opened: No such file or directory");
  const std::string directory = folder.file("");
  test::error_of(ErrorKind::input, [&] { read_hypergraph(directory, {.format = "hgr"}); });
  test::error_of(ErrorKind::usage, [&] { read_hypergraph(missing, {.format = "txt"}); });
}

}  // namespace

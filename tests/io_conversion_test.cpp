// Writers against readers, conversion losses, and output files that appear complete or not at all.
#include <sys/stat.h>

#include <functional>

#include "io/output_file.hpp"
#include "io_support.hpp"
#include "support.hpp"

namespace {

using namespace kohypar;
using test::random_hypergraph;
using test::RandomHypergraph;

constexpr Format all_formats[] = {Format::hgr, Format::snn, Format::axh, Format::mtx, Format::graph};

HostHypergraph written_and_read(const HostHypergraph& h, Format format, const ReadOptions& options = {}) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file(std::string("h.") + to_string(format));
  write_hypergraph(h, path, format);
  HostHypergraph read = read_hypergraph(path, options).hypergraph;
  validate(read, path);
  EXPECT_EQ(folder.num_files(), 1u);
  return read;
}

/// What matters to a partitioner: everything but how weights are kept.
void expect_same_meaning(const HostHypergraph& a, const HostHypergraph& b) {
  EXPECT_EQ(a.num_nodes, b.num_nodes);
  EXPECT_EQ(a.hyperedge_offsets, b.hyperedge_offsets);
  EXPECT_EQ(a.pins, b.pins);
  EXPECT_EQ(a.source_counts, b.source_counts);
  EXPECT_EQ(a.hyperedge_weights, b.hyperedge_weights);
  EXPECT_EQ(a.node_sizes, b.node_sizes);
  EXPECT_EQ(a.weight_exponent, b.weight_exponent);
}

/// The hyperedges as a sorted list, for formats that order them their own way.
std::vector<std::vector<NodeId>> sorted_hyperedges(const HostHypergraph& h) {
  std::vector<std::vector<NodeId>> hyperedges;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const auto first = h.pins.begin() + static_cast<std::ptrdiff_t>(h.hyperedge_offsets[e]);
    hyperedges.emplace_back(
        first, first + static_cast<std::ptrdiff_t>(h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e]));
    hyperedges.back().push_back(static_cast<NodeId>(h.hyperedge_weights[e]));
  }
  std::sort(hyperedges.begin(), hyperedges.end());
  return hyperedges;
}

/// Shapes that have all properties formats differ in.
std::vector<RandomHypergraph> shapes() {
  auto result = test::random_shapes();
  for (RandomHypergraph shape : test::random_shapes()) {
    shape.directed = !shape.directed;
    shape.max_weight = std::int64_t{1} << 40;
    result.push_back(shape);
    shape.max_pins = 2;
    shape.copy_percent = 0;
    shape.directed = false;
    result.push_back(shape);
  }
  return result;
}

TEST(Conversion, WithoutLossesReadsBackAsItWas) {
  int lossless = 0;
  for (const RandomHypergraph& shape : shapes())
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const HostHypergraph h = random_hypergraph(shape, seed);
      for (const Format format : all_formats) {
        if (!conversion_losses(h, format).empty()) continue;
        ++lossless;
        const HostHypergraph read = written_and_read(h, format);
        if (format == Format::graph) {
          EXPECT_EQ(sorted_hyperedges(read), sorted_hyperedges(h));
          EXPECT_EQ(read.node_sizes, h.node_sizes);
        } else {
          expect_same_meaning(read, h);
        }
      }
    }
  EXPECT_GT(lossless, 60);
}

TEST(Conversion, IsStableAfterTheFirstLoss) {
  for (const RandomHypergraph& shape : shapes()) {
    const HostHypergraph h = random_hypergraph(shape, 7);
    for (const Format format : all_formats) {
      const HostHypergraph once = written_and_read(h, format);
      expect_same_meaning(written_and_read(once, format), once);
    }
  }
}

TEST(Conversion, ThroughEveryOtherFormatAndBack) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const HostHypergraph h = random_hypergraph(
        {.nodes = 50, .hyperedges = 40, .max_pins = 7, .directed = false, .max_weight = 1}, seed);
    HostHypergraph unweighted = h;
    std::fill(unweighted.hyperedge_weights.begin(), unweighted.hyperedge_weights.end(), 1);
    unweighted.has_hyperedge_weights = false;
    for (const Format format : {Format::hgr, Format::snn, Format::axh, Format::mtx}) {
      const HostHypergraph read = written_and_read(unweighted, format);
      expect_same_meaning(written_and_read(read, Format::hgr), unweighted);
    }
  }
}

TEST(Conversion, FirstPinAsSourceBringsDirectedHyperedgesBack) {
  const HostHypergraph h = random_hypergraph({.nodes = 60, .hyperedges = 80, .max_pins = 6}, 3);
  expect_same_meaning(written_and_read(h, Format::hgr, {.first_pin_is_source = true}), h);
}

TEST(Conversion, LossesAreNamed) {
  const auto losses = [](const HostHypergraph& h, Format format) {
    return conversion_losses(h, format).size();
  };
  HostHypergraph h = test::parse("2 3 11\n3 1 2\n4 1 2\n1\n2\n3\n", Format::hgr).hypergraph;
  EXPECT_EQ(losses(h, Format::hgr), 0u);
  EXPECT_EQ(losses(h, Format::snn), 2u);  // sources, node weights
  EXPECT_EQ(losses(h, Format::axh), 2u);
  EXPECT_EQ(losses(h, Format::mtx), 2u);  // both weights
  EXPECT_EQ(conversion_losses(h, Format::graph),
            std::vector<std::string>{
                ".graph can't hold parallel edges; they would be merged, with their weights added (1)"});
  h = test::parse("2 3 1\n16777217 1 2 3\n1 3\n", Format::hgr).hypergraph;
  EXPECT_EQ(losses(h, Format::snn), 2u);    // sources, 25 bits
  EXPECT_EQ(losses(h, Format::graph), 1u);  // one and three pins: one sentence
  h.directed = true;
  h.source_counts = {2, 1};
  EXPECT_EQ(losses(h, Format::axh), 1u);
  EXPECT_EQ(losses(h, Format::snn), 2u);
  EXPECT_EQ(losses(h, Format::hgr), 1u);
  const std::string real_weight = test::Bytes() << 2u << 1u << 1u << 0u << 1u << 0.3f;
  h = test::parse(real_weight, Format::snn).hypergraph;
  EXPECT_EQ(losses(h, Format::axh), 0u);
  EXPECT_EQ(losses(h, Format::hgr), 2u);  // direction, real weight
}

TEST(Conversion, CompressedTargetsAreRefused) {
  const test::TemporaryFolder folder;
  test::error_of(ErrorKind::usage, [&] {
    write_hypergraph(test::parse("1 1\n1\n", Format::hgr).hypergraph, folder.file("a.hgr.gz"), Format::hgr);
  });
  EXPECT_EQ(folder.num_files(), 0u);
}

TEST(OutputFile, AppearsOnlyWhenComplete) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("out");
  test::write_file(path, "before");
  {
    OutputFile file(path);
    file.write(std::string(3 << 20, 'x'));
    EXPECT_EQ(folder.num_files(), 2u);
  }
  EXPECT_EQ(folder.num_files(), 1u);
  EXPECT_EQ(test::file_content(path), "before");
  OutputFile file(path);
  file.write("after");
  file.write_number(-12);
  file.overwrite(0, "A");
  file.commit();
  EXPECT_EQ(test::file_content(path), "After-12");
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST(OutputFile, FollowsLinksAndLeavesDevicesAlone) {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("target"), "old");
  std::filesystem::create_symlink(folder.file("target"), folder.file("link"));
  write_partition(folder.file("link"), {1, 2});
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(test::file_content(folder.file("target")), "1\n2\n");
  write_partition("/dev/null", {1, 2});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  for (const std::string& path : {folder.file(""), folder.file("no/such/folder"), std::string("/dev/full")}) {
    const std::string message = test::error_of(ErrorKind::internal, [&] { write_partition(path, {1}); });
    EXPECT_TRUE(message.starts_with(path + ": can't be written: ")) << message;
  }
  EXPECT_EQ(folder.num_files(), 0u);
}

}  // namespace

// Betweenness centrality against the textbook's algorithm.
#include "reference/betweenness.hpp"

#include <kohypar/error.hpp>
#include <numeric>

#include "betweenness_support.hpp"
#include "parallel/work_meter.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::test;

TEST(Betweenness, EqualsTheTextbook) {
  for (const NamedGraph& graph : small_graphs())
    for (const bool directed : {false, true}) {
      const auto expected = reference::betweenness(graph.edges, directed);
      for (const bool degree_one : {true, false}) {
        SCOPED_TRACE(graph.name + (directed ? ", directed" : "") + (degree_one ? ", folded" : ""));
        expect_close(scores_of(graph.edges, directed, {.degree_one = degree_one}), expected);
      }
    }
}

/// Values of NetworkX 3's betweenness_centrality(nx.krackhardt_kite_graph(), normalized=False).
TEST(Betweenness, EqualsNetworkX) {
  EdgeList kite;
  for (const auto& [from, to] : std::vector<std::pair<VertexId, VertexId>>{{0, 1},
                                                                           {0, 2},
                                                                           {0, 3},
                                                                           {0, 5},
                                                                           {1, 3},
                                                                           {1, 4},
                                                                           {1, 6},
                                                                           {2, 3},
                                                                           {2, 5},
                                                                           {3, 4},
                                                                           {3, 5},
                                                                           {3, 6},
                                                                           {4, 6},
                                                                           {5, 6},
                                                                           {5, 7},
                                                                           {6, 7},
                                                                           {7, 8},
                                                                           {8, 9}})
    connect(kite, from, to);
  const std::vector<double> expected = {0.8333333333333333,
                                        0.8333333333333333,
                                        0,
                                        3.6666666666666665,
                                        0,
                                        8.333333333333332,
                                        8.333333333333332,
                                        14,
                                        8,
                                        0};
  expect_close(scores_of(kite, false), expected);
  std::vector<double> normalized;
  for (const double score : expected) normalized.push_back(score / 36);
  expect_close(scores_of(kite, false, {.normalize = true}), normalized);
  // A directed path: normalized by (n - 1)(n - 2).
  expect_close(scores_of(path_graph(4), true, {.normalize = true}), {0, 2 / 6.0, 2 / 6.0, 0});
  expect_close(scores_of(path_graph(2), true, {.normalize = true}), {0, 0});
}

TEST(Betweenness, RepeatsBitForBitWhateverTheNumberOfSourcesAtOnceAndTheMapping) {
  for (const NamedGraph& graph : {NamedGraph{"hub", hub_graph()}, NamedGraph{"grid", grid_graph(6, 7)},
                                  NamedGraph{"sparse", random_graph(80, 90, 1)}})
    for (const bool directed : {false, true}) {
      SCOPED_TRACE(graph.name);
      const auto once = scores_of(graph.edges, directed);
      EXPECT_EQ(scores_of(graph.edges, directed), once);
      for (const int lanes : {1, 3, 32})
        EXPECT_EQ(scores_of(graph.edges, directed, {.sources_at_once = lanes}), once) << lanes;
      EXPECT_EQ(scores_of(graph.edges, directed, {.mapping = RowMapping::team_per_vertex}), once);
      EXPECT_EQ(scores_of(graph.edges, directed, {.keep_offsets = false}), once);
      EXPECT_EQ(scores_of(graph.edges, directed, {.search_backward = false}), once);
    }
}

/// Up to 2^2400 shortest paths from end to end; the reference's long double holds them.
TEST(Betweenness, CountsPathsPastTheRangesOfIntegersAndDoubles) {
  const struct {
    VertexId steps, width;
    bool is_wide;
  } cases[] = {{52, 2, false},   {54, 2, false},  {63, 2, false},  {65, 2, false},
               {166, 64, false}, {167, 64, true}, {171, 64, true}, {400, 64, true}};
  for (const auto& [steps, width, is_wide] : cases) {
    SCOPED_TRACE(std::to_string(width) + "^" + std::to_string(steps));
    const EdgeList ladder = ladder_graph(steps, width);
    const std::vector<VertexId> sources = {0, 1, (width + 1) * (steps / 2), (width + 1) * steps};
    const Betweenness result = run_betweenness(ladder, false, {.sources = sources});
    auto expected = reference::betweenness(ladder, false, sources);
    for (double& score : expected) score *= ladder.num_vertices / static_cast<double>(sources.size());
    expect_close(to_host(result.scores), expected);
    EXPECT_EQ(result.wide_traversals > 0, is_wide);
  }
}

TEST(Betweenness, WideCountsGiveTheSameBits) {
  // With the ladder's end among the sources the whole batch leaves the range of doubles.
  const EdgeList both = disjoint_union({grid_graph(5, 6), ladder_graph(170, 64)});
  std::vector<VertexId> of_grid(30), with_ladder(30);
  std::iota(of_grid.begin(), of_grid.end(), 0);
  with_ladder = of_grid;
  with_ladder.push_back(30);
  const auto narrow = run_betweenness(both, false, {.sources = of_grid});
  const auto wide = run_betweenness(both, false, {.sources = with_ladder});
  EXPECT_EQ(narrow.wide_traversals, 0u);
  EXPECT_EQ(wide.wide_traversals, 31u);
  const auto a = to_host(narrow.scores), b = to_host(wide.scores);
  const double n = both.num_vertices;
  for (std::size_t v = 0; v < 30; ++v) EXPECT_DOUBLE_EQ(a[v] * (30 / n), b[v] * (31 / n));
}

TEST(Betweenness, SampledSourcesAreUnbiased) {
  const EdgeList edges = disjoint_union({random_graph(40, 70, 3), path_graph(6)});
  const auto exact = scores_of(edges, false);
  std::vector<double> sums(exact.size(), 0);
  constexpr int runs = 1000;
  for (int seed = 0; seed < runs; ++seed) {
    const auto estimate =
        scores_of(edges, false, {.num_sources = 5, .seed = static_cast<std::uint64_t>(seed)});
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += estimate[v] / runs;
  }
  const double largest = *std::max_element(exact.begin(), exact.end());
  for (std::size_t v = 0; v < sums.size(); ++v) EXPECT_NEAR(sums[v], exact[v], 0.05 * largest) << v;
}

TEST(Betweenness, ServesAnySetOfSourcesExactlyWithAndWithoutFolding) {
  for (const NamedGraph& graph : small_graphs()) {
    if (graph.edges.num_vertices < 3) continue;
    SCOPED_TRACE(graph.name);
    const auto adjacency = reference::adjacency_of(graph.edges, false);
    std::vector<VertexId> sources;
    double candidates = 0, with_edge = 0;
    for (VertexId v = 0; v < graph.edges.num_vertices; ++v) {
      candidates += adjacency[v].empty() ? 0 : 1;
      if (v % 3 != 1) continue;
      sources.push_back(v);
      with_edge += adjacency[v].empty() ? 0 : 1;
    }
    auto expected = reference::betweenness(graph.edges, false, sources);
    for (double& score : expected) score *= with_edge > 0 ? candidates / with_edge : 0;
    for (const bool degree_one : {true, false})
      expect_close(scores_of(graph.edges, false, {.sources = sources, .degree_one = degree_one}), expected);
  }
}

/// On R-MAT, large frontiers have more edges than what is left to visit.
TEST(Betweenness, LooksAtFewerEdgesFromTheOtherSide) {
  const ExecutionSpace space;
  const Graph graph = generate_rmat(space, {11, 16, 1}, false);
  const auto edges_looked_at = [&](bool search_backward, std::vector<double>& scores) {
    work_meter::start();
    scores =
        to_host(betweenness(space, graph, {.num_sources = 64, .search_backward = search_backward}).scores);
    return work_meter::stop().visited_pins;
  };
  std::vector<double> forward_scores, scores;
  const std::uint64_t forward = edges_looked_at(false, forward_scores), both = edges_looked_at(true, scores);
  EXPECT_EQ(scores, forward_scores);
  EXPECT_LT(both, forward * 6 / 10);
  EXPECT_GT(both, forward / 20);
}

TEST(Betweenness, TellsWhatItDid) {
  // A cycle of 5 with a path of 3 at one vertex, and an isolated vertex.
  EdgeList edges = cycle_graph(5);
  for (VertexId v = 5; v < 8; ++v) connect(edges, v == 5 ? 0 : v - 1, v);
  edges.num_vertices = 9;
  const Betweenness all = run_betweenness(edges, false);
  EXPECT_FALSE(all.is_estimate);
  EXPECT_EQ(all.num_sources, 8u);
  EXPECT_EQ(all.num_folded, 3u);
  EXPECT_EQ(all.num_traversals, 5u);
  ASSERT_EQ(all.levels.size(), 3u);
  for (const std::size_t level : {0, 1, 2}) EXPECT_EQ(all.levels[level].vertices, level == 0 ? 5u : 10u);
  const Betweenness sampled = run_betweenness(edges, false, {.num_sources = 2});
  EXPECT_TRUE(sampled.is_estimate);
  EXPECT_EQ(sampled.num_sources, 2u);
  EXPECT_FALSE(run_betweenness(edges, false, {.num_sources = 100}).is_estimate);
}

TEST(Betweenness, RefusesUnusableOptions) {
  const auto kind_of = [](const BetweennessOptions& options) {
    try {
      run_betweenness(path_graph(3), false, options);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  const std::atomic<bool> stop = true;
  EXPECT_EQ(kind_of({.sources = {3}}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.sources = {1, 1}}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.sources_at_once = 33}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.degree_one = false, .stop = &stop}), ErrorKind::interrupted);
}

TEST(Graph, DropsLoopsAndRepetitionsAndCountsThem) {
  EdgeList edges;
  for (const auto& [from, to] :
       std::vector<std::pair<VertexId, VertexId>>{{0, 1}, {1, 0}, {0, 1}, {2, 2}, {1, 2}})
    connect(edges, from, to);
  const ExecutionSpace space;
  const Graph undirected = build_graph(space, edges, false), directed = build_graph(space, edges, true);
  EXPECT_EQ(undirected.num_edges, 2u);
  EXPECT_EQ(undirected.dropped_loops, 1u);
  EXPECT_EQ(undirected.dropped_repetitions, 2u);
  EXPECT_EQ(to_host(undirected.out.neighbors), (std::vector<VertexId>{1, 0, 2, 1}));
  EXPECT_EQ(directed.num_edges, 3u);
  EXPECT_EQ(directed.dropped_repetitions, 1u);
  EXPECT_EQ(to_host(directed.out.neighbors), (std::vector<VertexId>{1, 0, 2}));
  EXPECT_EQ(to_host(directed.in.neighbors), (std::vector<VertexId>{1, 0, 1}));
  edges.edges.push_back({0, 3});
  EXPECT_THROW(build_graph(space, edges, false), Error);
}

using kohypar::test::fingerprint;  // which the next one would hide

std::uint64_t fingerprint(const CompressedRows& rows) {
  return fingerprint(to_host(rows.neighbors));
}

TEST(Betweenness, ScoresHaveTheSameBitsOnEveryBackend) {
  const ExecutionSpace space;
  const Graph graph = generate_rmat(space, {8, 16, 1}, false);
  EXPECT_EQ(fingerprint(to_host(betweenness(space, graph, {}).scores)), 17109987212910785942u);
  EXPECT_EQ(fingerprint(scores_of(ladder_graph(167, 64), false, {.sources = {0, 1}})), 8496028162030414149u);
}

TEST(Graph, RmatIsTheSameGraphEverywhere) {
  const ExecutionSpace space;
  const Graph graph = generate_rmat(space, {10, 16, 1}, false);
  EXPECT_EQ(graph.num_vertices, 1024u);
  EXPECT_EQ(graph.num_edges + graph.dropped_loops + graph.dropped_repetitions, 16384u);
  EXPECT_EQ(fingerprint(graph.out), 7876937339933213999u);
  EXPECT_NE(fingerprint(generate_rmat(space, {10, 16, 2}, false).out), fingerprint(graph.out));
  // Degrees as skewed as the parameters make them: few vertices have most of the edges.
  const auto offsets = to_host(graph.out.offsets);
  PinOffset largest = 0;
  for (std::size_t v = 0; v < 1024; ++v) largest = std::max(largest, offsets[v + 1] - offsets[v]);
  EXPECT_GT(largest, 10 * graph.num_edges * 2 / 1024);
}

TEST(Graph, IsTheSameOnTheHost) {
  const ExecutionSpace space;
  const auto expect_same = [&](const Graph& device, const Graph& host) {
    EXPECT_NE(host.host_memory, nullptr);
    EXPECT_EQ(host.num_edges, device.num_edges);
    EXPECT_EQ(host.dropped_loops, device.dropped_loops);
    EXPECT_EQ(host.dropped_repetitions, device.dropped_repetitions);
    for (const auto member : {&Graph::out, &Graph::in}) {
      EXPECT_EQ(to_host((host.*member).offsets), to_host((device.*member).offsets));
      EXPECT_EQ(to_host((host.*member).neighbors), to_host((device.*member).neighbors));
    }
    EXPECT_EQ(to_host(betweenness(space, host, {}).scores), to_host(betweenness(space, device, {}).scores));
  };
  for (const NamedGraph& graph : small_graphs())
    for (const bool directed : {false, true}) {
      SCOPED_TRACE(graph.name);
      EdgeList edges = graph.edges;
      for (std::size_t i = 0; i < edges.edges.size() / 3; ++i)
        edges.edges.push_back({edges.edges[i].to, i % 2 == 0 ? edges.edges[i].to : edges.edges[i].from});
      expect_same(build_graph(space, edges, directed),
                  build_graph(space, edges, directed, GraphMemory::host));
    }
  expect_same(generate_rmat(space, {8, 16, 3}, true),
              generate_rmat(space, {8, 16, 3}, true, GraphMemory::host));
  EdgeList outside = path_graph(3);
  outside.edges.push_back({0, 3});
  EXPECT_THROW(build_graph(space, outside, false, GraphMemory::host), Error);
}

TEST(Graph, RmatNames) {
  EXPECT_EQ(parse_rmat("rmat:20:16").scale, 20);
  EXPECT_EQ(parse_rmat("rmat:20:16").edge_factor, 16u);
  EXPECT_EQ(parse_rmat("rmat:20:16").seed, 1u);
  EXPECT_EQ(parse_rmat("rmat:5:4:7").seed, 7u);
  for (const char* name : {"rmat:", "rmat:20", "rmat:20:", "rmat:0:4", "rmat:31:4", "rmat:4:0", "rmat:4:4:",
                           "rmat:4:4:1:", "rmat:4:4:1:1", "rmat:4x:4", "rmat:-4:4", "rmat:4:5000"})
    EXPECT_THROW(parse_rmat(name), Error) << name;
}

}  // namespace

// What betweenness centrality does before it searches.
#include <algorithm>

#include "betweenness/components.hpp"
#include "betweenness/core.hpp"
#include "betweenness/sources.hpp"
#include "betweenness_support.hpp"
#include "parallel/scan.hpp"
#include "reference/betweenness.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::test;

/// The smallest vertex of each vertex's component, one search after the other.
std::vector<VertexId> reference_components(const EdgeList& edges) {
  const auto adjacency = reference::adjacency_of(edges, false);
  std::vector<VertexId> roots(edges.num_vertices, invalid_id);
  for (VertexId first = 0; first < edges.num_vertices; ++first) {
    if (roots[first] != invalid_id) continue;
    std::vector<VertexId> open = {first};
    roots[first] = first;
    while (!open.empty()) {
      const VertexId v = open.back();
      open.pop_back();
      for (const VertexId w : adjacency[v])
        if (roots[w] == invalid_id) {
          roots[w] = first;
          open.push_back(w);
        }
    }
  }
  return roots;
}

/// The same graph with other ids.
EdgeList shuffled(EdgeList edges, std::uint64_t seed) {
  std::vector<VertexId> names(edges.num_vertices);
  for (VertexId v = 0; v < edges.num_vertices; ++v) names[v] = v;
  std::shuffle(names.begin(), names.end(), std::mt19937_64(seed));
  for (Edge& edge : edges.edges) edge = {names[edge.from], names[edge.to]};
  return edges;
}

/// Stars whose centres are their largest vertices and are joined: centres see their own leaves first.
EdgeList joined_stars(VertexId count, VertexId leaves) {
  EdgeList list;
  const auto center = [&](VertexId star) { return count * leaves + star; };
  for (VertexId star = 0; star < count; ++star) {
    for (VertexId i = 0; i < leaves; ++i) connect(list, star * leaves + i, center(star));
    if (star > 0) connect(list, center(star - 1), center(star));
  }
  return list;
}

TEST(Components, RootsAreTheSmallestVertices) {
  std::vector<NamedGraph> graphs = small_graphs();
  graphs.push_back({"joined stars", joined_stars(20, 40)});
  graphs.push_back({"long path", path_graph(20000)});
  for (const std::uint64_t seed : {1, 2, 3}) {
    graphs.push_back({"shuffled path", shuffled(path_graph(5000), seed)});
    graphs.push_back({"shuffled grid", shuffled(grid_graph(40, 50), seed)});
    graphs.push_back(
        {"several", shuffled(disjoint_union({grid_graph(20, 20), joined_stars(9, 30), random_tree(900, seed),
                                             random_graph(500, 600, seed), random_graph(300, 2000, seed)}),
                             seed)});
  }
  const ExecutionSpace space;
  for (const NamedGraph& graph : graphs) {
    SCOPED_TRACE(graph.name);
    const CompressedRows rows = build_graph(space, graph.edges, false).out;
    const auto parents = all_ids(space, graph.edges.num_vertices);
    const auto degrees = filled<VertexId>(space, "degrees", graph.edges.num_vertices, 1);
    const VertexId common = find_components(space, rows, {parents, degrees});
    const auto expected = reference_components(graph.edges);
    EXPECT_EQ(to_host(parents), expected);
    if (expected.empty()) continue;
    ASSERT_LT(common, expected.size());
    EXPECT_EQ(expected[common], common);
  }
}

/// Trees whose parents are larger than their children, as folding leaves them.
TEST(Components, GoOnFromTrees) {
  // A cycle 7, 8, 9 with the path 0-3-1-7 at it; a whole tree 2-5-4; 6 alone.
  EdgeList edges;
  for (const auto& [from, to] : std::vector<std::pair<VertexId, VertexId>>{
           {7, 8}, {8, 9}, {9, 7}, {0, 3}, {3, 1}, {1, 7}, {2, 5}, {5, 4}})
    connect(edges, from, to);
  const ExecutionSpace space;
  const auto parents = to_device<VertexId>({3, 7, 5, 1, 5, 5, 6, 7, 8, 9});
  const auto degrees = to_device<VertexId>({0, 0, 0, 0, 0, 0, 0, 2, 2, 2});
  EXPECT_EQ(find_components(space, build_graph(space, edges, false).out, {parents, degrees}), 7u);
  EXPECT_EQ(to_host(parents), (std::vector<VertexId>{7, 7, 5, 7, 5, 5, 6, 7, 7, 7}));
}

/// The core of an undirected graph, with all vertices as sources.
Core core_of(const ExecutionSpace& space, const Graph& graph, bool degree_one) {
  return make_core(space, graph, choose_sources(space, graph, {}), degree_one);
}

TEST(Reduction, LeavesRowsAloneWhereNothingIsFolded) {
  const ExecutionSpace space;
  const Graph graph = build_graph(space, grid_graph(5, 6), false);
  for (const bool degree_one : {true, false}) {
    const Core core = core_of(space, graph, degree_one);
    EXPECT_EQ(core.out.neighbors.data(), graph.out.neighbors.data());
    EXPECT_EQ(core.num_vertices(), 30u);
    EXPECT_EQ(core.num_folded, 0u);
  }
}

TEST(Reduction, KeepsTheRowsOfTheCoreInOrder) {
  const ExecutionSpace space;
  // A cycle 0..4, isolated 5, trees at 1 and 3.
  EdgeList edges = cycle_graph(5);
  for (const auto& [from, to] : std::vector<std::pair<VertexId, VertexId>>{{1, 7}, {7, 6}, {7, 8}, {3, 9}})
    connect(edges, from, to);
  const Core core = core_of(space, build_graph(space, edges, false), true);
  EXPECT_EQ(to_host(core.vertices), (std::vector<VertexId>{0, 1, 2, 3, 4}));
  EXPECT_EQ(to_host(core.out.neighbors), (std::vector<VertexId>{1, 4, 0, 2, 1, 3, 2, 4, 0, 3}));
  EXPECT_EQ(to_host(core.weights), (std::vector<double>{1, 4, 1, 2, 1}));
  EXPECT_EQ(core.num_folded, 4u);
}

/// A wheel whose hub has a leaf between any two spokes.
TEST(Reduction, DropsLeavesFromLongRows) {
  constexpr VertexId spokes = 4000, hub = 2 * spokes;
  EdgeList edges;
  std::vector<VertexId> rim;
  for (VertexId v = 0; v < spokes; ++v) {
    connect(edges, hub, 2 * v);
    connect(edges, hub, 2 * v + 1);
    connect(edges, 2 * v, 2 * ((v + 1) % spokes));
    rim.push_back(v);
  }
  const ExecutionSpace space;
  const Core core = core_of(space, build_graph(space, edges, false), true);
  EXPECT_EQ(core.num_vertices(), spokes + 1);
  EXPECT_EQ(core.num_folded, spokes);
  const auto offsets = to_host(core.out.offsets);
  const auto neighbors = to_host(core.out.neighbors);
  ASSERT_EQ(neighbors.size(), 4 * spokes);
  EXPECT_EQ(std::vector(neighbors.begin() + static_cast<std::ptrdiff_t>(offsets[spokes]), neighbors.end()),
            rim);
  EXPECT_EQ(std::vector(neighbors.begin() + 3, neighbors.begin() + 6), (std::vector<VertexId>{0, 2, spokes}));
}

}  // namespace

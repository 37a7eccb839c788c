// Colours of moves against one move after the other on the explicit conflict graph.
#include "refinement/coloring.hpp"

#include <gtest/gtest.h>

#include "reference/coloring.hpp"
#include "refinement_support.hpp"

#ifdef KOHYPAR_HAVE_KOKKOS_KERNELS
#include <KokkosGraph_Distance1Color.hpp>
#include <KokkosKernels_Handle.hpp>
#endif

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

class Coloring : public ::testing::TestWithParam<test::RandomHypergraph> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Coloring, ::testing::ValuesIn(test::random_shapes()));

TEST_P(Coloring, EqualsOneMoveAfterTheOther) {
  const ExecutionSpace space;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto h = test::random_level(space, GetParam(), seed);
    const auto moves = test::random_moves(test::random_parts(h.num_nodes, 5, seed), 5, seed);
    for (const ConflictRules rules : {ConflictRules{}, ConflictRules{3, 64}, ConflictRules{invalid_id, 2},
                                      ConflictRules{invalid_id, 1}, ConflictRules{0, 64}}) {
      const auto graph =
          reference::conflict_graph(reference::SetHypergraph(h), to_host(moves.nodes), rules.max_pins);
      const auto expected = reference::color_greedily(graph, rules.num_colors);
      for (const int team_size : {0, 1, 2})
        ASSERT_EQ(to_host(color_moves(space, h, moves, rules, {team_size, 0})), expected)
            << "seed " << seed << ", " << rules.max_pins << " pins, " << rules.num_colors << " colours";
    }
  }
}

TEST(ColoringOne, OfOneHyperedgeOverAllNodesHasAMoveAColor) {
  const ExecutionSpace space;
  HostHypergraph host;
  host.num_nodes = 3000;
  host.node_sizes.assign(host.num_nodes, 1);
  for (NodeId n = 0; n < host.num_nodes; ++n) host.pins.push_back(n);
  host.hyperedge_offsets.push_back(host.pins.size());
  host.source_counts = {0};
  host.hyperedge_weights = {1};
  const std::vector<NodeId> nodes(host.pins.begin(), host.pins.end());
  const Moves moves{to_device(nodes), to_device(std::vector<PartId>(nodes.size(), 1)),
                    to_device(std::vector<Weight>(nodes.size(), 1))};
  const auto colors = to_host(color_moves(space, upload(space, host), moves, {}, {}));
  for (std::uint32_t i = 0; i < colors.size(); ++i) EXPECT_EQ(colors[i], std::min(i, uncolored));
}

TEST(ColoringOne, PriorityGoesByPowersOfTwoOfTheGain) {
  const ExecutionSpace space;
  const std::vector<Weight> gains{-9, 5, 0, 4, 1000, -1, 7, 1, 6, std::numeric_limits<Weight>::max()};
  std::vector<NodeId> nodes;
  for (NodeId n = 0; n < gains.size(); ++n) nodes.push_back(n);
  const Moves moves{to_device(nodes), to_device(nodes), to_device(gains)};
  std::set<std::vector<NodeId>> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto order = to_host(by_priority(space, moves, seed).nodes);
    orders.insert(order);
    EXPECT_EQ(std::set<NodeId>(order.begin() + 2, order.begin() + 6), (std::set<NodeId>{1, 3, 6, 8}));
    EXPECT_EQ((std::vector<NodeId>{order[0], order[1], order[6], order[7], order[8], order[9]}),
              (std::vector<NodeId>{9, 4, 7, 2, 5, 0}));
  }
  EXPECT_GT(orders.size(), 5u);
}

#ifdef KOHYPAR_HAVE_KOKKOS_KERNELS
/// Number of colours of Kokkos Kernels' vertex-based colouring, after checking that it is a proper one. (It
/// is not deterministic; the one that is, COLORING_VBD, in 4.6.01 has a colour less than the largest degree
/// to give and so leaves vertices of cliques uncoloured.)
std::uint32_t colors_of_kokkos_kernels(const std::vector<std::set<std::uint32_t>>& graph) {
  std::vector<int> offsets{0}, neighbors;
  for (const auto& row : graph) {
    neighbors.insert(neighbors.end(), row.begin(), row.end());
    offsets.push_back(static_cast<int>(neighbors.size()));
  }
  using Handle = KokkosKernels::Experimental::KokkosKernelsHandle<int, int, double, ExecutionSpace,
                                                                  MemorySpace, MemorySpace>;
  Handle handle;
  handle.create_graph_coloring_handle(KokkosGraph::COLORING_VB);
  const int size = static_cast<int>(graph.size());
  KokkosGraph::Experimental::graph_color(&handle, size, size, to_device(offsets), to_device(neighbors));
  const auto colors_view = handle.get_graph_coloring_handle()->get_vertex_colors();
  const auto colors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), colors_view);
  std::set<int> distinct;
  for (int i = 0; i < size; ++i) {
    distinct.insert(colors(i));
    for (const std::uint32_t j : graph[i]) EXPECT_NE(colors(i), colors(j));
  }
  handle.destroy_graph_coloring_handle();
  return static_cast<std::uint32_t>(distinct.size());
}

TEST_P(Coloring, TakesAboutAsManyColorsAsKokkosKernels) {
  const ExecutionSpace space;
  std::uint32_t ours = 0, theirs = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto h = test::random_level(space, GetParam(), seed);
    const auto moves =
        by_priority(space, test::random_moves(test::random_parts(h.num_nodes, 5, seed), 5, seed), seed);
    if (moves.size() == 0) continue;
    const auto nodes = to_host(moves.nodes);
    const std::uint32_t max_pins = 8;
    const auto colors = to_host(color_moves(space, h, moves, {max_pins, max_colors}, {}));
    ASSERT_EQ(std::count(colors.begin(), colors.end(), uncolored), 0);
    ours += *std::max_element(colors.begin(), colors.end()) + 1;
    theirs +=
        colors_of_kokkos_kernels(reference::conflict_graph(reference::SetHypergraph(h), nodes, max_pins));
  }
  EXPECT_LE(4 * ours, 5 * theirs + 4) << ours << " and " << theirs;
}
#endif

}  // namespace

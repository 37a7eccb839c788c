// Betweenness centrality on up to four processes, against one.
#include <array>
#include <kohypar/error.hpp>
#include <numeric>

#include "betweenness_support.hpp"
#include "mpi_processes.hpp"
#include "reference/betweenness.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::test;

/// rows, columns, replicas
using Layout = std::array<int, 3>;
constexpr Layout layouts[] = {{1, 1, 1}, {1, 2, 1}, {2, 1, 1}, {1, 1, 2}, {3, 1, 1},
                              {2, 2, 1}, {1, 4, 1}, {1, 2, 2}, {2, 1, 2}};

std::string name_of(const Layout& layout) {
  return std::to_string(layout[2]) + " x " + std::to_string(layout[0]) + " x " + std::to_string(layout[1]);
}

/// A communicator that takes no device memory, as MPI without support for it, even where that is the host's.
class Staged : public Communicator {
 public:
  explicit Staged(std::unique_ptr<Communicator> group) : group_(std::move(group)) {}
  [[nodiscard]] int rank() const override { return group_->rank(); }
  [[nodiscard]] int size() const override { return group_->size(); }
  [[nodiscard]] std::unique_ptr<Communicator> split(int color, int key) const override {
    return std::make_unique<Staged>(group_->split(color, key));
  }
  [[nodiscard]] std::unique_ptr<Transfer> all_to_all(
      const std::byte* send, std::span<const std::size_t> send_bytes, std::byte* receive,
      std::span<const std::size_t> receive_bytes) const override {
    return group_->all_to_all(send, send_bytes, receive, receive_bytes);
  }
  [[nodiscard]] std::unique_ptr<Transfer> all_gather(
      const std::byte* send, std::byte* receive, std::span<const std::size_t> receive_bytes) const override {
    return group_->all_gather(send, receive, receive_bytes);
  }
  [[nodiscard]] bool takes_device_memory() const override { return false; }

 private:
  std::unique_ptr<Communicator> group_;
};

/// On the first processes; nothing on the others.
std::optional<Betweenness> run_on(const Layout& layout, const EdgeList& edges, bool directed,
                                  const BetweennessOptions& options = {},
                                  Placement placement = Placement::blocks,
                                  const std::vector<PartId>& parts = {}) {
  const int size = layout[0] * layout[1] * layout[2];
  const int rank = all_processes().rank();
  const auto group = all_processes().split(rank < size ? 0 : 1, rank);
  if (rank >= size) return std::nullopt;
  const ExecutionSpace space;
  return betweenness(space, build_graph(space, edges, directed), options,
                     {group.get(), layout[0], layout[1], layout[2], placement, parts});
}

TEST(BetweennessProcesses, EqualTheTextbookInEveryLayout) {
  ASSERT_EQ(all_processes().size(), 4);
  for (const NamedGraph& graph : small_graphs())
    for (const bool directed : {false, true}) {
      // Processes that outnumber processors take milliseconds for a level: not all of the many random graphs.
      if (graph.name.find("sparse") == 0 && graph.edges.num_vertices > 50) continue;
      const auto expected = reference::betweenness(graph.edges, directed);
      for (const auto& layout : layouts) {
        SCOPED_TRACE(graph.name + (directed ? ", directed, on " : " on ") + name_of(layout));
        if (const auto result = run_on(layout, graph.edges, directed))
          expect_close(to_host(result->scores), expected);
        if (directed || graph.edges.num_vertices > 30) continue;
        if (const auto result = run_on(layout, graph.edges, directed, {.degree_one = false}))
          expect_close(to_host(result->scores), expected);
      }
    }
}

TEST(BetweennessProcesses, RepeatBitForBitAndReportAlike) {
  const EdgeList edges = hub_graph();
  const Betweenness alone = run_betweenness(edges, false);
  for (const auto& layout : layouts) {
    SCOPED_TRACE(name_of(layout));
    const auto once = run_on(layout, edges, false), again = run_on(layout, edges, false);
    const auto few = run_on(layout, edges, false, {.sources_at_once = 5});
    if (!once) continue;
    EXPECT_EQ(to_host(once->scores), to_host(again->scores));
    EXPECT_EQ(once->num_traversals, alone.num_traversals);
    ASSERT_EQ(once->levels.size(), alone.levels.size());
    for (std::size_t i = 0; i < alone.levels.size(); ++i)
      EXPECT_EQ(once->levels[i].vertices, alone.levels[i].vertices);
    EXPECT_EQ(once->bytes_sent.size(), static_cast<std::size_t>(layout[0] * layout[1] * layout[2]));
    if (layout[2] > 1) continue;  // copies add up what they were dealt
    EXPECT_EQ(to_host(few->scores), to_host(once->scores));
  }
}

TEST(BetweennessProcesses, StageWhereMessagesTakeNoDeviceMemory) {
  const EdgeList edges = random_graph(70, 150, 9);
  const ExecutionSpace space;
  const Graph graph = build_graph(space, edges, false);
  const Staged staged(all_processes().split(0, all_processes().rank()));
  for (const auto& [rows, columns] : {std::pair(2, 2), std::pair(1, 4), std::pair(4, 1)})
    EXPECT_EQ(to_host(betweenness(space, graph, {}, {&staged, rows, columns, 1}).scores),
              to_host(betweenness(space, graph, {}, {&all_processes(), rows, columns, 1}).scores));
}

TEST(BetweennessProcesses, OwnVerticesAsTheDistributionSays) {
  for (const EdgeList& edges : {grid_graph(9, 8), random_graph(90, 200, 3), hub_graph(), path_graph(3)})
    for (const bool directed : {false, true}) {
      const auto expected = reference::betweenness(edges, directed);
      for (const auto& layout : {layouts[1], layouts[2], layouts[5], layouts[7]}) {
        SCOPED_TRACE(std::to_string(edges.num_vertices) + " vertices on " + name_of(layout));
        // All in one part; parts of different sizes, one of them empty.
        std::vector<PartId> one(edges.num_vertices, 1), uneven(edges.num_vertices, 0);
        for (VertexId v = 0; v < edges.num_vertices; v += 3)
          uneven[v] = static_cast<PartId>(layout[0] * layout[1] - 1);
        for (const auto& [placement, parts] :
             std::vector<std::pair<Placement, std::vector<PartId>>>{{Placement::random, {}},
                                                                    {Placement::partition, {}},
                                                                    {Placement::given, one},
                                                                    {Placement::given, uneven}})
          if (const auto result = run_on(layout, edges, directed, {}, placement, parts))
            expect_close(to_host(result->scores), expected);
      }
    }
}

/// Rows of the mesh follow each other, so that blocks of ids are good parts.
TEST(BetweennessProcesses, SendOnlyWhatOthersNeed) {
  const EdgeList mesh = grid_graph(40, 40);
  const auto sent = [&](const Layout& layout, Placement placement) {
    const auto result = run_on(layout, mesh, false, {.num_sources = 32, .degree_one = false}, placement);
    return result ? std::accumulate(result->bytes_sent.begin(), result->bytes_sent.end(), std::uint64_t{0})
                  : 0;
  };
  for (const auto& layout : {layouts[1], layouts[2]}) {
    SCOPED_TRACE(name_of(layout));
    const std::uint64_t blocks = sent(layout, Placement::blocks), random = sent(layout, Placement::random);
    const std::uint64_t partition = sent(layout, Placement::partition);
    if (blocks == 0) continue;
    // 40 boundary vertices a side, 32 sources, two values forth and back, ids and masks; some numbers a
    // level.
    EXPECT_LT(blocks, 2 * 40 * 32 * (2 * 8 + 3 * 4) + 20000u);
    EXPECT_LT(partition, blocks + 10000);
    EXPECT_GT(random, 4 * blocks);
  }
}

/// Within what each of four processes needs of a graph that stays with the host until it is divided, one
/// fails and four do not.
TEST(BetweennessProcesses, SolveWhatOneHasNoMemoryFor) {
  const ExecutionSpace space;
  const Graph graph = generate_rmat(space, {13, 200, 1}, false, GraphMemory::host);
  BetweennessOptions options{.num_sources = 10, .sources_at_once = 1};
  const auto alone = betweenness(space, graph, options);
  const Distribution grid{&all_processes(), 2, 2, 1};
  const auto peaks = betweenness(space, graph, options, grid).peak_device_bytes;
  const std::uint64_t shared = *std::max_element(peaks.begin(), peaks.end());
  ASSERT_LT(shared, alone.peak_device_bytes[0]);
  options.memory_limit = shared;
  options.sources_at_once = 0;
  expect_close(to_host(betweenness(space, graph, options, grid).scores), to_host(alone.scores));
  try {
    betweenness(space, graph, options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  }
}

TEST(BetweennessProcesses, RefuseDistributionsThatDoNotFit) {
  const int rank = all_processes().rank();
  const auto group = all_processes().split(rank < 2 ? 0 : 1, rank);
  if (rank >= 2) return;
  const ExecutionSpace space;
  const EdgeList path{
      5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {}};  // of which folding leaves nothing to distribute
  for (const EdgeList& edges : {cycle_graph(5), path})
    for (const std::vector<PartId>& parts : {std::vector<PartId>{0, 1}, std::vector<PartId>{0, 1, 2, 0, 1}}) {
      try {
        betweenness(space, build_graph(space, edges, false), {},
                    {group.get(), 1, 2, 1, Placement::given, parts});
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
      }
    }
}

TEST(BetweennessProcesses, CountPathsPastTheRangeOfDoubles) {
  const EdgeList ladder = ladder_graph(170, 64);
  const std::vector<VertexId> sources = {0, 7, 65 * 170};
  auto expected = reference::betweenness(ladder, false, sources);
  for (double& score : expected) score *= ladder.num_vertices / static_cast<double>(sources.size());
  for (const auto& layout : layouts) {
    if (layout[0] * layout[1] * layout[2] != 4 || layout[1] == 4) continue;
    SCOPED_TRACE(name_of(layout));
    const auto result = run_on(layout, ladder, false, {.sources = sources});
    expect_close(to_host(result->scores), expected);
    EXPECT_GT(result->wide_traversals, 0u);
  }
}

}  // namespace

// Betweenness centrality on up to four processes, against one.
#include "betweenness_support.hpp"
#include "mpi_processes.hpp"
#include "reference/betweenness.hpp"

namespace {

using namespace kohypar;
using namespace kohypar::test;

/// rows, columns, replicas
constexpr int layouts[][3] = {{1, 1, 1}, {1, 2, 1}, {2, 1, 1}, {1, 1, 2}, {3, 1, 1},
                              {2, 2, 1}, {1, 4, 1}, {1, 2, 2}, {2, 1, 2}};

std::string name_of(const int (&layout)[3]) {
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
std::optional<Betweenness> run_on(const int (&layout)[3], const EdgeList& edges, bool directed,
                                  const BetweennessOptions& options = {}) {
  const int size = layout[0] * layout[1] * layout[2];
  const int rank = all_processes().rank();
  const auto group = all_processes().split(rank < size ? 0 : 1, rank);
  if (rank >= size) return std::nullopt;
  const ExecutionSpace space;
  return betweenness(space, build_graph(space, edges, directed), options,
                     {group.get(), layout[0], layout[1], layout[2]});
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
  const auto result = betweenness(space, graph, {}, {&staged, 2, 2, 1});
  EXPECT_EQ(to_host(result.scores),
            to_host(betweenness(space, graph, {}, {&all_processes(), 2, 2, 1}).scores));
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

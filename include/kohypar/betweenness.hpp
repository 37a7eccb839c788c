// Betweenness centrality of unweighted graphs, exact or estimated from a sample of sources.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <kohypar/communicator.hpp>
#include <kohypar/types.hpp>
#include <memory>
#include <string>
#include <vector>

namespace kohypar {

using VertexId = NodeId;

/// An edge as a file has it. In undirected graphs the order of its ends means nothing.
struct Edge {
  VertexId from = 0;
  VertexId to = 0;
};

/// Edges on the host, in any order, self loops and repetitions included.
struct EdgeList {
  VertexId num_vertices = 0;
  HostArray<Edge> edges;
  /// The vertices' names in the file, ascending; empty where names are the ids 0 to num_vertices - 1.
  std::vector<std::uint64_t> labels;
};

/// Reads a METIS graph (`.graph`), a square Matrix Market matrix (`.mtx`: an entry in row i and column j is
/// an edge from i to j) or a list of edges as SNAP publishes them (any other name: two vertex names from 0 to
/// 2^64 - 1 a line, `#` comments); gzip-compressed too. Weights and values are checked and ignored.
/// Throws Error(input) naming file, line and what was expected there; Error(usage) for a directed `.graph`.
EdgeList read_edges(const std::string& path, bool directed, std::vector<std::string>& warnings);

/// Compressed rows: the neighbours of vertex v are neighbors(offsets(v)) to neighbors(offsets(v + 1) - 1),
/// ascending.
struct CompressedRows {
  DeviceView<PinOffset> offsets;  ///< one more than rows
  DeviceView<VertexId> neighbors;

  [[nodiscard]] std::size_t num_rows() const { return offsets.extent(0) - 1; }
};

/// A graph on the device, without self loops and parallel edges.
struct Graph {
  VertexId num_vertices = 0;
  std::uint64_t num_edges = 0;  ///< each undirected edge once
  bool directed = false;
  CompressedRows out;  ///< undirected: every edge in the rows of both ends
  CompressedRows in;   ///< the same views as `out` if undirected
  std::uint64_t dropped_loops = 0;
  std::uint64_t dropped_repetitions = 0;
  std::shared_ptr<void> host_memory = {};  ///< keeps neighbours that are there
};

/// Where a graph's neighbours are. What the device reads of the host's memory takes longer, but once
/// processes have divided the edges among them, each has its own on its device. It never changes a result.
enum class GraphMemory { device, host };

/// About the bytes of device memory that it takes to build a graph there.
std::uint64_t device_bytes_to_build(VertexId num_vertices, std::uint64_t num_edges);

/// Throws Error(input) where an end is no vertex.
Graph build_graph(const ExecutionSpace& space, const EdgeList& edges, bool directed,
                  GraphMemory memory = GraphMemory::device);

/// A recursive-matrix graph: 2^scale vertices, edge_factor * 2^scale edges, of which loops and repetitions
/// are dropped; a, b, c, d = 0.57, 0.19, 0.19, 0.05; vertex ids scrambled. Chakrabarti, Zhan, Faloutsos, SDM
/// 2004.
struct RmatParameters {
  int scale = 0;                  ///< 1 to 30
  std::uint64_t edge_factor = 0;  ///< 1 to 4096
  std::uint64_t seed = 1;
};

/// "rmat:SCALE:EDGEFACTOR[:SEED]". Throws Error(usage).
RmatParameters parse_rmat(const std::string& name);
bool is_rmat(const std::string& name);

/// Built on the device from a hash of seed, edge and level: the same graph on every backend.
Graph generate_rmat(const ExecutionSpace& space, const RmatParameters& parameters, bool directed,
                    GraphMemory memory = GraphMemory::device);

/// How the sums over the rows of a level's vertices are dealt to threads. It never changes a result.
enum class RowMapping {
  active_edges,     ///< pieces of rows, owners found by binary search in the scanned numbers of pieces
  team_per_vertex,  ///< whole rows
};

struct BetweennessProgress {
  std::uint64_t done = 0;   ///< traversals
  std::uint64_t total = 0;  ///< of this replica
};

struct BetweennessOptions {
  std::uint64_t num_sources = 0;       ///< that many, drawn uniformly among vertices with an edge; 0: all
  std::vector<VertexId> sources = {};  ///< these instead, distinct
  std::uint64_t seed = 1;              ///< of the draw
  bool degree_one = true;              ///< undirected: fold trees into their roots first
  bool normalize = false;  ///< divide by (n - 1)(n - 2), undirected by half of it, as NetworkX does
  RowMapping mapping = RowMapping::active_edges;
  /// Where a frontier has many edges, unvisited vertices look for it instead. It never changes a result.
  bool search_backward = true;
  bool keep_offsets = true;        ///< keep the scanned offsets of every level for the backward sweep
  int sources_at_once = 0;         ///< 1 to 32; 0: as many as fit into memory. It never changes a result.
  std::uint64_t memory_limit = 0;  ///< bytes of device memory of a process, graph included, above which a run
                                   ///< ends with Error(out_of_memory); 0: none. It never changes a result.
  std::function<void(const BetweennessProgress&)> on_progress = {};  ///< may be empty
  const std::atomic<bool>* stop = nullptr;                           ///< set to true: Error(interrupted)
};

/// Which process of a copy owns which vertices. Scores differ in their last bits alone.
enum class Placement {
  blocks,     ///< equal ranges of ids
  random,     ///< as many vertices, chosen by the seed
  partition,  ///< the parts of a balanced partition of the graph's vertices (epsilon 3 %), of which few edges
              ///< leave: little is sent
  given,      ///< `Distribution::parts`
};

/// How processes, one a device, share the work: `replicas` copies of the graph, each spread in two dimensions
/// over a grid of rows x columns processes. Sources are dealt to the copies.
struct Distribution {
  const Communicator* processes = nullptr;  ///< rows * columns * replicas of them; nullptr: this one alone
  int rows = 1;
  int columns = 1;
  int replicas = 1;
  Placement placement = Placement::blocks;
  /// Of every vertex its part, if placement is given: that in row i and column j of the grid has part j *
  /// rows + i.
  std::vector<PartId> parts = {};
};

/// A level of all traversals together.
struct LevelProfile {
  std::uint64_t vertices = 0;  ///< reached at this distance, summed over the sources traversed from
};

struct Betweenness {
  /// Undirected graphs count each pair of vertices once. From a sample, or a list, of sources: the sum over
  /// them times vertices with an edge / sources, an unbiased estimate if the sources were drawn.
  DeviceView<double> scores;
  bool is_estimate = false;
  std::uint64_t num_sources = 0;     ///< served, folded ones included
  std::uint64_t num_traversals = 0;  ///< searches done for them
  std::uint64_t num_folded = 0;      ///< vertices that the one-degree reduction removed
  int sources_at_once = 0;
  std::uint64_t wide_traversals = 0;  ///< of which path counts passed 2^1000, done again with wider numbers
  std::vector<LevelProfile> levels;   ///< by distance
  std::vector<std::uint64_t> bytes_sent;  ///< by each process, to others
  /// High-water mark of Kokkos allocations in MemorySpace during the call, graph included, of each process.
  std::vector<std::uint64_t> peak_device_bytes;
  double reduction_seconds = 0;
  double placement_seconds = 0;
  double traversal_seconds = 0;
  double seconds = 0;  ///< graph on the device to scores on the device

  /// Traversed edges per second: sources times undirected edges over time (Graph500's count).
  [[nodiscard]] double teps(const Graph& graph) const {
    return static_cast<double>(num_sources) * static_cast<double>(graph.num_edges) / seconds;
  }
};

/// Brandes' algorithm, J. Math. Sociol. 25 (2001), without predecessor lists (Madduri et al., IPDPS 2009) and
/// from up to 32 sources at once. The same bits on every run and backend and for every `sources_at_once`:
/// sums go along rows in pieces of fixed length, sources are added up in order, nothing is added atomically.
/// Other distributions add up in another order. Needs about 60 bytes a vertex and source at once, besides
/// the graph, in a grid up to 100, and more where searches have very many levels; a grid of R x C processes
/// divides those, and the edges, among them, once trees are folded: until then a graph larger than a device
/// stays with the host (GraphMemory).
/// Collective: every process of a distribution calls it with the same graph and options, and gets all scores.
/// Throws Error(usage) on sources that are no vertices or not distinct and on a distribution that does not
/// fit the number of processes; Error(interrupted); Error(out_of_memory) above the memory limit. What one
/// process throws the others do not learn of: they wait for it, and whoever catches it must end them all.
Betweenness betweenness(const ExecutionSpace& space, const Graph& graph, const BetweennessOptions& options,
                        const Distribution& distribution = {});

}  // namespace kohypar

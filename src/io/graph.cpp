// METIS graphs: "n m [fmt [ncon]]", then a line for each vertex: its weight, then neighbours with the edges'
// weights. Every edge stands on the lines of both its ends and becomes a hyperedge of two pins, numbered in
// the order of the lines of the smaller ends. Karypis, "METIS 5.1.0", 2013, section 4.1.1.
#include <algorithm>
#include <span>

#include "io/formats.hpp"
#include "io/text.hpp"

namespace kohypar {

namespace {

struct Header {
  std::uint64_t line = 0;
  NodeId num_vertices = 0;
  HyperedgeId num_edges = 0;
  bool has_vertex_weights = false;
  bool has_edge_weights = false;
};

/// One end of an edge, as it stands on a vertex' line.
struct Neighbor {
  NodeId vertex = 0;
  Weight weight = 1;
  auto operator<=>(const Neighbor&) const = default;
};

Header read_header(TextCursor& cursor, const Input& input) {
  Header header;
  cursor.find_content();
  header.line = cursor.line();
  header.num_vertices = cursor.integer<NodeId>("a number of vertices", 0, max_id_count - 1);
  check_believable(cursor, "vertices", header.num_vertices, input);
  header.num_edges = cursor.integer<HyperedgeId>("a number of edges", 0, max_id_count - 1);
  if (!cursor.at_line_end()) {
    TextCursor at_format = cursor;
    std::string_view format = cursor.field();
    if (format.size() == 3 && format.starts_with('0')) format.remove_prefix(1);  // METIS' third digit
    header.has_edge_weights = format == "1" || format == "01" || format == "11";
    header.has_vertex_weights = format == "10" || format == "11";
    if (format != "0" && format != "00" && !header.has_edge_weights && !header.has_vertex_weights)
      at_format.fail("a format (0, 1, 10 or 11)");
    if (!cursor.at_line_end()) cursor.integer<int>("a number of vertex weights", 1, 1);
  }
  cursor.end_line();
  return header;
}

/// The adjacency lists as the file holds them.
struct Adjacency {
  HostArray<PinOffset> offsets;  ///< num_vertices + 1
  HostArray<Neighbor> neighbors;
};

/// Parses chunks of the body; each keeps its neighbours until all are counted.
class Body {
 public:
  Body(const Input& input, const Header& header, std::uint64_t header_lines, std::string_view text)
      : input_(input),
        header_(header),
        header_lines_(header_lines),
        text_(split_text(text, input.threads)),
        pieces_(text_.chunks.size()) {}

  Adjacency parse(HostArray<Weight>& vertex_weights) {
    const std::uint64_t lines = text_.total.lines - text_.total.comments;
    if (lines < header_.num_vertices) {
      TextCursor end({}, input_.name, header_lines_ + text_.total.lines + 1);
      end.fail("the line of vertex " + std::to_string(lines + 1) + " of " +
               std::to_string(header_.num_vertices));
    }
    Adjacency result;
    result.offsets.assign(header_.num_vertices + std::size_t{1}, 0);
    for_each_chunk(input_.threads, pieces_.size(),
                   [&](std::size_t i) { parse_chunk(i, result.offsets, vertex_weights); });
    for (std::size_t v = 0; v < header_.num_vertices; ++v) result.offsets[v + 1] += result.offsets[v];
    result.neighbors.resize(result.offsets.back());
    auto at = result.neighbors.begin();
    for (const auto& piece : pieces_) at = std::copy(piece.begin(), piece.end(), at);
    return result;
  }

  /// The line of a vertex; looked up where an error is to be reported.
  [[nodiscard]] std::uint64_t line_of(NodeId vertex) const {
    for (const TextChunk& chunk : text_.chunks) {
      TextCursor cursor(chunk.text, input_.name, header_lines_ + chunk.before.lines + 1);
      std::uint64_t at = chunk.before.lines - chunk.before.comments;
      for (; cursor.find_line(); ++at, cursor.next_line())
        if (at == vertex) return cursor.line();
    }
    return 0;
  }

 private:
  /// Leaves the degree of vertex v in degrees[v + 1].
  void parse_chunk(std::size_t i, HostArray<PinOffset>& degrees, HostArray<Weight>& vertex_weights) {
    const TextChunk& chunk = text_.chunks[i];
    TextCursor cursor(chunk.text, input_.name, header_lines_ + chunk.before.lines + 1);
    std::uint64_t vertex = chunk.before.lines - chunk.before.comments;
    for (; cursor.find_line(); ++vertex, cursor.end_line()) {
      if (vertex >= header_.num_vertices) {
        if (!cursor.at_line_end()) cursor.fail("the end of the file");
        continue;
      }
      if (header_.has_vertex_weights)
        vertex_weights[vertex] = cursor.integer<Weight>("a vertex weight", 0, largest_weight);
      const std::size_t before = pieces_[i].size();
      while (!cursor.at_line_end()) pieces_[i].push_back(parse_neighbor(cursor, vertex));
      degrees[vertex + 1] = pieces_[i].size() - before;
    }
  }

  Neighbor parse_neighbor(TextCursor& cursor, std::uint64_t vertex) const {
    Neighbor neighbor;
    TextCursor at_neighbor = cursor;
    neighbor.vertex = cursor.integer<NodeId>("a neighbour", 1, header_.num_vertices) - 1;
    if (neighbor.vertex == vertex) at_neighbor.fail("another vertex than the line's own");
    if (header_.has_edge_weights)
      neighbor.weight = cursor.integer<Weight>("an edge weight", 0, largest_weight);
    return neighbor;
  }

  const Input& input_;
  const Header& header_;
  const std::uint64_t header_lines_;
  SplitText text_;
  std::vector<std::vector<Neighbor>> pieces_;
};

/// Refuses edges listed twice on a line, on one end's line only, or with two weights.
class EdgeChecker {
 public:
  EdgeChecker(const Input& input, const Body& body, const Adjacency& adjacency)
      : input_(input), body_(body), offsets_(adjacency.offsets), sorted_(adjacency.neighbors) {}

  void check() {
    for_each_vertex([this](std::size_t v) { std::sort(list(v).begin(), list(v).end()); });
    for_each_vertex([this](std::size_t v) { check_list(v); });
  }

 private:
  template <class Work>
  void for_each_vertex(const Work& work) {
    for_each_hyperedge_range(input_.threads, offsets_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) work(v);
    });
  }

  std::span<Neighbor> list(std::size_t v) {
    return {sorted_.data() + offsets_[v], offsets_[v + 1] - offsets_[v]};
  }

  void check_list(std::size_t v) {
    const auto neighbors = list(v);
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      const auto [neighbor, weight] = neighbors[i];
      if (i > 0 && neighbors[i - 1].vertex == neighbor) refuse(v, neighbor, " is listed twice");
      const Neighbor itself{static_cast<NodeId>(v), weight};
      if (!std::binary_search(list(neighbor).begin(), list(neighbor).end(), itself))
        refuse(v, neighbor, " doesn't list vertex " + std::to_string(v + 1) + " with the same weight");
    }
  }

  [[noreturn]] void refuse(std::size_t v, NodeId neighbor, const std::string& what) const {
    const TextCursor at_vertex({}, input_.name, body_.line_of(static_cast<NodeId>(v)));
    at_vertex.refuse("neighbour " + std::to_string(neighbor + 1) + what);
  }

  const Input& input_;
  const Body& body_;
  const HostArray<PinOffset>& offsets_;
  HostArray<Neighbor> sorted_;
};

/// Makes a hyperedge of every edge, at its smaller end.
void add_hyperedges(const Adjacency& adjacency, HostHypergraph& h) {
  const std::size_t num_edges = adjacency.neighbors.size() / 2;
  h.pins.reserve(2 * num_edges);
  h.hyperedge_offsets.reserve(num_edges + 1);
  h.hyperedge_weights.reserve(num_edges);
  for (NodeId v = 0; v < h.num_nodes; ++v)
    for (PinOffset i = adjacency.offsets[v]; i < adjacency.offsets[v + std::size_t{1}]; ++i) {
      const auto [neighbor, weight] = adjacency.neighbors[i];
      if (neighbor < v) continue;
      h.pins.push_back(v);
      h.pins.push_back(neighbor);
      h.hyperedge_offsets.push_back(h.pins.size());
      h.hyperedge_weights.push_back(weight);
    }
  h.source_counts.assign(num_edges, 0);
}

/// The adjacency lists of a hypergraph's two-pin hyperedges, each ascending; parallel edges are merged, and a
/// vertex' list then ends at ends[vertex].
struct WrittenAdjacency {
  HostArray<PinOffset> begins;
  HostArray<PinOffset> ends;
  HostArray<Neighbor> neighbors;
  std::uint64_t num_edges = 0;
};

bool is_edge(const HostHypergraph& h, HyperedgeId e) {
  return h.hyperedge_offsets[e + std::size_t{1}] - h.hyperedge_offsets[e] == 2;
}

PinOffset merge_parallel(std::span<Neighbor> list) {
  std::sort(list.begin(), list.end());
  std::size_t kept = 0;
  for (const Neighbor& neighbor : list) {
    if (kept > 0 && list[kept - 1].vertex == neighbor.vertex) {
      list[kept - 1].weight += neighbor.weight;
    } else {
      list[kept++] = neighbor;
    }
  }
  return kept;
}

WrittenAdjacency adjacency_of(const HostHypergraph& h) {
  WrittenAdjacency result;
  result.begins.assign(h.num_nodes + std::size_t{1}, 0);
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e)
    if (is_edge(h, e))
      for (const PinOffset i : {0, 1}) ++result.begins[h.pins[h.hyperedge_offsets[e] + i] + std::size_t{1}];
  for (std::size_t v = 0; v < h.num_nodes; ++v) result.begins[v + 1] += result.begins[v];
  result.ends.assign(result.begins.begin(), result.begins.end() - 1);
  result.neighbors.resize(result.begins.back());
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e)
    if (is_edge(h, e)) {
      const NodeId* const pins = h.pins.data() + h.hyperedge_offsets[e];
      for (const int i : {0, 1})
        result.neighbors[result.ends[pins[i]]++] = {pins[1 - i], h.hyperedge_weights[e]};
    }
  for (std::size_t v = 0; v < h.num_nodes; ++v) {
    const PinOffset begin = result.begins[v];
    const PinOffset degree = merge_parallel({result.neighbors.data() + begin, result.ends[v] - begin});
    result.ends[v] = begin + degree;
    result.num_edges += degree;
  }
  result.num_edges /= 2;
  return result;
}

}  // namespace

HostHypergraph read_graph(const Input& input, std::vector<std::string>& warnings) {
  TextCursor cursor(input.bytes, input.name);
  const Header header = read_header(cursor, input);
  HostHypergraph h;
  h.num_nodes = header.num_vertices;
  h.has_node_sizes = header.has_vertex_weights;
  h.has_hyperedge_weights = header.has_edge_weights;
  h.node_sizes.assign(header.num_vertices, 1);
  Body body(input, header, cursor.line() - 1, cursor.rest());
  const Adjacency adjacency = body.parse(h.node_sizes);
  EdgeChecker(input, body, adjacency).check();
  if (const std::uint64_t found = adjacency.neighbors.size() / 2; found != header.num_edges)
    TextCursor({}, input.name, header.line)
        .refuse("expected " + std::to_string(header.num_edges) + " edges, found " + std::to_string(found));
  add_hyperedges(adjacency, h);
  finish_reading(input, h, warnings);
  return h;
}

void write_graph(const HostHypergraph& h, OutputFile& file) {
  const WrittenAdjacency adjacency = adjacency_of(h);
  const bool merged = 2 * adjacency.num_edges < adjacency.neighbors.size();
  const bool has_edge_weights = h.has_hyperedge_weights || merged;
  file.write_number(h.num_nodes);
  file.write(' ');
  file.write_number(adjacency.num_edges);
  if (h.has_node_sizes) {
    file.write(has_edge_weights ? " 11" : " 10");
  } else if (has_edge_weights) {
    file.write(" 1");
  }
  file.write('\n');
  for (NodeId v = 0; v < h.num_nodes; ++v) {
    bool first = true;
    const auto write_field = [&](auto value) {
      if (!std::exchange(first, false)) file.write(' ');
      file.write_number(value);
    };
    if (h.has_node_sizes) write_field(h.node_sizes[v]);
    for (PinOffset i = adjacency.begins[v]; i < adjacency.ends[v]; ++i) {
      write_field(adjacency.neighbors[i].vertex + 1);
      if (has_edge_weights) write_field(adjacency.neighbors[i].weight);
    }
    file.write('\n');
  }
}

}  // namespace kohypar

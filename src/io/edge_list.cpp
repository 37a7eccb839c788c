// Graphs from files: METIS and Matrix Market through their own readers, and lists of edges as SNAP publishes
// them: two vertex names a line, `#` comments. Leskovec, Krevl, "SNAP Datasets", snap.stanford.edu/data.
#include "io/edge_list.hpp"

#include <algorithm>
#include <kohypar/error.hpp>

#include "io/text.hpp"
#include "io/with_input.hpp"

namespace kohypar {

namespace {

using Labels = std::vector<std::uint64_t>;

/// Both ends of every edge as named in the file, one after the other.
HostArray<std::uint64_t> read_names(const Input& input) {
  constexpr char comment = '#';
  const SplitText split = split_text(input.bytes, input.threads, comment);
  HostArray<std::uint64_t> names(2 * split.total.content);
  for_each_chunk(input.threads, split.chunks.size(), [&](std::size_t i) {
    const TextChunk& chunk = split.chunks[i];
    TextCursor cursor(chunk.text, input.name, chunk.before.lines + 1, comment);
    for (std::uint64_t edge = chunk.before.content; cursor.find_content(); ++edge) {
      for (const std::size_t end : {0, 1})
        names[2 * edge + end] =
            cursor.integer<std::uint64_t>("a vertex", 0, std::numeric_limits<std::uint64_t>::max());
      cursor.end_line();
    }
  });
  return names;
}

Labels distinct(const HostArray<std::uint64_t>& names) {
  Labels labels(names.begin(), names.end());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  labels.shrink_to_fit();
  return labels;
}

EdgeList edges_of_hypergraph(const HostHypergraph& h) {
  EdgeList list;
  list.num_vertices = h.num_nodes;
  list.edges.resize(h.num_hyperedges());
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e)
    list.edges[e] = {h.pins[2 * std::size_t{e}], h.pins[2 * std::size_t{e} + 1]};
  return list;
}

bool has_extension(std::string path, const std::string& extension) {
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  return path.ends_with(extension);
}

}  // namespace

EdgeList read_edge_list(const Input& input) {
  const HostArray<std::uint64_t> names = read_names(input);
  EdgeList list;
  list.labels = distinct(names);
  if (list.labels.size() >= max_id_count)
    throw Error(ErrorKind::input, input.name + ": " + std::to_string(list.labels.size()) +
                                      " vertices are more than the limit of 2147483647");
  list.num_vertices = static_cast<VertexId>(list.labels.size());
  list.edges.resize(names.size() / 2);
  const auto id_of = [&](std::uint64_t name) {
    return static_cast<VertexId>(std::lower_bound(list.labels.begin(), list.labels.end(), name) -
                                 list.labels.begin());
  };
  for_each_range(input.threads, list.edges.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) list.edges[e] = {id_of(names[2 * e]), id_of(names[2 * e + 1])};
  });
  return list;
}

EdgeList read_edges(const std::string& path, bool directed, std::vector<std::string>& warnings) {
  if (has_extension(path, ".mtx"))
    return with_input(path, [&](const Input& input) { return read_mtx_edges(input, directed); });
  if (!has_extension(path, ".graph"))
    return with_input(path, [](const Input& input) { return read_edge_list(input); });
  if (directed) throw Error(ErrorKind::usage, path + ": .graph files hold undirected graphs only");
  return with_input(path,
                    [&](const Input& input) { return edges_of_hypergraph(read_graph(input, warnings)); });
}

std::vector<VertexId> read_sources(const std::string& path, const EdgeList& graph) {
  return with_input(path, [&](const Input& input) { return parse_sources(input, graph); });
}

std::vector<VertexId> parse_sources(const Input& input, const EdgeList& graph) {
  std::vector<VertexId> sources;
  TextCursor cursor(input.bytes, input.name, 1, '#');
  while (cursor.find_content()) {
    TextCursor at_source = cursor;
    const auto name = cursor.integer<std::uint64_t>("a vertex", 0, std::numeric_limits<std::uint64_t>::max());
    const auto label = std::lower_bound(graph.labels.begin(), graph.labels.end(), name);
    const bool is_label = label != graph.labels.end() && *label == name;
    if (graph.labels.empty() ? name >= graph.num_vertices : !is_label)
      at_source.fail("a vertex of the graph");
    sources.push_back(static_cast<VertexId>(graph.labels.empty() ? name : label - graph.labels.begin()));
    cursor.end_line();
  }
  if (sources.empty()) cursor.fail("a vertex");
  return sources;
}

}  // namespace kohypar

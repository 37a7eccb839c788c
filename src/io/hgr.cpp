// hMETIS hypergraphs: "E V [fmt]", a line for each hyperedge, then with node weights a line for each node.
// Karypis, Kumar, "hMETIS 1.5: A Hypergraph Partitioning Package", 1998, section 4.
#include "io/formats.hpp"
#include "io/huge_pages.hpp"
#include "io/text.hpp"

namespace kohypar {

namespace {

struct Header {
  HyperedgeId num_hyperedges = 0;
  NodeId num_nodes = 0;
  bool has_hyperedge_weights = false;
  bool has_node_sizes = false;
};

Header read_header(TextCursor& cursor, const Input& input) {
  Header header;
  cursor.find_content();
  header.num_hyperedges = cursor.integer<HyperedgeId>("a number of hyperedges", 0, max_id_count - 1);
  header.num_nodes = cursor.integer<NodeId>("a number of nodes", 0, max_id_count - 1);
  check_believable(cursor, "nodes", header.num_nodes, input);
  if (!cursor.at_line_end()) {
    TextCursor at_format = cursor;
    const std::string_view format = cursor.field();
    header.has_hyperedge_weights = format == "1" || format == "11";
    header.has_node_sizes = format == "10" || format == "11";
    if (format != "0" && !header.has_hyperedge_weights && !header.has_node_sizes)
      at_format.fail("a format (0, 1, 10 or 11)");
  }
  cursor.end_line();
  return header;
}

/// Parses the chunks of the file's body into the arrays of a hypergraph, which are large enough for what the
/// first pass counted.
class Body {
 public:
  Body(const Input& input, const Header& header, std::uint64_t header_lines, HostHypergraph& hypergraph)
      : input_(input), header_(header), header_lines_(header_lines), h_(hypergraph) {}

  void parse(const TextChunk& chunk) {
    TextCursor cursor(chunk.text, input_.name, header_lines_ + chunk.before.lines + 1);
    std::uint64_t item = chunk.before.content;
    const std::uint64_t num_hyperedges = header_.num_hyperedges;
    // Before the node weights, every field is a pin or the one weight of its line.
    PinOffset pin = chunk.before.tokens - (header_.has_hyperedge_weights ? item : 0);
    for (; cursor.find_content(); ++item) {
      if (item < num_hyperedges) {
        pin = parse_hyperedge(cursor, static_cast<HyperedgeId>(item), pin);
      } else if (header_.has_node_sizes && item - num_hyperedges < header_.num_nodes) {
        h_.node_sizes[item - num_hyperedges] = cursor.integer<Weight>("a node weight", 0, largest_weight);
      } else {
        cursor.fail("the end of the file");
      }
      cursor.end_line();
    }
  }

 private:
  PinOffset parse_hyperedge(TextCursor& cursor, HyperedgeId hyperedge, PinOffset pin) {
    h_.hyperedge_weights[hyperedge] =
        header_.has_hyperedge_weights ? cursor.integer<Weight>("a hyperedge weight", 0, largest_weight) : 1;
    do {
      h_.pins[pin++] = cursor.integer<NodeId>("a node id", 1, header_.num_nodes) - 1;
    } while (!cursor.at_line_end());
    h_.hyperedge_offsets[hyperedge + std::size_t{1}] = pin;
    return pin;
  }

  const Input& input_;
  const Header& header_;
  const std::uint64_t header_lines_;
  HostHypergraph& h_;
};

void check_line_count(const Input& input, const Header& header, const TextCounts& header_text,
                      const TextCounts& body) {
  const std::uint64_t expected =
      header.num_hyperedges + std::uint64_t{header.has_node_sizes ? header.num_nodes : 0};
  if (body.content >= expected) return;
  const bool hyperedge = body.content < header.num_hyperedges;
  const std::uint64_t position = hyperedge ? body.content + 1 : body.content - header.num_hyperedges + 1;
  TextCursor end({}, input.name, header_text.lines + body.lines + 1);
  end.fail((hyperedge ? "hyperedge " : "the weight of node ") + std::to_string(position) + " of " +
           std::to_string(hyperedge ? header.num_hyperedges : header.num_nodes));
}

}  // namespace

HostHypergraph read_hgr(const Input& input, bool first_pin_is_source, std::vector<std::string>& warnings) {
  TextCursor cursor(input.bytes, input.name);
  const Header header = read_header(cursor, input);
  const TextCounts header_text{.lines = cursor.line() - 1};
  const SplitText body = split_text(cursor.rest(), input.threads);
  check_line_count(input, header, header_text, body.total);

  HostHypergraph h;
  h.num_nodes = header.num_nodes;
  h.directed = first_pin_is_source;
  h.has_hyperedge_weights = header.has_hyperedge_weights;
  h.has_node_sizes = header.has_node_sizes;
  h.hyperedge_offsets.resize(header.num_hyperedges + std::size_t{1});
  h.pins.resize(body.total.tokens);  // a few too many: weights count as well
  prefer_huge_pages(h.pins);
  h.hyperedge_weights.resize(header.num_hyperedges);
  h.source_counts.assign(header.num_hyperedges, first_pin_is_source ? 1 : 0);
  h.node_sizes.assign(header.num_nodes, 1);
  Body parser(input, header, header_text.lines, h);
  for_each_chunk(input.threads, body.chunks.size(), [&](std::size_t i) { parser.parse(body.chunks[i]); });
  h.pins.resize(h.num_pins());
  finish_reading(input, h, warnings);
  return h;
}

void write_hgr(const HostHypergraph& h, OutputFile& file) {
  file.write_number(h.num_hyperedges());
  file.write(' ');
  file.write_number(h.num_nodes);
  if (h.has_node_sizes) {
    file.write(h.has_hyperedge_weights ? " 11" : " 10");
  } else if (h.has_hyperedge_weights) {
    file.write(" 1");
  }
  file.write('\n');
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    if (h.has_hyperedge_weights) {
      file.write_number(h.hyperedge_weights[e]);
      file.write(' ');
    }
    for (PinOffset i = h.hyperedge_offsets[e]; i < h.hyperedge_offsets[e + 1]; ++i) {
      if (i > h.hyperedge_offsets[e]) file.write(' ');
      file.write_number(h.pins[i] + 1);
    }
    file.write('\n');
  }
  if (!h.has_node_sizes) return;
  for (const Weight size : h.node_sizes) {
    file.write_number(size);
    file.write('\n');
  }
}

}  // namespace kohypar

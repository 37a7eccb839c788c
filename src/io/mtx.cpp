// Matrix Market coordinate files as hypergraphs. Row-net model: rows are hyperedges, columns are nodes; the
// column-net model swaps them. Values are checked and then ignored: they are no weights.
// Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
#include <atomic>
#include <cctype>
#include <charconv>
#include <cmath>

#include "io/edge_list.hpp"
#include "io/text.hpp"

namespace kohypar {

namespace {

struct Header {
  int num_values = 0;      ///< of an entry: pattern 0, real and integer 1, complex 2
  bool symmetric = false;  ///< of any kind: entries off the diagonal stand for two
  std::uint32_t num_rows = 0;
  std::uint32_t num_columns = 0;
  std::uint64_t num_entries = 0;
};

struct Entry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
};

std::string lower_case_field(TextCursor& cursor) {
  std::string word(cursor.field());
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

/// Reads one of some words, in any case, and returns its index.
std::size_t choice(TextCursor& cursor, std::initializer_list<std::string_view> words) {
  TextCursor at_word = cursor;
  const auto found = std::find(words.begin(), words.end(), lower_case_field(cursor));
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string expected;
  for (const std::string_view word : words) expected += (expected.empty() ? "" : " or ") + std::string(word);
  at_word.fail(expected);
}

Header read_header(TextCursor& cursor, const Input& input) {
  Header header;
  choice(cursor, {"%%matrixmarket"});
  choice(cursor, {"matrix"});
  choice(cursor, {"coordinate"});
  constexpr int values_of_field[] = {0, 1, 1, 1, 2};
  header.num_values = values_of_field[choice(cursor, {"pattern", "real", "double", "integer", "complex"})];
  header.symmetric = choice(cursor, {"general", "symmetric", "skew-symmetric", "hermitian"}) > 0;
  cursor.end_line();
  cursor.find_content();
  header.num_rows = cursor.integer<std::uint32_t>("a number of rows", 0, max_id_count - 1);
  check_believable(cursor, "rows", header.num_rows, input);
  header.num_columns = cursor.integer<std::uint32_t>("a number of columns", 0, max_id_count - 1);
  check_believable(cursor, "columns", header.num_columns, input);
  header.num_entries =
      cursor.integer<std::uint64_t>("a number of entries", 0, std::numeric_limits<std::int64_t>::max());
  if (header.symmetric && header.num_rows != header.num_columns)
    cursor.refuse("a symmetric matrix must have as many rows as columns");
  cursor.end_line();
  return header;
}

void skip_value(TextCursor& cursor) {
  TextCursor at_value = cursor;
  std::string_view text = cursor.field();
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = next == text.data() + text.size() && !text.empty();
  if (!whole || error == std::errc::invalid_argument || !std::isfinite(value))
    at_value.fail("a finite value");
}

HostArray<Entry> read_entries(const Input& input, const Header& header, std::uint64_t header_lines,
                              std::string_view text) {
  const SplitText split = split_text(text, input.threads);
  if (split.total.content < header.num_entries) {
    TextCursor end({}, input.name, header_lines + split.total.lines + 1);
    end.fail("entry " + std::to_string(split.total.content + 1) + " of " +
             std::to_string(header.num_entries));
  }
  HostArray<Entry> entries(header.num_entries);
  for_each_chunk(input.threads, split.chunks.size(), [&](std::size_t i) {
    const TextChunk& chunk = split.chunks[i];
    TextCursor cursor(chunk.text, input.name, header_lines + chunk.before.lines + 1);
    for (std::uint64_t entry = chunk.before.content; cursor.find_content(); ++entry) {
      if (entry >= header.num_entries)
        cursor.fail("the end of the file after " + std::to_string(header.num_entries) + " entries");
      entries[entry].row = cursor.integer<std::uint32_t>("a row", 1, header.num_rows) - 1;
      entries[entry].column = cursor.integer<std::uint32_t>("a column", 1, header.num_columns) - 1;
      for (int value = 0; value < header.num_values; ++value) skip_value(cursor);
      cursor.end_line();
    }
  });
  return entries;
}

/// Calls add(hyperedge, node) for every nonzero, those that symmetry implies included, in parallel.
template <class Add>
void for_each_nonzero(const Input& input, const Header& header, NetModel net_model,
                      const HostArray<Entry>& entries, const Add& add) {
  for_each_range(input.threads, entries.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto [hyperedge, node] = entries[i];
      if (net_model == NetModel::column) std::swap(hyperedge, node);
      add(hyperedge, node);
      if (header.symmetric && hyperedge != node) add(node, hyperedge);
    }
  });
}

/// Hyperedges without pins don't exist: drops them and returns how many there were.
std::uint64_t drop_empty(HostArray<PinOffset>& offsets) {
  const auto end = std::unique(offsets.begin(), offsets.end());
  const auto dropped = static_cast<std::uint64_t>(offsets.end() - end);
  offsets.resize(static_cast<std::size_t>(end - offsets.begin()));
  return dropped;
}

/// Distributes the nonzeros to their hyperedges; threads leave them in any order, sorting follows.
void build_hyperedges(const Input& input, const Header& header, NetModel net_model,
                      const HostArray<Entry>& entries, HostHypergraph& h) {
  const std::size_t num_lines = net_model == NetModel::row ? header.num_rows : header.num_columns;
  h.hyperedge_offsets.assign(num_lines + 1, 0);
  PinOffset* const offsets = h.hyperedge_offsets.data();
  for_each_nonzero(input, header, net_model, entries, [=](std::uint32_t hyperedge, NodeId) {
    std::atomic_ref(offsets[hyperedge + std::size_t{1}]).fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t e = 0; e < num_lines; ++e) offsets[e + 1] += offsets[e];
  HostArray<PinOffset> next(h.hyperedge_offsets);
  h.pins.resize(h.num_pins());
  for_each_nonzero(input, header, net_model, entries, [&](std::uint32_t hyperedge, NodeId node) {
    h.pins[std::atomic_ref(next[hyperedge]).fetch_add(1, std::memory_order_relaxed)] = node;
  });
}

}  // namespace

HostHypergraph read_mtx(const Input& input, NetModel net_model, std::vector<std::string>& warnings) {
  TextCursor cursor(input.bytes, input.name);
  const Header header = read_header(cursor, input);
  const HostArray<Entry> entries = read_entries(input, header, cursor.line() - 1, cursor.rest());

  HostHypergraph h;
  h.num_nodes = net_model == NetModel::row ? header.num_columns : header.num_rows;
  build_hyperedges(input, header, net_model, entries, h);
  if (const std::uint64_t empty = drop_empty(h.hyperedge_offsets); empty > 0)
    warnings.push_back(input.name + ": " + std::to_string(empty) +
                       (net_model == NetModel::row ? " rows" : " columns") +
                       " without entries are no hyperedges; the ids count the others");
  h.source_counts.assign(h.num_hyperedges(), 0);
  h.hyperedge_weights.assign(h.num_hyperedges(), 1);
  finish_reading(input, h, warnings);
  return h;
}

EdgeList read_mtx_edges(const Input& input, bool directed) {
  TextCursor cursor(input.bytes, input.name);
  const Header header = read_header(cursor, input);
  if (header.num_rows != header.num_columns)
    TextCursor({}, input.name, cursor.line() - 1)
        .refuse("the matrix of a graph must have as many rows as columns");
  const HostArray<Entry> entries = read_entries(input, header, cursor.line() - 1, cursor.rest());
  EdgeList list;
  list.num_vertices = header.num_rows;
  const bool add_mirrored = directed && header.symmetric;
  list.edges.reserve(add_mirrored ? 2 * entries.size() : entries.size());
  for (const auto [row, column] : entries) {
    list.edges.push_back({row, column});
    if (add_mirrored && row != column) list.edges.push_back({column, row});
  }
  return list;
}

void write_mtx(const HostHypergraph& h, OutputFile& file) {
  file.write("%%MatrixMarket matrix coordinate pattern general\n");
  file.write_number(h.num_hyperedges());
  file.write(' ');
  file.write_number(h.num_nodes);
  file.write(' ');
  file.write_number(h.num_pins());
  file.write('\n');
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e)
    for (PinOffset i = h.hyperedge_offsets[e]; i < h.hyperedge_offsets[e + 1]; ++i) {
      file.write_number(e + 1);
      file.write(' ');
      file.write_number(h.pins[i] + 1);
      file.write('\n');
    }
}

}  // namespace kohypar

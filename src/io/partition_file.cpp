// Partition files and what balances are read from: a line for each node or part, with one number.
#include "io/formats.hpp"
#include "io/text.hpp"

namespace kohypar {

namespace {

/// Files of `count` lines with something for each of what is named, e.g. {"the part of node ", "nodes"}.
struct Lines {
  std::uint32_t count;
  const char* one;
  const char* all;
};

/// Calls read(cursor) for the content of every line, and returns what it returns, in order.
template <class Value, class Read>
std::vector<Value> parse_lines(const Input& input, const Lines& lines, const Read& read) {
  const SplitText text = split_text(input.bytes, input.threads);
  const std::string count = std::to_string(lines.count);
  if (text.total.content < lines.count) {
    TextCursor end({}, input.name, text.total.lines + 1);
    end.fail(lines.one + std::to_string(text.total.content) + " of " + count);
  }
  std::vector<Value> values(lines.count);
  for_each_chunk(input.threads, text.chunks.size(), [&](std::size_t i) {
    const TextChunk& chunk = text.chunks[i];
    TextCursor cursor(chunk.text, input.name, chunk.before.lines + 1);
    for (std::uint64_t line = chunk.before.content; cursor.find_content(); ++line) {
      if (line >= lines.count) cursor.fail("the end of the file after " + count + " " + lines.all);
      values[line] = read(cursor);
      cursor.end_line();
    }
  });
  return values;
}

}  // namespace

std::vector<PartId> parse_partition(const Input& input, NodeId num_nodes) {
  return parse_lines<PartId>(input, {num_nodes, "the part of node ", "nodes"}, [](TextCursor& cursor) {
    return cursor.integer<PartId>("a part id", 0, max_id_count - 1);
  });
}

std::vector<PartId> parse_fixed(const Input& input, NodeId num_nodes, PartId num_parts) {
  const std::int64_t last = std::int64_t{num_parts} - 1;
  return parse_lines<PartId>(input, {num_nodes, "the part of node ", "nodes"}, [last](TextCursor& cursor) {
    const auto part = cursor.integer<std::int64_t>("-1 (free) or a part id", -1, last);
    return part < 0 ? invalid_id : static_cast<PartId>(part);
  });
}

std::vector<Weight> parse_capacities(const Input& input, PartId num_parts) {
  return parse_lines<Weight>(input, {num_parts, "the capacity of part ", "parts"}, [](TextCursor& cursor) {
    return cursor.integer<Weight>("a capacity", 0, largest_weight);
  });
}

void write_partition(const std::string& path, const std::vector<PartId>& parts) {
  OutputFile file(path);
  for (const PartId part : parts) {
    file.write_number(part);
    file.write('\n');
  }
  file.commit();
}

}  // namespace kohypar

// Partition files: a line for each node, its part id from 0.
#include "io/formats.hpp"
#include "io/text.hpp"

namespace kohypar {

std::vector<PartId> parse_partition(const Input& input, NodeId num_nodes) {
  const SplitText text = split_text(input.bytes, input.threads);
  if (text.total.content < num_nodes) {
    TextCursor end({}, input.name, text.total.lines + 1);
    end.fail("the part of node " + std::to_string(text.total.content) + " of " + std::to_string(num_nodes));
  }
  std::vector<PartId> parts(num_nodes);
  for_each_chunk(input.threads, text.chunks.size(), [&](std::size_t i) {
    const TextChunk& chunk = text.chunks[i];
    TextCursor cursor(chunk.text, input.name, chunk.before.lines + 1);
    for (std::uint64_t node = chunk.before.content; cursor.find_content(); ++node) {
      if (node >= num_nodes) cursor.fail("the end of the file after " + std::to_string(num_nodes) + " nodes");
      parts[node] = cursor.integer<PartId>("a part id", 0, max_id_count - 1);
      cursor.end_line();
    }
  });
  return parts;
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

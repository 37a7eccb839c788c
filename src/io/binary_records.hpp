// What .snn and .axh share: u32 nodes, u32 hyperedges, then a record for each hyperedge: a head of one or two
// words, the pins with the sources first, an f32 weight. All little endian, 4-byte words.
#pragma once

#include <atomic>
#include <cmath>
#include <cstring>
#include <kohypar/error.hpp>
#include <optional>

#include "io/formats.hpp"
#include "io/huge_pages.hpp"

namespace kohypar {

/// The words of a binary file and errors that name the byte.
class BinaryInput {
 public:
  static constexpr std::uint64_t word_size = 4;

  explicit BinaryInput(const Input& input) : input_(input) {}

  [[nodiscard]] std::uint64_t size() const { return input_.bytes.size(); }

  template <class T>
  [[nodiscard]] T at(std::uint64_t byte) const {
    T value;
    std::memcpy(&value, input_.bytes.data() + byte, sizeof value);
    return value;
  }

  void copy(std::uint64_t byte, std::size_t count, NodeId* to) const {
    if (count > 0) std::memcpy(to, input_.bytes.data() + byte, count * word_size);
  }

  [[noreturn]] void refuse(std::uint64_t byte, const std::string& what) const {
    throw Error(ErrorKind::input, input_.name + ": byte " + std::to_string(byte) + ": " + what);
  }

  [[noreturn]] void fail(std::uint64_t byte, const std::string& expected, const std::string& found) const {
    refuse(byte, "expected " + expected + ", found " + found);
  }

 private:
  const Input& input_;
};

/// Reads a file of records. `Layout` says what a record's head holds:
///   head_words                  words before the pins
///   smallest                    the fewest pins a record can have
///   pins(head)                  number of pins, as PinOffset
///   sources(head)               how many of the pins are sources
///   wrong(head)                 what is wrong with a head, if anything: {word, expected}
/// where head(i) is word i of it.
template <class Layout>
class RecordReader {
 public:
  RecordReader(const Input& input, HostHypergraph& hypergraph)
      : input_(input), file_(input), h_(hypergraph) {}

  void read() {
    read_counts();
    walk();
    for_each_hyperedge_range(input_.threads, h_.hyperedge_offsets, [&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; ++e) copy_record(e);
    });
  }

 private:
  static constexpr std::uint64_t word = BinaryInput::word_size;
  static constexpr std::uint64_t first_record = 2 * word;
  static constexpr std::uint64_t frame = (Layout::head_words + 1) * word;  ///< bytes besides the pins

  void read_counts() {
    if (file_.size() < first_record)
      file_.fail(file_.size(), "a number of nodes and of hyperedges", "the end of the file");
    const auto num_nodes = file_.at<std::uint32_t>(0), num_hyperedges = file_.at<std::uint32_t>(word);
    if (num_nodes >= max_id_count) file_.fail(0, "a number of nodes below 2^31", std::to_string(num_nodes));
    if (num_hyperedges >= max_id_count)
      file_.fail(word, "a number of hyperedges below 2^31", std::to_string(num_hyperedges));
    if (!believable_count(num_nodes, input_)) file_.refuse(0, unbelievable("nodes", num_nodes, input_));
    if (num_hyperedges > (file_.size() - first_record) / (frame + Layout::smallest * word))
      file_.refuse(word, unbelievable("hyperedges", num_hyperedges, input_));
    h_.num_nodes = num_nodes;
    h_.directed = true;
    h_.hyperedge_offsets.resize(num_hyperedges + std::size_t{1});
    h_.source_counts.resize(num_hyperedges);
    h_.real_weights.resize(num_hyperedges);
  }

  /// Where a record begins, once the offsets up to it are known.
  [[nodiscard]] std::uint64_t position(std::size_t e) const {
    return first_record + h_.hyperedge_offsets[e] * word + e * frame;
  }

  [[nodiscard]] auto head(std::uint64_t record) const {
    return [this, record](std::uint64_t i) { return file_.at<std::uint32_t>(record + i * word); };
  }

  /// Records differ in length, so one thread goes from head to head; the pins are copied in parallel later.
  void walk() {
    const std::size_t num_hyperedges = h_.source_counts.size();
    for (std::size_t e = 0; e < num_hyperedges; ++e) {
      const std::uint64_t record = position(e), left = file_.size() - record;
      if (left < frame) fail_truncated(e, frame);
      if (const auto wrong = Layout::wrong(head(record)))
        file_.fail(record + wrong->word * word, wrong->expected, std::to_string(head(record)(wrong->word)));
      const PinOffset pins = Layout::pins(head(record));
      if (pins > (left - frame) / word) fail_truncated(e, frame + pins * word);
      h_.hyperedge_offsets[e + 1] = h_.hyperedge_offsets[e] + pins;
    }
    const std::uint64_t end = position(num_hyperedges);
    if (end < file_.size())
      file_.fail(end, "the end of the file after " + std::to_string(num_hyperedges) + " hyperedges",
                 std::to_string(file_.size() - end) + " more bytes");
    h_.pins.resize(h_.num_pins());
    prefer_huge_pages(h_.pins);
  }

  [[noreturn]] void fail_truncated(std::size_t e, std::uint64_t bytes) const {
    file_.fail(position(e), std::to_string(bytes) + " bytes of hyperedge " + std::to_string(e),
               std::to_string(file_.size() - position(e)) + " bytes before the end of the file");
  }

  void copy_record(std::size_t e) {
    const std::uint64_t record = position(e), ids = record + Layout::head_words * word;
    const PinOffset first = h_.hyperedge_offsets[e], count = h_.hyperedge_offsets[e + 1] - first;
    NodeId* const pins = h_.pins.data() + first;
    file_.copy(ids, count, pins);
    NodeId largest = 0;
    for (PinOffset i = 0; i < count; ++i) largest = std::max(largest, pins[i]);
    if (largest >= h_.num_nodes) fail_id(ids, pins);
    h_.source_counts[e] = Layout::sources(head(record));
    const std::uint64_t weight_position = ids + count * word;
    const auto weight = file_.at<float>(weight_position);
    if (!std::isfinite(weight) || weight < 0)
      file_.fail(weight_position, "a finite weight of at least 0 for hyperedge " + std::to_string(e),
                 std::to_string(weight));
    h_.real_weights[e] = weight;
  }

  [[noreturn]] void fail_id(std::uint64_t ids, const NodeId* pins) const {
    std::uint64_t i = 0;
    while (pins[i] < h_.num_nodes) ++i;
    file_.fail(ids + i * word, "a node id below " + std::to_string(h_.num_nodes), std::to_string(pins[i]));
  }

  const Input& input_;
  BinaryInput file_;
  HostHypergraph& h_;
};

/// What a layout finds wrong with a record's head.
struct HeadDefect {
  std::uint64_t word;
  const char* expected;
};

/// The weight of a hyperedge as binary formats hold it.
inline float real_weight(const HostHypergraph& hypergraph, HyperedgeId hyperedge) {
  if (!hypergraph.real_weights.empty()) return hypergraph.real_weights[hyperedge];
  return std::ldexp(static_cast<float>(hypergraph.hyperedge_weights[hyperedge]), -hypergraph.weight_exponent);
}

/// Writes the two counts that open a binary file.
inline void write_counts(OutputFile& file, NodeId num_nodes, HyperedgeId num_hyperedges) {
  const std::uint32_t counts[2] = {num_nodes, num_hyperedges};
  file.write_binary(counts, 2);
}

}  // namespace kohypar

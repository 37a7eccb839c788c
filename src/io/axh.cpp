// Hyperedges with any number of sources. A record: u32 pins, u32 sources (at least 1), u32 ids[pins] with the
// sources first, f32 weight.
#include "io/binary_records.hpp"

namespace kohypar {

namespace {

struct AxhLayout {
  static constexpr std::uint64_t head_words = 2;
  static constexpr std::uint64_t smallest = 1;

  template <class Head>
  static PinOffset pins(const Head& head) {
    return head(0);
  }
  template <class Head>
  static std::uint32_t sources(const Head& head) {
    return head(1);
  }
  template <class Head>
  static std::optional<HeadDefect> wrong(const Head& head) {
    if (head(0) == 0) return HeadDefect{0, "at least one pin"};
    if (head(1) == 0) return HeadDefect{1, "at least one source"};
    if (head(1) > head(0)) return HeadDefect{1, "no more sources than pins"};
    return std::nullopt;
  }
};

}  // namespace

HostHypergraph read_axh(const Input& input, std::vector<std::string>& warnings) {
  HostHypergraph h;
  RecordReader<AxhLayout>(input, h).read();
  finish_reading(input, h, warnings);
  return h;
}

void write_axh(const HostHypergraph& h, OutputFile& file) {
  write_counts(file, h.num_nodes, h.num_hyperedges());
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const NodeId* const pins = h.pins.data() + h.hyperedge_offsets[e];
    const auto num_pins = static_cast<std::uint32_t>(h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e]);
    // A hyperedge without a source names its first destination as source too, and reads back as it was.
    const std::uint32_t repeated = h.source_counts[e] > 0 ? 0 : 1;
    const std::uint32_t head[2] = {num_pins + repeated, std::max<std::uint32_t>(h.source_counts[e], 1)};
    const float weight = real_weight(h, e);
    file.write_binary(head, 2);
    file.write_binary(pins, repeated);
    file.write_binary(pins, num_pins);
    file.write_binary(&weight, 1);
  }
}

}  // namespace kohypar

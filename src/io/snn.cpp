// Spiking neural networks: each neuron's axon is a hyperedge with one source and a spike rate as its weight.
// A record: u32 destinations, u32 source, u32 ids[destinations], f32 weight.
#include "io/binary_records.hpp"

namespace kohypar {

namespace {

struct SnnLayout {
  static constexpr std::uint64_t head_words = 1;
  static constexpr std::uint64_t smallest = 1;

  template <class Head>
  static PinOffset pins(const Head& head) {
    return PinOffset{head(0)} + 1;
  }
  template <class Head>
  static std::uint32_t sources(const Head&) {
    return 1;
  }
  template <class Head>
  static std::optional<HeadDefect> wrong(const Head&) {
    return std::nullopt;
  }
};

}  // namespace

HostHypergraph read_snn(const Input& input, std::vector<std::string>& warnings) {
  HostHypergraph h;
  RecordReader<SnnLayout>(input, h).read();
  finish_reading(input, h, warnings);
  return h;
}

void write_snn(const HostHypergraph& h, OutputFile& file) {
  write_counts(file, h.num_nodes, h.num_hyperedges());
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const NodeId* const pins = h.pins.data() + h.hyperedge_offsets[e];
    const auto num_pins = static_cast<std::uint32_t>(h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e]);
    // A hyperedge without a source names its first destination as source too, and reads back as it was.
    const std::uint32_t skipped = h.source_counts[e] > 0 ? 1 : 0;
    const std::uint32_t head[2] = {num_pins - skipped, pins[0]};
    const float weight = real_weight(h, e);
    file.write_binary(head, 2);
    file.write_binary(pins + skipped, num_pins - skipped);
    file.write_binary(&weight, 1);
  }
}

}  // namespace kohypar

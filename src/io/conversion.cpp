// What a format can't hold of a hypergraph.
#include <algorithm>

#include "io/formats.hpp"

namespace kohypar {

namespace {

/// Properties of a hypergraph that not every format can hold, counted.
struct Contents {
  std::uint64_t with_sources = 0;       ///< hyperedges with at least one source
  std::uint64_t with_many_sources = 0;  ///< with more than one
  std::uint64_t not_two_pins = 0;
  std::uint64_t weighted = 0;     ///< hyperedges with a weight other than 1
  std::uint64_t not_integer = 0;  ///< hyperedges whose real weight the integer one doesn't equal
  std::uint64_t not_float = 0;    ///< hyperedges with an integer weight of more than 24 bits
  std::uint64_t sized_nodes = 0;  ///< nodes with a weight other than 1
};

bool fits_float(Weight weight) {
  return static_cast<Weight>(static_cast<float>(weight)) == weight;
}

bool equals(Weight weight, float real) {
  return fits_float(weight) && static_cast<float>(weight) == real;
}

Contents contents_of(const HostHypergraph& h) {
  Contents contents;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    contents.with_sources += h.source_counts[e] > 0 ? 1 : 0;
    contents.with_many_sources += h.source_counts[e] > 1 ? 1 : 0;
    contents.not_two_pins += h.hyperedge_offsets[e + std::size_t{1}] - h.hyperedge_offsets[e] != 2 ? 1 : 0;
    if (h.real_weights.empty()) {
      contents.weighted += h.hyperedge_weights[e] != 1 ? 1 : 0;
      contents.not_float += fits_float(h.hyperedge_weights[e]) ? 0 : 1;
    } else {
      contents.weighted += h.real_weights[e] != 1 ? 1 : 0;
      contents.not_integer += equals(h.hyperedge_weights[e], h.real_weights[e]) ? 0 : 1;
    }
  }
  for (const Weight size : h.node_sizes) contents.sized_nodes += size != 1 ? 1 : 0;
  return contents;
}

/// Hyperedges that join the same two nodes as an earlier one; a .graph merges them.
std::uint64_t count_parallel_edges(const HostHypergraph& h) {
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
    const NodeId* const pins = h.pins.data() + h.hyperedge_offsets[e];
    if (h.hyperedge_offsets[e + std::size_t{1}] - h.hyperedge_offsets[e] == 2)
      edges.push_back(std::minmax(pins[0], pins[1]));
  }
  std::sort(edges.begin(), edges.end());
  return static_cast<std::uint64_t>(edges.end() - std::unique(edges.begin(), edges.end()));
}

class Losses {
 public:
  explicit Losses(Format format) : format_(format) {}

  /// Adds a sentence, unless nothing is concerned.
  void add(std::uint64_t count, const std::string& what) {
    if (count > 0)
      sentences_.push_back(std::string(".") + to_string(format_) + " can't hold " + what + " (" +
                           std::to_string(count) + ")");
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(sentences_); }

 private:
  Format format_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> conversion_losses(const HostHypergraph& h, Format format) {
  const Contents contents = contents_of(h);
  Losses losses(format);
  const bool binary = format == Format::snn || format == Format::axh;
  if (binary) {
    if (!h.directed)
      losses.add(h.num_hyperedges(),
                 "hyperedges without sources; their first pin would be named as source too");
    if (format == Format::snn)
      losses.add(contents.with_many_sources,
                 "hyperedges with several sources; all but the first would become destinations");
    losses.add(contents.not_float,
               "hyperedge weights of more than 24 significant bits; they would be rounded");
  } else {
    losses.add(contents.with_sources, "the sources of hyperedges; they would become pins like others");
  }
  if (format == Format::graph) {
    losses.add(contents.not_two_pins, "hyperedges of other than two pins; they would be left out");
    losses.add(count_parallel_edges(h), "parallel edges; they would be merged, with their weights added");
  }
  if (format == Format::mtx) {
    losses.add(contents.weighted, "hyperedge weights; they would be left out");
  } else if (!binary) {
    losses.add(contents.not_integer, "real hyperedge weights; they would be multiplied by 2^" +
                                         std::to_string(h.weight_exponent) + " and rounded");
  }
  if (binary || format == Format::mtx)
    losses.add(contents.sized_nodes, "node weights; they would be left out");
  return losses.take();
}

}  // namespace kohypar

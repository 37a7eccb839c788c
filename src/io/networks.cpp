// Spiking-neural-network benchmark hypergraphs, the same bytes on every machine: a neuron is a node, and the
// neurons that its axon reaches are the destinations of its hyperedge, whose weight is its spike rate.
// Layered networks follow the classic image classifiers (LeNet, VGG-11, AlexNet, MobileNet) in their layer
// shapes; random ones mix near and far targets. Weights are log-normal, as measured spike rates are.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <kohypar/error.hpp>
#include <kohypar/io.hpp>
#include <span>

#include "io/binary_records.hpp"
#include "parallel/hash.hpp"

namespace kohypar {

namespace {

/// Uniform in [0, 1).
double uniform(std::uint64_t key) {
  return static_cast<double>(mix(key) >> 11) * (1.0 / 9007199254740992.0);
}

/// The log-normal spike rate of a neuron, by Box and Muller's method. This file is compiled without
/// contraction of floating-point operations, lest the last bit depend on the machine.
float spike_rate(NodeId neuron) {
  const std::uint64_t key = std::uint64_t{neuron} * 2;
  const double u1 = uniform(key + 1) + 1e-12, u2 = uniform(key + 2);
  const double normal = std::sqrt(-2 * std::log(u1)) * std::cos(6.283185307179586 * u2);
  return static_cast<float>(std::min(std::exp(-1.5 + 0.8 * normal), 4.0));
}

/// Called with the source and the ascending destinations of each hyperedge.
using Visitor = std::function<void(NodeId source, std::span<const NodeId> destinations)>;

[[noreturn]] void unusable(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::usage, "network " + name + ": " + what);
}

/// rand:N:FANOUT. Each neuron reaches from FANOUT/2 to 3*FANOUT/2 others: a quarter of them within 512 of its
/// own id, the rest anywhere.
class RandomNetwork {
 public:
  RandomNetwork(NodeId num_nodes, std::uint32_t fanout, std::uint64_t seed)
      : num_nodes_(num_nodes), fanout_(fanout), seed_(seed) {}

  [[nodiscard]] std::uint64_t num_nodes() const { return num_nodes_; }

  void for_each_hyperedge(const Visitor& visit) const {
    std::vector<NodeId> targets;
    for (NodeId neuron = 0; neuron < num_nodes_; ++neuron) {
      draw_targets(neuron, targets);
      visit(neuron, targets);
    }
  }

 private:
  void draw_targets(NodeId neuron, std::vector<NodeId>& targets) const {
    targets.clear();
    const std::size_t count =
        fanout_ / 2 + static_cast<std::uint32_t>(uniform(seed_ * 7919 + neuron) * fanout_);
    std::uint64_t draw = mix(seed_) + (std::uint64_t{neuron} << 20);
    while (targets.size() < count) {
      const NodeId target = draw_target(neuron, mix(draw++));
      if (target == neuron) continue;
      targets.push_back(target);
      if (targets.size() < count) continue;
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    }
  }

  [[nodiscard]] NodeId draw_target(NodeId neuron, std::uint64_t random) const {
    if ((random & 3) != 0) return static_cast<NodeId>((random >> 16) % num_nodes_);
    // From 512 below to 511 above, modulo 2^32 and then modulo the number of nodes.
    return (neuron + static_cast<std::uint32_t>((random >> 8) % 1024) - 512 + num_nodes_) % num_nodes_;
  }

  NodeId num_nodes_;
  std::uint32_t fanout_;
  std::uint64_t seed_;
};

/// The shape of a layer's neurons and how the layer before connects to them.
struct Layer {
  enum class Kind { input, convolution, depthwise, pooling, fully_connected } kind;
  std::uint64_t channels, side;
  std::int64_t kernel = 0, stride = 0, padding = 0;

  [[nodiscard]] std::uint64_t size() const { return channels * side * side; }
};

/// Networks of square layers. Neurons are numbered by layer, channel, row and column.
class LayeredNetwork {
 public:
  static LayeredNetwork input(std::uint64_t channels, std::uint64_t side) {
    LayeredNetwork network;
    network.layers_.push_back({Layer::Kind::input, channels, side});
    return network;
  }
  LayeredNetwork& convolution(std::uint64_t channels, std::int64_t kernel, std::int64_t stride,
                              std::int64_t padding) {
    return add(Layer::Kind::convolution, channels, kernel, stride, padding);
  }
  LayeredNetwork& depthwise(std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    return add(Layer::Kind::depthwise, layers_.back().channels, kernel, stride, padding);
  }
  LayeredNetwork& pooling(std::int64_t kernel, std::int64_t stride) {
    return add(Layer::Kind::pooling, layers_.back().channels, kernel, stride, 0);
  }
  LayeredNetwork& fully_connected(std::uint64_t neurons) {
    layers_.push_back({Layer::Kind::fully_connected, neurons, 1});
    return *this;
  }

  [[nodiscard]] std::uint64_t num_nodes() const {
    std::uint64_t nodes = 0;
    for (const Layer& layer : layers_) nodes += layer.size();
    return nodes;
  }

  /// Neurons that reach none have no hyperedge.
  void for_each_hyperedge(const Visitor& visit) const {
    NodeId first = 0;
    std::vector<NodeId> targets;
    for (std::size_t i = 0; i + 1 < layers_.size(); ++i) {
      const Layer &from = layers_[i], &to = layers_[i + 1];
      const auto next = static_cast<NodeId>(first + from.size());
      NodeId neuron = first;
      for (std::uint64_t channel = 0; channel < from.channels; ++channel)
        for (std::uint64_t y = 0; y < from.side; ++y)
          for (std::uint64_t x = 0; x < from.side; ++x, ++neuron) {
            list_targets(to, next, channel, y, x, targets);
            if (!targets.empty()) visit(neuron, targets);
          }
      first = next;
    }
  }

 private:
  LayeredNetwork& add(Layer::Kind kind, std::uint64_t channels, std::int64_t kernel, std::int64_t stride,
                      std::int64_t padding) {
    const auto side = static_cast<std::int64_t>(layers_.back().side);
    const auto new_side = static_cast<std::uint64_t>((side + 2 * padding - kernel) / stride + 1);
    layers_.push_back({kind, channels, new_side, kernel, stride, padding});
    return *this;
  }

  /// The neurons of layer `to`, the first of them numbered `base`, whose receptive field holds the neuron at
  /// (channel, y, x) of the layer before; ascending.
  static void list_targets(const Layer& to, NodeId base, std::uint64_t channel, std::uint64_t y,
                           std::uint64_t x, std::vector<NodeId>& targets) {
    targets.clear();
    const auto add = [&](std::uint64_t position) { targets.push_back(base + static_cast<NodeId>(position)); };
    if (to.kind == Layer::Kind::fully_connected) {
      for (std::uint64_t neuron = 0; neuron < to.channels; ++neuron) add(neuron);
      return;
    }
    const bool all_channels = to.kind == Layer::Kind::convolution;
    const std::uint64_t first_channel = all_channels ? 0 : channel;
    const std::uint64_t end_channel = all_channels ? to.channels : channel + 1;
    const auto [first_row, end_row] = reached(to, y);
    const auto [first_column, end_column] = reached(to, x);
    for (std::uint64_t target_channel = first_channel; target_channel < end_channel; ++target_channel)
      for (std::int64_t row = first_row; row < end_row; ++row)
        for (std::int64_t column = first_column; column < end_column; ++column)
          add((target_channel * to.side + static_cast<std::uint64_t>(row)) * to.side +
              static_cast<std::uint64_t>(column));
  }

  /// Along one axis: the positions t of the layer with t*stride - padding <= at < t*stride - padding +
  /// kernel.
  static std::pair<std::int64_t, std::int64_t> reached(const Layer& to, std::uint64_t at) {
    const std::int64_t highest = static_cast<std::int64_t>(at) + to.padding;
    const std::int64_t lowest = std::max<std::int64_t>(highest - to.kernel + 1, 0);
    const std::int64_t first = (lowest + to.stride - 1) / to.stride;
    return {first, std::min<std::int64_t>(highest / to.stride + 1, static_cast<std::int64_t>(to.side))};
  }

  std::vector<Layer> layers_;
};

LayeredNetwork lenet() {
  auto network = LayeredNetwork::input(3, 32);
  network.convolution(6, 5, 1, 0).pooling(2, 2).convolution(16, 5, 1, 0).pooling(2, 2);
  return network.fully_connected(120).fully_connected(84).fully_connected(10);
}

LayeredNetwork vgg11() {
  auto network = LayeredNetwork::input(3, 32);
  network.convolution(64, 3, 1, 1).pooling(2, 2).convolution(128, 3, 1, 1).pooling(2, 2);
  for (const std::uint64_t channels : {256, 512, 512})
    network.convolution(channels, 3, 1, 1).convolution(channels, 3, 1, 1).pooling(2, 2);
  return network.fully_connected(4096).fully_connected(4096).fully_connected(10);
}

LayeredNetwork alexnet() {
  auto network = LayeredNetwork::input(3, 32);
  network.convolution(64, 3, 1, 1)
      .convolution(64, 3, 1, 1)
      .pooling(2, 2)
      .convolution(192, 3, 1, 1)
      .pooling(2, 2);
  network.convolution(384, 3, 1, 1).convolution(256, 3, 1, 1).pooling(2, 2);
  return network.fully_connected(4096).fully_connected(4096).fully_connected(10);
}

LayeredNetwork mobilenet() {
  struct Block {
    std::uint64_t channels;
    std::int64_t stride;
  };
  constexpr Block blocks[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                              {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
  auto network = LayeredNetwork::input(3, 224);
  network.convolution(32, 3, 2, 1);
  for (const auto [channels, stride] : blocks) network.depthwise(3, stride, 1).convolution(channels, 1, 1, 0);
  return network.pooling(7, 7).fully_connected(1000);
}

/// Splits "kind:a:b" into its numbers; `names` says which there must be.
std::vector<std::uint64_t> parse_numbers(const std::string& name, const std::vector<const char*>& names) {
  std::vector<std::uint64_t> numbers;
  const char* at = name.data() + name.find(':');
  const char* const end = name.data() + name.size();
  for (const char* const what : names) {
    std::uint64_t number = 0;
    if (at == end || *at != ':') unusable(name, std::string(what) + " is missing");
    const auto [next, error] = std::from_chars(at + 1, end, number);
    if (error != std::errc{} || number == 0 || number >= max_id_count)
      unusable(name, std::string(what) + " must be a number from 1 to 2147483647");
    numbers.push_back(number);
    at = next;
  }
  if (at != end) unusable(name, "unexpected '" + std::string(at, end) + "'");
  return numbers;
}

RandomNetwork random_network(const std::string& name, std::uint64_t seed) {
  const auto numbers = parse_numbers(name, {"N", "FANOUT"});
  // Where most nodes are targets, drawing distinct ones takes for ever.
  const std::uint64_t most_targets = numbers[1] / 2 + numbers[1];
  if (4 * most_targets > 3 * numbers[0]) unusable(name, "FANOUT must be at most half of N");
  return {static_cast<NodeId>(numbers[0]), static_cast<std::uint32_t>(numbers[1]), seed};
}

LayeredNetwork model_network(const std::string& name) {
  const auto numbers = parse_numbers(name, {"SIDE", "LAYERS", "RADIUS", "CHANNELS"});
  const std::uint64_t side = numbers[0], layers = numbers[1], radius = numbers[2], channels = numbers[3];
  const double nodes = static_cast<double>(side) * static_cast<double>(side) * static_cast<double>(layers) *
                       static_cast<double>(channels);
  if (nodes >= max_id_count) unusable(name, "more than 2147483647 nodes");
  if (radius > side) unusable(name, "RADIUS must be at most SIDE");
  auto network = LayeredNetwork::input(channels, side);
  const auto padding = static_cast<std::int64_t>(radius);
  for (std::uint64_t layer = 1; layer < layers; ++layer)
    network.convolution(channels, 2 * padding + 1, 1, padding);
  return network;
}

/// Calls use(network) with the network of that name.
template <class Use>
void with_network(const std::string& name, std::uint64_t seed, const Use& use) {
  if (name == "lenet") return use(lenet());
  if (name == "vgg11") return use(vgg11());
  if (name == "alexnet") return use(alexnet());
  if (name == "mobilenet") return use(mobilenet());
  if (name.starts_with("rand:")) return use(random_network(name, seed));
  if (name.starts_with("model:")) return use(model_network(name));
  unusable(name,
           "unknown: expected lenet, alexnet, vgg11, mobilenet, rand:N:FANOUT or "
           "model:SIDE:LAYERS:RADIUS:CHANNELS");
}

}  // namespace

HostHypergraph generate_network(const std::string& name, std::uint64_t seed) {
  HostHypergraph h;
  h.directed = true;
  with_network(name, seed, [&](const auto& network) {
    h.num_nodes = static_cast<NodeId>(network.num_nodes());
    network.for_each_hyperedge([&](NodeId source, std::span<const NodeId> destinations) {
      h.pins.push_back(source);
      h.pins.insert(h.pins.end(), destinations.begin(), destinations.end());
      h.hyperedge_offsets.push_back(h.pins.size());
      h.real_weights.push_back(spike_rate(source));
    });
  });
  h.source_counts.assign(h.num_hyperedges(), 1);
  h.node_sizes.assign(h.num_nodes, 1);
  scale_real_weights(h);
  return h;
}

void generate_network_file(const std::string& name, std::uint64_t seed, const std::string& path) {
  with_network(name, seed, [&](const auto& network) {
    OutputFile file(path);
    const auto num_nodes = static_cast<NodeId>(network.num_nodes());
    HyperedgeId num_hyperedges = 0;
    write_counts(file, num_nodes, num_hyperedges);
    network.for_each_hyperedge([&](NodeId source, std::span<const NodeId> destinations) {
      const std::uint32_t head[2] = {static_cast<std::uint32_t>(destinations.size()), source};
      const float weight = spike_rate(source);
      file.write_binary(head, 2);
      file.write_binary(destinations.data(), destinations.size());
      file.write_binary(&weight, 1);
      ++num_hyperedges;
    });
    const std::uint32_t counts[2] = {num_nodes, num_hyperedges};
    file.overwrite(0, {reinterpret_cast<const char*>(counts), sizeof counts});
    file.commit();
  });
}

}  // namespace kohypar

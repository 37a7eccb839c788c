// Real weights become integers once, on input, without any floating-point operation.
#include <bit>
#include <kohypar/hypergraph.hpp>

namespace kohypar {

namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<float>::digits == 24);

/// A finite weight, at least 0, as significand * 2^exponent with significand < 2^24.
struct Binary {
  std::uint32_t significand;
  int exponent;
};

Binary decompose(float weight) {
  const auto bits = std::bit_cast<std::uint32_t>(weight) & 0x7fffffffu;
  const std::uint32_t fraction = bits & 0x7fffffu;
  const int biased = static_cast<int>(bits >> 23);
  if (biased == 0) return {fraction, -149};  // zero and subnormal numbers have no implicit leading bit
  return {fraction | 0x800000u, biased - 150};
}

/// Rounds significand * 2^shift to an integer, half up; positive weights stay positive.
Weight scaled(std::uint32_t significand, int shift) {
  if (shift >= 0) return static_cast<Weight>(std::uint64_t{significand} << shift);
  if (shift < -24) return significand > 0 ? 1 : 0;
  const std::uint32_t half = std::uint32_t{1} << (-shift - 1);
  const Weight rounded = (significand + half) >> -shift;
  return significand > 0 && rounded == 0 ? 1 : rounded;
}

/// What bounds the exponent of the scale.
struct Extent {
  int width = 0;      ///< every weight is below 2^width
  int fine = 0;       ///< every weight times 2^fine is an integer; at least 0
  bool empty = true;  ///< all weights are 0
};

Extent extent_of(const HostArray<float>& weights) {
  Extent extent;
  for (const float weight : weights) {
    const auto [significand, exponent] = decompose(weight);
    if (significand == 0) continue;
    const int width = exponent + std::bit_width(significand);
    extent.width = extent.empty ? width : std::max(extent.width, width);
    extent.fine = std::max(extent.fine, -(exponent + std::countr_zero(significand)));
    extent.empty = false;
  }
  return extent;
}

}  // namespace

void scale_real_weights(HostHypergraph& hypergraph) {
  const Extent extent = extent_of(hypergraph.real_weights);
  // A weight below 2^width becomes at most 2^(width + scale), rounded or raised to 1; with fewer than
  // 2^pin_bits pins the total stays below 2^61. A finer scale than makes every weight exact gains nothing, so
  // integer weights keep scale 0 where they fit.
  const int total_bits = std::bit_width(static_cast<std::uint64_t>(max_total_weight)) - 1;
  const int pin_bits = std::bit_width(hypergraph.num_pins());
  const int scale = extent.empty ? 0 : std::min(extent.fine, total_bits - pin_bits - extent.width);
  hypergraph.weight_exponent = scale;
  hypergraph.hyperedge_weights.resize(hypergraph.real_weights.size());
  for (std::size_t e = 0; e < hypergraph.real_weights.size(); ++e) {
    const auto [significand, exponent] = decompose(hypergraph.real_weights[e]);
    hypergraph.hyperedge_weights[e] = scaled(significand, exponent + scale);
  }
  hypergraph.has_hyperedge_weights = true;
}

}  // namespace kohypar

#include "refinement/relief_offers.hpp"

#include <limits>

#include "refinement/jet_state.hpp"

namespace kohypar {

namespace {

/// Offers that wait, in a list for each rank: the first to come is the first to go.
class Waiting {
 public:
  explicit Waiting(std::size_t num_offers)
      : first_(num_relief_ranks, none), last_(num_relief_ranks, none), next_(num_offers) {}

  void append(std::uint32_t rank, std::uint32_t offer) {
    next_[offer] = none;
    if (first_[rank] == none) {
      first_[rank] = offer;
    } else {
      next_[last_[rank]] = offer;
    }
    last_[rank] = offer;
  }

  [[nodiscard]] bool has(std::uint32_t rank) const { return first_[rank] != none; }

  std::uint32_t take(std::uint32_t rank) {
    const std::uint32_t offer = first_[rank];
    first_[rank] = next_[offer];
    return offer;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> first_, last_;  ///< by rank
  std::vector<std::uint32_t> next_;          ///< by offer
};

}  // namespace

Placed place(const Offers& offers, const HostView<Weight>& sizes, const HostView<Weight>& capacities) {
  const auto num_offers = static_cast<std::uint32_t>(offers.nodes.extent(0));
  std::vector<Weight> now(sizes.data(), sizes.data() + sizes.extent(0));
  std::vector<std::uint8_t> tried(num_offers, 0);  // targets
  const auto place_of = [&](std::uint32_t offer) {
    return std::size_t{offer} * relief_targets + tried[offer];
  };
  Waiting waiting(num_offers);
  for (std::uint32_t offer = 0; offer < num_offers; ++offer)
    waiting.append(offers.ranks(place_of(offer)), offer);
  Placed placed;
  for (std::uint32_t rank = 0; rank < num_relief_ranks; ++rank) {
    while (waiting.has(rank)) {
      const std::uint32_t offer = waiting.take(rank);
      const PartId source = offers.sources(offer), target = offers.targets(place_of(offer));
      const Weight size = offers.sizes(offer);
      if (now[source] <= capacities(source)) continue;
      if (now[target] + size <= capacities(target)) {
        now[source] -= size;
        now[target] += size;
        placed.nodes.push_back(offers.nodes(offer));
        placed.targets.push_back(target);
      } else if (++tried[offer] < relief_targets && offers.targets(place_of(offer)) != invalid_id) {
        waiting.append(offers.ranks(place_of(offer)), offer);
      }
    }
  }
  return placed;
}

}  // namespace kohypar

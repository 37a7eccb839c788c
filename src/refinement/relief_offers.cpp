#include "refinement/relief_offers.hpp"

#include <functional>
#include <queue>
#include <tuple>

#include "refinement/jet_state.hpp"

namespace kohypar {

namespace {

/// A node that tries a target.
struct Attempt {
  std::uint32_t rank;
  NodeId node;
  std::size_t offer;
  int choice;

  /// Queues have the largest on top.
  bool operator<(const Attempt& other) const {
    return std::tie(rank, node) > std::tie(other.rank, other.node);
  }
};

}  // namespace

Placed place(const Offers& offers, const HostView<Weight>& sizes, const HostView<Weight>& capacities) {
  std::vector<Weight> now(sizes.data(), sizes.data() + sizes.extent(0));
  const auto place_of = [](std::size_t offer, int choice) { return offer * relief_targets + choice; };
  const auto attempt = [&](std::size_t offer, int choice) -> Attempt {
    return {rank_of_relief(offers.gains(place_of(offer, choice)), offers.sizes(offer)), offers.nodes(offer),
            offer, choice};
  };
  std::vector<Attempt> first;
  first.reserve(offers.nodes.extent(0));
  for (std::size_t i = 0; i < offers.nodes.extent(0); ++i) first.push_back(attempt(i, 0));
  std::priority_queue<Attempt> queue(std::less<Attempt>(), std::move(first));
  Placed placed;
  while (!queue.empty()) {
    const Attempt best = queue.top();
    queue.pop();
    const PartId source = offers.sources(best.offer);
    const PartId target = offers.targets(place_of(best.offer, best.choice));
    const Weight size = offers.sizes(best.offer);
    if (now[source] <= capacities(source)) continue;
    if (now[target] + size <= capacities(target)) {
      now[source] -= size;
      now[target] += size;
      placed.nodes.push_back(best.node);
      placed.targets.push_back(target);
    } else if (const int next = best.choice + 1;
               next < relief_targets && offers.targets(place_of(best.offer, next)) != invalid_id) {
      queue.push(attempt(best.offer, next));
    }
  }
  return placed;
}

}  // namespace kohypar

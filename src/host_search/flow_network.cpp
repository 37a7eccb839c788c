#include "host_search/flow_network.hpp"

#include <algorithm>
#include <limits>

namespace kohypar {

namespace {

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FlowNetwork::FlowNetwork(Vertex num_vertices, const std::vector<Edge>& edges)
    : offsets_(num_vertices + std::size_t{2}, 0),
      arcs_(2 * edges.size()),
      marks_(num_vertices, 0),
      distance_(num_vertices),
      next_(num_vertices) {
  for (const Edge& edge : edges) {
    ++offsets_[edge.from + std::size_t{2}];
    ++offsets_[edge.to + std::size_t{2}];
  }
  for (std::size_t v = 2; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
  for (const Edge& edge : edges) {
    const std::uint32_t arc = offsets_[edge.from + std::size_t{1}]++;
    const std::uint32_t reverse = offsets_[edge.to + std::size_t{1}]++;
    arcs_[arc] = {edge.to, reverse, edge.capacity};
    arcs_[reverse] = {edge.from, arc, edge.reverse_capacity};
  }
  offsets_.pop_back();
  for (const Side side : sides) {
    const auto first = static_cast<Vertex>(side);
    marks_[first] = static_cast<std::uint8_t>(reached_mark(side) | terminal_mark(side));
    reached_[side] = new_[side] = {first};
  }
}

bool FlowNetwork::maximize(Weight most, std::uint64_t most_visits) {
  if (is_maximum_) return true;
  while (find_distances()) {
    for (const Vertex root : roots_[sink]) augment_to(root);
    if (flow_ > most || visits_ > most_visits) return false;
  }
  for (const Side side : sides) reach_afresh(side);
  is_maximum_ = true;
  return true;
}

/// From the last sources, as far as to the nearest sinks; false if there are none.
bool FlowNetwork::find_distances() {
  std::fill(distance_.begin(), distance_.end(), unseen);
  queue_ = roots_[source];
  for (const Vertex root : queue_) distance_[root] = 0;
  std::uint32_t of_sinks = unseen;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Vertex v = queue_[i];
    if (distance_[v] >= of_sinks) break;
    visits_ += offsets_[v + 1] - offsets_[v];
    for (std::uint32_t a = offsets_[v]; a < offsets_[v + 1]; ++a) {
      const Arc& arc = arcs_[a];
      if (arc.capacity == 0 || distance_[arc.to] != unseen || is_terminal(source, arc.to)) continue;
      distance_[arc.to] = distance_[v] + 1;
      if (is_terminal(sink, arc.to)) {
        of_sinks = distance_[arc.to];
      } else {
        queue_.push_back(arc.to);
      }
    }
  }
  if (of_sinks == unseen) return false;
  for (const Vertex v : queue_) next_[v] = offsets_[v];
  for (const Vertex root : roots_[sink]) next_[root] = offsets_[root];
  return true;
}

/// Along shortest paths, until there are none. They are looked for from the sink: almost everything that is
/// nearer to the sources leads there, whereas little of what is farther from them leads to a sink.
void FlowNetwork::augment_to(Vertex root) {
  path_.clear();
  for (Vertex v = root;;) {
    if (distance_[v] == 0) {
      push_along_path();
      v = path_.empty() ? root : tail(path_.back());
      continue;
    }
    std::uint32_t& a = next_[v];
    while (a < offsets_[v + 1] &&
           (distance_[arcs_[a].to] + 1 != distance_[v] || arcs_[arcs_[a].reverse].capacity == 0))
      ++a;
    if (a < offsets_[v + 1]) {
      path_.push_back(arcs_[a].reverse);
      v = arcs_[a].to;
    } else if (path_.empty()) {
      return;
    } else {
      v = arcs_[path_.back()].to;
      path_.pop_back();
      ++next_[v];
    }
  }
}

/// Then goes back to before the first arc of the path that this has filled.
void FlowNetwork::push_along_path() {
  Weight least = std::numeric_limits<Weight>::max();
  for (const std::uint32_t a : path_) least = std::min(least, arcs_[a].capacity);
  std::size_t kept = path_.size();
  for (std::size_t i = path_.size(); i-- > 0;) {
    Arc& arc = arcs_[path_[i]];
    arc.capacity -= least;
    arcs_[arc.reverse].capacity += least;
    if (arc.capacity == 0) kept = i;
  }
  path_.resize(kept);
  flow_ += least;
}

void FlowNetwork::reach_afresh(Side side) {
  for (const Vertex v : reached_[side])
    if (!is_terminal(side, v)) marks_[v] &= static_cast<std::uint8_t>(~reached_mark(side));
  reached_[side] = roots_[side];
  reach(side);
}

/// From the last terminals, where arcs have capacity left: forward from sources, backward from sinks.
void FlowNetwork::reach(Side side) {
  queue_ = roots_[side];
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Vertex v = queue_[i];
    visits_ += offsets_[v + 1] - offsets_[v];
    for (std::uint32_t a = offsets_[v]; a < offsets_[v + 1]; ++a) {
      const Arc& arc = arcs_[a];
      if (is_on(side, arc.to) || (side == source ? arc.capacity : arcs_[arc.reverse].capacity) == 0) continue;
      marks_[arc.to] |= reached_mark(side);
      queue_.push_back(arc.to);
    }
  }
  const auto first = queue_.begin() + static_cast<std::ptrdiff_t>(roots_[side].size());
  reached_[side].insert(reached_[side].end(), first, queue_.end());
  new_[side].insert(new_[side].end(), first, queue_.end());
}

void FlowNetwork::pierce(Side side, const std::vector<Vertex>& vertices) {
  for (const Vertex v : reached_[side]) marks_[v] |= terminal_mark(side);
  for (const Vertex v : vertices) {
    if (is_on(opposite(side), v)) is_maximum_ = false;
    marks_[v] |= static_cast<std::uint8_t>(reached_mark(side) | terminal_mark(side));
  }
  roots_[side] = reached_[side] = vertices;
  new_[side].insert(new_[side].end(), vertices.begin(), vertices.end());
  if (is_maximum_) reach(side);
}

}  // namespace kohypar

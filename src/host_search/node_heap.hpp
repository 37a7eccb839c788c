// A priority queue of nodes whose keys may change.
#pragma once

#include <kohypar/types.hpp>
#include <vector>

namespace kohypar {

/// Binary max-heap of nodes by (key, tie), with the place of every node. Nodes are below a bound given once;
/// clearing costs as much as there are nodes in it.
class NodeHeap {
 public:
  explicit NodeHeap(NodeId num_nodes) : place_(num_nodes, nowhere) {}

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] bool contains(NodeId n) const { return place_[n] != nowhere; }
  [[nodiscard]] NodeId top() const { return heap_.front().node; }
  [[nodiscard]] Weight top_key() const { return heap_.front().key; }

  /// Inserts a node or changes its key.
  void set(NodeId n, Weight key, std::uint32_t tie) {
    if (!contains(n)) {
      place_[n] = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({});
    }
    const Entry entry{key, tie, n};
    sift_down(sift_up(place_[n], entry), entry);
  }

  void erase(NodeId n) {
    if (!contains(n)) return;
    const std::uint32_t hole = place_[n];
    const Entry last = heap_.back();
    heap_.pop_back();
    place_[n] = nowhere;
    if (hole < heap_.size()) sift_down(sift_up(hole, last), last);
  }

  void clear() {
    for (const Entry& entry : heap_) place_[entry.node] = nowhere;
    heap_.clear();
  }

 private:
  static constexpr std::uint32_t nowhere = invalid_id;

  struct Entry {
    Weight key = 0;
    std::uint32_t tie = 0;
    NodeId node = invalid_id;

    [[nodiscard]] bool above(const Entry& other) const {
      if (key != other.key) return key > other.key;
      if (tie != other.tie) return tie > other.tie;
      return node < other.node;
    }
  };

  void put(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    place_[entry.node] = static_cast<std::uint32_t>(place);
  }

  std::size_t sift_up(std::size_t place, const Entry& entry) {
    for (; place > 0; place = (place - 1) / 2) {
      const Entry& parent = heap_[(place - 1) / 2];
      if (!entry.above(parent)) break;
      put(place, parent);
    }
    put(place, entry);
    return place;
  }

  void sift_down(std::size_t place, const Entry& entry) {
    for (std::size_t child; (child = 2 * place + 1) < heap_.size(); place = child) {
      if (child + 1 < heap_.size() && heap_[child + 1].above(heap_[child])) ++child;
      if (!heap_[child].above(entry)) break;
      put(place, heap_[child]);
    }
    put(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace kohypar

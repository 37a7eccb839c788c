// What every node shares with the parts around it.
#pragma once

#include <cstdint>
#include <kohypar/types.hpp>
#include <span>
#include <vector>

namespace kohypar {

/// What a node's hyperedges have in one part.
struct PartShare {
  Weight weight;          ///< of those that touch the part
  PartId part;            ///< one with a weight or an inbound count
  std::uint32_t inbound;  ///< distinct hyperedges, multiplicities counted, inbound to node and part
};

/// A short row of shares per node, in no order: memory goes with the parts around a node, not with all parts.
/// A row that outgrows its place moves to the end of the storage, with room for half as much again.
class PartShares {
 public:
  /// Rows are then appended in the order of nodes.
  explicit PartShares(NodeId num_nodes) { rows_.reserve(num_nodes); }

  void append_row(std::span<const PartShare> shares) {
    rows_.push_back({storage_.size(), static_cast<std::uint32_t>(shares.size()), roomy(shares.size())});
    storage_.insert(storage_.end(), shares.begin(), shares.end());
    storage_.resize(rows_.back().begin + rows_.back().capacity);
  }

  [[nodiscard]] std::span<const PartShare> row(NodeId n) const {
    return {storage_.data() + rows_[n].begin, rows_[n].count};
  }

  /// Zeros if there is none.
  [[nodiscard]] PartShare at(NodeId n, PartId part) const {
    for (const PartShare& share : row(n))
      if (share.part == part) return share;
    return {0, part, 0};
  }

  /// Adds to a share, which ends when nothing is left of it. Unsigned arithmetic: inbound may be negative.
  void add(NodeId n, PartId part, Weight weight, std::uint32_t inbound) {
    Row& row = rows_[n];
    PartShare* const begin = storage_.data() + row.begin;
    PartShare* const end = begin + row.count;
    for (PartShare* share = begin; share != end; ++share) {
      if (share->part != part) continue;
      share->weight += weight;
      share->inbound += inbound;
      if (share->weight == 0 && share->inbound == 0) *share = begin[--row.count];
      return;
    }
    push(row, {weight, part, inbound});
  }

 private:
  struct Row {
    std::size_t begin;
    std::uint32_t count;
    std::uint32_t capacity;
  };

  static std::uint32_t roomy(std::size_t count) { return static_cast<std::uint32_t>(count + count / 2 + 1); }

  void push(Row& row, const PartShare& share) {
    if (row.count == row.capacity) {
      const std::size_t begin = storage_.size();
      row.capacity = roomy(row.count);
      storage_.resize(begin + row.capacity);
      std::copy_n(storage_.begin() + static_cast<std::ptrdiff_t>(row.begin), row.count,
                  storage_.begin() + static_cast<std::ptrdiff_t>(begin));
      row.begin = begin;
    }
    storage_[row.begin + row.count++] = share;
  }

  std::vector<Row> rows_;  // by node
  std::vector<PartShare> storage_;
};

}  // namespace kohypar

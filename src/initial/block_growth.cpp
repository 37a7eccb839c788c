#include "initial/block_growth.hpp"

#include <algorithm>
#include <bit>

#include "parallel/reducers.hpp"
#include "parallel/row_loop.hpp"
#include "parallel/scan.hpp"
#include "parallel/search.hpp"
#include "parallel/team_add.hpp"
#include "parallel/teams.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;
using Member = Team::member_type;

// Marks of a hyperedge in a block, one byte each: so many of them at a time.
constexpr std::size_t mark_bytes = std::size_t{1} << 28;
constexpr unsigned touched_mark = 1, inbound_mark = 2;

// Blocks hold so many parts, more or less. (rand:16384:127: blocks of 1024 nodes take 30 ms on an H200 and
// reach 456471, blocks of 2048 take 66 ms and reach 455265.)
constexpr Weight parts_per_block = 32;

struct Attracted {
  Weight attraction = -1;  ///< -1: no node
  NodeId node = invalid_id;

  KOKKOS_INLINE_FUNCTION bool better_than(const Attracted& other) const {
    return attraction != other.attraction ? attraction > other.attraction : node < other.node;
  }
};

struct Use {
  Weight size = 0, inbound = 0;
};

/// One team grows the parts of one block.
struct GrowBlock {
  Hypergraph h;
  Limits limits;
  NodeId block_size;
  std::size_t first_block;         ///< of those that run together
  DeviceView<Weight> weights;      ///< per node: of its hyperedges
  DeviceView<std::uint8_t> marks;  ///< per block that runs and hyperedge: what the growing part has of it
  DeviceView<PartId> parts;        ///< per node, counted from 0 in each block; invalid_id before
  DeviceView<std::uint32_t> num_parts;  ///< per block

  /// The block of a team, what its nodes share with the growing part.
  struct Block {
    NodeId begin, end;
    std::size_t marks;  ///< where they begin
    Scratch<Weight> shared_weights;
    Scratch<std::uint32_t> shared_inbound;
  };

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t index = first_block + team.league_rank();
    const auto begin = static_cast<NodeId>(index * block_size);
    const Block block{begin, Kokkos::min(h.num_nodes - begin, block_size) + begin,
                      team.league_rank() * std::size_t{h.num_hyperedges},
                      Scratch<Weight>(team.team_scratch(scratch_level()), block_size),
                      Scratch<std::uint32_t>(team.team_scratch(scratch_level()), block_size)};
    PartId part = 0;
    for (NodeId seed = begin; seed != invalid_id; ++part) {
      forget_shared(team, block);
      Use use;
      for (NodeId n = seed; n != invalid_id; n = most_attracted(team, block, &use))
        take(team, block, n, part, use);
      forget_marks(team, block, part);
      seed = most_attracted(team, block, nullptr);
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { num_parts(index) = part; });
  }

  KOKKOS_FUNCTION void forget_shared(const Member& team, const Block& block) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, block_size), [&](const NodeId i) {
      block.shared_weights(i) = 0;
      block.shared_inbound(i) = 0;
    });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void forget_marks(const Member& team, const Block& block, PartId part) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block.begin, block.end), [&](const NodeId n) {
      if (parts(n) != part) return;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, h.node_offsets(n), h.node_offsets(n + 1)),
                           [&](const PinOffset at) { marks(block.marks + h.incident(at)) = 0; });
    });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void take(const Member& team, const Block& block, NodeId n, PartId part, Use& use) const {
    use.size += h.node_sizes(n);
    use.inbound += h.inbound_sizes(n) - block.shared_inbound(n - block.begin);
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] { parts(n) = part; });
    const PinOffset begin = h.node_offsets(n), inbound_end = begin + h.inbound_counts(n);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, h.node_offsets(n + 1)),
                         [&](const PinOffset at) { touch(team, block, h.incident(at), at < inbound_end); });
    team.team_barrier();
  }

  /// The part's first pin in e attracts e's other nodes by e's weight; its first destination pin means that
  /// e's other destinations bring e in for free.
  KOKKOS_FUNCTION void touch(const Member& team, const Block& block, HyperedgeId e, bool is_inbound) const {
    unsigned before = 0;
    Kokkos::single(
        Kokkos::PerThread(team),
        [&](unsigned& seen) {
          std::uint8_t& mark = marks(block.marks + e);
          seen = mark;
          mark = static_cast<std::uint8_t>(seen | touched_mark | (is_inbound ? inbound_mark : 0u));
        },
        before);
    const Weight weight = (before & touched_mark) == 0 ? h.hyperedge_weights(e) : 0;
    const auto multiplicity =
        static_cast<std::uint32_t>(is_inbound && (before & inbound_mark) == 0 ? h.multiplicities(e) : 0);
    if (weight == 0 && multiplicity == 0) return;
    const PinOffset sources = h.hyperedge_offsets(e), destinations = sources + h.source_counts(e);
    attract(team, block, sources, destinations, weight, 0);
    attract(team, block, destinations, h.hyperedge_offsets(e + 1), weight, multiplicity);
  }

  /// For the pins in [first, last), which ascend.
  KOKKOS_FUNCTION void attract(const Member& team, const Block& block, PinOffset first, PinOffset last,
                               Weight weight, std::uint32_t multiplicity) const {
    const PinOffset from = first_at_least(h.pins, first, last, block.begin);
    const PinOffset to = first_at_least(h.pins, from, last, block.end);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, from, to), [&](const PinOffset i) {
      const NodeId m = h.pins(i) - block.begin;
      if (weight > 0) team_add(&block.shared_weights(m), weight);
      if (multiplicity > 0) team_add(&block.shared_inbound(m), multiplicity);
    });
  }

  /// Among the nodes without a part, if there is a `use` those that fit beside it.
  KOKKOS_FUNCTION NodeId most_attracted(const Member& team, const Block& block, const Use* use) const {
    Attracted best;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, block.begin, block.end),
        [&](const NodeId n, Attracted& found) {
          if (parts(n) != invalid_id) return;
          const Weight shared = block.shared_inbound(n - block.begin), inbound = h.inbound_sizes(n);
          if (use != nullptr && (h.node_sizes(n) > limits.max_size - use->size ||
                                 inbound - shared > limits.max_inbound - use->inbound))
            return;
          const Attracted here{
              attraction_of(block.shared_weights(n - block.begin), weights(n), shared, inbound), n};
          if (here.better_than(found)) found = here;
        },
        BestOf<Attracted>(best));
    team.team_barrier();
    return best.node;
  }

  static std::size_t scratch_bytes(NodeId block_size) {
    return Scratch<Weight>::shmem_size(block_size) + Scratch<std::uint32_t>::shmem_size(block_size);
  }
};

DeviceView<Weight> incident_weights(const ExecutionSpace& space, const Hypergraph& h) {
  const auto weights = uninitialized<Weight>("KoHyPar::initial::incident_weights", h.num_nodes);
  for_each_row(
      space, "KoHyPar::initial::incident_weights", h.num_nodes,
      KOKKOS_LAMBDA(const RowThread& thread, const std::size_t n) {
        Weight sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(thread, h.node_offsets(n), h.node_offsets(n + 1)),
            [&](const PinOffset at, Weight& into) { into += h.hyperedge_weights(h.incident(at)); }, sum);
        Kokkos::single(Kokkos::PerThread(thread), [&] { weights(n) = sum; });
      });
  return weights;
}

/// Numbers parts across blocks.
PartId number_across_blocks(const ExecutionSpace& space, const DeviceView<PartId>& parts, NodeId block_size,
                            const DeviceView<std::uint32_t>& num_parts) {
  PinOffset total = 0;
  const auto firsts = offsets_from_counts(
      space, "KoHyPar::initial::first_parts", num_parts.extent(0),
      KOKKOS_LAMBDA(const std::size_t block) { return num_parts(block); }, total);
  Kokkos::parallel_for(
      "KoHyPar::initial::number_parts", Range(space, 0, parts.extent(0)),
      KOKKOS_LAMBDA(const std::size_t n) { parts(n) += static_cast<PartId>(firsts(n / block_size)); });
  return static_cast<PartId>(total);
}

}  // namespace

NodeId growth_block(const ExecutionSpace& space, const Hypergraph& h, const Limits& limits) {
  Weight size = 0, inbound = 0;
  const auto sizes = h.node_sizes, inbound_sizes = h.inbound_sizes;
  Kokkos::parallel_reduce(
      "KoHyPar::initial::totals", Range(space, 0, h.num_nodes),
      KOKKOS_LAMBDA(const std::size_t n, Weight& size_sum, Weight& inbound_sum) {
        size_sum += sizes(n);
        inbound_sum += inbound_sizes(n);
      },
      size, inbound);
  const Weight parts = std::max({size / limits.max_size, inbound / limits.max_inbound, Weight{1}});
  const Weight wanted = h.num_nodes / parts * parts_per_block;
  return wanted > largest_growth_block ? 0 : std::bit_ceil(static_cast<NodeId>(std::max<Weight>(wanted, 64)));
}

GrownParts grow_in_blocks(const ExecutionSpace& space, const Hypergraph& h, const Limits& limits,
                          NodeId block_size) {
  const std::size_t num_blocks = (std::size_t{h.num_nodes} + block_size - 1) / block_size;
  const std::size_t together = std::clamp<std::size_t>(
      mark_bytes / std::max(h.num_hyperedges, HyperedgeId{1}), 1, std::max<std::size_t>(num_blocks, 1));
  const DeviceView<std::uint8_t> marks("KoHyPar::initial::marks", together * h.num_hyperedges);
  const auto parts = filled<PartId>(space, "KoHyPar::initial::parts", h.num_nodes, invalid_id);
  const auto num_parts = uninitialized<std::uint32_t>("KoHyPar::initial::num_parts", num_blocks);
  const auto weights = incident_weights(space, h);
  for (std::size_t first = 0; first < num_blocks; first += together) {
    auto policy = team_policy(space, std::min(together, num_blocks - first), 16, 32);
    policy.set_scratch_size(scratch_level(), Kokkos::PerTeam(GrowBlock::scratch_bytes(block_size)));
    Kokkos::parallel_for("KoHyPar::initial::grow_blocks", policy,
                         GrowBlock{h, limits, block_size, first, weights, marks, parts, num_parts});
  }
  const PartId total = number_across_blocks(space, parts, block_size, num_parts);
  space.fence("KoHyPar::initial::grow_blocks");  // the marks end here
  return {parts, total};
}

}  // namespace kohypar

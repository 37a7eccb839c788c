// What Jet does to a partition, however that is kept.
#pragma once

#include <memory>

#include "refinement/jet.hpp"

namespace kohypar {

/// A partition that Jet refines.
class JetState {
 public:
  JetState() = default;
  JetState(const JetState&) = delete;
  JetState& operator=(const JetState&) = delete;
  virtual ~JetState() = default;

  /// One round of moves: those that lose nothing given that all proposed ones of higher gain, or equal gain
  /// and smaller node, are made. (Without moves that gain nothing, ibm01 x16 with 2 and 4 parts ends 1 %
  /// higher.) Neither terminals nor the nodes that the round before moved are among them. Returns how many
  /// moves were made.
  /// @param temperature percent of what a node shares with its part that a proposed move may lose
  virtual std::size_t move_once(std::uint64_t seed, int temperature) = 0;
  /// The next round may move whatever the last one moved.
  virtual void forget_moved() = 0;

  /// One round of relief. Returns whether anything moved.
  ///
  /// Where parts are few, the nodes of parts above their capacities, by rank_of_relief of their best move
  /// into a part that holds it, then by id, leave as long as the part is above; those of them move that,
  /// taken in the same order, their targets have room for. Where parts may be many, nodes of twice what is
  /// too much try up to four targets, one after the other (place() of relief_offers.hpp), for the best ones
  /// soon are full: a round then does the work of three or four. (ibm10 x16 in 64 and 256 parts on an H200:
  /// 5.2 and 3.4 s, 1649920 and 1907142; so 4.4 and 3.2 s, 1646817 and 1907135.)
  virtual bool relieve_once(std::uint64_t seed) = 0;

  /// Keeps the parts as they are, and goes back to those kept last.
  virtual void keep() = 0;
  virtual void restore() = 0;

  [[nodiscard]] virtual JetResult result() const = 0;
  [[nodiscard]] virtual PartId num_parts() const = 0;
};

/// @param parts changed in place, as are those of the other
std::unique_ptr<JetState> few_parts_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                          const DeviceView<PartId>& parts, const JetLimits& limits,
                                          const Tuning& tuning);
/// By lists of the parts that hyperedges touch.
std::unique_ptr<JetState> many_parts_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                           const DeviceView<PartId>& parts, const JetLimits& limits,
                                           const Tuning& tuning);

/// As the function of jet.hpp.
void refine_by_jet(JetState& state, const Options& options, int level);

/// Moves nodes out of parts above their capacities into parts with room, those first that lose least by size,
/// as far as there are any such moves between parts that share a hyperedge.
void relieve_overload(JetState& state, std::uint64_t seed);

/// Ranks of relief are below this.
inline constexpr std::uint32_t num_relief_ranks = 4096;

/// 0, 1, ... 31, then 32 ranks an octave: less than 2048 of them.
KOKKOS_INLINE_FUNCTION std::uint32_t logarithmic_rank(Weight value) {
  constexpr Weight per_octave = 32;
  if (value < per_octave) return static_cast<std::uint32_t>(value);
  const int octave = Kokkos::bit_width(static_cast<std::uint64_t>(value)) - 6;  // 0 for 32 to 63
  return static_cast<std::uint32_t>(per_octave * octave + (value >> octave));
}

/// What a move costs a part that must shrink: lower is better. By gain, or by loss for the node's size, up to
/// 3 %.
/// @param size positive
KOKKOS_INLINE_FUNCTION std::uint32_t rank_of_relief(Weight gain, Weight size) {
  constexpr Weight precision = 256, safe = Weight{1} << 53;
  constexpr std::uint32_t middle = num_relief_ranks / 2;
  if (gain >= 0) return middle - logarithmic_rank(gain);
  const Weight loss = -gain;
  return middle +
         logarithmic_rank(loss < safe ? loss * precision / size : Kokkos::min(loss / size, safe) * precision);
}

}  // namespace kohypar

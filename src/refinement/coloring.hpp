// Colours of proposed moves: moves of one colour do not meet, and so can be made at once.
#pragma once

#include <kohypar/options.hpp>

#include "refinement/state.hpp"

namespace kohypar {

/// Two moves conflict if their nodes share a hyperedge of at most so many pins. Larger ones would make nearly
/// all moves conflict; what moves of one colour do to each other through them is for the caller to recount.
struct ConflictRules {
  std::uint32_t max_pins = invalid_id;
  std::uint32_t num_colors = 64;  ///< at most max_colors
};

/// One bit each in the word that every hyperedge has.
inline constexpr std::uint32_t max_colors = 64;
inline constexpr std::uint32_t uncolored = max_colors;

/// The moves in the order in which they get to choose their colour: by classes of gain (powers of two,
/// highest first, so that what is left without a colour matters least), within a class by a hash of node and
/// seed.
Moves by_priority(const ExecutionSpace& space, const Moves& moves, std::uint64_t seed);

/// Gives every move, in their order, the lowest colour that no earlier move in conflict with it has, or none
/// (`uncolored`) if those have all `num_colors`.
///
/// In parallel by Jones and Plassmann (SIAM J. Sci. Comput. 14, 1993): a move chooses once all earlier moves
/// in conflict with it have. The conflict graph, a clique for every hyperedge, is never built: in each
/// hyperedge the first undecided move and a set of the colours taken are all it takes, 16 bytes, whatever the
/// cliques' size.
DeviceView<std::uint32_t> color_moves(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                      const Moves& moves, const ConflictRules& rules, const Tuning& tuning);

}  // namespace kohypar

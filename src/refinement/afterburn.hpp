// Jet's afterburner where parts are few.
#pragma once

#include "refinement/pin_table.hpp"

namespace kohypar {

/// Adds up what moves gain if all of higher gain, or equal gain and smaller node, go before. Rows are
/// hyperedges.
template <int width>
struct Afterburn {
  static constexpr int num_totals = 0;
  struct Sum {
    OfParts<std::uint32_t, width> leaving, entering;
    KOKKOS_INLINE_FUNCTION Sum& operator+=(const Sum& other) {
      leaving += other.leaving;
      entering += other.entering;
      return *this;
    }
  };
  DeviceView<PartId> parts, targets;
  DeviceView<Weight> gains, after;
  DeviceView<NodeId> pins;
  DeviceView<Weight> weights;
  PinTable<width> table;
  Weight cut_weight;

  KOKKOS_INLINE_FUNCTION bool wants(HyperedgeId e) const { return weights(e) > 0; }
  KOKKOS_INLINE_FUNCTION void collect(HyperedgeId, PinOffset at, Sum& sum) const {
    const NodeId n = pins(at);
    const PartId target = targets(n);
    if (target == invalid_id) return;
    sum.leaving.add(parts(n), 1);
    sum.entering.add(target, 1);
  }
  KOKKOS_INLINE_FUNCTION void finish(HyperedgeId, const Sum&, Weight*) const {}

  static constexpr int cut_questions = 16;  // these and above: the cut, of part question - cut_questions

  /// Moves gain or lose connectivity only by parts all of whose pins leave: any other keeps one that doesn't
  /// move. Such a part is without pins after the last one has left and until the first one comes. And the
  /// hyperedge is only uncut in a part that all other pins come to: after the last one of them has come and
  /// until the first one leaves.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::uint32_t questions(HyperedgeId e, const Sum& sum) const {
    std::uint32_t moving = 0, bits = 0, cardinality = 0;
    for (int p = 0; p < width; ++p) moving |= (sum.leaving.of[p] + sum.entering.of[p] > 0 ? 1u : 0u) << p;
    if (moving == 0) return 0;
    const auto row = table.row(e);
    for (int p = 0; p < width; ++p) {
      cardinality += row.of[p];
      bits |= (moving >> p & 1) != 0 && row.of[p] == sum.leaving.of[p] ? 1u << p : 0u;
    }
    if (cut_weight == 0) return bits;
    for (int p = 0; p < width; ++p) {
      const bool gathers_all = row.of[p] + sum.entering.of[p] == cardinality;
      bits |= (moving >> p & 1) != 0 && gathers_all ? 1u << (cut_questions + p) : 0u;
    }
    return bits;
  }

  /// A move's place in the sequence.
  struct Place {
    Weight gain = 0;
    NodeId node = invalid_id;  ///< invalid_id: no move
    [[nodiscard]] KOKKOS_INLINE_FUNCTION bool is_before(const Place& other) const {
      return gain != other.gain ? gain > other.gain : node < other.node;
    }
  };
  /// From when to when something is saved: a part without pins, a hyperedge uncut.
  struct Answer {
    Place last, first;
    KOKKOS_INLINE_FUNCTION void may_be_last(const Place& move) {
      if (last.node == invalid_id || last.is_before(move)) last = move;
    }
    KOKKOS_INLINE_FUNCTION void may_be_first(const Place& move) {
      if (first.node == invalid_id || move.is_before(first)) first = move;
    }
    KOKKOS_INLINE_FUNCTION Answer& operator+=(const Answer& other) {
      if (other.last.node != invalid_id) may_be_last(other.last);
      if (other.first.node != invalid_id) may_be_first(other.first);
      return *this;
    }
  };
  KOKKOS_INLINE_FUNCTION void look(HyperedgeId, PinOffset at, int question, Answer& answer) const {
    const NodeId n = pins(at);
    const PartId target = targets(n), part = static_cast<PartId>(question % cut_questions);
    if (target == invalid_id) return;
    const bool leaves = parts(n) == part, enters = target == part;
    const bool asks_cut = question >= cut_questions;
    if (asks_cut ? enters : leaves) answer.may_be_last({gains(n), n});
    if (asks_cut ? leaves : enters) answer.may_be_first({gains(n), n});
  }
  KOKKOS_INLINE_FUNCTION void conclude(HyperedgeId e, int question, const Answer& answer) const {
    const Place &last = answer.last, &first = answer.first;
    const bool begins = last.node != invalid_id, ends = first.node != invalid_id;
    if (begins && ends && first.is_before(last)) return;
    const Weight weight = question >= cut_questions ? cut_weight * weights(e) : weights(e);
    if (begins) Kokkos::atomic_add(&after(last.node), weight);
    if (ends) Kokkos::atomic_sub(&after(first.node), weight);
  }
};

}  // namespace kohypar

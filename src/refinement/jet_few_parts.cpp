// Jet where parts are few: a round is a handful of kernels, and the host waits once.
#include "parallel/hash.hpp"
#include "parallel/scan.hpp"
#include "parallel/uneven_rows.hpp"
#include "refinement/candidate.hpp"
#include "refinement/jet_state.hpp"
#include "refinement/proposals.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
using Team = Kokkos::TeamPolicy<ExecutionSpace>;

/// Something of every part, in registers as long as loops over it are unrolled.
template <class T, int width>
struct OfParts {
  T of[width] = {};

  KOKKOS_INLINE_FUNCTION void add(PartId part, T value) {
    for (int p = 0; p < width; ++p) of[p] += static_cast<PartId>(p) == part ? value : 0;
  }
  KOKKOS_INLINE_FUNCTION T operator()(PartId part) const {
    T found = 0;
    for (int p = 0; p < width; ++p) found = static_cast<PartId>(p) == part ? of[p] : found;
    return found;
  }
  KOKKOS_INLINE_FUNCTION OfParts& operator+=(const OfParts& other) {
    for (int p = 0; p < width; ++p) of[p] += other.of[p];
    return *this;
  }
};

/// Pins of every hyperedge in every part, a row of `width` a hyperedge, and in one word what gains depend on.
template <int width>
struct PinTable {
  static constexpr int several_shift = 16;

  DeviceView<std::uint32_t> counts;
  /// By hyperedge: bit p is set where part p has a pin, bit several_shift + p where it has several.
  DeviceView<std::uint32_t> words;

  struct alignas(width < 4 ? 8 : 16) Row {  // loaded in few instructions
    std::uint32_t of[width];
  };
  KOKKOS_INLINE_FUNCTION Row row(std::size_t e) const {
    return reinterpret_cast<const Row*>(counts.data())[e];
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t& at(std::size_t e, PartId part) const {
    return counts(e * width + part);
  }

  /// One pin more or less in a part. Bits are flipped by whom the count passes their threshold with: of
  /// several at once in any order, so that they end as the count does.
  /// @return pins before
  KOKKOS_INLINE_FUNCTION std::uint32_t add_pin(std::size_t e, PartId part) const {
    const std::uint32_t before = Kokkos::atomic_fetch_add(&at(e, part), 1u);
    if (before < 2) flip(e, part, before);
    return before;
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t take_pin(std::size_t e, PartId part) const {
    const std::uint32_t before = Kokkos::atomic_fetch_sub(&at(e, part), 1u);
    if (before <= 2) flip(e, part, before - 1);
    return before;
  }

 private:
  /// @param fewer of the two pin counts between which the threshold lies
  KOKKOS_INLINE_FUNCTION void flip(std::size_t e, PartId part, std::uint32_t fewer) const {
    Kokkos::atomic_fetch_xor(&words(e), 1u << (fewer == 0 ? part : several_shift + part));
  }
};

// Where totals stand: connectivity, moves made so far, weight of cut hyperedges, sizes.
constexpr int connectivity_at = 0, moves_at = 1, cut_at = 2, sizes_at = 3;

/// What everything that moves nodes works on.
template <int width>
struct FewParts {
  PartId num_parts = 0;
  NodeId num_terminals = 0;
  DeviceView<PartId> parts;         ///< num_nodes
  DeviceView<Weight> totals;        ///< sizes_at + width
  DeviceView<Weight> capacities;    ///< num_parts
  DeviceView<PartId> targets;       ///< by node, what its move is; invalid_id: it has none
  DeviceView<Weight> gains;         ///< of moves, or their ranks
  DeviceView<Weight> after;         ///< in-sequence gains of moves; those below 0 are not made
  DeviceView<std::uint32_t> moved;  ///< whether a node was moved by the last round of moves

  KOKKOS_INLINE_FUNCTION Weight size(PartId part) const { return totals(sizes_at + part); }
};

/// Adds up the sizes of the parts. Rows are nodes.
template <int width>
struct CountSizes {
  static constexpr int num_totals = sizes_at + width;
  struct Sum {
    KOKKOS_INLINE_FUNCTION Sum& operator+=(const Sum&) { return *this; }
  };
  DeviceView<Weight> totals;
  DeviceView<PartId> parts;
  DeviceView<Weight> node_sizes;

  KOKKOS_INLINE_FUNCTION bool wants(NodeId) const { return false; }
  KOKKOS_INLINE_FUNCTION void collect(NodeId, PinOffset, Sum&) const {}
  KOKKOS_INLINE_FUNCTION void finish(NodeId n, const Sum&, Weight* totals_of_team) const {
    add_shared(totals_of_team + sizes_at + parts(n), node_sizes(n));
  }
};

/// Counts the pins of hyperedges in parts, and connectivity. Rows are hyperedges.
template <int width>
struct CountPins {
  static constexpr int num_totals = 1;
  using Sum = OfParts<std::uint32_t, width>;
  DeviceView<Weight> totals;
  DeviceView<PartId> parts;
  DeviceView<NodeId> pins;
  DeviceView<Weight> weights;
  PinTable<width> table;

  KOKKOS_INLINE_FUNCTION bool wants(HyperedgeId) const { return true; }
  KOKKOS_INLINE_FUNCTION void collect(HyperedgeId, PinOffset at, Sum& counts) const {
    counts.add(parts(pins(at)), 1);
  }
  KOKKOS_INLINE_FUNCTION void finish(HyperedgeId e, const Sum& counts, Weight* totals_of_team) const {
    Weight lambda = 0;
    std::uint32_t word = 0;
    for (int p = 0; p < width; ++p) {
      table.at(e, p) = counts.of[p];
      lambda += counts.of[p] > 0 ? 1 : 0;
      word |= (counts.of[p] > 0 ? 1u : 0u) << p | (counts.of[p] > 1 ? 1u : 0u) << (table.several_shift + p);
    }
    table.words(e) = word;
    if (lambda > 1) add_shared(totals_of_team + connectivity_at, (lambda - 1) * weights(e));
  }
};

/// Jet's proposals: any target, and a loss that the temperature allows.
template <int width>
struct JetProposals {
  FewParts<width> state;
  std::uint64_t seed = 0;
  int temperature = 0;
  bool all_may_move = false;  ///< also what has just been moved

  KOKKOS_INLINE_FUNCTION bool may_move(NodeId n) const {
    return n >= state.num_terminals && (all_may_move || state.moved(n) == 0);
  }
  KOKKOS_INLINE_FUNCTION bool may_take(NodeId, PartId) const { return true; }
  KOKKOS_INLINE_FUNCTION void propose(NodeId n, PartId target, Weight gain, Weight shared_with_own) const {
    const bool tolerable = target != invalid_id && gain >= -percent_of(shared_with_own, temperature);
    state.targets(n) = tolerable ? target : invalid_id;
    state.gains(n) = gain;
    state.after(n) = 0;
  }
};

/// Sums of the sizes of moves by part, source or target, and rank: several copies, for threads crowd on few
/// ranks.
struct Ranked {
  static constexpr std::size_t copies = runs_on_host ? 1 : 4;
  std::size_t width = 0;
  DeviceView<Weight> sizes;  ///< copies * width * num_relief_ranks; all 0 between rounds

  KOKKOS_INLINE_FUNCTION Weight& at(std::size_t copy, PartId part, Weight rank) const {
    return sizes((copy * width + part) * num_relief_ranks + rank);
  }
  KOKKOS_INLINE_FUNCTION void add(NodeId n, PartId part, Weight rank, Weight size) const {
    Kokkos::atomic_add(&at(n / 32 % copies, part, rank), size);
  }
  KOKKOS_INLINE_FUNCTION Weight sum(PartId part, Weight rank) const {
    Weight result = 0;
    for (std::size_t copy = 0; copy < copies; ++copy) result += at(copy, part, rank);
    return result;
  }
  KOKKOS_INLINE_FUNCTION void clear(PartId part, Weight rank) const {
    for (std::size_t copy = 0; copy < copies; ++copy) at(copy, part, rank) = 0;
  }
};

/// Proposals of relief: out of parts above their capacity into such as hold the node.
template <int width>
struct ReliefProposals {
  FewParts<width> state;
  std::uint64_t seed = 0;
  DeviceView<Weight> node_sizes;
  Ranked by_source;

  KOKKOS_INLINE_FUNCTION bool may_move(NodeId n) const {
    const PartId part = state.parts(n);
    return n >= state.num_terminals && state.size(part) > state.capacities(part) && node_sizes(n) > 0;
  }
  KOKKOS_INLINE_FUNCTION bool may_take(NodeId n, PartId part) const {
    return state.size(part) + node_sizes(n) <= state.capacities(part);
  }
  KOKKOS_INLINE_FUNCTION void propose(NodeId n, PartId target, Weight gain, Weight) const {
    state.targets(n) = target;
    if (target == invalid_id) return;
    const Weight rank = rank_of_relief(gain, node_sizes(n));
    state.gains(n) = rank;
    state.after(n) = 0;
    by_source.add(n, state.parts(n), rank, node_sizes(n));
  }
};

/// Finds every node's best move. Rows are nodes.
template <int width, class Rules>
struct Propose {
  static constexpr int num_totals = 0;
  struct Sum {
    /// Weight of the node's hyperedges that have pins in the part too, and what those of them would no longer
    /// be cut for.
    OfParts<Weight, width> shared;
    Weight incident = 0;  ///< of all, and what others would be cut for
    Weight saving = 0;    ///< of those that have no other pin in its own
    KOKKOS_INLINE_FUNCTION Sum& operator+=(const Sum& other) {
      shared += other.shared;
      incident += other.incident;
      saving += other.saving;
      return *this;
    }
  };
  DeviceView<HyperedgeId> incident;
  DeviceView<Weight> weights;
  PinTable<width> table;
  Weight cut_weight;
  Rules rules;

  KOKKOS_INLINE_FUNCTION bool wants(NodeId n) const { return rules.may_move(n); }
  KOKKOS_INLINE_FUNCTION void collect(NodeId n, PinOffset at, Sum& sum) const {
    const HyperedgeId e = incident(at);
    const Weight weight = weights(e);
    const std::uint32_t word = table.words(e), own = rules.state.parts(n);
    const bool is_alone = (word >> (table.several_shift + own) & 1) == 0;  // in its part
    const std::uint32_t others = word & ((1u << width) - 1) & ~(1u << own);
    sum.incident += weight;
    if (is_alone) sum.saving += weight;
    if (others == 0) {
      if (!is_alone) sum.incident += cut_weight * weight;
      return;
    }
    const bool may_end_cut = is_alone && (others & (others - 1)) == 0;
    const Weight gained = may_end_cut ? weight + cut_weight * weight : weight;
    for (int p = 0; p < width; ++p) sum.shared.of[p] += (others >> p & 1) != 0 ? gained : 0;
  }
  KOKKOS_INLINE_FUNCTION void finish(NodeId n, const Sum& sum, Weight*) const {
    const PartId own = rules.state.parts(n);
    Candidate best;
    for (int p = 0; p < width; ++p) {
      const auto part = static_cast<PartId>(p);
      const Weight shared = sum.shared.of[p];
      if (part == own || shared == 0 || shared < best.weight || !rules.may_take(n, part)) continue;
      const Candidate candidate{shared, mix(part, rules.seed), part};
      if (candidate.better_than(best)) best = candidate;
    }
    const Weight gain = best.part == invalid_id ? 0 : sum.saving - (sum.incident - best.weight);
    rules.propose(n, best.part, gain, sum.incident - sum.saving);
  }
};

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

/// Makes the moves that lose nothing. Rows are nodes.
template <int width>
struct Apply {
  static constexpr int num_totals = sizes_at + width;
  using Sum = Weight;  // change of connectivity: of moves at once, by who is first to come and last to go
  DeviceView<Weight> totals;
  DeviceView<PartId> parts, targets;
  DeviceView<Weight> after;
  DeviceView<std::uint32_t> moved;  ///< empty: not kept
  DeviceView<HyperedgeId> incident;
  DeviceView<Weight> weights;
  DeviceView<Weight> node_sizes;
  PinTable<width> table;

  KOKKOS_INLINE_FUNCTION bool wants(NodeId n) const { return targets(n) != invalid_id && after(n) >= 0; }
  KOKKOS_INLINE_FUNCTION void collect(NodeId n, PinOffset at, Weight& change) const {
    const HyperedgeId e = incident(at);
    if (table.add_pin(e, targets(n)) == 0) change += weights(e);
    if (table.take_pin(e, parts(n)) == 1) change -= weights(e);
  }
  KOKKOS_INLINE_FUNCTION void finish(NodeId n, const Weight& change, Weight* totals_of_team) const {
    const bool moves = wants(n);
    if (moved.extent(0) > 0) moved(n) = moves ? 1 : 0;
    if (!moves) return;
    if (change != 0) add_shared(totals_of_team + connectivity_at, change);
    add_shared(totals_of_team + moves_at, Weight{1});
    add_shared(totals_of_team + sizes_at + parts(n), -node_sizes(n));
    add_shared(totals_of_team + sizes_at + targets(n), node_sizes(n));
    parts(n) = targets(n);
  }
};

/// Adds up the weight of cut hyperedges.
template <int width>
struct CountCut {
  DeviceView<Weight> weights;
  PinTable<width> table;

  KOKKOS_INLINE_FUNCTION void operator()(const std::size_t e, Weight& sum) const {
    const std::uint32_t present = table.words(e) & ((1u << width) - 1);
    if ((present & (present - 1)) != 0) sum += weights(e);
  }
};

/// Up to where a part's moves are made: by rank, then by node.
template <int width>
struct Rations {
  FewParts<width> state;
  bool by_target = false;    ///< arrivals and what parts have room for, not departures and the excess
  DeviceView<Weight> cuts;   ///< by part: the rank in which the ration ends
  DeviceView<Weight> rests;  ///< by part: what of the ration is left for that rank

  KOKKOS_INLINE_FUNCTION PartId group(NodeId n) const {
    return by_target ? state.targets(n) : state.parts(n);
  }
  KOKKOS_INLINE_FUNCTION bool admits(Weight before, Weight size, Weight ration) const {
    return by_target ? before + size <= ration : before < ration;
  }
};

/// Finds where rations end. A team per part.
template <int width>
struct FindCuts {
  Rations<width> rations;
  Ranked ranked;

  KOKKOS_FUNCTION void operator()(const Team::member_type& team) const {
    const auto part = static_cast<PartId>(team.league_rank());
    const FewParts<width>& state = rations.state;
    const Weight above = state.size(part) - state.capacities(part);
    const Weight ration = rations.by_target ? -above : above;
    Kokkos::single(Kokkos::PerTeam(team), [&] { rations.cuts(part) = num_relief_ranks; });
    team.team_barrier();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, num_relief_ranks),
                          [&](const std::uint32_t rank, Weight& before, const bool final) {
                            const Weight after = before + ranked.sum(part, rank);
                            const bool starts = rations.admits(before, 0, ration);
                            if (final && after > before && starts && !rations.admits(after, 0, ration)) {
                              rations.cuts(part) = rank;
                              rations.rests(part) = ration - before;
                            }
                            before = after;
                          });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, num_relief_ranks),
                         [&](const std::uint32_t rank) { ranked.clear(part, rank); });
  }
};

/// Withdraws the moves that are not within a ration. A scan over the nodes.
template <int width>
struct KeepWithin {
  using value_type = OfParts<Weight, width>;
  Rations<width> rations;
  DeviceView<Weight> node_sizes;
  Ranked by_target;  ///< gets those that are; empty: nobody asks

  KOKKOS_INLINE_FUNCTION void operator()(const std::size_t i, value_type& before, const bool final) const {
    const auto n = static_cast<NodeId>(i);
    const FewParts<width>& state = rations.state;
    const PartId target = state.targets(n);
    if (target == invalid_id) return;
    const PartId group = rations.group(n);
    const Weight rank = state.gains(n), cut = rations.cuts(group), size = node_sizes(n);
    if (final &&
        (rank > cut || (rank == cut && !rations.admits(before(group), size, rations.rests(group))))) {
      state.targets(n) = invalid_id;
    } else if (final && by_target.sizes.extent(0) > 0) {
      by_target.add(n, target, rank, size);
    }
    if (rank == cut) before.add(group, size);
  }
};

/// Kernels of one width at least as large as the number of parts.
template <int width>
class FewPartsState : public JetState {
 public:
  FewPartsState(const ExecutionSpace& space, const Hypergraph& h, const DeviceView<PartId>& parts,
                const JetLimits& limits, const Tuning& tuning)
      : space_(space),
        h_(h),
        tuning_(tuning),
        cut_weight_(limits.cut_weight),
        nodes_(uneven_rows(space, h.node_offsets, h.num_nodes)),
        hyperedges_(uneven_rows(space, h.hyperedge_offsets, h.num_hyperedges)),
        table_{uninitialized<std::uint32_t>("KoHyPar::jet::pin_table", std::size_t{width} * h.num_hyperedges),
               uninitialized<std::uint32_t>("KoHyPar::jet::pin_words", h.num_hyperedges)},
        kept_(uninitialized<PartId>("KoHyPar::jet::kept", h.num_nodes)),
        cuts_(uninitialized<Weight>("KoHyPar::jet::cuts", width)),
        rests_(uninitialized<Weight>("KoHyPar::jet::rests", width)),
        ranked_{width,
                filled<Weight>(space, "KoHyPar::jet::ranked", Ranked::copies * width * num_relief_ranks, 0)},
        host_capacities_(limits.capacities.extent(0)),
        host_totals_(sizes_at + width) {
    state_.num_parts = static_cast<PartId>(limits.capacities.extent(0));
    state_.num_terminals = limits.num_terminals;
    state_.parts = parts;
    state_.capacities = limits.capacities;
    state_.totals = uninitialized<Weight>("KoHyPar::jet::totals", sizes_at + width);
    state_.targets = uninitialized<PartId>("KoHyPar::jet::targets", h.num_nodes);
    state_.gains = uninitialized<Weight>("KoHyPar::jet::gains", h.num_nodes);
    state_.after = uninitialized<Weight>("KoHyPar::jet::after", h.num_nodes);
    state_.moved = uninitialized<std::uint32_t>("KoHyPar::jet::moved", h.num_nodes);
    Kokkos::deep_copy(space_, HostView<Weight>(host_capacities_.data(), host_capacities_.size()),
                      limits.capacities);
    count();
    read_totals();
  }

  std::size_t move_once(std::uint64_t seed, int temperature) override {
    propose(JetProposals<width>{state_, seed, temperature, all_may_move_});
    for_uneven_rows(space_, "KoHyPar::jet::afterburn", hyperedges_,
                    Afterburn<width>{state_.parts, state_.targets, state_.gains, state_.after, h_.pins,
                                     h_.hyperedge_weights, table_, cut_weight_},
                    tuning_.team_size);
    all_may_move_ = false;
    return apply(state_.moved);
  }

  void forget_moved() override { all_may_move_ = true; }

  bool relieve_once(std::uint64_t seed) override {
    propose(ReliefProposals<width>{state_, seed, h_.node_sizes, ranked_});
    ration({state_, false, cuts_, rests_}, ranked_);
    ration({state_, true, cuts_, rests_}, {});
    return apply({}) > 0;
  }

  void keep() override {
    Kokkos::deep_copy(space_, kept_, state_.parts);
    kept_totals_ = host_totals_;
  }

  void restore() override {
    Kokkos::deep_copy(space_, state_.parts, kept_);
    count();
    host_totals_ = kept_totals_;
    host_totals_[moves_at] = 0;
  }

  [[nodiscard]] PartId num_parts() const override { return state_.num_parts; }

  [[nodiscard]] JetResult result() const override {
    const Weight connectivity = host_totals_[connectivity_at];
    JetResult result{connectivity, 0, connectivity + cut_weight_ * host_totals_[cut_at]};
    for (PartId p = 0; p < state_.num_parts; ++p)
      result.overload += std::max<Weight>(0, host_totals_[sizes_at + p] - host_capacities_[p]);
    return result;
  }

  // Kernels are not launched by private functions: nvcc would not have it.

  /// Counts everything that follows from the parts.
  void count() {
    Kokkos::deep_copy(space_, state_.totals, Weight{0});
    for_uneven_rows(space_, "KoHyPar::jet::sizes", nodes_,
                    CountSizes<width>{state_.totals, state_.parts, h_.node_sizes}, tuning_.team_size);
    for_uneven_rows(space_, "KoHyPar::jet::pins", hyperedges_,
                    CountPins<width>{state_.totals, state_.parts, h_.pins, h_.hyperedge_weights, table_},
                    tuning_.team_size);
    count_cut();
  }

  void count_cut() {
    if (cut_weight_ == 0) return;
    Kokkos::parallel_reduce("KoHyPar::jet::cut", Range(space_, 0, h_.num_hyperedges),
                            CountCut<width>{h_.hyperedge_weights, table_},
                            Kokkos::subview(state_.totals, std::size_t{cut_at}));
  }

  template <class Rules>
  void propose(const Rules& rules) {
    for_uneven_rows(space_, "KoHyPar::jet::propose", nodes_,
                    Propose<width, Rules>{h_.incident, h_.hyperedge_weights, table_, cut_weight_, rules},
                    tuning_.team_size);
  }

  /// Returns how many moves there were.
  std::size_t apply(const DeviceView<std::uint32_t>& moved) {
    for_uneven_rows(space_, "KoHyPar::jet::apply", nodes_,
                    Apply<width>{state_.totals, state_.parts, state_.targets, state_.after, moved,
                                 h_.incident, h_.hyperedge_weights, h_.node_sizes, table_},
                    tuning_.team_size);
    count_cut();
    const Weight before = host_totals_[moves_at];
    read_totals();
    return static_cast<std::size_t>(host_totals_[moves_at] - before);
  }

  void ration(const Rations<width>& rations, const Ranked& by_target) {
    Kokkos::parallel_for("KoHyPar::jet::find_cuts",
                         team_policy(space_, state_.num_parts, 256, 1, tuning_.team_size),
                         FindCuts<width>{rations, ranked_});
    Kokkos::parallel_scan("KoHyPar::jet::keep_within", Range(space_, 0, h_.num_nodes),
                          KeepWithin<width>{rations, h_.node_sizes, by_target});
  }

  void read_totals() {
    Kokkos::deep_copy(space_, HostView<Weight>(host_totals_.data(), host_totals_.size()), state_.totals);
    space_.fence("KoHyPar::jet::totals");
  }

 private:
  const ExecutionSpace space_;
  const Hypergraph h_;
  const Tuning tuning_;
  const Weight cut_weight_;
  const UnevenRows nodes_, hyperedges_;
  FewParts<width> state_;
  PinTable<width> table_;
  DeviceView<PartId> kept_;
  DeviceView<Weight> cuts_, rests_;
  Ranked ranked_;
  std::vector<Weight> host_capacities_, host_totals_, kept_totals_;
  bool all_may_move_ = true;
};

}  // namespace

std::unique_ptr<JetState> few_parts_state(const ExecutionSpace& space, const Hypergraph& hypergraph,
                                          const DeviceView<PartId>& parts, const JetLimits& limits,
                                          const Tuning& tuning) {
  const std::size_t num_parts = limits.capacities.extent(0);
  if (num_parts <= 2) return std::make_unique<FewPartsState<2>>(space, hypergraph, parts, limits, tuning);
  if (num_parts <= 4) return std::make_unique<FewPartsState<4>>(space, hypergraph, parts, limits, tuning);
  if (num_parts <= 8) return std::make_unique<FewPartsState<8>>(space, hypergraph, parts, limits, tuning);
  return std::make_unique<FewPartsState<most_few_parts>>(space, hypergraph, parts, limits, tuning);
}

}  // namespace kohypar

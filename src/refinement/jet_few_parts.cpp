// Jet where parts are few: a round is a handful of kernels, and the host waits once.
#include "parallel/hash.hpp"
#include "parallel/scan.hpp"
#include "parallel/uneven_rows.hpp"
#include "refinement/afterburn.hpp"
#include "refinement/candidate.hpp"
#include "refinement/few_parts_relief.hpp"
#include "refinement/jet_state.hpp"
#include "refinement/proposals.hpp"

namespace kohypar {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;

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
    for (int p = 0; p < width; ++p) {
      table.at(e, p) = counts.of[p];
      lambda += counts.of[p] > 0 ? 1 : 0;
    }
    table.words(e) = table.word_of(counts);
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
    const bool is_alone = !table.has_several(word, own);  // in its part
    const std::uint32_t others = table.present(word) & ~(1u << own);
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
    const std::uint32_t present = table.present(table.words(e));
    if ((present & (present - 1)) != 0) sum += weights(e);
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
    const auto sizes = std::span(host_totals_).subspan(sizes_at, state_.num_parts);
    return {connectivity, overload_of(sizes, host_capacities_),
            connectivity + cut_weight_ * host_totals_[cut_at]};
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

#include "refinement/jet.hpp"

#include <algorithm>
#include <cassert>
#include <kohypar/error.hpp>

#include "parallel/hash.hpp"
#include "refinement/jet_state.hpp"

namespace kohypar {

namespace {

// Each temperature until so many rounds in a row gain less than a thousandth.
struct Schedule {
  std::span<const int> temperatures;
  int most_idle_rounds;
};

// Many temperatures of few rounds beat few of many. (ibm01 and ibm05 x16 with 2 and 4 parts, two seeds,
// geometric mean: 75, 56, 37, 18, 0 with 5 idle rounds 117926, seven temperatures with 4 idle rounds 117840,
// these 117583, in 1, 1.07 and 1.03 times the kernels.)
constexpr int temperatures[] = {75, 65, 56, 46, 37, 28, 18, 9, 0};
// With very many parts fewer do. (ibm01 x16 and ibm10 with 256 parts, 5 idle rounds: 75, 56, 37, 18, 0 297807
// and 28535; these 299246 and 28460 in two thirds of the time.)
constexpr int temperatures_of_many_parts[] = {75, 37, 0};
constexpr PartId many_parts = 128;
constexpr Weight idle_fraction = 1000;

constexpr int most_relief_rounds = 16;

/// The best state so far: balanced before not, then by the objective.
class BestState {
 public:
  explicit BestState(JetState& state) : state_(state), result_(state.result()) { state.keep(); }

  /// Whether a state is better, and then keeps it.
  bool offer() {
    const JetResult now = state_.result();
    if (now.overload > result_.overload ||
        (now.overload == result_.overload && now.objective >= result_.objective))
      return false;
    state_.keep();
    result_ = now;
    is_current_ = true;
    return true;
  }

  /// Goes back to it.
  void restore() {
    if (!is_current_) state_.restore();
    is_current_ = true;
  }

  /// The state is about to change.
  void leave() { is_current_ = false; }
  [[nodiscard]] const JetResult& result() const { return result_; }

 private:
  JetState& state_;
  JetResult result_;
  bool is_current_ = true;  // whether the state is still the one kept
};

Schedule schedule_of(PartId num_parts) {
  if (num_parts > many_parts) return {temperatures_of_many_parts, 5};
  return {temperatures, 3};
}

}  // namespace

Weight overload_of(std::span<const Weight> sizes, std::span<const Weight> capacities) {
  Weight overload = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p) overload += std::max<Weight>(0, sizes[p] - capacities[p]);
  return overload;
}

void relieve_overload(JetState& state, std::uint64_t seed) {
  for (int round = 0; round < most_relief_rounds && state.result().overload > 0; ++round)
    if (!state.relieve_once(mix(seed, static_cast<std::uint64_t>(round)))) return;
}

void refine_by_jet(JetState& state, const Options& options, int level) {
  std::uint64_t seed = mix(options.seed, static_cast<std::uint64_t>(level));
  relieve_overload(state, seed);
  BestState best(state);
  const Schedule schedule = schedule_of(state.num_parts());
  for (const int temperature : schedule.temperatures) {
    state.forget_moved();
    for (int idle = 0; idle < schedule.most_idle_rounds; ++idle) {
      if (options.stop != nullptr && options.stop->load())
        throw Error(ErrorKind::interrupted, "interrupted during refinement");
      seed = mix(seed);
      if (state.move_once(seed, temperature) == 0 && idle > 0) break;
      best.leave();
      relieve_overload(state, seed);
      const JetResult before = best.result();
      if (best.offer() && (best.result().overload < before.overload ||
                           before.objective - best.result().objective > before.objective / idle_fraction))
        idle = -1;
    }
    best.restore();
  }
}

JetResult refine_by_jet(const ExecutionSpace& space, const Hypergraph& hypergraph,
                        const DeviceView<PartId>& parts, const JetLimits& limits, const Options& options,
                        int level) {
  const bool are_few = limits.capacities.extent(0) <= most_few_parts;
  assert(are_few || limits.cut_weight == 0);
  const auto state =
      (are_few ? few_parts_state : many_parts_state)(space, hypergraph, parts, limits, options.tuning);
  refine_by_jet(*state, options, level);
  return state->result();
}

}  // namespace kohypar

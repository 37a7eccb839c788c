// The event machine against applying moves one by one and recounting everything.
#include "reference/events.hpp"

#include <gtest/gtest.h>

#include "move_instances.hpp"
#include "parallel/segmented_scan.hpp"
#include "refinement/events.hpp"

namespace {

using namespace kohypar;
using test::device_hypergraph;
using test::device_moves;
using test::device_state;
using test::Instance;
using test::random_instance;
using test::to_device;
using test::to_host;

constexpr std::uint64_t seeds_per_shape = 40;

/// How many instances had what, so that no test passes for want of cases.
struct Coverage {
  int violated_at_first = 0, repaired = 0, gained = 0, overfilled = 0;
};

void expect_equal_evaluation(const Instance& instance, Coverage& seen) {
  const ExecutionSpace space;
  const Hypergraph h = device_hypergraph(space, instance.level);
  const PartitionState state = device_state(instance);
  const Moves sequence = device_moves(instance.sequence);
  const auto expected = reference::evaluate_sequence(instance.level, instance.parts, instance.num_parts,
                                                     instance.sequence, instance.limits);
  const Evaluation found = evaluate_sequence(space, h, state, sequence, instance.limits);
  EXPECT_EQ(to_host(found.gains), expected.gains);
  EXPECT_EQ(to_host(found.violations), expected.violations);
  EXPECT_EQ(to_host(found.repaired_at), expected.repaired_at);
  EXPECT_EQ(found.best.length, expected.best_length);
  EXPECT_EQ(found.best.gain, expected.best_gain);
  EXPECT_EQ(to_host(in_sequence_gains(space, h, state, sequence)), expected.gains);

  seen.violated_at_first += expected.initial_violations > 0;
  seen.repaired += expected.initial_violations > 0 && expected.best_length > 0;
  seen.gained += expected.initial_violations == 0 && expected.best_length > 0;
  for (std::size_t i = 0; i < expected.gains.size(); ++i)
    seen.overfilled += expected.repaired_at[i] != i && expected.repaired_at[i] != invalid_id;
}

TEST(Events, EqualApplyingMovesOneByOne) {
  Coverage seen;
  for (const auto& shape : test::random_shapes()) {
    // Recounting after every move is quadratic, so the larger shapes get fewer seeds.
    const std::uint64_t seeds = shape.nodes > 100 ? seeds_per_shape / 10 : seeds_per_shape;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(testing::Message() << shape.nodes << " nodes, seed " << seed);
      expect_equal_evaluation(random_instance(shape, seed), seen);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(seen.violated_at_first, 20);
  EXPECT_GT(seen.repaired, 10);
  EXPECT_GT(seen.gained, 20);
  EXPECT_GT(seen.overfilled, 20);
}

TEST(Events, EmptySequenceChangesNothing) {
  Instance instance = random_instance({}, 1);
  instance.sequence.clear();
  for (const Weight limit : {Weight{0}, unlimited}) {
    instance.limits = {limit, limit, invalid_id};
    Coverage seen;
    expect_equal_evaluation(instance, seen);
  }
}

TEST(Events, NodesWithoutHyperedgesMoveForNothing) {
  Coverage seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    expect_equal_evaluation(random_instance({.nodes = 15, .hyperedges = 0, .max_node_size = 3}, seed), seen);
}

TEST(Events, OneHyperedgeOverAllNodes) {
  Coverage seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    expect_equal_evaluation(random_instance({.nodes = 60, .hyperedges = 1, .max_pins = 500}, seed), seen);
}

/// The nodes of the moves that without_overfills is to keep.
std::vector<NodeId> patiently_kept(const Moves& sequence, const Evaluation& evaluation,
                                   std::uint32_t patience) {
  const auto repaired_at = to_host(evaluation.repaired_at);
  std::vector<NodeId> kept;
  const auto nodes = to_host(sequence.nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (repaired_at[i] != invalid_id && repaired_at[i] <= i + patience) kept.push_back(nodes[i]);
  return kept;
}

TEST(Events, DroppingOverfillsUntilNoneIsLeftKeepsLimits) {
  const ExecutionSpace space;
  int dropped = 0, left = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Instance instance = random_instance(test::random_shapes()[seed % 4], seed);
    const Hypergraph h = device_hypergraph(space, instance.level);
    const PartitionState state = device_state(instance);
    const std::uint32_t patience = seed % 3;
    Moves sequence = device_moves(instance.sequence);
    Evaluation evaluation;
    for (std::size_t before = sequence.size() + 1; sequence.size() < before;) {
      before = sequence.size();
      evaluation = evaluate_sequence(space, h, state, sequence, instance.limits);
      const Moves kept = without_overfills(space, sequence, evaluation, patience);
      EXPECT_EQ(to_host(kept.nodes), patiently_kept(sequence, evaluation, patience));
      sequence = kept;
    }
    dropped += sequence.size() < instance.sequence.size();
    left += sequence.size() > 0;
    const auto use = reference::count_use(instance.level, instance.parts, instance.num_parts);
    const Weight initial = reference::count_violations(use, instance.limits);
    const auto violations = to_host(evaluation.violations);
    for (std::size_t i = 0; i < violations.size(); ++i) {
      if (patience == 0 || i + 1 == violations.size()) {
        EXPECT_LE(violations[i], initial);
      }
    }
  }
  EXPECT_GT(dropped, 20);
  EXPECT_GT(left, 20);
}

// Device lambdas may not stand in a test's (private) body.
DeviceView<std::uint32_t> last_multiple(const ExecutionSpace& space, std::size_t n, std::size_t of) {
  return last_marked(
      space, "test", n, KOKKOS_LAMBDA(std::size_t i) { return i % of == 0; });
}
std::vector<std::uint64_t> evaluate_sums(const ExecutionSpace& space,
                                         const SegmentedSums<std::uint64_t>& sums) {
  const DeviceView<std::uint64_t> values("test", sums.prefix.extent(0));
  Kokkos::parallel_for(
      "test", Kokkos::RangePolicy<ExecutionSpace>(space, 0, values.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { values(i) = sums(i); });
  return to_host(values);
}

TEST(SegmentedSums, StartAfreshAndWrapAround) {
  const ExecutionSpace space;
  std::mt19937_64 random(1);
  for (const std::size_t n : {0, 1, 2, 1000, 70001})
    for (const std::size_t length : {1, 3, 999, 100000}) {
      std::vector<std::uint64_t> values(n), expected(n);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = random();
        expected[i] = values[i] + (i % length == 0 ? 0 : expected[i - 1]);
      }
      const auto starts = last_multiple(space, n, length);
      EXPECT_EQ(evaluate_sums(space, segmented_sums(space, "test", to_device(values), starts)), expected);
    }
}

}  // namespace

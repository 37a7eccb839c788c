// A regression guard that counts work instead of timing it.
#include <gtest/gtest.h>

#include <kohypar/io.hpp>
#include <kohypar/partition.hpp>
#include <sstream>

#include "parallel/work_meter.hpp"

namespace {

using namespace kohypar;
using work_meter::Work;

/// What one search on the device's path takes, seed 1. Partitions are the same on every backend and with any
/// number of threads, and so are the counts; the band is for small changes of the algorithm. A change that
/// needs less, or is worth more, is recorded here: run --gtest_filter='*WorkOf*' and copy what it prints
/// where it fails.
struct Expected {
  const char* name;
  Limits limits;
  Work work;
};

const Expected expected_work[] = {
    {"model:12:3:1:6", {.max_size = 128, .max_inbound = 512}, {6649, 4882460, 253140}},
    {"rand:2048:24", {.max_size = 256, .max_inbound = 600}, {10050, 99271444, 8184302}},
};

constexpr std::uint64_t band_percent = 10;

bool in_band(std::uint64_t actual, std::uint64_t expected) {
  const std::uint64_t slack = expected * band_percent / 100;
  return actual >= expected - slack && actual <= expected + slack;
}

/// Work of so many equal runs, upload included.
Work measure(const Expected& input, int runs) {
  const HostHypergraph host = generate_network(input.name, 1);
  const ExecutionSpace space;
  Options options;
  options.effort = Effort::fast;
  options.host_search_pin_pairs = 0;
  work_meter::start();
  for (int i = 0; i < runs; ++i)
    static_cast<void>(partition(space, upload(space, host), input.limits, options));
  return work_meter::stop();
}

std::string as_text(const Work& work) {
  std::ostringstream out;
  out << '{' << work.kernels << ", " << work.sorted_bytes << ", " << work.visited_pins << '}';
  return out.str();
}

class WorkOf : public ::testing::TestWithParam<Expected> {};

TEST_P(WorkOf, OneRunIsInTheBand) {
  const Work work = measure(GetParam(), 1), expected = GetParam().work;
  const std::string counted = GetParam().name + std::string(": the work is ") + as_text(work);
  EXPECT_TRUE(in_band(work.kernels, expected.kernels)) << counted;
  EXPECT_TRUE(in_band(work.sorted_bytes, expected.sorted_bytes)) << counted;
  EXPECT_TRUE(in_band(work.visited_pins, expected.visited_pins)) << counted;
}

// What doubles the work of a run would be found.
TEST_P(WorkOf, TwoRunsTakeTwiceAsMuchAndAreOutOfTheBand) {
  const Work one = measure(GetParam(), 1), two = measure(GetParam(), 2), expected = GetParam().work;
  EXPECT_EQ(as_text(two), as_text({2 * one.kernels, 2 * one.sorted_bytes, 2 * one.visited_pins}));
  EXPECT_FALSE(in_band(two.kernels, expected.kernels));
  EXPECT_FALSE(in_band(two.sorted_bytes, expected.sorted_bytes));
  EXPECT_FALSE(in_band(two.visited_pins, expected.visited_pins));
}

INSTANTIATE_TEST_SUITE_P(Networks, WorkOf, ::testing::ValuesIn(expected_work),
                         [](const auto& instance) { return "Number" + std::to_string(instance.index); });

TEST(WorkMeter, CountsNothingWhileItIsOff) {
  work_meter::start();
  work_meter::stop();
  work_meter::add_sorted_bytes(8);
  work_meter::add_visited_pins(8);
  work_meter::start();
  EXPECT_EQ(as_text(work_meter::stop()), as_text({}));
}

}  // namespace

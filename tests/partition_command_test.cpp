// `kohypar partition` as a user runs it, and the check that no invalid result passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <kohypar/error.hpp>
#include <map>
#include <random>
#include <sstream>

#include "json.hpp"
#include "program.hpp"
#include "programs/run_partitioner.hpp"

namespace kohypar::test {

namespace {

using namespace kohypar::programs;
using Words = std::vector<std::string>;

class PartitionCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_kohypar(folder, {"generate", "rand:600:12", "-o", "a.snn"}).code, 0);
    folder.write("heavy.hgr", "2 3 10\n1 2\n2 3\n1\n9\n1\n");
    before = folder.files();
  }
  Outcome run(const Words& arguments, const RunOptions& options = {}) {
    Words words = {"partition"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_kohypar(folder, words, options);
  }
  std::set<std::string> new_files() {
    std::set<std::string> added;
    const auto now = folder.files();
    std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                        std::inserter(added, added.end()));
    return added;
  }

  TemporaryFolder folder;
  std::set<std::string> before;
};

/// km1 and cut of a partition file of an .hgr file with both kinds of weights, and the largest part, counted
/// from the text alone.
struct Counted {
  double km1 = 0, cut = 0, largest = 0;
};
Counted count_from_text(const std::string& hgr, const std::string& partition) {
  std::istringstream lines(hgr), ids(partition);
  std::size_t num_hyperedges = 0, num_nodes = 0;
  std::string line;
  std::getline(lines, line);
  std::istringstream(line) >> num_hyperedges >> num_nodes;
  std::vector<int> parts(num_nodes);
  for (int& part : parts) ids >> part;
  Counted counted;
  for (std::size_t e = 0; e < num_hyperedges && std::getline(lines, line); ++e) {
    std::istringstream fields(line);
    double weight = 0;
    fields >> weight;
    std::set<int> touched;
    for (std::size_t pin = 0; fields >> pin;) touched.insert(parts.at(pin - 1));
    counted.km1 += weight * static_cast<double>(touched.size() - 1);
    if (touched.size() > 1) counted.cut += weight;
  }
  std::map<int, double> sizes;
  for (const int part : parts) {
    double size = 0;
    lines >> size;
    counted.largest = std::max(counted.largest, sizes[part] += size);
  }
  return counted;
}

/// 150 nodes of size 1 to 3, 200 hyperedges of 2 to 5 pins and weight 1 to 9.
std::string random_hgr(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::ostringstream text;
  text << "200 150 11\n";
  for (int e = 0; e < 200; ++e) {
    text << 1 + random() % 9;
    std::set<std::uint64_t> pins;
    while (pins.size() < 2 + random() % 4) pins.insert(1 + random() % 150);
    for (const auto pin : pins) text << ' ' << pin;
    text << '\n';
  }
  for (int n = 0; n < 150; ++n) text << 1 + random() % 3 << '\n';
  return text.str();
}

ErrorKind kind_of_check(const RunResult& result, const Quality& quality) {
  try {
    check_result(result, quality);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind{0};
}

}  // namespace

TEST(ResultCheck, PassesNothingInvalid) {
  Quality quality;
  quality.num_parts = 2;
  quality.connectivity = 10;
  EXPECT_EQ(kind_of_check({{}, 2, 10}, quality), ErrorKind{0});
  EXPECT_EQ(kind_of_check({{}, 2, 9}, quality), ErrorKind::internal);
  EXPECT_EQ(kind_of_check({{}, 3, 10}, quality), ErrorKind::internal);
  quality.violations.push_back({});
  EXPECT_EQ(kind_of_check({{}, 2, 10}, quality), ErrorKind::infeasible);
}

TEST_F(PartitionCommand, WritesAValidPartitionAndReport) {
  const Outcome outcome = run({"a.snn", "--max-size", "100", "--max-inbound", "400", "--report", "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json report = parse_json(folder.read("r.json"));
  EXPECT_EQ(schema_violations(parse_json(folder.read(KOHYPAR_REPORT_SCHEMA)), report),
            std::vector<std::string>());
  const std::string parts = std::to_string(static_cast<int>(report["metrics"]["parts"].number()));
  EXPECT_EQ(new_files(), (std::set<std::string>{"a.snn.part." + parts, "r.json"}));
  EXPECT_NE(outcome.out.find("written to a.snn.part." + parts), std::string::npos) << outcome.out;

  const Outcome evaluated = run_kohypar(folder, {"evaluate", "a.snn", "a.snn.part." + parts, "--max-size",
                                                 "100", "--max-inbound", "400", "--report", "e.json"});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(parse_json(folder.read("e.json"))["metrics"], report["metrics"]);
}

TEST_F(PartitionCommand, RefinesByColoring) {
  const Words limits = {"--max-size", "100", "--max-inbound", "400"};
  Words words = {"a.snn", "-o", "p", "--refinement", "coloring", "--report", "r.json"};
  words.insert(words.end(), limits.begin(), limits.end());
  const Outcome outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json report = parse_json(folder.read("r.json"));
  EXPECT_EQ(report["run"]["options"]["refinement"].text(), "coloring");
  Words evaluate = {"evaluate", "a.snn", "p"};
  evaluate.insert(evaluate.end(), limits.begin(), limits.end());
  EXPECT_EQ(run_kohypar(folder, evaluate).code, 0);
}

TEST_F(PartitionCommand, FindsABalancedPartition) {
  for (const std::string objective : {"km1", "cut"}) {
    const Outcome outcome =
        run({"a.snn", "-k", "5", "--objective", objective, "--effort", "fast", "--report", "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("balance: k 5, epsilon 0.03, size at most 12"), std::string::npos)
        << outcome.out;
    const Json report = parse_json(folder.read("r.json"));
    EXPECT_EQ(schema_violations(parse_json(folder.read(KOHYPAR_REPORT_SCHEMA)), report),
              std::vector<std::string>());
    EXPECT_EQ(report["metrics"]["parts"].number(), 5);
    EXPECT_EQ(report["balance"]["k"].number(), 5);
    EXPECT_EQ(report["run"]["options"]["objective"].text(), objective);
    EXPECT_EQ(new_files(), (std::set<std::string>{"a.snn.part.5", "r.json"}));
    const Outcome evaluated =
        run_kohypar(folder, {"evaluate", "a.snn", "a.snn.part.5", "-k", "5", "--report", "e.json"});
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    EXPECT_EQ(parse_json(folder.read("e.json"))["metrics"], report["metrics"]);
    std::filesystem::remove(folder / "e.json");
  }
}

TEST_F(PartitionCommand, ObjectivesAreThoseOfTheFiles) {
  const std::string hgr = random_hgr(1);
  folder.write("b.hgr", hgr);
  for (const std::string objective : {"km1", "cut"}) {
    const Outcome outcome =
        run({"b.hgr", "-k", "4", "-e", "0.1", "--objective", objective, "-o", "p", "--report", "r"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json report = parse_json(folder.read("r")), metrics = report["metrics"];
    const Counted counted = count_from_text(hgr, folder.read("p"));
    EXPECT_EQ(metrics["connectivity"].number(), counted.km1);
    EXPECT_EQ(metrics["cut_net"].number(), counted.cut);
    double total = 0;
    for (const Json& part : report["parts"].array()) total += part["size"].number();
    const double share = std::ceil(total / 4);
    EXPECT_DOUBLE_EQ(metrics["imbalance"].number(), counted.largest / share - 1);
    EXPECT_LE(counted.largest, 1.1 * share);
  }
}

TEST_F(PartitionCommand, KeepsCapacitiesAndFixedNodes) {
  std::ostringstream fixed;
  for (int n = 0; n < 600; ++n) fixed << (n % 10 == 0 ? n / 10 % 3 : -1) << '\n';
  folder.write("fix", fixed.str());
  folder.write("capacities", "100\n200\n300\n");
  const Words balance = {"-k", "3", "--part-capacities", "capacities", "--fixed", "fix"};
  Words words = {"a.snn", "-o", "p", "--effort", "fast"};
  words.insert(words.end(), balance.begin(), balance.end());
  const Outcome outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("3 parts, valid"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("60 fixed nodes"), std::string::npos) << outcome.out;
  Words evaluate = {"evaluate", "a.snn", "p"};
  evaluate.insert(evaluate.end(), balance.begin(), balance.end());
  EXPECT_EQ(run_kohypar(folder, evaluate).code, 0);
}

TEST_F(PartitionCommand, TellsWhenThereIsNoBalance) {
  folder.write("capacities", "4\n4\n");
  folder.write("fix", "0\n0\n-1\n");
  folder.write("thirds.hgr", "0 3 10\n2\n2\n2\n");
  const auto expect_infeasible = [&](const Words& arguments, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  expect_infeasible({"heavy.hgr", "-k", "2"}, "node 1 alone has a size of 9");
  expect_infeasible({"heavy.hgr", "-k", "2", "--part-capacities", "capacities"},
                    "node 1 alone has a size of 9");
  expect_infeasible({"heavy.hgr", "-k", "2", "-e", "0.5", "--fixed", "fix"},
                    "the nodes fixed to part 0 have a size of 10, above its capacity of 9");
  expect_infeasible({"thirds.hgr", "-k", "2", "-e", "0"}, "the best imbalance reached is 0.33");
  EXPECT_EQ(run({"heavy.hgr", "-k", "2", "-e", "0.5", "-o", "-"}).code, 0);
  before.insert({"capacities", "fix", "thirds.hgr"});
  EXPECT_EQ(new_files(), std::set<std::string>());
}

TEST_F(PartitionCommand, MayLeavePartsEmpty) {
  const Outcome more = run({"heavy.hgr", "-k", "7", "-e", "9"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.out.find("7 parts, valid, "), std::string::npos) << more.out;
  EXPECT_NE(more.out.find(" empty"), std::string::npos) << more.out;
  EXPECT_EQ(new_files(), std::set<std::string>{"heavy.hgr.part.7"});
  const Outcome one = run({"heavy.hgr", "-k", "1", "-o", "-"});
  EXPECT_EQ(one.out, "0\n0\n0\n");
}

TEST_F(PartitionCommand, WritesToStandardOutput) {
  const Outcome file = run({"a.snn", "--preset", "truenorth", "-o", "p", "--seed", "5"});
  ASSERT_EQ(file.code, 0) << file.err;
  const Outcome stream = run({"a.snn", "--preset", "truenorth", "-o", "-", "--seed", "5"});
  ASSERT_EQ(stream.code, 0) << stream.err;
  EXPECT_EQ(stream.out, folder.read("p"));
  EXPECT_EQ(stream.err, "");
  EXPECT_EQ(std::count(stream.out.begin(), stream.out.end(), '\n'), 600);
}

TEST_F(PartitionCommand, SaysAsMuchAsAsked) {
  const Outcome quiet = run({"a.snn", "--max-size", "100", "-o", "p", "--quiet"});
  ASSERT_EQ(quiet.code, 0) << quiet.err;
  EXPECT_EQ(quiet.out + quiet.err, "");
  const Outcome loud = run({"a.snn", "--max-size", "100", "-o", "p", "--progress", "--timings"});
  ASSERT_EQ(loud.code, 0) << loud.err;
  EXPECT_NE(loud.err.find("reading a.snn"), std::string::npos) << loud.err;
  EXPECT_NE(loud.err.find("search, level 0: 600 nodes"), std::string::npos) << loud.err;
  EXPECT_NE(loud.err.find("connectivity "), std::string::npos) << loud.err;
  EXPECT_NE(loud.out.find("coarsening/"), std::string::npos) << loud.out;
}

TEST_F(PartitionCommand, ImprovesAGivenPartition) {
  ASSERT_EQ(run({"a.snn", "--max-size", "100", "-o", "p"}).code, 0);
  const Outcome outcome =
      run({"a.snn", "--max-size", "100", "-o", "q", "--initial", "p", "--report", "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(parse_json(folder.read("r.json"))["run"]["options"]["initial"].text(), "p");
  folder.write("short", "0\n1\n");
  EXPECT_EQ(run({"a.snn", "--max-size", "100", "-o", "s", "--initial", "short"}).code, 3);
}

TEST_F(PartitionCommand, ImprovesAGivenBalancedPartition) {
  folder.write("slices", [] {
    std::string text;
    for (int n = 0; n < 600; ++n) text += std::to_string(n / 200) + "\n";
    return text;
  }());
  const Outcome outcome = run({"a.snn", "-k", "3", "-o", "q", "--initial", "slices", "--report", "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(parse_json(folder.read("r.json"))["run"]["options"]["initial"].text(), "slices");
  const Outcome more = run({"a.snn", "-k", "2", "-o", "s", "--initial", "slices"});
  EXPECT_EQ(more.code, 2);
  EXPECT_NE(more.err.find("has a part 2, but there are 2 parts"), std::string::npos) << more.err;
}

TEST_F(PartitionCommand, RefusesTheInfeasible) {
  const Outcome size = run({"heavy.hgr", "--max-size", "8"});
  EXPECT_EQ(size.code, 4);
  for (const std::string expected : {"node 1", "9", "8"})
    EXPECT_NE(size.err.find(expected), std::string::npos) << size.err;
  const Outcome inbound = run({"heavy.hgr", "--max-size", "9", "--max-inbound", "1"});
  EXPECT_EQ(inbound.code, 4);
  EXPECT_NE(inbound.err.find("node 1"), std::string::npos) << inbound.err;
  EXPECT_EQ(run({"a.snn", "--max-size", "100", "--max-parts", "2"}).code, 4);
  EXPECT_EQ(new_files(), std::set<std::string>());
}

TEST_F(PartitionCommand, PassesKokkosArgumentsOn) {
  EXPECT_EQ(run({"--kokkos-num-threads=1", "a.snn", "--max-size", "100", "-o", "p"}).code, 0);
}

TEST_F(PartitionCommand, LeavesNoPartitionWithoutItsReport) {
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_EQ(run({"a.snn", "--max-size", "100", "-o", "p", "--report", "taken"}).code, 1);
  EXPECT_EQ(new_files(), std::set<std::string>{"taken"});
}

TEST_F(PartitionCommand, InterruptedLeavesNoFile) {
  ASSERT_EQ(run_kohypar(folder, {"generate", "rand:8192:64", "-o", "b.snn"}).code, 0);
  before = folder.files();
  for (const int signal : {SIGINT, SIGTERM}) {
    RunOptions options;
    options.signal = signal;
    options.when = [](const std::string& err) { return err.find("coarsening") != std::string::npos; };
    const Outcome outcome = run({"b.snn", "--preset", "loihi", "--report", "r.json", "--progress"}, options);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
    EXPECT_EQ(new_files(), std::set<std::string>());
  }
}

}  // namespace kohypar::test

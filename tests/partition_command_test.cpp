// `kohypar partition` as a user runs it, and the check that no invalid result passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <kohypar/error.hpp>

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

// The program's arguments, messages and exit codes, and the subcommands that need no device.
#include "program.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "json.hpp"

namespace kohypar::test {

namespace {

using Words = std::vector<std::string>;

/// Two triangles, nodes 1 to 3 and 4 to 6, joined by one hyperedge; node 6 has size 3.
const std::string triangles = "4 6 11\n2 1 2 3\n2 4 5 6\n1 3 4\n3 1 2\n1\n1\n1\n1\n1\n3\n";

void expect_failure(const Outcome& outcome, int code, const std::string& message) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_NE(outcome.err.find(message), std::string::npos) << "expected '" << message << "' in:\n"
                                                          << outcome.err;
  EXPECT_EQ(outcome.err.rfind("kohypar: ", 0), 0u) << outcome.err;
}

void expect_success(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

class Program : public ::testing::Test {
 protected:
  Outcome run(const Words& arguments, const RunOptions& options = {}) {
    return run_kohypar(folder, arguments, options);
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_F(Program, HelpShowsUsageAndExamples) {
  const Outcome all = run({"--help"});
  expect_success(all);
  for (const std::string command : {"partition", "evaluate", "generate", "convert", "info"}) {
    EXPECT_NE(all.out.find("kohypar " + command), std::string::npos);
    const Outcome help = run({command, "--help"});
    expect_success(help);
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("kohypar " + command), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << help.out;
    const bool knows_balance = command == "partition" || command == "evaluate";
    EXPECT_EQ(help.out.find("-k K") != std::string::npos, knows_balance) << help.out;
  }
}

TEST_F(Program, TellsItsVersion) {
  const Outcome outcome = run({"--version"});
  expect_success(outcome);
  EXPECT_EQ(outcome.out.rfind("KoHyPar ", 0), 0u);
  EXPECT_NE(outcome.out.find("Kokkos "), std::string::npos);
}

TEST_F(Program, RefusesUnusableArguments) {
  folder.write("a.hgr", triangles);
  folder.write("p", "0\n0\n0\n1\n1\n1\n");
  const struct {
    Words arguments;
    std::string message;
  } cases[] = {
      {{}, "a command is missing"},
      {{"divide"}, "unknown command 'divide'"},
      {{"partition"}, "INPUT is missing"},
      {{"partition", "a.hgr"}, "a limit is missing"},
      {{"partition", "a.hgr", "--max-inbound", "3"}, "a limit is missing"},
      {{"partition", "a.hgr", "--max-size"}, "max-size"},
      {{"partition", "a.hgr", "--max-size", "--quiet"}, "--max-size needs a value, but '--quiet' follows"},
      {{"partition", "a.hgr", "--max-size", "0"}, "--max-size takes a whole number from 1"},
      {{"partition", "a.hgr", "--max-size", "-4"}, "not '-4'"},
      {{"partition", "a.hgr", "--max-size", "4x"}, "not '4x'"},
      {{"partition", "a.hgr", "--max-size", "99999999999999999999"}, "not '99999999999999999999'"},
      {{"partition", "a.hgr", "--max-size", "4", "--max-size", "5"}, "--max-size is given more than once"},
      {{"partition", "a.hgr", "--max-size", "4", "--preset", "loihi"}, "exclude each other"},
      {{"partition", "a.hgr", "--preset", "loihi3"}, "--preset is one of loihi, loihi84"},
      {{"partition", "a.hgr", "--max-size", "4", "--no-such-option"}, "no-such-option"},
      {{"partition", "a.hgr", "--max-size", "4", "--fixed", "p"}, "--fixed needs -k"},
      {{"partition", "a.hgr", "--max-size", "4", "-e", "0.1"}, "--epsilon needs -k"},
      {{"partition", "a.hgr", "--max-size", "4", "--part-capacities", "p"}, "--part-capacities needs -k"},
      {{"partition", "a.hgr", "--max-size", "4", "--objective", "cut"}, "--objective needs -k"},
      {{"partition", "a.hgr", "--max-size", "4", "more"}, "unexpected argument 'more'"},
      {{"partition", "a.hgr", "--max-size", "4", "--progress", "--quiet"}, "exclude each other"},
      {{"partition", "a.hgr", "--max-size", "4", "--timings", "--quiet"}, "exclude each other"},
      {{"partition", "a.hgr", "--max-size", "4", "-o", "-", "--report", "-"}, "exclude each other"},
      {{"partition", "a.hgr", "--max-size", "4", "-o", "none/p"}, "there is no folder none"},
      {{"partition", "a.hgr", "--max-size", "4", "--report", "none/r"}, "there is no folder none"},
      {{"partition", "a.hgr", "--max-size", "4", "--effort", "most"}, "--effort is one of fast"},
      {{"partition", "a.hgr", "--max-size", "4", "--candidates", "9"}, "from 1 to 8"},
      {{"partition", "a.hgr", "--max-size", "4", "--seed", "-1"}, "--seed takes a whole number"},
      {{"partition", "a.hgr", "--max-size", "4", "--memory-limit", "4T"}, "such as 512M or 16G, not '4T'"},
      {{"partition", "a.hgr", "--max-size", "4", "--memory-limit", "99999999999G"}, "not '99999999999G'"},
      {{"partition", "a.hgr", "--max-size", "4", "--net-model", "row"}, "applies to .mtx input"},
      {{"partition", "a.hgr", "--max-size", "4", "--refinement", "colors"}, "--refinement is one of events"},
      {{"partition", "a.hgr", "-k"}, "k"},
      {{"partition", "a.hgr", "-k", "0"}, "-k takes a whole number from 1 to 1048576, not '0'"},
      {{"partition", "a.hgr", "-k", "1048577"}, "-k takes a whole number from 1 to 1048576, not '1048577'"},
      {{"partition", "a.hgr", "-k", "two"}, "not 'two'"},
      {{"partition", "a.hgr", "-k", "2", "-e", "-0.1"},
       "--epsilon takes a number such as 0.03, at least 0, not '-0.1'"},
      {{"partition", "a.hgr", "-k", "2", "-e", "nan"}, "not 'nan'"},
      {{"partition", "a.hgr", "-k", "2", "-e", "inf"}, "not 'inf'"},
      {{"partition", "a.hgr", "-k", "2", "-e", "1e999"}, "not '1e999'"},
      {{"partition", "a.hgr", "-k", "2", "-e", "3%"}, "not '3%'"},
      {{"partition", "a.hgr", "-k", "2", "--max-size", "4"}, "-k and --max-size exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "--max-inbound", "4"}, "-k and --max-inbound exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "--max-parts", "4"}, "-k and --max-parts exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "--preset", "loihi"}, "-k and --preset exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "-e", "0", "--part-capacities", "p"}, "exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "--refinement-rounds", "4"},
       "-k and --refinement-rounds exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "--refinement", "coloring"}, "exclude each other"},
      {{"partition", "a.hgr", "-k", "2", "--objective", "soed"}, "--objective is one of km1, cut"},
      {{"evaluate", "a.hgr", "p", "-k", "2", "--max-size", "4"}, "-k and --max-size exclude each other"},
      {{"evaluate", "a.hgr", "p", "--fixed", "p"}, "--fixed needs -k"},
      {{"partition", "a.hgr", "--max-size", "4", "--kokkos-num-threads=two"}, "takes a whole number"},
      {{"evaluate", "a.hgr"}, "PARTITION is missing"},
      {{"generate", "lenet"}, "-o FILE is missing"},
      {{"generate", "lenet", "-o", "lenet.snn.gz"}, "not written"},
      {{"generate", "lenet", "-o", "lenet.unknown"}, "lenet.unknown"},
      {{"generate", "letnet", "-o", "lenet.snn"}, "letnet"},
      {{"convert", "a.hgr"}, "OUTPUT is missing"},
      {{"info", "a.hgr", "--first-pin-is-source", "--format", "mtx"}, "applies to .hgr input"},
  };
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = run(arguments);
    expect_failure(outcome, 2, message);
    EXPECT_NE(outcome.err.find("--help'"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(folder.files(), (std::set<std::string>{"a.hgr", "p"}));
}

TEST_F(Program, RefusesUnusableFiles) {
  folder.write("a.hgr", triangles);
  folder.write("short.hgr", "4 6 11\n2 1 2 3\n");
  folder.write("p", "0\n0\n0\n1\n1\n");
  folder.write("q", "0\n0\n0\n1\n1\n2000000000\n");
  expect_failure(run({"info", "none.hgr"}), 3, "none.hgr");
  expect_failure(run({"info", "short.hgr"}), 3, "short.hgr");
  expect_failure(run({"evaluate", "a.hgr", "none"}), 3, "none");
  expect_failure(run({"evaluate", "a.hgr", "p"}), 3, "p");
  expect_failure(run({"evaluate", "a.hgr", "q"}), 3, "part 2000000000");
  expect_failure(run({"partition", "a.hgr", "-k", "2", "--fixed", "none"}), 3, "none: can't be opened");
  expect_failure(run({"partition", "a.hgr", "-k", "2", "--fixed", "p"}), 3,
                 "p: line 6: expected the part of node 5");
  expect_failure(run({"partition", "a.hgr", "-k", "2", "--fixed", "q"}), 3,
                 "q: line 6: expected -1 (free) or a part");
  expect_failure(run({"partition", "a.hgr", "-k", "2", "--part-capacities", "p"}), 3,
                 "p: line 3: expected the end of the file after 2 parts");
  expect_failure(run({"convert", "a.hgr", "a.mtx"}), 3, "--lossy converts all the same");
  expect_failure(run({"generate", "lenet", "-o", "lenet.hgr"}), 3, "convert --lossy");
  EXPECT_EQ(folder.files(), (std::set<std::string>{"a.hgr", "p", "q", "short.hgr"}));
}

TEST_F(Program, EvaluatesAPartition) {
  folder.write("a.hgr", triangles);
  folder.write("p", "0\n0\n0\n1\n1\n1\n");
  const Outcome outcome =
      run({"evaluate", "a.hgr", "p", "--max-size", "5", "--max-inbound", "3", "--report", "r"});
  expect_success(outcome);
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("2 parts, valid"), std::string::npos) << outcome.out;
  const Json report = parse_json(folder.read("r"));
  EXPECT_EQ(schema_violations(parse_json(folder.read(KOHYPAR_REPORT_SCHEMA)), report),
            std::vector<std::string>());
  EXPECT_EQ(report["metrics"]["connectivity"].number(), 1);
  EXPECT_EQ(report["metrics"]["soed"].number(), 2);
  EXPECT_EQ(report["parts"].array()[1]["size"].number(), 5);
  EXPECT_EQ(report["cut_hyperedges"].array()[0]["hyperedge"].number(), 2);
  expect_success(run({"evaluate", "a.hgr", "p", "--preset", "truenorth"}));
}

TEST_F(Program, TellsWhatAnInvalidPartitionViolates) {
  folder.write("a.hgr", triangles);
  folder.write("p", "0\n0\n0\n1\n1\n1\n");
  const Outcome outcome =
      run({"evaluate", "a.hgr", "p", "--max-size", "4", "--max-parts", "1", "--report", "-"});
  expect_failure({outcome.code, "", outcome.err.substr(outcome.err.find("kohypar: "))}, 4,
                 "not valid; limits exceeded: 2");
  EXPECT_NE(outcome.err.find("part 1: size 5 exceeds the limit of 4"), std::string::npos) << outcome.err;
  const Json report = parse_json(outcome.out);
  EXPECT_FALSE(report["valid"].truth());
  EXPECT_EQ(report["violations"].array()[1]["limit"].text(), "parts");
  EXPECT_TRUE(report["violations"].array()[1]["part"].is_null());
}

TEST_F(Program, EvaluatesABalancedPartition) {
  folder.write("a.hgr", triangles);
  folder.write("p", "0\n0\n0\n1\n1\n1\n");
  folder.write("fix", "0\n-1\n-1\n1\n-1\n-1\n");
  folder.write("wrong.fix", "0\n-1\n1\n1\n-1\n-1\n");
  folder.write("capacities", "3\n5\n");
  folder.write("tight", "3\n4\n");
  const Outcome outcome =
      run({"evaluate", "a.hgr", "p", "-k", "2", "-e", "0.25", "--fixed", "fix", "--report", "r"});
  expect_success(outcome);
  EXPECT_NE(outcome.out.find("2 parts, valid"), std::string::npos) << outcome.out;
  const Json report = parse_json(folder.read("r"));
  EXPECT_EQ(schema_violations(parse_json(folder.read(KOHYPAR_REPORT_SCHEMA)), report),
            std::vector<std::string>());
  EXPECT_EQ(report["balance"]["epsilon"].number(), 0.25);
  EXPECT_EQ(report["metrics"]["imbalance"].number(), 0.25);
  EXPECT_EQ(report["parts"].array()[0]["capacity"].number(), 5);
  expect_success(run({"evaluate", "a.hgr", "p", "-k", "2", "--part-capacities", "capacities"}));
  const Outcome more = run({"evaluate", "a.hgr", "p", "-k", "9", "-e", "4"});
  expect_success(more);
  EXPECT_NE(more.out.find("9 parts, valid, 7 empty"), std::string::npos) << more.out;

  const auto expect_invalid = [&](const Words& balance, const std::string& message) {
    Words words = {"evaluate", "a.hgr", "p"};
    words.insert(words.end(), balance.begin(), balance.end());
    const Outcome invalid = run(words);
    EXPECT_EQ(invalid.code, 4) << invalid.err;
    EXPECT_NE(invalid.out.find(message), std::string::npos) << invalid.out;
  };
  expect_invalid({"-k", "2"}, "part 1: size 5 exceeds the limit of 4");
  expect_invalid({"-k", "2", "--part-capacities", "tight"}, "part 1: size 5 exceeds the limit of 4");
  expect_invalid({"-k", "1"}, "number of parts 2 exceeds the limit of 1");
  expect_invalid({"-k", "2", "-e", "1", "--fixed", "wrong.fix"},
                 "node 2 is fixed to part 1, but stands in part 0");
}

TEST_F(Program, QuietPrintsErrorsOnly) {
  folder.write("a.hgr", "1 3\n1 2 2 3\n");
  folder.write("p", "0\n0\n1\n");
  EXPECT_NE(run({"evaluate", "a.hgr", "p"}).err.find("warning"), std::string::npos) << "a repeated pin";
  const Outcome quiet = run({"evaluate", "a.hgr", "p", "--quiet"});
  expect_success(quiet);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Program, GeneratesNetworksAndTellsAboutThem) {
  expect_success(run({"generate", "lenet", "-o", "lenet.snn"}));
  const Outcome info = run({"info", "lenet.snn"});
  expect_success(info);
  for (const std::string expected : {"lenet.snn: ", "snn, directed", "least --max-size: 1 ",
                                     "--preset loihi: at", "--preset truenorth: impossible", "memory: "})
    EXPECT_NE(info.out.find(expected), std::string::npos) << expected << " is not in\n" << info.out;

  expect_success(run({"generate", "rand:500:20", "-o", "a.snn", "--seed", "7"}));
  expect_success(run({"generate", "rand:500:20", "-o", "b.snn", "--seed", "7", "--quiet"}));
  expect_success(run({"generate", "rand:500:20", "-o", "c.snn", "--seed", "8"}));
  EXPECT_EQ(folder.read("a.snn"), folder.read("b.snn"));
  EXPECT_NE(folder.read("a.snn"), folder.read("c.snn"));
}

TEST_F(Program, ConvertsWithoutLosingAnything) {
  expect_success(run({"generate", "rand:300:20", "-o", "a.snn"}));
  expect_success(run({"convert", "a.snn", "a.axh"}));
  expect_success(run({"convert", "a.axh", "b.snn"}));
  EXPECT_EQ(folder.read("a.snn"), folder.read("b.snn"));
  expect_failure(run({"convert", "a.snn", "a.hgr"}), 3, "--lossy");
  expect_success(run({"convert", "a.snn", "a.hgr", "--lossy"}));
  expect_success(run({"info", "a.hgr"}));
}

TEST_F(Program, InterruptedGenerationLeavesNoFile) {
  for (const int signal : {SIGINT, SIGTERM}) {
    RunOptions options;
    options.signal = signal;
    options.when = [&](const std::string&) { return !folder.files().empty(); };
    expect_failure({run({"generate", "mobilenet", "-o", "m.snn"}, options).code, "", "kohypar: "}, 130, "");
    EXPECT_EQ(folder.files(), std::set<std::string>());
  }
}

// An address sanitizer maps terabytes.
#if !defined(__SANITIZE_ADDRESS__)
TEST_F(Program, TellsWhenMemoryRunsOut) {
  RunOptions options;
  options.address_space = std::uint64_t{400} << 20;
  expect_failure(run({"generate", "alexnet", "-o", "a.axh"}, options), 5, "out of memory");
  EXPECT_EQ(folder.files(), std::set<std::string>());
}
#endif

}  // namespace kohypar::test

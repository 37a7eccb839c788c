// `kohypar-bc`, run as a user does.
#include <gtest/gtest.h>

#include <Kokkos_Macros.hpp>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "json.hpp"
#include "program.hpp"

namespace kohypar::test {

namespace {

using Words = std::vector<std::string>;

const std::string karate = std::string(KOHYPAR_INPUTS) + "/karate.txt";

class BetweennessProgram : public ::testing::Test {
 protected:
  Outcome run(Words arguments, const RunOptions& options = {}) {
    arguments.insert(arguments.begin(), KOHYPAR_BC_PROGRAM);
    return run_program(folder, arguments, options);
  }

  /// Runs and expects success.
  Outcome pass(const Words& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }

  void expect_failure(const Words& arguments, int code, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("kohypar-bc: ", 0), 0u) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << "expected '" << message << "' in:\n"
                                                            << outcome.err;
  }

  /// A report, which its schema must allow.
  Json report_of(const std::string& file) {
    Json report = parse_json(folder.read(file));
    EXPECT_EQ(schema_violations(parse_json(folder.read(KOHYPAR_BETWEENNESS_SCHEMA)), report),
              std::vector<std::string>());
    return report;
  }

  std::vector<std::pair<std::uint64_t, double>> named_scores(const std::string& file) {
    std::istringstream lines(folder.read(file));
    std::vector<std::pair<std::uint64_t, double>> scores;
    std::uint64_t name = 0;
    double score = 0;
    while (lines >> name >> score) scores.emplace_back(name, score);
    return scores;
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_F(BetweennessProgram, HelpShowsUsageAndExamples) {
  const Outcome help = pass({"--help"});
  EXPECT_EQ(help.err, "");
  for (const std::string expected :
       {"kohypar-bc INPUT", "--directed", "--sources", "--normalize", "Examples:"})
    EXPECT_NE(help.out.find(expected), std::string::npos) << help.out;
  EXPECT_EQ(pass({"--version"}).out.rfind("KoHyPar ", 0), 0u);
}

/// Values of NetworkX 3's betweenness_centrality(nx.karate_club_graph(), normalized=False).
TEST_F(BetweennessProgram, FindsTheScoresOfAKnownGraph) {
  const std::vector<double> expected = {231.0714285714286,
                                        28.478571428571424,
                                        75.85079365079366,
                                        6.288095238095237,
                                        0.3333333333333333,
                                        15.833333333333334,
                                        15.833333333333332,
                                        0,
                                        29.529365079365082,
                                        0.44761904761904764,
                                        0.3333333333333333,
                                        0,
                                        0,
                                        24.215873015873015,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        17.1468253968254,
                                        0,
                                        0,
                                        0,
                                        9.299999999999999,
                                        1.1666666666666665,
                                        2.0277777777777777,
                                        0,
                                        11.79206349206349,
                                        0.9476190476190476,
                                        1.5428571428571427,
                                        7.609523809523807,
                                        73.00952380952378,
                                        76.69047619047619,
                                        160.5515873015873};
  for (const Words& extra : {Words{}, Words{"--no-degree-one"}, Words{"--normalize"}}) {
    Words words = {karate, "-o", "scores", "--report", "report.json"};
    words.insert(words.end(), extra.begin(), extra.end());
    const Outcome outcome = pass(words);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find("34 vertices, 78 edges"), std::string::npos) << outcome.out;
    const auto scores = named_scores("scores");
    ASSERT_EQ(scores.size(), 34u);
    const double scale = extra == Words{"--normalize"} ? 2 / (33.0 * 32.0) : 1;
    for (std::size_t v = 0; v < 34; ++v) {
      EXPECT_EQ(scores[v].first, v + 1);
      EXPECT_NEAR(scores[v].second, expected[v] * scale, 1e-9 * expected[v]);
    }
    const Json report = report_of("report.json");
    EXPECT_EQ(report["input"]["edges"].number(), 78);
    EXPECT_EQ(report["sources"].number(), 34);
    EXPECT_FALSE(report["estimate"].truth());
    EXPECT_GT(report["teps"].number(), 0);
    EXPECT_EQ(report["top"].array()[0]["vertex"].number(), 1);
    EXPECT_EQ(report["folded_vertices"].number(), extra == Words{"--no-degree-one"} ? 0 : 1);
    EXPECT_EQ(report["frontier_profile"].array()[0].number(), report["traversals"].number());
  }
}

TEST_F(BetweennessProgram, ReadsEveryFormat) {
  folder.write("a.graph", "4 3\n2\n1 3\n2 4\n3\n");
  folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n3 4\n");
  pass({"a.graph", "-o", "graph"});
  pass({"a.mtx", "-o", "mtx"});
  pass({"a.mtx", "--directed", "-o", "directed"});
  EXPECT_EQ(folder.read("graph"), "0\n2\n2\n0\n");
  EXPECT_EQ(folder.read("mtx"), "0\n2\n2\n0\n");
  EXPECT_EQ(folder.read("directed"), "0\n2\n2\n0\n");
  EXPECT_EQ(pass({"rmat:6:4", "-o", "-", "--quiet"}).out, pass({"rmat:6:4:1", "-o", "-", "--quiet"}).out);
  EXPECT_NE(pass({"rmat:6:4", "-o", "-"}).out, pass({"rmat:6:4:2", "-o", "-"}).out);
}

TEST_F(BetweennessProgram, TakesSourcesByNumberAndByFile) {
  folder.write("path.txt", "10 20\n20 30\n30 40\n40 40\n10 20\n");
  folder.write("sources", "# the end\n10\n");
  const Outcome outcome = pass({"path.txt", "--sources", "sources", "-o", "scores"});
  EXPECT_NE(outcome.out.find("estimates"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("1 self loops dropped"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("1 repeated edges dropped"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.read("scores"), "10 0\n20 4\n30 2\n40 0\n");  // half of 2 and 1, times 4 candidates
  pass({"path.txt", "--sources", "4", "-o", "scores"});
  EXPECT_EQ(folder.read("scores"), "10 0\n20 2\n30 2\n40 0\n");
  pass({"rmat:7:4", "--sources", "5", "--seed", "7", "-o", "a"});
  pass({"rmat:7:4", "--sources", "5", "--seed", "7", "-o", "b"});
  pass({"rmat:7:4", "--sources", "5", "--seed", "8", "-o", "c"});
  EXPECT_EQ(folder.read("a"), folder.read("b"));
  EXPECT_NE(folder.read("a"), folder.read("c"));
}

TEST_F(BetweennessProgram, RefusesUnusableArgumentsAndFiles) {
  folder.write("a.txt", "1 2\n");
  folder.write("bad.txt", "1 2\n1 x\n");
  folder.write("a.graph", "2 1\n2\n1\n");
  folder.write("s", "3\n");
  expect_failure({}, 2, "INPUT is missing");
  expect_failure({"a.txt", "more"}, 2, "unexpected argument 'more'");
  expect_failure({"a.txt", "--sources", "0"}, 2, "--sources takes a whole number from 1");
  expect_failure({"a.txt", "--seed", "x"}, 2, "--seed takes a whole number");
  expect_failure({"a.txt", "-o", "-", "--report", "-"}, 2, "exclude each other");
  expect_failure({"a.txt", "-o", "none/s"}, 2, "there is no folder none");
  expect_failure({"a.txt", "--kokkos-num-threads=x"}, 2, "takes a whole number");
  expect_failure({"a.graph", "--directed"}, 2, "hold undirected graphs only");
  expect_failure({"rmat:99:4"}, 2, "expected rmat:SCALE:EDGEFACTOR[:SEED]");
  expect_failure({"a.txt", "--grid", "2x"}, 2, "--grid takes rows x columns such as 2x2, not '2x'");
  expect_failure({"a.txt", "--grid", "2x2"}, 2, "1 copies on 2 x 2 processes each don't fit 1 process");
  expect_failure({"a.txt", "--replicas", "2"}, 2, "don't fit 1 process");
  expect_failure({"none.txt"}, 3, "none.txt");
  expect_failure({"bad.txt"}, 3, "bad.txt: line 2: expected a vertex");
  expect_failure({"a.txt", "--sources", "s"}, 3, "s: line 1: expected a vertex of the graph, found '3'");
  expect_failure({"a.txt", "--sources", "none"}, 3, "none");
  EXPECT_EQ(folder.files(), (std::set<std::string>{"a.graph", "a.txt", "bad.txt", "s"}));
}

TEST_F(BetweennessProgram, AnInterruptedRunLeavesNothing) {
  const Outcome outcome = run({"rmat:13:16", "--progress", "-o", "scores", "--report", "report"},
                              {.signal = SIGINT, .when = [](const std::string& err) {
                                 return err.find("searched from 32 of") != std::string::npos;
                               }});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(folder.files(), std::set<std::string>());
}

// Address sanitizers and CUDA map terabytes.
#if !defined(__SANITIZE_ADDRESS__) && !defined(KOKKOS_ENABLE_CUDA)
TEST_F(BetweennessProgram, TellsWhenMemoryRunsOut) {
  RunOptions options;
  options.address_space = std::uint64_t{1} << 31;
  const Outcome outcome = run({"rmat:22:64", "-o", "scores"}, options);
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("out of"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.files(), std::set<std::string>());
}
#endif

TEST_F(BetweennessProgram, KeepsToItsMemoryLimit) {
  const Words words = {"rmat:10:16", "--sources", "40", "-o", "free"};
  pass(words);
  // Above what is needed, but not for building the graph on the device.
  pass({"rmat:10:16", "--sources", "40", "--memory-limit", "512K", "-o", "limited", "--report", "report"});
  const Json report = report_of("report");
  EXPECT_EQ(report["input"]["memory"].text(), "host");
  EXPECT_LE(report["distribution"]["peak_device_bytes"].array()[0].number(), 512 * 1024);
  EXPECT_LT(report["sources_at_once"].number(), 32);
  EXPECT_GT(report["sources_at_once"].number(), 1);
  EXPECT_EQ(folder.read("limited"), folder.read("free"));
  expect_failure({"rmat:10:16", "--memory-limit", "64K", "-o", "none"}, 5, "above the limit of 65536");
  expect_failure({"rmat:10:16", "--memory-limit", "64K"}, 5, "a larger --grid divides the edges");
  EXPECT_EQ(folder.files(), (std::set<std::string>{"free", "limited", "report"}));
}

TEST_F(BetweennessProgram, RunsAsSeveralProcesses) {
  if (std::string(KOHYPAR_MPIEXEC).empty()) GTEST_SKIP() << "built without MPI";
  for (const char* variable : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                               "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"})
    ::setenv(variable, "1", 1);
  const auto run_on = [&](const std::string& processes, Words arguments) {
    arguments.insert(arguments.begin(), {KOHYPAR_MPIEXEC, KOHYPAR_MPIEXEC_NUMPROC_FLAG, processes,
                                         KOHYPAR_BC_PROGRAM, "--kokkos-num-threads=1"});
    return run_program(folder, arguments);
  };
  const Outcome outcome = run_on("4", {karate, "--grid", "2x2", "-o", "scores", "--report", "report"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("1 copy of the graph on 2 x 2 processes"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("34 vertices"), outcome.out.rfind("34 vertices")) << "said once";
  EXPECT_NEAR(named_scores("scores")[0].second, 231.0714285714286, 1e-9 * 231);
  EXPECT_EQ(report_of("report")["distribution"]["bytes_sent"].array().size(), 4u);

  // What one process has no memory for.
  const auto most_memory = [&](const std::string& processes, const std::string& grid) {
    EXPECT_EQ(run_on(processes, {"rmat:10:200", "--grid", grid, "--sources", "1", "--memory-limit", "4M",
                                 "--report", "report"})
                  .code,
              0);
    const Json report = report_of("report");
    double most = 0;
    for (const Json& bytes : report["distribution"]["peak_device_bytes"].array())
      most = std::max(most, bytes.number());
    return most;
  };
  const double alone = most_memory("1", "1x1"), shared = most_memory("4", "2x2");
  EXPECT_LT(shared, alone);
  const std::string limit = std::to_string(static_cast<std::uint64_t>((alone + shared) / 2));
  const Words limited = {"rmat:10:200", "--sources", "1", "--memory-limit", limit, "-o", "limited", "--grid"};
  const auto on_grid = [&](const std::string& grid) {
    Words all = limited;
    all.push_back(grid);
    return all;
  };
  EXPECT_EQ(run_on("1", on_grid("1x1")).code, 5);
  EXPECT_EQ(run_on("4", on_grid("2x2")).code, 0);

  // Karate's vertices dealt to two processes.
  std::string parts;
  for (int v = 0; v < 34; ++v) parts += v % 3 == 0 ? "1\n" : "0\n";
  folder.write("parts", parts);
  for (const std::string distribution : {"random", "partition", "parts"}) {
    const Outcome placed = run_on(
        "2", {karate, "--grid", "1x2", "--distribution", distribution, "-o", "scores", "--report", "report"});
    EXPECT_EQ(placed.code, 0) << placed.err;
    EXPECT_NEAR(named_scores("scores")[0].second, 231.0714285714286, 1e-9 * 231);
    EXPECT_EQ(report_of("report")["distribution"]["placement"].text(), distribution);
  }
  EXPECT_EQ(run_on("2", {karate, "--grid", "2x1", "--distribution", "none"}).code, 3);
  folder.write("parts", parts + "0\n");
  EXPECT_EQ(run_on("2", {karate, "--grid", "2x1", "--distribution", "parts"}).code, 3);

  EXPECT_NE(run_on("2", {karate}).out.find("2 copies of the graph on 1 x 1 processes"), std::string::npos);

  folder.write("bad.txt", "1 2\n1 x\n");
  const Outcome input = run_on("3", {"bad.txt"});
  EXPECT_EQ(input.code, 3);
  EXPECT_NE(input.err.find("bad.txt: line 2: expected a vertex"), std::string::npos) << input.err;
  EXPECT_EQ(run_on("3", {karate, "--grid", "2x2"}).code, 2);
}

}  // namespace kohypar::test

// Reports against the published schema, and the JSON writer against a parser that shares nothing with it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <kohypar/report.hpp>
#include <sstream>

#include "io/json_writer.hpp"
#include "json.hpp"
#include "support.hpp"

namespace kohypar::test {

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

Json schema() {
  return parse_json(read_file(KOHYPAR_REPORT_SCHEMA));
}

Json written(const Report& report) {
  const auto path =
      std::filesystem::temp_directory_path() / ("kohypar-report-" + std::to_string(::getpid()) + ".json");
  write_report(path, report);
  const Json json = parse_json(read_file(path));
  std::filesystem::remove(path);
  return json;
}

Report sample_report(std::uint64_t seed, const Limits& limits, int weight_exponent = 0) {
  HostHypergraph h = random_hypergraph({.nodes = 30, .hyperedges = 40}, seed);
  h.weight_exponent = weight_exponent;
  std::vector<PartId> parts(h.num_nodes);
  for (NodeId n = 0; n < h.num_nodes; ++n) parts[n] = n % 5;
  Report report;
  report.command = "partition";
  report.input = "some.hgr";
  report.format = "hgr";
  report.num_nodes = h.num_nodes;
  report.num_hyperedges = h.num_hyperedges();
  report.num_pins = h.num_pins();
  report.directed = h.directed;
  report.limits = limits;
  report.quality = evaluate(h, parts, limits);
  report.cut_hyperedges = cut_hyperedges(h, parts);
  report.run = RunReport{};
  report.run->timings = {{"coarsening/candidates", 0.25, 3}, {"refinement/events", 1.0 / 3, 4}};
  return report;
}

/// The same of a balanced partition, which has a part too many, one too full and a fixed node elsewhere.
Report sample_balance_report() {
  Report report = sample_report(1, {});
  const HostHypergraph h = random_hypergraph({.nodes = 30, .hyperedges = 40}, 1);
  std::vector<PartId> parts(h.num_nodes), fixed(h.num_nodes, invalid_id);
  for (NodeId n = 0; n < h.num_nodes; ++n) parts[n] = n % 5;
  fixed[7] = 3;
  fixed[8] = 3;
  report.balance = BalanceReport{{{6, 5, 7, 7}, fixed}, 0, "some.capacities", "some.fix"};
  report.quality = evaluate(h, parts, report.balance->balance);
  report.run->options.objective = Objective::cut;
  return report;
}

std::string json_string(std::string_view text) {
  std::ostringstream out;
  write_json_string(out, text);
  return out.str();
}

}  // namespace

TEST(Report, FitsItsSchema) {
  const Limits limits[] = {{}, {6, unlimited, invalid_id}, {3, 5, 2}, {0, 0, 1}};
  for (const Limits& limit : limits)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Report report = sample_report(seed, limit);
      const Json json = written(report);
      EXPECT_EQ(schema_violations(schema(), json), std::vector<std::string>());
      EXPECT_EQ(json["valid"].truth(), report.quality.valid());
      EXPECT_EQ(json["metrics"]["connectivity"].number(), report.quality.connectivity);
      EXPECT_EQ(json["violations"].array().size(), report.quality.violations.size());
      EXPECT_EQ(json["cut_hyperedges"].array().size(), report.quality.num_cut_hyperedges);
      EXPECT_EQ(json["parts"].array().size(), report.quality.num_parts);
      EXPECT_EQ(json["run"]["phases"].array()[1]["seconds"].number(), 1.0 / 3);
    }
}

TEST(Report, OfABalanceFitsItsSchema) {
  Report report = sample_balance_report();
  Json json = written(report);
  EXPECT_EQ(schema_violations(schema(), json), std::vector<std::string>());
  EXPECT_FALSE(json["valid"].truth());
  EXPECT_EQ(json["balance"]["k"].number(), 4);
  EXPECT_TRUE(json["balance"]["epsilon"].is_null());
  EXPECT_EQ(json["balance"]["part_capacities"].text(), "some.capacities");
  EXPECT_EQ(json["balance"]["fixed"].text(), "some.fix");
  EXPECT_EQ(json["run"]["options"]["objective"].text(), "cut");
  EXPECT_EQ(json["metrics"]["parts"].number(), 5);
  EXPECT_EQ(json["parts"].array()[1]["capacity"].number(), 5);
  EXPECT_EQ(json["parts"].array()[4].find("capacity"), nullptr) << "there is no such part";
  ASSERT_EQ(json["violations"].array().size(), 3u);
  EXPECT_EQ(json["violations"].array()[2]["limit"].text(), "fixed");
  EXPECT_EQ(json["violations"].array()[2]["node"].number(), 7);
  EXPECT_EQ(json["violations"].array()[2]["value"].number(), 2);
  EXPECT_EQ(json["violations"].array()[2]["allowed"].number(), 3);

  report.balance->capacities = report.balance->fixed = "";
  report.balance->epsilon = 0.25;
  json = written(report);
  EXPECT_EQ(schema_violations(schema(), json), std::vector<std::string>());
  EXPECT_EQ(json["balance"]["epsilon"].number(), 0.25);
  EXPECT_TRUE(json["balance"]["part_capacities"].is_null());
}

TEST(Report, SchemaTellsWrongReports) {
  Report report = sample_report(1, {});
  report.command = "guess";
  EXPECT_FALSE(schema_violations(schema(), written(report)).empty());
  report.command = "partition";
  report.run.reset();
  EXPECT_EQ(schema_violations(schema(), written(report)), std::vector<std::string>{"/: lacks run"});
  report.command = "evaluate";
  EXPECT_EQ(schema_violations(schema(), written(report)), std::vector<std::string>());
}

TEST(Report, DividesScaledWeightsBack) {
  const Report report = sample_report(2, {}, 5);
  EXPECT_EQ(written(report)["metrics"]["connectivity"].number(),
            static_cast<double>(report.quality.connectivity) / 32);
}

TEST(Report, KeepsOddNames) {
  Report report = sample_report(3, {});
  report.input = "a \"quoted\"\\\n\x01 name\x7f";
  report.warnings = {"\xff is not UTF-8, \xc3\xa9 is"};
  const Json json = written(report);
  EXPECT_EQ(json["input"]["path"].text(), report.input);
  EXPECT_EQ(json["warnings"].array()[0].text(), "\xef\xbf\xbd is not UTF-8, \xc3\xa9 is");
}

TEST(Report, SummaryNamesWhatCounts) {
  const Report report = sample_report(4, {3, unlimited, invalid_id});
  const std::string text = summary(report);
  for (const std::string expected : {"some.hgr: 30 nodes", "5 parts, NOT VALID", "exceeds the limit of 3",
                                     "inbound hyperedges: at most", "unlimited"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " is not in\n" << text;
}

TEST(Report, SummaryOfABalanceNamesWhatCounts) {
  Report report = sample_balance_report();
  const auto expect_all = [&](const std::vector<std::string>& expected) {
    const std::string text = summary(report);
    for (const std::string& part : expected)
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  };
  expect_all({"5 parts, NOT VALID", "balance: k 4, capacities of some.capacities, 2 parts at 95 % of it",
              "2 fixed nodes", "part 1: size 6 exceeds the limit of 5",
              "number of parts 5 exceeds the limit of 4", "node 7 is fixed to part 3, but stands in part 2",
              "objective cut"});
  report.balance->capacities = report.balance->fixed = "";
  report.balance->epsilon = 0.25;
  expect_all({"balance: k 4, epsilon 0.25, size at most 6 of 6"});
}

TEST(JsonWriter, EscapesStrings) {
  EXPECT_EQ(json_string("plain"), "\"plain\"");
  EXPECT_EQ(json_string(std::string_view("\0\x1f\"\\", 4)), "\"\\u0000\\u001f\\\"\\\\\"");
  EXPECT_EQ(json_string("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
  // Overlong forms, surrogates, values above U+10FFFF, truncated sequences, lone continuation bytes.
  for (const std::string bad :
       {"\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"})
    EXPECT_EQ(json_string(bad).rfind("\"\\ufffd", 0), 0u);
}

TEST(JsonWriter, WritesNumbersThatReadBack) {
  std::ostringstream out;
  JsonWriter json(out);
  json.array([&] {
    json.value(0.1);
    json.value(std::numeric_limits<double>::infinity());
    json.value(std::numeric_limits<std::int64_t>::min());
    json.object([] {});
    json.array([] {});
    json.object_line([&] {
      json.member("a", 1);
      json.member("b", true);
    });
  });
  EXPECT_EQ(out.str(),
            "[\n  0.1,\n  null,\n  -9223372036854775808,\n  {},\n  [],\n  {\"a\": 1, \"b\": true}\n]");
}

TEST(Json, RefusesWhatIsNotJson) {
  for (const std::string text :
       {"", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "[1] 2", "nan", "\"\n\"", "'a'"})
    EXPECT_THROW(parse_json(text), std::runtime_error) << text;
}

}  // namespace kohypar::test

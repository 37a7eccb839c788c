#include <kohypar/report.hpp>
#include <ostream>
#include <streambuf>

#include "io/json_writer.hpp"
#include "io/output_file.hpp"
#include "io/version_members.hpp"

namespace kohypar {

namespace {

/// Passes what is streamed on to an output file.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(OutputFile& file) : file_(file) {}

 private:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    file_.write({text, static_cast<std::size_t>(size)});
    return size;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    file_.write({&byte, 1});
    return c;
  }

  OutputFile& file_;
};

/// Integer weights as integers, scaled ones divided back.
void write_weight(JsonWriter& json, const char* name, const Quality& quality, Weight value) {
  if (quality.weight_exponent == 0) return json.member(name, value);
  json.member(name, quality.real(value));
}

template <class Limit>
void write_limit(JsonWriter& json, const char* name, Limit limit, Limit none) {
  if (limit == none) return json.member(name, nullptr);
  json.member(name, limit);
}

const char* to_string(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return "fast";
    case Effort::high:
      return "high";
    default:
      return "default";
  }
}

const char* to_string(Violation::Kind kind) {
  switch (kind) {
    case Violation::Kind::size:
      return "size";
    case Violation::Kind::inbound:
      return "inbound";
    case Violation::Kind::fixed:
      return "fixed";
    default:
      return "parts";
  }
}

void write_versions(JsonWriter& json) {
  json.key("versions");
  json.object([&] { write_version_members(json); });
}

void write_input(JsonWriter& json, const Report& report) {
  json.key("input");
  json.object([&] {
    json.member("path", report.input);
    json.member("format", report.format);
    json.member("nodes", report.num_nodes);
    json.member("hyperedges", report.num_hyperedges);
    json.member("pins", report.num_pins);
    json.member("directed", report.directed);
    json.member("read_seconds", report.read_seconds);
  });
}

void write_limits(JsonWriter& json, const Limits& limits) {
  json.key("limits");
  json.object([&] {
    write_limit(json, "max_size", limits.max_size, unlimited);
    write_limit(json, "max_inbound", limits.max_inbound, unlimited);
    write_limit(json, "max_parts", limits.max_parts, invalid_id);
  });
}

void write_balance(JsonWriter& json, const std::optional<BalanceReport>& report) {
  if (!report) return json.member("balance", nullptr);
  json.key("balance");
  json.object([&] {
    json.member("k", report->balance.num_parts());
    if (report->capacities.empty()) {
      json.member("epsilon", report->epsilon);
    } else {
      json.member("epsilon", nullptr);
    }
    write_limit(json, "part_capacities", report->capacities, std::string());
    write_limit(json, "fixed", report->fixed, std::string());
  });
}

void write_metrics(JsonWriter& json, const Quality& quality) {
  json.key("metrics");
  json.object([&] {
    write_weight(json, "connectivity", quality, quality.connectivity);
    write_weight(json, "cut_net", quality, quality.cut_net);
    write_weight(json, "soed", quality, quality.soed);
    json.member("parts", quality.num_parts);
    json.member("empty_parts", quality.num_empty_parts);
    json.member("imbalance", quality.imbalance);
    json.member("cut_hyperedges", quality.num_cut_hyperedges);
    json.member("parts_near_size_limit", quality.parts_near_size_limit);
    json.member("parts_near_inbound_limit", quality.parts_near_inbound_limit);
  });
}

void write_violations(JsonWriter& json, const Quality& quality) {
  json.list("violations", quality.violations, [&](const Violation& violation) {
    json.object_line([&] {
      json.member("limit", to_string(violation.kind));
      write_limit(json, "part", violation.part, invalid_id);
      json.member("value", violation.value);
      json.member("allowed", violation.limit);
      if (violation.kind == Violation::Kind::fixed) json.member("node", violation.node);
    });
  });
}

void write_options(JsonWriter& json, const RunReport& run) {
  json.key("options");
  json.object([&] {
    json.member("seed", run.options.seed);
    json.member("effort", to_string(run.options.effort));
    json.member("candidates", run.options.candidates);
    json.member("refinement_rounds", run.options.refinement_rounds);
    json.member("refinement", run.options.refinement == RefinementMethod::coloring ? "coloring" : "events");
    json.member("objective", run.options.objective == Objective::cut ? "cut" : "km1");
    write_limit(json, "memory_limit", run.options.memory_limit, std::uint64_t{0});
    write_limit(json, "initial", run.initial, std::string());
  });
}

void write_run(JsonWriter& json, const RunReport& run) {
  json.key("run");
  json.object([&] {
    write_options(json, run);
    json.member("levels", run.num_levels);
    json.member("partition_seconds", run.partition_seconds);
    json.member("peak_device_bytes", run.peak_device_bytes);
    json.list("phases", run.timings, [&](const PhaseTiming& timing) {
      json.object_line([&] {
        json.member("phase", timing.phase);
        json.member("seconds", timing.seconds);
        json.member("calls", timing.calls);
      });
    });
  });
}

void write_parts_and_hyperedges(JsonWriter& json, const Report& report) {
  std::size_t part = 0;
  json.list("parts", report.quality.parts, [&](const PartUse& use) {
    json.object_line([&] {
      json.member("size", use.size);
      json.member("inbound", use.inbound);
      json.member("nodes", use.num_nodes);
      if (report.balance && part < report.balance->balance.capacities.size())
        json.member("capacity", report.balance->balance.capacities[part]);
    });
    ++part;
  });
  json.list("cut_hyperedges", report.cut_hyperedges, [&](const CutHyperedge& cut) {
    json.object_line([&] {
      json.member("hyperedge", cut.hyperedge);
      json.member("lambda", cut.lambda);
    });
  });
}

}  // namespace

void write_report(const std::string& path, const Report& report) {
  OutputFile file(path);
  OutputBuffer buffer(file);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // rethrows what the file throws
  JsonWriter json(out);
  json.object([&] {
    json.member("command", report.command);
    write_versions(json);
    write_input(json, report);
    write_limits(json, report.limits);
    write_balance(json, report.balance);
    json.member("valid", report.quality.valid());
    write_metrics(json, report.quality);
    write_violations(json, report.quality);
    json.list("warnings", report.warnings);
    if (report.run) write_run(json, *report.run);
    write_parts_and_hyperedges(json, report);
  });
  out << '\n';
  file.commit();
}

}  // namespace kohypar

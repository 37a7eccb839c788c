#include <algorithm>
#include <cstdio>
#include <kohypar/report.hpp>

namespace kohypar {

namespace {

template <class... Args>
std::string format(const char* pattern, Args... args) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, pattern, args...)), '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, args...);
  return text;
}

/// "1 part", "2 parts".
std::string count(std::uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string weight(const Quality& quality, Weight value) {
  return quality.weight_exponent == 0 ? std::to_string(value) : format("%.6g", quality.real(value));
}

std::string metrics(const Quality& quality) {
  std::string text = count(quality.num_parts, "part") + (quality.valid() ? ", valid" : ", NOT VALID");
  if (quality.num_empty_parts > 0) text += ", " + std::to_string(quality.num_empty_parts) + " empty";
  text += "\nconnectivity (km1) " + weight(quality, quality.connectivity) + ", cut-net " +
          weight(quality, quality.cut_net) + ", SOED " + weight(quality, quality.soed) + ", " +
          count(quality.num_cut_hyperedges, "hyperedge") + " cut, imbalance " +
          format("%.1f %%", 100 * quality.imbalance) + "\n";
  return text;
}

/// How close the fullest part comes to a limit, and how many parts stand near it.
std::string use(const char* what, Weight most, Weight limit, PartId near) {
  std::string text = format("%s: at most %lld", what, static_cast<long long>(most));
  if (limit == unlimited) return text + ", unlimited\n";
  return text + " of " + std::to_string(limit) + ", " + count(near, "part") + " at 95 % of it or above\n";
}

Weight largest_size(const Quality& quality) {
  Weight most = 0;
  for (const PartUse& part : quality.parts) most = std::max(most, part.size);
  return most;
}

/// What a balance allows, and how close parts come to it.
std::string balance(const BalanceReport& report, const Quality& quality) {
  std::string text = "balance: k " + std::to_string(report.balance.num_parts()) + ", ";
  if (report.capacities.empty()) {
    text += format("epsilon %g", report.epsilon) + ", size at most " + std::to_string(largest_size(quality)) +
            " of " + std::to_string(report.balance.capacities[0]);
  } else {
    text += "capacities of " + report.capacities;
  }
  text += ", " + count(quality.parts_near_size_limit, "part") + " at 95 % of it or above";
  if (!report.fixed.empty()) {
    const auto& fixed = report.balance.fixed;
    const auto free = std::count(fixed.begin(), fixed.end(), invalid_id);
    text += ", " + count(fixed.size() - static_cast<std::size_t>(free), "fixed node");
  }
  return text + "\n";
}

std::string uses(const Report& report) {
  const Quality& quality = report.quality;
  if (report.balance) return balance(*report.balance, quality);
  Weight inbound = 0;
  for (const PartUse& part : quality.parts) inbound = std::max(inbound, part.inbound);
  return use("size", largest_size(quality), report.limits.max_size, quality.parts_near_size_limit) +
         use("inbound hyperedges", inbound, report.limits.max_inbound, quality.parts_near_inbound_limit);
}

std::string describe(const Violation& violation) {
  const std::string values =
      std::to_string(violation.value) + " exceeds the limit of " + std::to_string(violation.limit);
  if (violation.kind == Violation::Kind::parts) return "number of parts " + values;
  if (violation.kind == Violation::Kind::fixed)
    return "node " + std::to_string(violation.node) + " is fixed to part " + std::to_string(violation.limit) +
           ", but stands in part " + std::to_string(violation.value);
  const char* what = violation.kind == Violation::Kind::size ? "size " : "inbound hyperedges ";
  return "part " + std::to_string(violation.part) + ": " + what + values;
}

std::string violations(const Quality& quality) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, quality.violations.size()); ++i)
    text += describe(quality.violations[i]) + "\n";
  if (quality.violations.size() > most)
    text += "and " + count(quality.violations.size() - most, "more violation") + "\n";
  return text;
}

std::string run_line(const RunReport& run) {
  return format("%.3f s, %s, peak device memory %.1f MiB, seed %llu%s\n", run.partition_seconds,
                count(static_cast<std::uint64_t>(run.num_levels), "level").c_str(),
                static_cast<double>(run.peak_device_bytes) / (1 << 20),
                static_cast<unsigned long long>(run.options.seed),
                run.options.objective == Objective::cut ? ", objective cut" : "");
}

}  // namespace

std::string summary(const Report& report) {
  std::string text = report.input + ": " + count(report.num_nodes, "node") + ", " +
                     count(report.num_hyperedges, "hyperedge") + ", " + count(report.num_pins, "pin") + ", " +
                     (report.directed ? "directed" : "undirected") + "\n";
  text += metrics(report.quality) + uses(report) + violations(report.quality);
  if (report.run) text += run_line(*report.run);
  return text;
}

std::string timing_table(const RunReport& run) {
  std::vector<PhaseTiming> timings = run.timings;
  std::stable_sort(timings.begin(), timings.end(),
                   [](const PhaseTiming& a, const PhaseTiming& b) { return a.seconds > b.seconds; });
  std::string text = format("%-40s %10s %8s\n", "phase", "seconds", "calls");
  for (const PhaseTiming& timing : timings)
    text += format("%-40s %10.4f %8llu\n", timing.phase.c_str(), timing.seconds,
                   static_cast<unsigned long long>(timing.calls));
  return text;
}

}  // namespace kohypar

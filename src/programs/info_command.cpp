// `kohypar info`: what is in a hypergraph, and what limits and memory it asks for.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <kohypar/error.hpp>
#include <numeric>

#include "programs/commands.hpp"
#include "programs/input.hpp"
#include "programs/interruption.hpp"
#include "programs/memory.hpp"
#include "programs/settings.hpp"

namespace kohypar::programs {

namespace {

CommandLine declare() {
  CommandLine line(
      {"info", "INPUT [OPTION...]",
       "Prints sizes, degree and cardinality histograms, the least limits that INPUT can have, and the "
       "memory it needs.",
       "  kohypar info vgg11.snn\n"
       "  kohypar info netlist.hgr.gz --first-pin-is-source\n"});
  line.positional("INPUT");
  add_input_options(line);
  add_display_options(line);
  return line;
}

/// Counts by powers of two: bucket 0 holds zeros, bucket b the values from 2^(b-1) to 2^b - 1.
class Histogram {
 public:
  void add(std::uint64_t value) {
    const auto bucket = static_cast<std::size_t>(std::bit_width(value));
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    ++counts_[bucket];
  }

  void print(const char* title) const {
    std::printf("%s\n", title);
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      if (counts_[bucket] == 0) continue;
      const std::uint64_t first = bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
      const std::uint64_t last = bucket == 0 ? 0 : 2 * first - 1;
      const std::string range =
          first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
      std::printf("  %21s  %llu\n", range.c_str(), static_cast<unsigned long long>(counts_[bucket]));
    }
  }

 private:
  std::vector<std::uint64_t> counts_;
};

/// Incident hyperedges of every node, and those that it is a destination of.
struct Degrees {
  std::vector<std::uint64_t> all, inbound;

  explicit Degrees(const HostHypergraph& h) : all(h.num_nodes), inbound(h.num_nodes) {
    for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e) {
      const PinOffset destinations = h.hyperedge_offsets[e] + h.source_counts[e];
      for (PinOffset i = h.hyperedge_offsets[e]; i < h.hyperedge_offsets[e + 1]; ++i) {
        ++all[h.pins[i]];
        if (i >= destinations) ++inbound[h.pins[i]];
      }
    }
  }
};

/// A node that needs most of something.
struct Demand {
  std::uint64_t value = 0;
  std::size_t node = 0;
};

template <class Values>
Demand largest(const Values& values) {
  if (values.empty()) return {};
  const auto at = std::max_element(values.begin(), values.end());
  return {static_cast<std::uint64_t>(*at), static_cast<std::size_t>(at - values.begin())};
}

void print_weights(const HostHypergraph& h) {
  const Weight total = std::accumulate(h.hyperedge_weights.begin(), h.hyperedge_weights.end(), Weight{0});
  const auto real = [&](Weight weight) {
    return std::ldexp(static_cast<double>(weight), -h.weight_exponent);
  };
  if (h.has_hyperedge_weights && h.num_hyperedges() > 0) {
    const auto [least, most] = std::minmax_element(h.hyperedge_weights.begin(), h.hyperedge_weights.end());
    std::printf("hyperedge weights: %g to %g, total %g\n", real(*least), real(*most), real(total));
  } else {
    std::printf("hyperedge weights: all 1\n");
  }
}

void print_histograms(const HostHypergraph& h, const Degrees& degrees) {
  Histogram degree, inbound, cardinality;
  for (const std::uint64_t value : degrees.all) degree.add(value);
  for (const std::uint64_t value : degrees.inbound) inbound.add(value);
  for (HyperedgeId e = 0; e < h.num_hyperedges(); ++e)
    cardinality.add(h.hyperedge_offsets[e + 1] - h.hyperedge_offsets[e]);
  degree.print("nodes by degree (incident hyperedges):");
  if (h.directed) inbound.print("nodes by inbound hyperedges:");
  cardinality.print("hyperedges by cardinality (pins):");
}

void print_limits(const Demand& size, const Demand& inbound, Weight total_size) {
  std::printf("total node size: %lld\n", static_cast<long long>(total_size));
  std::printf("least --max-size: %llu (node %zu)\n", static_cast<unsigned long long>(size.value), size.node);
  std::printf("least --max-inbound: %llu (node %zu)\n", static_cast<unsigned long long>(inbound.value),
              inbound.node);
  for (const Preset& preset : presets()) {
    const Weight parts = (total_size + preset.limits.max_size - 1) / preset.limits.max_size;
    std::printf("--preset %s: ", preset.name);
    if (size.value > static_cast<std::uint64_t>(preset.limits.max_size)) {
      std::printf("impossible, node %zu is too large\n", size.node);
    } else if (inbound.value > static_cast<std::uint64_t>(preset.limits.max_inbound)) {
      std::printf("impossible, node %zu has too many inbound hyperedges\n", inbound.node);
    } else if (parts > static_cast<Weight>(preset.limits.max_parts)) {
      std::printf("impossible, %lld of %u parts needed\n", static_cast<long long>(parts),
                  preset.limits.max_parts);
    } else {
      std::printf("at least %lld of %u parts\n", static_cast<long long>(parts), preset.limits.max_parts);
    }
  }
}

}  // namespace

int info_command(const Arguments& arguments) {
  CommandLine line = declare();
  if (!line.parse(arguments)) return 0;
  exit_on_signal();
  Display display(line);
  const Input input = read_input(line, line.text("INPUT"), display);
  display.clear();

  const HostHypergraph& h = input.file.hypergraph;
  const Degrees degrees(h);
  std::printf("%s: %s\n", input.path.c_str(), counts(h).c_str());
  std::printf("format: %s, %s\n", to_string(input.file.format), h.directed ? "directed" : "undirected");
  print_weights(h);
  print_histograms(h, degrees);
  print_limits(largest(h.node_sizes), largest(degrees.inbound),
               std::accumulate(h.node_sizes.begin(), h.node_sizes.end(), Weight{0}));
  std::printf("memory: %s on the host, about %s on the device while partitioning\n",
              readable_bytes(host_bytes(h)).c_str(), readable_bytes(estimated_device_bytes(h)).c_str());
  std::printf("        (up to four times that where most hyperedges are cut)\n");
  return 0;
}

}  // namespace kohypar::programs

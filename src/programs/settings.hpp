// Options that several subcommands share.
#pragma once

#include <kohypar/io.hpp>
#include <kohypar/limits.hpp>
#include <kohypar/options.hpp>
#include <kohypar/report.hpp>
#include <optional>
#include <span>
#include <string>

#include "programs/command_line.hpp"

namespace kohypar::programs {

/// Limits of a neuromorphic chip or system.
struct Preset {
  const char* name;
  Limits limits;
};
std::span<const Preset> presets();

/// How an input is read: --format, --net-model, --first-pin-is-source.
void add_input_options(CommandLine& line);
/// Throws Error(usage) if an option doesn't apply to the format of `path`.
ReadOptions input_options(const CommandLine& line, const std::string& path);

/// --max-size, --max-inbound, --max-parts or --preset.
void add_limit_options(CommandLine& line);
Limits limits(const CommandLine& line);

/// -k, -e, --part-capacities and --fixed.
void add_balance_options(CommandLine& line);

/// What a command line says of a balance. Its files come after the hypergraph.
struct BalanceSettings {
  PartId num_parts = 0;
  double epsilon = 0;
  std::string capacities, fixed;  ///< paths; empty: none given
};

/// Nothing without -k. Throws Error(usage) if options of balances come without it, or those of limits with
/// it.
std::optional<BalanceSettings> balance_settings(const CommandLine& line);

/// Reads the files of a balance. Throws Error(input) as they do.
BalanceReport read_balance(const BalanceSettings& settings, const HostHypergraph& hypergraph);

/// Effort, seed and the like of a search; --progress and --quiet are not among them.
void add_search_options(CommandLine& line);
Options search_options(const CommandLine& line);

/// Format of an output by its extension. Throws Error(usage) for compressed output and missing folders.
Format output_format(const std::string& path);
/// Throws Error(usage) if the folder of an output file doesn't exist: better before a long run than after.
void check_output_folder(const std::string& path);

}  // namespace kohypar::programs

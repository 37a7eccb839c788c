// Options that several subcommands share.
#pragma once

#include <kohypar/io.hpp>
#include <kohypar/limits.hpp>
#include <kohypar/options.hpp>
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

/// Effort, seed and the like of a search; --progress and --quiet are not among them.
void add_search_options(CommandLine& line);
Options search_options(const CommandLine& line);

/// Format of an output by its extension. Throws Error(usage) for compressed output and missing folders.
Format output_format(const std::string& path);
/// Throws Error(usage) if the folder of an output file doesn't exist: better before a long run than after.
void check_output_folder(const std::string& path);

}  // namespace kohypar::programs

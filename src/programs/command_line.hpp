// The arguments of one subcommand: declared, parsed by cxxopts, and read as checked values.
#pragma once

#include <cstdint>
#include <cxxopts.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kohypar::programs {

/// What help says about a subcommand besides its options.
struct CommandHelp {
  std::string name;         ///< e.g. "partition"; empty: the program has no subcommands
  std::string synopsis;     ///< what follows the name, e.g. "INPUT [OPTION...]"
  std::string description;  ///< a sentence or two
  std::string examples;     ///< indented lines
  std::string program = "kohypar";
};

/// Every reading function throws Error(usage) with one sentence that names the option and what it takes.
class CommandLine {
 public:
  explicit CommandLine(CommandHelp help);

  /// Declarations; `group` is the heading in the help, "" leaves the option out of it.
  void positional(const std::string& name);
  void value(const std::string& group, const std::string& names, const std::string& placeholder,
             const std::string& description);
  void flag(const std::string& group, const std::string& names, const std::string& description);

  /// Parses the arguments after the subcommand's name. False if help was asked for, which it has printed.
  bool parse(const std::vector<std::string>& arguments);

  [[nodiscard]] bool has(const std::string& name) const { return parsed_.count(name) > 0; }
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise = "") const;
  [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most,
                                     std::int64_t otherwise) const;
  [[nodiscard]] std::uint64_t unsigned_integer(const std::string& name, std::uint64_t otherwise) const;
  /// A finite number of at least `least`; `example` is for the message.
  [[nodiscard]] double real(const std::string& name, double least, double otherwise,
                            const std::string& example) const;
  /// Bytes: a whole number with an optional K, M or G (powers of 1024); 0 if the option is not given.
  [[nodiscard]] std::uint64_t bytes(const std::string& name) const;
  /// Index of the option's value in `choices`.
  [[nodiscard]] std::size_t choice(const std::string& name, const std::vector<std::string>& choices,
                                   std::size_t otherwise) const;

  /// Throws Error(usage) if both options are given.
  void exclude(const std::string& one, const std::string& other) const;

 private:
  void declare(const std::string& group, const std::string& names, const std::string& placeholder,
               const std::string& description, const std::shared_ptr<cxxopts::Value>& kind);
  void check_values() const;
  void print_help() const;

  CommandHelp help_;
  cxxopts::Options options_;
  cxxopts::ParseResult parsed_;
  std::vector<std::string> groups_;       ///< headings in the order of declaration
  std::vector<std::string> positionals_;  ///< all required
  std::vector<std::string> valued_;       ///< long names of options that take a value
};

}  // namespace kohypar::programs

#include "programs/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iostream>
#include <kohypar/error.hpp>
#include <utility>

namespace kohypar::programs {

namespace {

const std::string not_in_help = "not in help";

[[noreturn]] void usage_error(const std::string& sentence) {
  throw Error(ErrorKind::usage, sentence);
}

std::string dashed(const std::string& name) {
  return (name.size() == 1 ? "-" : "--") + name;
}

/// The whole of `text` as a number.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

CommandLine::CommandLine(CommandHelp help)
    : help_(std::move(help)),
      options_(help_.name.empty() ? help_.program : help_.program + " " + help_.name,
               help_.description + "\n") {
  options_.custom_help(help_.synopsis).positional_help("").set_width(100);
}

void CommandLine::declare(const std::string& group, const std::string& names, const std::string& placeholder,
                          const std::string& description, const std::shared_ptr<cxxopts::Value>& kind) {
  if (!group.empty() && std::find(groups_.begin(), groups_.end(), group) == groups_.end())
    groups_.push_back(group);
  options_.add_options(group.empty() ? not_in_help : group)(names, description, kind, placeholder);
}

void CommandLine::positional(const std::string& name) {
  declare("", name, "", "", cxxopts::value<std::string>());
  positionals_.push_back(name);
}

void CommandLine::value(const std::string& group, const std::string& names, const std::string& placeholder,
                        const std::string& description) {
  declare(group, names, placeholder, description, cxxopts::value<std::string>());
  valued_.push_back(names.substr(names.find(',') + 1));
}

void CommandLine::flag(const std::string& group, const std::string& names, const std::string& description) {
  declare(group, names, "", description, cxxopts::value<bool>());
}

bool CommandLine::parse(const std::vector<std::string>& arguments) {
  flag("Other", "h,help", "Print this help");
  options_.parse_positional(positionals_);
  std::vector<const char*> argv = {"kohypar"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    parsed_ = options_.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const std::exception& error) {  // cxxopts 3.0 and 3.1 name their exceptions differently
    usage_error(error.what());
  }
  if (has("help")) {
    print_help();
    return false;
  }
  check_values();
  return true;
}

void CommandLine::check_values() const {
  if (!parsed_.unmatched().empty()) usage_error("unexpected argument '" + parsed_.unmatched().front() + "'");
  for (const std::string& name : positionals_)
    if (!has(name)) usage_error(name + " is missing");
  for (const std::string& name : valued_) {
    if (parsed_.count(name) > 1) usage_error(dashed(name) + " is given more than once");
    // Taken as a value, a forgotten one's successor would become a file of that name.
    const std::string given = text(name);
    const bool is_option =
        given.size() > 1 && given[0] == '-' && !std::isdigit(static_cast<unsigned char>(given[1]));
    if (is_option) usage_error(dashed(name) + " needs a value, but '" + given + "' follows");
  }
}

void CommandLine::print_help() const {
  std::cout << options_.help(groups_) << "\nExamples:\n" << help_.examples;
}

std::string CommandLine::text(const std::string& name, const std::string& otherwise) const {
  return has(name) ? parsed_[name].as<std::string>() : otherwise;
}

std::int64_t CommandLine::integer(const std::string& name, std::int64_t least, std::int64_t most,
                                  std::int64_t otherwise) const {
  if (!has(name)) return otherwise;
  const auto number = number_in<std::int64_t>(text(name));
  if (!number || *number < least || *number > most)
    usage_error(dashed(name) + " takes a whole number from " + std::to_string(least) + " to " +
                std::to_string(most) + ", not '" + text(name) + "'");
  return *number;
}

std::uint64_t CommandLine::unsigned_integer(const std::string& name, std::uint64_t otherwise) const {
  if (!has(name)) return otherwise;
  const auto number = number_in<std::uint64_t>(text(name));
  if (!number) usage_error(dashed(name) + " takes a whole number from 0 to 2^64-1, not '" + text(name) + "'");
  return *number;
}

double CommandLine::real(const std::string& name, double least, double otherwise,
                         const std::string& example) const {
  if (!has(name)) return otherwise;
  const auto number = number_in<double>(text(name));
  if (!number || !std::isfinite(*number) || *number < least)
    usage_error(dashed(name) + " takes a number such as " + example + ", at least " +
                std::to_string(static_cast<std::int64_t>(least)) + ", not '" + text(name) + "'");
  return *number;
}

std::uint64_t CommandLine::bytes(const std::string& name) const {
  if (!has(name)) return 0;
  std::string digits = text(name);
  int shift = 0;
  if (const std::size_t unit = std::string("KMG").find(digits.empty() ? '?' : digits.back());
      unit != std::string::npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    digits.pop_back();
  }
  const auto number = number_in<std::uint64_t>(digits);
  if (!number || *number == 0 || *number > (std::numeric_limits<std::uint64_t>::max() >> shift))
    usage_error(dashed(name) + " takes a size such as 512M or 16G, not '" + text(name) + "'");
  return *number << shift;
}

std::size_t CommandLine::choice(const std::string& name, const std::vector<std::string>& choices,
                                std::size_t otherwise) const {
  if (!has(name)) return otherwise;
  const auto chosen = std::find(choices.begin(), choices.end(), text(name));
  if (chosen == choices.end()) {
    std::string list;
    for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    usage_error(dashed(name) + " is one of " + list + ", not '" + text(name) + "'");
  }
  return static_cast<std::size_t>(chosen - choices.begin());
}

void CommandLine::exclude(const std::string& one, const std::string& other) const {
  if (has(one) && has(other)) usage_error(dashed(one) + " and " + dashed(other) + " exclude each other");
}

}  // namespace kohypar::programs

// Text formats: lines, numbers, errors with line numbers, and splitting at line ends for parallel parsing.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats.hpp"
#include "parallel/host_threads.hpp"

namespace kohypar {

/// A weight above this would exceed the limit on totals by itself.
inline constexpr Weight largest_weight = max_total_weight - 1;

/// What separates fields; a carriage return is one, so that CRLF line ends need no care.
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// A position in text that reads numbers and knows its line. A comment is a line that starts with '%', or
/// with another character that the format names.
class TextCursor {
 public:
  /// @param name of the file, for messages; it must outlive the cursor
  TextCursor(std::string_view text, const std::string& name, std::uint64_t first_line = 1, char comment = '%')
      : at_(text.data()),
        end_(text.data() + text.size()),
        line_(first_line),
        name_(name),
        comment_(comment) {}

  /// Skips blanks; whether no field is left on the line.
  bool at_line_end() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ == end_ || *at_ == '\n';
  }

  /// Goes to the first field of the next line that is neither blank nor a comment, the current line included;
  /// false at the end of the text.
  bool find_content() {
    while (at_line_end() || *at_ == comment_) {
      if (at_ == end_) return false;
      next_line();
    }
    return true;
  }

  /// As find_content, for formats where a blank line is content too.
  bool find_line() {
    while (!at_line_end() && *at_ == comment_) next_line();
    return at_ != end_;
  }

  /// Goes to the start of the next line, or to the end of the text.
  void next_line();

  /// Reads an integer in [low, high]. `what` says what it is: "a node id".
  template <class T>
  T integer(const char* what, T low, T high) {
    T value = 0;
    if (at_line_end()) fail_range(what, std::to_string(low), std::to_string(high));
    const auto [next, error] = std::from_chars(at_, end_, value);
    const bool whole_field = next == end_ || is_blank(*next) || *next == '\n';
    if (error != std::errc{} || !whole_field || value < low || value > high)
      fail_range(what, std::to_string(low), std::to_string(high));
    at_ = next;
    return value;
  }

  /// Reads a field of any characters but blanks; empty at the end of a line.
  std::string_view field();

  /// Throws unless no field is left on the line, then goes to the next one.
  void end_line();

  [[nodiscard]] std::uint64_t line() const { return line_; }

  /// The text not read yet.
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  /// Throws Error(input): "FILE: line L: expected X, found 'Y'", Y being the field at the cursor.
  [[noreturn]] void fail(const std::string& expected);

  /// Throws Error(input): "FILE: line L: what".
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  [[noreturn]] void fail_range(const char* what, const std::string& low, const std::string& high);

  const char* at_;
  const char* end_;
  std::uint64_t line_;
  const std::string& name_;
  char comment_;
};

/// What a piece of text consists of.
struct TextCounts {
  std::uint64_t lines = 0;     ///< all; the last one may lack its line end
  std::uint64_t comments = 0;  ///< lines
  std::uint64_t content = 0;   ///< lines that are neither blank nor comments
  std::uint64_t tokens = 0;    ///< fields on content lines

  TextCounts& operator+=(const TextCounts& other);
};

TextCounts count_text(std::string_view text, char comment = '%');

/// A piece of text between line ends, and what comes before it.
struct TextChunk {
  std::string_view text;
  TextCounts before;
};

struct SplitText {
  std::vector<TextChunk> chunks;
  TextCounts total;
};

/// Splits text at line ends into chunks of about threads.chunk bytes and counts what they hold, in parallel:
/// the first of a reader's two passes, after which every chunk knows where its part of the arrays begins.
SplitText split_text(std::string_view text, const HostThreads& threads, char comment = '%');

/// Refuses a count of nodes, or of other things the file need say nothing about, that can't be true.
void check_believable(const TextCursor& cursor, const char* things, std::uint64_t count, const Input& input);

/// A field for a message: shortened, unprintable characters replaced, in quotes.
std::string quoted(std::string_view field);

}  // namespace kohypar

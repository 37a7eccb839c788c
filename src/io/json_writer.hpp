// Writes JSON (RFC 8259) to a stream, indented, always well formed: brackets follow the nesting of calls.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <string_view>
#include <utility>

namespace kohypar {

/// `text` as a JSON string with its quotes. Control characters are escaped; bytes that are not valid UTF-8
/// (RFC 3629) become U+FFFD, so that a report with an odd file name is still JSON.
void write_json_string(std::ostream& out, std::string_view text);

/// Use: `json.object([&] { json.member("parts", 12); json.key("ids"); json.array([&] { json.value(3); });
/// });`
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  template <class Body>
  void object(const Body& body) {
    nested('{', '}', body);
  }

  /// An object on one line, for the entries of long arrays.
  template <class Body>
  void object_line(const Body& body) {
    next_entry();
    const bool outer = std::exchange(on_one_line_, true);
    is_value_ = true;
    object(body);
    on_one_line_ = outer;
  }

  template <class Body>
  void array(const Body& body) {
    nested('[', ']', body);
  }

  /// A member of the current object that is an array: write(item) for each item, which writes one value.
  template <class Items, class Write>
  void list(std::string_view name, const Items& items, const Write& write_item) {
    key(name);
    array([&] {
      for (const auto& item : items) write_item(item);
    });
  }

  /// Likewise of plain values.
  template <class Items>
  void list(std::string_view name, const Items& items) {
    list(name, items, [&](const auto& item) { value(item); });
  }

  /// Starts a member of the current object; its value must follow.
  void key(std::string_view name) {
    next_entry();
    write_json_string(out_, name);
    out_ << ": ";
    is_value_ = true;
  }

  void value(std::string_view text) {
    write([&] { write_json_string(out_, text); });
  }
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::nullptr_t) {
    write([&] { out_ << "null"; });
  }

  void value(bool truth) {
    write([&] { out_ << (truth ? "true" : "false"); });
  }

  /// The shortest digits that read back as the same number; null for NaN and infinities, which JSON lacks.
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number>
  void value(Number number) {
    if constexpr (std::floating_point<Number>)
      if (!std::isfinite(number)) return value(nullptr);
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    write([&] { out_.write(digits.data(), end - digits.data()); });
  }

  template <class Value>
  void member(std::string_view name, const Value& content) {
    key(name);
    value(content);
  }

 private:
  template <class Write>
  void write(const Write& content) {
    next_entry();
    content();
  }

  template <class Body>
  void nested(char open, char close, const Body& body) {
    next_entry();
    out_ << open;
    ++depth_;
    is_first_ = true;
    body();
    --depth_;
    if (!is_first_ && !on_one_line_) new_line();
    out_ << close;
    is_first_ = false;
  }

  /// Separates from the entry before, unless this is the value of a key.
  void next_entry() {
    if (!is_value_ && depth_ > 0) {
      if (!is_first_) out_ << (on_one_line_ ? ", " : ",");
      if (!on_one_line_) new_line();
    }
    is_value_ = false;
    is_first_ = false;
  }

  void new_line() { out_ << '\n' << std::setw(2 * depth_) << ""; }

  std::ostream& out_;
  int depth_ = 0;
  bool is_first_ = true;
  bool is_value_ = false;  ///< what comes next is a value whose place has been made
  bool on_one_line_ = false;
};

}  // namespace kohypar

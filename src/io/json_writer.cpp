#include "io/json_writer.hpp"

namespace kohypar {

namespace {

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none: no overlong forms, no
/// surrogates, nothing above U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool too_large = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

void write_ascii(std::ostream& out, char c) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out << '\\' << c;
  } else if (c == '\n') {
    out << "\\n";
  } else if (c == '\t') {
    out << "\\t";
  } else if (code < 0x20 || code == 0x7F) {
    out << "\\u00" << hexadecimal[code >> 4] << hexadecimal[code & 15];
  } else {
    out << c;
  }
}

}  // namespace

void write_json_string(std::ostream& out, std::string_view text) {
  out << '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out << "\\ufffd";
    } else if (length == 1) {
      write_ascii(out, text.front());
    } else {
      out << text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out << '"';
}

}  // namespace kohypar

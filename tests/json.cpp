#include "json.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

namespace kohypar::test {

const Json* Json::find(const std::string& key) const {
  const Object* object = std::get_if<Object>(&value);
  if (object == nullptr) return nullptr;
  const auto member =
      std::find_if(object->begin(), object->end(), [&](const auto& m) { return m.first == key; });
  return member == object->end() ? nullptr : &member->second;
}

const Json& Json::operator[](const std::string& key) const {
  const Json* member = find(key);
  if (member == nullptr) throw std::out_of_range("no member " + key);
  return *member;
}

namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Json document() {
    Json json = value();
    skip_space();
    if (at_ != text_.size()) fail("trailing text");
    return json;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("offset " + std::to_string(at_) + ": " + what);
  }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  char peek() {
    if (at_ >= text_.size()) fail("unexpected end");
    return text_[at_];
  }
  bool accept(const std::string& token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void expect(char c) {
    skip_space();
    if (peek() != c) fail(std::string("expected ") + c);
    ++at_;
  }

  Json value() {
    skip_space();
    switch (peek()) {
      case '{':
        return {object()};
      case '[':
        return {array()};
      case '"':
        return {string()};
      default:
        if (accept("true")) return {true};
        if (accept("false")) return {false};
        if (accept("null")) return {nullptr};
        return {number()};
    }
  }

  /// Reads `entry` after `entry`, separated by commas, up to `close`.
  template <class Entry>
  void entries(char close, const Entry& entry) {
    ++at_;
    skip_space();
    if (peek() != close) {
      entry();
      for (skip_space(); peek() == ','; skip_space()) {
        ++at_;
        entry();
      }
    }
    expect(close);
  }

  Json::Object object() {
    Json::Object members;
    std::set<std::string> keys;
    entries('}', [&] {
      skip_space();
      std::string key = string();
      if (!keys.insert(key).second) fail("duplicate key " + key);
      expect(':');
      members.emplace_back(std::move(key), value());
    });
    return members;
  }

  Json::Array array() {
    Json::Array items;
    entries(']', [&] { items.push_back(value()); });
    return items;
  }

  double number() {
    double result = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), result);
    const bool starts_well = peek() == '-' || std::isdigit(static_cast<unsigned char>(peek()));
    if (error != std::errc() || !starts_well || !std::isfinite(result)) fail("expected a value");
    at_ = static_cast<std::size_t>(end - text_.data());
    return result;
  }

  std::string string() {
    if (peek() != '"') fail("expected a string");
    std::string result;
    for (++at_; peek() != '"'; ++at_) {
      if (static_cast<unsigned char>(peek()) < 0x20) fail("control character in a string");
      if (peek() != '\\') {
        result += peek();
      } else {
        ++at_;
        escape(result);
      }
    }
    ++at_;
    return result;
  }

  void escape(std::string& result) {
    const std::string codes = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const auto code = codes.find(peek()); code != std::string::npos) {
      result += meanings[code];
      return;
    }
    unsigned point = 0;
    const char* digits = text_.data() + at_ + 1;
    if (peek() != 'u' || at_ + 5 > text_.size() ||
        std::from_chars(digits, digits + 4, point, 16).ptr != digits + 4)
      fail("bad escape");
    at_ += 4;
    append_utf8(result, point);
  }

  /// Code points of the basic plane, without pairing surrogates: the writer escapes nothing above.
  static void append_utf8(std::string& result, unsigned point) {
    if (point < 0x80) {
      result += static_cast<char>(point);
    } else if (point < 0x800) {
      result += static_cast<char>(0xC0 | (point >> 6));
      result += static_cast<char>(0x80 | (point & 63));
    } else {
      result += static_cast<char>(0xE0 | (point >> 12));
      result += static_cast<char>(0x80 | ((point >> 6) & 63));
      result += static_cast<char>(0x80 | (point & 63));
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

bool has_type(const Json& json, const std::string& type) {
  const double* number = std::get_if<double>(&json.value);
  if (type == "integer") return number != nullptr && *number == std::floor(*number);
  if (type == "number") return number != nullptr;
  if (type == "string") return std::holds_alternative<std::string>(json.value);
  if (type == "boolean") return std::holds_alternative<bool>(json.value);
  if (type == "null") return json.is_null();
  if (type == "array") return std::holds_alternative<Json::Array>(json.value);
  if (type == "object") return std::holds_alternative<Json::Object>(json.value);
  throw std::runtime_error("unknown type " + type);
}

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& json, const std::string& place) {
    for (const auto& [keyword, rule] : std::get<Json::Object>(schema.value))
      check_keyword(schema, keyword, rule, json, place);
  }

  std::vector<std::string> violations;

 private:
  void require(bool holds, const std::string& place, const std::string& what) {
    if (!holds) violations.push_back((place.empty() ? "/" : place) + ": " + what);
  }

  void check_keyword(const Json& schema, const std::string& keyword, const Json& rule, const Json& json,
                     const std::string& place) {
    static const std::set<std::string> passive = {"$schema", "title", "description", "$defs", "then"};
    const double* number = std::get_if<double>(&json.value);
    if (passive.count(keyword) > 0) return;
    if (keyword == "$ref") {
      check(resolve(rule.text()), json, place);
    } else if (keyword == "type") {
      check_type(rule, json, place);
    } else if (keyword == "enum") {
      const auto& choices = rule.array();
      require(std::find(choices.begin(), choices.end(), json) != choices.end(), place, "not one of enum");
    } else if (keyword == "const") {
      require(json == rule, place, "not the constant");
    } else if (keyword == "minimum") {
      require(number == nullptr || *number >= rule.number(), place, "below minimum");
    } else if (keyword == "minItems") {
      require(static_cast<double>(json.array().size()) >= rule.number(), place, "too few items");
    } else if (keyword == "items") {
      for (std::size_t i = 0; i < json.array().size(); ++i)
        check(rule, json.array()[i], place + "/" + std::to_string(i));
    } else if (keyword == "if") {
      Validator condition(root_);
      condition.check(rule, json, place);
      if (condition.violations.empty()) check(schema["then"], json, place);
    } else {
      check_object_keyword(schema, keyword, rule, json, place);
    }
  }

  void check_object_keyword(const Json& schema, const std::string& keyword, const Json& rule,
                            const Json& json, const std::string& place) {
    static const Json::Object none;
    const auto* object = std::get_if<Json::Object>(&json.value);
    if (keyword == "required") {
      for (const Json& name : rule.array())
        require(object == nullptr || json.find(name.text()) != nullptr, place, "lacks " + name.text());
    } else if (keyword == "properties") {
      for (const auto& [name, member] : object == nullptr ? none : *object)
        if (const Json* property = rule.find(name)) check(*property, member, place + "/" + name);
    } else if (keyword == "additionalProperties" && rule == Json{false}) {
      for (const auto& [name, member] : object == nullptr ? none : *object)
        require(schema["properties"].find(name) != nullptr, place, "unexpected " + name);
    } else {
      throw std::runtime_error("unknown schema keyword " + keyword);
    }
  }

  void check_type(const Json& rule, const Json& json, const std::string& place) {
    Json::Array types = {rule};
    if (has_type(rule, "array")) types = rule.array();
    const bool fits = std::any_of(types.begin(), types.end(),
                                  [&](const Json& type) { return has_type(json, type.text()); });
    require(fits, place, "wrong type");
  }

  const Json& resolve(const std::string& reference) const {
    const std::string prefix = "#/$defs/";
    if (reference.rfind(prefix, 0) != 0) throw std::runtime_error("unknown reference " + reference);
    return root_["$defs"][reference.substr(prefix.size())];
  }

  const Json& root_;
};

}  // namespace

Json parse_json(const std::string& text) {
  return Parser(text).document();
}

std::vector<std::string> schema_violations(const Json& schema, const Json& document) {
  Validator validator(schema);
  validator.check(schema, document, "");
  return validator.violations;
}

}  // namespace kohypar::test

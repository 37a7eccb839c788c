// A small JSON parser (RFC 8259) and a validator for the part of JSON Schema that the report's schema uses,
// so that the tests need no library.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kohypar::test {

struct Json {
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value = nullptr;

  [[nodiscard]] const Json* find(const std::string& key) const;        ///< nullptr: no such member
  [[nodiscard]] const Json& operator[](const std::string& key) const;  ///< throws std::out_of_range
  [[nodiscard]] double number() const { return std::get<double>(value); }
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(value); }
  [[nodiscard]] bool truth() const { return std::get<bool>(value); }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(value); }
  [[nodiscard]] const Array& array() const { return std::get<Array>(value); }
  bool operator==(const Json& other) const { return value == other.value; }
};

/// Throws std::runtime_error with the offset where the text is not JSON; duplicate keys are an error too.
Json parse_json(const std::string& text);

/// What `document` violates, one line each with its place; empty if it is valid. Throws std::runtime_error on
/// a keyword that the validator does not know.
std::vector<std::string> schema_violations(const Json& schema, const Json& document);

}  // namespace kohypar::test

// What fuzzers feed with bytes: one target for each reader.
#pragma once

#include <string_view>
#include <vector>

namespace kohypar::test {

struct FuzzTarget {
  const char* name;  ///< also of its folder of seeds
  /// Throws std::logic_error where a reader breaks its promises: to return a valid hypergraph or to throw an
  /// Error(input), the same whatever the cuts between chunks.
  void (*run)(std::string_view bytes);
};

const std::vector<FuzzTarget>& fuzz_targets();

}  // namespace kohypar::test

// A libFuzzer program for the target that KOHYPAR_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& target : kohypar::test::fuzz_targets())
    if (target.name == std::string(KOHYPAR_FUZZ_TARGET))
      target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}

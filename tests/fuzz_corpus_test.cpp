// Replays the fuzzers' seeds, and every prefix of the small ones, with any compiler.
#include "fuzz/fuzz_targets.hpp"
#include "io_support.hpp"

namespace {

using namespace kohypar;

TEST(FuzzCorpus, SeedsAndTheirPrefixesKeepTheReadersPromises) {
  for (const test::FuzzTarget& target : test::fuzz_targets()) {
    int num_seeds = 0;
    for (const auto& seed :
         std::filesystem::directory_iterator(std::string(KOHYPAR_FUZZ_CORPUS) + "/" + target.name)) {
      ++num_seeds;
      const std::string bytes = test::file_content(seed.path());
      EXPECT_NO_THROW(target.run(bytes)) << seed.path();
      for (std::size_t size = 0; size < std::min<std::size_t>(bytes.size(), 300); ++size)
        EXPECT_NO_THROW(target.run(std::string_view(bytes).substr(0, size))) << seed.path() << ", " << size;
    }
    EXPECT_GE(num_seeds, 3) << target.name;
  }
}

}  // namespace

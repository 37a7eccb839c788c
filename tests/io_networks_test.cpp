// Generated networks: the bytes of the files, pinned by hashes, and the same hypergraph in memory.
#include "io_support.hpp"

namespace {

using namespace kohypar;

/// FNV-1a, 64 bits.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ull;
  return hash;
}

struct Network {
  const char* name;
  std::uint64_t seed;
  std::uint64_t hash;  ///< of the file of the reference generator that published measurements used
};

class Networks : public ::testing::TestWithParam<Network> {};

TEST_P(Networks, HaveTheReferenceGeneratorsBytes) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("network.snn");
  generate_network_file(GetParam().name, GetParam().seed, path);
  EXPECT_EQ(hash_of(test::file_content(path)), GetParam().hash);
  const HostHypergraph generated = generate_network(GetParam().name, GetParam().seed);
  validate(generated, "generated");
  const ReadResult read = read_hypergraph(path);
  EXPECT_TRUE(read.warnings.empty());
  test::expect_equal(generated, read.hypergraph);
}

INSTANTIATE_TEST_SUITE_P(All, Networks,
                         ::testing::Values(Network{"lenet", 1, 0xbdf8c34876389184ull},
                                           Network{"rand:1024:20", 1, 0xfde59de08aab660ull},
                                           Network{"rand:300:40", 9, 0x1ff00dc49479c79cull},
                                           Network{"model:8:3:1:4", 1, 0x7c85db816c8f1bd5ull},
                                           Network{"model:9:3:4:2", 1, 0x48a49a5b17ead827ull}));

TEST(NetworkNames, UnusableOnesAreRefused) {
  for (const char* const name :
       {"", "lenet5", "rand", "rand:", "rand:100", "rand:100:", "rand:100:x", "rand:100:10:3", "rand:0:1",
        "rand:100:90", "rand:4294967296:3", "rand:-5:2", "model:8:3:1", "model:8:3:1:4:5", "model:8:3:9:4",
        "model:2147483647:2147483647:1:2147483647", "model:0:1:1:1"}) {
    const std::string message =
        test::error_of(ErrorKind::usage, [&] { generate_network_file(name, 1, "/nonexistent/file"); });
    EXPECT_TRUE(message.starts_with(std::string("network ") + name + ": ")) << message;
  }
}

}  // namespace

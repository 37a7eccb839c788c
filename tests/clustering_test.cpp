// Numbering and splitting of clusterings.
#include "coarsening/clustering.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support.hpp"

namespace {

using namespace kohypar;
using test::to_device;
using test::to_host;

TEST(Clustering, IsNumberedBySmallestMember) {
  const auto clustering =
      number_clusters(ExecutionSpace(), to_device(std::vector<NodeId>{0, 1, 0, 3, 1, 3, 6}));
  EXPECT_EQ(clustering.num_clusters, 4u);
  EXPECT_EQ(to_host(clustering.cluster_of), (std::vector<NodeId>{0, 1, 0, 2, 1, 2, 3}));
}

TEST(Clustering, IsSplitByParts) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const NodeId n = 1 + static_cast<NodeId>(random() % 200);
    std::vector<NodeId> leaders(n);
    std::vector<PartId> parts(n);
    for (NodeId i = 0; i < n; ++i) {
      leaders[i] = i < 3 ? i : leaders[random() % i];
      parts[i] = static_cast<PartId>(random() % 4);
    }
    const ExecutionSpace space;
    const auto whole = number_clusters(space, to_device(leaders));
    const auto split = split_by_parts(space, whole, to_device(parts));
    std::map<std::pair<NodeId, PartId>, NodeId> expected;
    const auto cluster_of = to_host(whole.cluster_of);
    const auto split_of = to_host(split.cluster_of);
    for (NodeId i = 0; i < n; ++i) {
      const NodeId next = static_cast<NodeId>(expected.size());
      EXPECT_EQ(split_of[i], expected.try_emplace({cluster_of[i], parts[i]}, next).first->second);
    }
    EXPECT_EQ(split.num_clusters, expected.size());
    const auto restricted = restrict_parts(space, split, to_device(parts));
    EXPECT_EQ(to_host(project_parts(space, split, restricted)), parts);
  }
}

}  // namespace

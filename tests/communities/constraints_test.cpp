// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "communities/anchors.hpp"
#include "communities/stable_ids.hpp"
#include "srgw/generate.hpp"
#include "srgw/partition.hpp"

namespace srgw {

namespace {

using detail::Overlap;
using detail::Random;
using Ids = std::vector<std::int64_t>;

Graph blocks_of(std::uint64_t seed, Index nodes = 60, Index blocks = 4) {
  return generate(
             PlantedPartition{.nodes = nodes, .blocks = blocks, .mean_degree = 8, .inside = 0.85},
             seed)
      .graph;
}

/// The largest sum, then the smallest sum of group numbers, of all matchings.
std::pair<std::int64_t, std::int64_t> best_matching(std::size_t clusters, std::size_t groups,
                                                    const std::vector<Overlap>& overlaps,
                                                    std::size_t from, std::set<NodeId>& taken) {
  if (from == clusters) return {0, 0};
  auto best = best_matching(clusters, groups, overlaps, from + 1, taken);
  for (const auto& [cluster, group, nodes] : overlaps) {
    if (cluster != from || taken.contains(group)) continue;
    taken.insert(group);
    auto rest = best_matching(clusters, groups, overlaps, from + 1, taken);
    taken.erase(group);
    rest = {rest.first - nodes, rest.second + group};
    best = std::min(best, rest);
  }
  return best;
}

TEST(StableIds, MatchAsManyNodesAsAnyMatching) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 0);
    const std::size_t clusters = 1 + random.below(5), groups = 1 + random.below(5);
    std::vector<Overlap> overlaps;
    for (std::size_t c = 0; c < clusters; ++c) {
      for (std::size_t g = 0; g < groups; ++g) {
        const auto nodes = static_cast<std::int64_t>(random.below(4));
        if (nodes > 0) overlaps.push_back({static_cast<NodeId>(c), static_cast<NodeId>(g), nodes});
      }
    }
    std::pair<std::int64_t, std::int64_t> found;
    std::set<std::int64_t> used;
    const auto matched = detail::match_by_overlap(clusters, groups, overlaps).group_of;
    for (std::size_t c = 0; c < clusters; ++c) {
      if (matched[c] < 0) continue;
      EXPECT_TRUE(used.insert(matched[c]).second);
      for (const auto& [cluster, group, nodes] : overlaps) {
        if (cluster == c && group == matched[c])
          found = {found.first - nodes, found.second + group};
      }
    }
    std::set<NodeId> taken;
    EXPECT_EQ(found, best_matching(clusters, groups, overlaps, 0, taken)) << seed;
  }
}

TEST(StableIds, AreMatchedGreedilyWhereTimeIsUp) {
  constexpr NodeId groups = 500;
  std::vector<Overlap> overlaps;
  Random random(1, 0);
  for (NodeId c = 0; c < groups; ++c) {
    for (NodeId g = 0; g < groups; g += 5) {
      overlaps.push_back({c, g, static_cast<std::int64_t>(1 + random.below(9))});
    }
    overlaps.push_back({c, c, 1000});
  }
  const StopScope scope({.time_limit = 0});
  const auto [matched, exact] = detail::match_by_overlap(groups, groups, overlaps);
  EXPECT_FALSE(exact);
  for (NodeId c = 0; c < groups; ++c) EXPECT_EQ(matched[c], c);
}

TEST(Anchors, TheQualityFallsByKeepTimesTheMassThatLeaves) {
  const Graph graph = blocks_of(3);
  const detail::WeightedGraph weighted = detail::modularity_graph(graph);
  Random random(1, 0);
  Ids previous;
  Assignment labels;
  for (Index i = 0; i < graph.nodes(); ++i) {
    previous.push_back(static_cast<std::int64_t>(random.below(4)) - 1);
    labels.push_back(static_cast<NodeId>(random.below(3)));
  }
  const auto anchored = detail::anchor_previous(weighted, {}, previous, 0.3, 1);
  ASSERT_EQ(anchored.graph.anchors, 3);
  Assignment all{0, 1, 2};
  double stays = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    all.push_back(labels[i]);
    if (previous[i] == labels[i]) stays += weighted.mass[i];
  }
  EXPECT_NEAR(detail::quality(anchored.graph, all, 1.5),
              detail::quality(weighted, labels, 1.5) + 0.3 * stays / weighted.total, 1e-12);
}

void expect_fixed(const Partition& found, const Ids& fixed) {
  const Ids ids = found.node_ids();
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i] >= 0) {
      EXPECT_EQ(ids[i], fixed[i]) << i;
    }
  }
}

TEST(Constraints, FixedLabelsAndSizesAreKeptOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed, 1);
    const Graph graph = blocks_of(seed, 40 + static_cast<Index>(random.below(60)),
                                  2 + static_cast<Index>(random.below(3)));
    PartitionOptions options;
    Ids fixed(graph.nodes(), -1), previous(graph.nodes(), -1);
    for (Index i = 0; i < graph.nodes(); ++i) {
      if (random.below(8) == 0) fixed[i] = static_cast<std::int64_t>(3 * random.below(3));
      if (random.below(4) != 0) previous[i] = static_cast<std::int64_t>(random.below(5));
    }
    if (seed % 2 == 0) options.fixed = fixed;
    if (seed % 3 == 0) options.previous = previous;
    if (seed % 6 == 0) options.keep = 0.1;
    if (seed % 5 < 3) options.max_size = 15;
    if (seed % 5 > 1) options.min_size = 4;
    if (seed % 4 == 1) options.clusters = 8;
    const Partition found = partition(graph, options, {.threads = 1});
    SCOPED_TRACE(seed);
    if (options.fixed) expect_fixed(found, fixed);
    std::map<NodeId, Index> sizes;
    for (const NodeId label : found.labels) ++sizes[label];
    for (const auto& [label, size] : sizes) {
      if (label == found.sizes.size()) continue;
      EXPECT_EQ(size, found.sizes[label]);
      if (options.max_size) {
        EXPECT_LE(size, *options.max_size);
      }
      if (options.min_size) {
        EXPECT_GE(size, *options.min_size);
      }
    }
    if (options.clusters) {
      EXPECT_LE(found.clusters, *options.clusters);
    }
    const Partition again = partition(graph, options, {.threads = 8});
    EXPECT_EQ(again.labels, found.labels);
    EXPECT_EQ(again.ids, found.ids);
    EXPECT_EQ(again.solution.value, found.solution.value);
  }
}

TEST(Constraints, ClustersKeepTheIdsOfAnEarlierRunWhateverTheyAreCalled) {
  const Graph graph = blocks_of(5, 120, 4);
  const Partition first = partition(graph);
  ASSERT_GE(first.clusters, 3);
  const Ids names{40, 7, 1000, 3, 12, 99, 5, 6};
  Ids previous;
  for (const NodeId label : first.labels) previous.push_back(names.at(label));
  const Partition found = partition(graph, {.previous = previous, .keep = 0.5});
  EXPECT_EQ(found.node_ids(), previous);
  EXPECT_EQ(found.update->moved, 0);
  EXPECT_DOUBLE_EQ(found.update->ami, 1);
  EXPECT_TRUE(std::ranges::is_sorted(found.ids));
}

TEST(Constraints, ALargeKeepHoldsEveryNodeOfAConnectedGraph) {
  const Graph graph = blocks_of(6, 80, 4);
  Random random(2, 0);
  Ids previous;
  for (Index i = 0; i < graph.nodes(); ++i) {
    previous.push_back(static_cast<std::int64_t>(random.below(3)));
  }
  const Partition held = partition(graph, {.previous = previous, .keep = 100});
  EXPECT_EQ(held.update->moved, 0);
  EXPECT_GT(held.costs.at(0).without, held.costs.at(0).with);
  EXPECT_GT(partition(graph, {.previous = previous}).update->moved, 0);
}

TEST(Constraints, NewNodesJoinAndTheLimitOfARunLeavesValidClusters) {
  const Graph graph = blocks_of(7, 90, 3);
  const Partition first = partition(graph);
  Ids previous(first.labels.begin(), first.labels.end());
  for (std::size_t i = 0; i < 10; ++i) previous[i * 7] = -1;
  const Partition found = partition(graph, {.previous = previous});
  EXPECT_EQ(found.update->added, 10);
  EXPECT_EQ(found.clusters, first.clusters);

  Ids fixed(graph.nodes(), -1);
  fixed[0] = 2;
  fixed[1] = 5;
  const Partition stopped = partition(graph, {.fixed = fixed, .max_size = 20}, {.time_limit = 0});
  EXPECT_EQ(stopped.solution.status, Status::time_limit);
  expect_fixed(stopped, fixed);
  EXPECT_LE(std::ranges::max(stopped.sizes), 20);
}

TEST(Constraints, AreRefusedWithWhatTheyDoNotGoWith) {
  const Graph graph = blocks_of(8);
  const Ids ids(graph.nodes(), 0);
  const auto message = [&](const PartitionOptions& options) {
    try {
      static_cast<void>(partition(graph, options));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message({.keep = 1}).find("keep 1 without previous"), std::string::npos);
  EXPECT_NE(message({.previous = ids, .keep = -1}).find("keep is -1"), std::string::npos);
  EXPECT_NE(message({.min_size = 5, .max_size = 4}).find("min-size 5 is above"), std::string::npos);
  EXPECT_NE(message({.clusters = 2, .max_size = 4}).find("max-size 4 with 2"), std::string::npos);
  EXPECT_NE(message({.sparsity = 1, .max_size = 4}).find("max-size with sparsity"),
            std::string::npos);
  EXPECT_NE(message({.previous = Ids{1}}).find("previous of 1 nodes"), std::string::npos);
  Ids two = ids;
  two[0] = 1;
  EXPECT_NE(message({.clusters = 1, .fixed = two}).find("fixed has 2 labels"), std::string::npos);
  EXPECT_NE(message({.fixed = ids, .max_size = 20}).find("fixed label 0"), std::string::npos);
}

}  // namespace

}  // namespace srgw

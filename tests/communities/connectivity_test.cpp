// SPDX-License-Identifier: MIT
#include "communities/connectivity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "communities/levels.hpp"
#include "communities/search/cluster_graphs.hpp"
#include "communities/search/smallest_cut.hpp"
#include "graph/components_rows.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"

namespace srgw::detail {
namespace {

/// A random graph on few nodes, with weights up to `most_weight`; `connected`: along a path.
Graph random_small_graph(int most_weight, bool connected) {
  const auto nodes = *rc::gen::inRange<NodeId>(2, 10);
  std::vector<Entry> edges;
  for (NodeId i = 0; i < nodes; ++i) {
    for (NodeId j = 0; j < i; ++j) {
      int weight = *rc::gen::inRange(-most_weight, most_weight + 1);
      if (connected && i == j + 1) weight = std::max(weight, 1);
      if (weight > 0) edges.push_back({i, j, static_cast<double>(weight)});
    }
  }
  return Graph::from_edges(Index{nodes}, edges);
}

double brute_force_cut(const WeightedGraph& graph) {
  double best = std::numeric_limits<double>::infinity();
  for (unsigned side = 1; side + 1 < 1U << graph.size(); ++side) {
    double cut = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
        if ((side >> i & 1U) != 0 && (side >> graph.columns[e] & 1U) == 0) cut += graph.weight(e);
      }
    }
    best = std::min(best, cut);
  }
  return best;
}

std::size_t components_in(const WeightedGraph& graph) {
  return components_of(graph.rows(), true).sizes.size();
}

RC_GTEST_PROP(SmallestCut, IsThatOfAllCuts, ()) {
  const Graph graph = random_small_graph(*rc::gen::element(1, 1, 5), true);
  const WeightedGraph weighted = modularity_graph(graph);
  const Cut cut = smallest_cut(weighted);
  RC_ASSERT(cut.exact);
  RC_ASSERT(cut.weight == brute_force_cut(weighted));
  RC_ASSERT(!cut.side.empty());
  RC_ASSERT(cut.side.size() < weighted.size());
}

RC_GTEST_PROP(SmallestCut, LeavesNoPartWithASmallerOne, ()) {
  const Graph graph = random_small_graph(*rc::gen::element(1, 5), false);
  const WeightedGraph weighted = modularity_graph(graph);
  const double least = *rc::gen::element(0.5, 2.0, 4.0, 7.0);
  Assignment parts = split_along_cuts(weighted, least);
  const std::size_t count = compact(parts);
  const ClusterGraphs clusters(weighted, parts, count);
  for (std::size_t c = 0; c < count; ++c) {
    const WeightedGraph cluster = clusters.of(c);
    RC_ASSERT(components_in(cluster) == 1U);
    if (cluster.size() < 2) continue;
    RC_ASSERT(brute_force_cut(cluster) >= least * std::log10(static_cast<double>(cluster.size())));
  }
}

TEST(SmallestCut, PartsTwoCliquesAtTheirBridge) {
  std::vector<Entry> edges{{0, 20}};
  for (NodeId i = 0; i < 20; ++i) {
    for (NodeId j = 0; j < i; ++j) {
      edges.push_back({i, j});
      edges.push_back({20 + i, 20 + j});
    }
  }
  const WeightedGraph graph = modularity_graph(Graph::from_edges(40, edges));
  const Cut cut = smallest_cut(graph);
  EXPECT_EQ(cut.weight, 1);
  EXPECT_EQ(cut.side.size(), 20U);
  Assignment parts = split_along_cuts(graph, 1);
  EXPECT_EQ(compact(parts), 2U);
  EXPECT_EQ(parts[0], parts[19]);
  EXPECT_NE(parts[0], parts[20]);
}

TEST(SmallestCut, IsAnUpperBoundWhenTheWorkIsBounded) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 300, .blocks = 1, .mean_degree = 60, .inside = 1}, 3);
  const WeightedGraph graph = modularity_graph(planted.graph);
  const Cut exact = smallest_cut(graph);
  EXPECT_TRUE(exact.exact);
  EXPECT_GE(smallest_cut(graph, 0).weight, exact.weight);
}

RC_GTEST_PROP(ConnectClusters, MakesThemConnectedAndKeepsAGivenNumber, ()) {
  const Graph graph = random_small_graph(1, false);
  const WeightedGraph weighted = modularity_graph(graph);
  std::size_t count = 3;
  Assignment labels;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    labels.push_back(*rc::gen::inRange<NodeId>(0, 3));
  }
  Assignment before = labels;
  const std::size_t used = compact(before);
  const bool given = *rc::gen::arbitrary<bool>();
  const Connected done = connect_clusters(
      weighted, 1, given ? std::optional<std::size_t>(used) : std::nullopt, labels, count);
  Assignment after = labels;
  const std::size_t number = compact(after);
  const std::size_t parts = components_inside(weighted, after, number).sizes.size();
  RC_ASSERT(parts == number + done.left);
  const bool kept = given ? number == used : done.left == 0;
  RC_ASSERT(kept);
}

TEST(ConnectClusters, LeavesConnectedOnesAlone) {
  const WeightedGraph path =
      modularity_graph(Graph::from_edges(5, std::vector<Entry>{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  Assignment labels{0, 0, 1, 1, 1};
  std::size_t count = 2;
  EXPECT_EQ(connect_clusters(path, 1, {}, labels, count).disconnected, 0U);
  EXPECT_EQ(labels, (Assignment{0, 0, 1, 1, 1}));
}

/// Blocks in superblocks: edges are likelier inside a block than inside a superblock than outside.
struct NestedBlocks {
  Graph graph = Graph::from_edges(1, {});
  Assignment blocks, superblocks;
};
NestedBlocks nested_blocks(NodeId superblocks, NodeId blocks, NodeId size, std::uint64_t seed) {
  NestedBlocks result;
  std::mt19937_64 random(seed);
  const NodeId nodes = superblocks * blocks * size;
  std::vector<Entry> edges;
  for (NodeId i = 0; i < nodes; ++i) {
    result.blocks.push_back(i / size);
    result.superblocks.push_back(i / (size * blocks));
    for (NodeId j = 0; j < i; ++j) {
      const double share = i / size == j / size                         ? 0.4
                           : i / (size * blocks) == j / (size * blocks) ? 0.06
                                                                        : 0.004;
      if (static_cast<double>(random() >> 11) * 0x1p-53 < share) edges.push_back({i, j});
    }
  }
  result.graph = Graph::from_edges(Index{nodes}, edges);
  return result;
}

void expect_nested(const Partition& found) {
  ASSERT_FALSE(found.hierarchy.empty());
  int results = 0;
  for (std::size_t l = 0; l < found.hierarchy.size(); ++l) {
    const PartitionLevel& level = found.hierarchy[l];
    if (level.is_result) {
      ++results;
      EXPECT_EQ(level.labels, found.labels);
    }
    if (l + 1 == found.hierarchy.size()) {
      EXPECT_TRUE(level.parents.empty());
      continue;
    }
    const PartitionLevel& next = found.hierarchy[l + 1];
    EXPECT_LT(next.clusters, level.clusters);
    ASSERT_EQ(std::ssize(level.parents), level.clusters);
    for (std::size_t i = 0; i < level.labels.size(); ++i) {
      if (level.labels[i] < level.parents.size()) {
        EXPECT_EQ(level.parents[level.labels[i]], next.labels[i]);
      } else {
        EXPECT_EQ(Index{next.labels[i]}, next.clusters);
      }
    }
  }
  EXPECT_EQ(results, 1);
}

TEST(Levels, RecoverBlocksAndSuperblocks) {
  const NestedBlocks nested = nested_blocks(4, 5, 30, 7);
  for (const std::optional<Index> clusters : {std::optional<Index>(), std::optional<Index>(4)}) {
    const Partition found = partition(nested.graph, {.clusters = clusters, .levels = true});
    expect_nested(found);
    double blocks = 0, superblocks = 0;
    for (const PartitionLevel& level : found.hierarchy) {
      blocks = std::max(blocks, metrics::adjusted_mutual_information(nested.blocks, level.labels));
      superblocks = std::max(
          superblocks, metrics::adjusted_mutual_information(nested.superblocks, level.labels));
    }
    EXPECT_GT(blocks, 0.98);
    EXPECT_GT(superblocks, 0.98);
    EXPECT_LE(found.hierarchy.size(), 3U);
  }
}

TEST(Levels, AreTheSameOnAnyNumberOfThreads) {
  const NestedBlocks nested = nested_blocks(3, 4, 20, 2);
  const PartitionOptions options{.cuts = true, .levels = true};
  const Partition one = partition(nested.graph, options, {.threads = 1});
  for (const int threads : {2, 8}) {
    const Partition many = partition(nested.graph, options, {.threads = threads});
    EXPECT_EQ(many.labels, one.labels);
    ASSERT_EQ(many.hierarchy.size(), one.hierarchy.size());
    for (std::size_t l = 0; l < one.hierarchy.size(); ++l) {
      EXPECT_EQ(many.hierarchy[l].labels, one.hierarchy[l].labels);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(many.hierarchy[l].modularity),
                std::bit_cast<std::uint64_t>(one.hierarchy[l].modularity));
    }
    ASSERT_EQ(many.cuts.size(), one.cuts.size());
    for (std::size_t c = 0; c < one.cuts.size(); ++c) {
      EXPECT_EQ(many.cuts[c].weight, one.cuts[c].weight);
    }
  }
}

TEST(Levels, GroupsAreDescribedByTheSumOfTheirTerms) {
  // Four clusters in two groups: 3 edges inside each group, 2 between 0 and 2.
  const std::vector<Entry> edges{{0, 1, 3}, {2, 3, 3}, {0, 2, 2}};
  const WeightedGraph clusters = modularity_graph(Graph::from_edges(4, edges));
  const auto log_choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  const double expected = log_choose(3 + 8 - 1, 8) + log_choose(4 + 2 - 1, 2) + std::log(4) +
                          log_choose(3, 1) + log_choose(4, 2);
  EXPECT_NEAR(length_of_groups(clusters, {0, 0, 1, 1}), expected, 1e-9);
  EXPECT_NEAR(length_without_groups(clusters), log_choose(6 + 8 - 1, 8), 1e-9);
}

RC_GTEST_PROP(Connectivity, HoldsForEveryClusterOfASearch, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 120, .blocks = 6, .mean_degree = 4, .inside = 0.8}, seed);
  const auto clusters = *rc::gen::element(Index{0}, Index{3}, Index{9});
  PartitionOptions options{.cuts = true, .levels = true};
  if (clusters > 0) options.clusters = clusters;
  const Partition found = partition(planted.graph, options, {.seed = seed});
  RC_ASSERT(std::ssize(found.cuts) == found.clusters);
  if (found.significant) {
    for (const PartitionCut& cut : found.cuts) RC_ASSERT(cut.components == 1);
  }
  expect_nested(found);
}

TEST(Connectivity, MinCutSplitsAndTellsTheCost) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 200, .blocks = 4, .mean_degree = 10, .inside = 0.9}, 5);
  const Partition found = partition(planted.graph, {.min_cut = 4});
  const Partition plain = partition(planted.graph);
  for (const PartitionCut& cut : found.cuts) {
    EXPECT_GE(cut.relative.value_or(4), 4);
  }
  EXPECT_GT(found.clusters, plain.clusters);
  EXPECT_LE(found.modularity, plain.modularity);
  EXPECT_NE(found.reasons.back().find("modularity"), std::string::npos);
}

TEST(Connectivity, OptionsOfTheSearchAreRefusedElsewhere) {
  const PartitionStructure heat{StructureKind::heat, 3};
  EXPECT_THROW(static_cast<void>(resolve({.clusters = 2, .structure = heat, .levels = true})),
               Error);
  EXPECT_THROW(static_cast<void>(resolve({.clusters = 2, .min_cut = 1})), Error);
  EXPECT_THROW(static_cast<void>(resolve({.min_cut = std::nan("")})), Error);
  PartitionOptions levels;
  levels.levels = true;
  EXPECT_NE(refusal_on_ranks(resolve(levels)).find("levels"), std::string::npos);
}

}  // namespace
}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "communities/shortest_description.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "communities/communities.hpp"
#include "communities/effort.hpp"
#include "communities/reasons.hpp"
#include "communities/significance.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/generate.hpp"
#include "srgw/io.hpp"
#include "srgw/metrics.hpp"
#include "support/data.hpp"

namespace srgw::detail {
namespace {

Graph ring_of_cliques(NodeId count, NodeId size) {
  std::vector<Entry> edges;
  for (NodeId c = 0; c < count; ++c) {
    for (NodeId i = 0; i < size; ++i) {
      for (NodeId j = 0; j < i; ++j) edges.push_back({c * size + i, c * size + j});
    }
    edges.push_back({c * size, (c + 1) % count * size + 1});
  }
  return Graph::from_edges(Index{count} * size, edges);
}

Assignment cliques_of(const Graph& graph, NodeId size) {
  Assignment labels(graph.nodes());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<NodeId>(i) / size;
  return labels;
}

/// ln n!, by its definition.
double log_product(int n) {
  double sum = 0;
  for (int i = 2; i <= n; ++i) sum += std::log(i);
  return sum;
}
double log_choose(int n, int k) { return log_product(n) - log_product(k) - log_product(n - k); }

TEST(BlockModelLength, OfTwoTrianglesIsTheSumOfItsTerms) {
  // Two triangles joined by an edge: 7 edges, in each cluster 3 nodes, 3 edges, 7 edge ends.
  const std::vector<Entry> edges{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}};
  const WeightedGraph graph = modularity_graph(Graph::from_edges(6, edges));
  const double edge_terms = 2 * (log_product(7) - 3 * std::log(2) - log_product(3));
  const double degree_terms = 2 * log_choose(3 + 7 - 1, 7);
  const double count_terms = log_choose(3 + 7 - 1, 7);
  const double label_terms = std::log(6) + log_choose(5, 1) + log_choose(6, 3);
  const BlockModelLength found = block_model_length(graph, {0, 0, 0, 1, 1, 1}, {});
  const double other_terms = edge_terms + degree_terms + label_terms;
  EXPECT_NEAR(found.general, other_terms + count_terms, 1e-9);
  // 6 edges are inside, as many in one triangle as in the other.
  const double equal_terms =
      std::log(7 + 1) + 6 * std::log(2) - log_product(6) + 2 * log_product(3);
  ASSERT_LT(equal_terms, count_terms);
  EXPECT_NEAR(found.assortative, other_terms + equal_terms, 1e-9);
}

TEST(BlockModelLength, DoesNotChangeWhenNodesOfAClusterAreContracted) {
  const Graph graph = ring_of_cliques(8, 4);
  const WeightedGraph weighted = modularity_graph(graph);
  const Assignment parts = cliques_of(graph, 2);
  const WeightedGraph contracted = contract(weighted, parts, 16);
  const std::vector<double> nodes(16, 2);
  Assignment coarse(16);
  for (NodeId i = 0; i < 16; ++i) coarse[i] = i / 2;
  const BlockModelLength whole = block_model_length(weighted, cliques_of(graph, 4), {});
  const BlockModelLength parts_only = block_model_length(contracted, coarse, nodes);
  EXPECT_NEAR(parts_only.general, whole.general, 1e-9);
  EXPECT_NEAR(parts_only.assortative, whole.assortative, 1e-9);
}

TEST(BlockModelLength, AssortativeFormAllowsForManyClusters) {
  const Graph graph = ring_of_cliques(40, 5);
  const WeightedGraph weighted = modularity_graph(graph);
  const BlockModelLength cliques = block_model_length(weighted, cliques_of(graph, 5), {});
  const BlockModelLength fours = block_model_length(weighted, cliques_of(graph, 20), {});
  EXPECT_LT(cliques.assortative, cliques.general);
  EXPECT_LT(cliques.assortative, fours.assortative);
  EXPECT_GT(cliques.general, fours.general);
}

TEST(FreeNumberOfClusters, DescriptionLengthFindsClustersBelowTheResolutionLimit) {
  const PlantedGraph planted = generate(
      PlantedPartition{.nodes = 3000, .blocks = 100, .mean_degree = 16, .inside = 0.7}, 11);
  const Partition described = partition(planted.graph);
  EXPECT_EQ(described.clusters, 100);
  EXPECT_GT(metrics::adjusted_mutual_information(described.labels, planted.blocks), 0.99);
  EXPECT_GT(described.resolution, 1);
  EXPECT_FALSE(described.lengths.empty());
  const Partition by_modularity =
      partition(planted.graph, {.criterion = PartitionCriterion::modularity});
  EXPECT_LT(by_modularity.clusters, 90);
  EXPECT_EQ(by_modularity.resolution, 1);
  EXPECT_TRUE(by_modularity.lengths.empty());
}

TEST(FreeNumberOfClusters, DescriptionLengthDoesNotSplitLargeSparseClusters) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 2000, .blocks = 2, .mean_degree = 10, .inside = 0.85}, 3);
  const Partition described = partition(planted.graph);
  EXPECT_EQ(described.clusters, 2);
  EXPECT_GT(metrics::adjusted_mutual_information(described.labels, planted.blocks), 0.8);
  EXPECT_GT(partition(planted.graph, {.criterion = PartitionCriterion::modularity}).clusters, 4);
}

TEST(FreeNumberOfClusters, DoesNotDependOnThreads) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 600, .blocks = 30, .mean_degree = 14, .inside = 0.7}, 5);
  const Partition one = partition(planted.graph, {}, {.threads = 1});
  const Partition three = partition(planted.graph, {}, {.threads = 3});
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.resolution, three.resolution);
  ASSERT_EQ(one.lengths.size(), three.lengths.size());
  for (std::size_t i = 0; i < one.lengths.size(); ++i) {
    EXPECT_EQ(one.lengths[i].length, three.lengths[i].length);
  }
}

TEST(FreeNumberOfClusters, SmallClustersOfLfrGraphsAreNotMerged) {
  const PlantedGraph planted = generate(Lfr{.nodes = 3000, .mixing = 0.6}, 5);
  const Partition found = partition(planted.graph);
  EXPECT_GT(metrics::adjusted_mutual_information(found.labels, planted.blocks), 0.99);
}

TEST(FreeNumberOfClusters, CliquesOfTenInARingAreNotMerged) {
  EXPECT_EQ(partition(ring_of_cliques(100, 10)).clusters, 100);
}

TEST(FreeNumberOfClusters, OfClearAbcdGraphsIsFound) {
  // Modularity loses 0.001 by them, and the general description merges a third.
  const PlantedGraph planted = generate(Abcd{.nodes = 4000, .noise = 0.2}, 3);
  const Partition found = partition(planted.graph);
  EXPECT_GT(metrics::adjusted_mutual_information(found.labels, planted.blocks), 0.99);
}

TEST(FreeNumberOfClusters, PartsOfClearClustersStayTogether) {
  // Twelve villages; their parts would shorten the description by less than a hundredth.
  SRGW_NEEDS_SHARED_DATA("partition/village");
  const Graph graph = io::read_graph(test::shared_data() / "partition/village/edges.tsv").graph;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(partition(graph, {}, {.seed = seed}).clusters, 12) << seed;
  }
}

TEST(FreeNumberOfClusters, OfAMediumGraphIsChosenOnAContractedGraph) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 6000, .blocks = 120, .mean_degree = 18, .inside = 0.7}, 4);
  ASSERT_TRUE(effort_of(PartitionEffort::normal,
                        {.entries = planted.graph.adjacency().columns.size(), .is_free = true})
                  .contracts_trials);
  const Partition one = partition(planted.graph, {}, {.threads = 1});
  const Partition three = partition(planted.graph, {}, {.threads = 3});
  EXPECT_GT(metrics::adjusted_mutual_information(one.labels, planted.blocks), 0.99);
  EXPECT_EQ(one.clusters, 120);
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.resolution, three.resolution);
  EXPECT_TRUE(std::ranges::is_sorted(one.lengths, {}, &PartitionLength::resolution));
}

TEST(FreeNumberOfClusters, ReasonsTellWhereTheDescriptionLengthDoesNotChoose) {
  Communities found;
  found.count = 3;
  found.route = Route::split_merge;
  Partition result;
  result.clusters = 3;
  const Significance significant{.significant = true, .complete = true};
  const auto reason = [&](bool by_description) {
    return explain_search(found, {.by_description = by_description}, significant, 0, result).at(0);
  };
  EXPECT_NE(reason(true).find("the description length does not choose"), std::string::npos);
  EXPECT_EQ(reason(false).find("description length"), std::string::npos);
}

TEST(FreeNumberOfClusters, EqualWeightsCountAsEdges) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 600, .blocks = 40, .mean_degree = 10, .inside = 0.8}, 2);
  std::vector<Entry> edges;
  for_each_entry(planted.graph.adjacency(), [&](Index i, Index j, double) {
    if (i < j) edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), 0x1p-300});
  });
  const Partition plain = partition(planted.graph);
  const Partition weighted = partition(Graph::from_edges(600, edges));
  EXPECT_EQ(weighted.labels, plain.labels);
  EXPECT_EQ(weighted.resolution, plain.resolution);
  EXPECT_FALSE(weighted.lengths.empty());
}

TEST(FreeNumberOfClusters, OfAWeightedGraphIsChosenByModularity) {
  const std::vector<Entry> edges{{0, 1, 2.5}, {1, 2, 2}, {0, 2, 2},  {3, 4, 2},
                                 {4, 5, 2},   {3, 5, 2}, {2, 3, 0.1}};
  const Partition found = partition(Graph::from_edges(6, edges));
  EXPECT_EQ(found.resolution, 1);
  EXPECT_TRUE(found.lengths.empty());
}

}  // namespace
}  // namespace srgw::detail

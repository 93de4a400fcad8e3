// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "communities/search/layered_graph.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/partition.hpp"

namespace srgw {

namespace {

using detail::Random;
using detail::WeightedGraph;

/// Each pair is an edge with this probability, with a small weight where `weighted`; a path joins
/// the first nodes, so that there is an edge.
Graph random_layer(Index nodes, double density, bool weighted, std::uint64_t seed) {
  Random random(seed, 7);
  std::vector<Entry> edges;
  for (NodeId i = 0; i < nodes; ++i) {
    for (NodeId j = i + 1; j < nodes; ++j) {
      const bool drawn = random.uniform() < density;
      const double weight = weighted ? 1 + static_cast<double>(random.below(3)) : 1;
      if (drawn || (i == 0 && j == 1)) edges.push_back({i, j, weight});
    }
  }
  return Graph::from_edges(nodes, std::span<const Entry>(edges));
}

Graph planted_layer(std::uint64_t seed, double inside = 0.8, Index nodes = 120) {
  return generate(PlantedPartition{.nodes = nodes, .blocks = 4, .mean_degree = 8, .inside = inside},
                  seed)
      .graph;
}

/// Calls with(labels) for each partition of the nodes.
template <class With>
void for_each_partition(std::size_t nodes, const With& with) {
  Assignment labels(nodes, 0);
  const auto extend = [&](const auto& self, std::size_t node, NodeId used) -> void {
    if (node == nodes) return with(labels);
    for (NodeId label = 0; label <= used; ++label) {
      labels[node] = label;
      self(self, node + 1, std::max(used, static_cast<NodeId>(label + 1)));
    }
  };
  extend(extend, 0, 0);
}

std::vector<WeightedGraph> weighted_graphs(const std::vector<PartitionLayer>& layers) {
  std::vector<WeightedGraph> result;
  for (const auto& [graph, weight] : layers) result.push_back(detail::modularity_graph(graph));
  return result;
}

TEST(Layers, TheQualityOfTheSumIsTheWeightedMeanOfTheModularities) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<PartitionLayer> layers{{random_layer(12, 0.3, true, seed), 0.7},
                                             {random_layer(12, 0.2, false, seed + 50), 2},
                                             {random_layer(12, 0.1, true, seed + 90), 0.1}};
    const std::vector<double> weights{0.7, 2, 0.1};
    const WeightedGraph sum = detail::combine_layers(weighted_graphs(layers), weights);
    Random random(seed, 1);
    Assignment labels(12);
    for (NodeId& label : labels) label = static_cast<NodeId>(random.below(4));
    for (const double resolution : {1.0, 0.4, 3.0}) {
      double mean = 0;
      for (const auto& [graph, weight] : layers) {
        mean += weight * metrics::modularity(graph, labels, resolution) / 2.8;
      }
      EXPECT_NEAR(detail::quality(sum, labels, resolution), mean, 1e-12);
      // Contraction keeps it.
      Assignment coarse(4);
      for (NodeId c = 0; c < 4; ++c) coarse[c] = c;
      EXPECT_NEAR(detail::quality(detail::contract(sum, labels, 4), coarse, resolution), mean,
                  1e-12);
    }
  }
}

TEST(Layers, NoPartitionOfATinyGraphIsBetter) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    constexpr Index nodes = 7;
    const std::vector<PartitionLayer> layers{
        {random_layer(nodes, 0.35, seed % 2 == 0, seed), 1},
        {random_layer(nodes, 0.35, false, seed + 100), seed % 3 == 0 ? 0.25 : 1.5}};
    double best = -1;
    for_each_partition(nodes, [&](const Assignment& labels) {
      best = std::max(best, modularity_of_layers(layers, labels));
    });
    const Partition found = partition(layers, {.test_significance = false});
    EXPECT_NEAR(found.modularity, best, 1e-12) << seed;
    EXPECT_NEAR(modularity_of_layers(layers, found.labels), found.modularity, 1e-12);
    EXPECT_EQ(found.criterion, PartitionCriterion::modularity);
  }
}

TEST(Layers, NoPartitionIntoSoManyClustersIsBetter) {
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    constexpr Index nodes = 7;
    const std::vector<PartitionLayer> layers{{random_layer(nodes, 0.6, false, seed), 1},
                                             {random_layer(nodes, 0.6, true, seed + 100), 0.5}};
    const Partition found = partition(layers, {.clusters = 3, .test_significance = false});
    EXPECT_EQ(found.clusters, 3);
    double best = -1;
    for_each_partition(nodes, [&](const Assignment& labels) {
      if (*std::ranges::max_element(labels) != 2) return;
      best = std::max(best, modularity_of_layers(layers, labels));
    });
    // The search is made at another resolution.
    EXPECT_LE(found.modularity, best + 1e-12);
    missed += found.modularity < best - 0.05 ? 1 : 0;
  }
  EXPECT_LE(missed, 2);
}

TEST(Layers, AGraphGivenTwiceHasTheClustersOfTheGraph) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Graph graph = planted_layer(seed);
    const std::vector<PartitionLayer> twice{{graph, 1}, {graph, 1}};
    for (const std::optional<Index> clusters : {std::optional<Index>(), std::optional<Index>(4)}) {
      PartitionOptions options{.clusters = clusters};
      const Partition both = partition(twice, options);
      if (!clusters) options.criterion = PartitionCriterion::modularity;
      options.max_size = graph.nodes();  // hard memberships
      const Partition once = partition(graph, options);
      EXPECT_EQ(both.labels, once.labels);
      EXPECT_NEAR(both.modularity, once.modularity, 1e-12);
      EXPECT_EQ(both.resolution, once.resolution);
      EXPECT_NEAR(both.solution.value, once.solution.value, 1e-10);
      EXPECT_GE(both.solution.gap, once.solution.gap - 1e-10);
      EXPECT_EQ(both.solution.target_weights, once.solution.target_weights);
    }
  }
}

TEST(Layers, ALayerOfWeightZeroChangesNothing) {
  const Graph graph = planted_layer(5);
  const Graph other = planted_layer(6, 0.1);
  const Partition alone = partition(graph);
  const Partition found = partition(std::vector<PartitionLayer>{{graph, 2}, {other, 0}});
  EXPECT_EQ(found.labels, alone.labels);
  EXPECT_EQ(found.modularity, alone.modularity);
  EXPECT_EQ(found.solution.value, alone.solution.value);
  ASSERT_EQ(found.layers.size(), 2U);
  EXPECT_EQ(found.layers[0].modularity, metrics::modularity(graph, alone.labels));
  EXPECT_EQ(found.layers[1].modularity, metrics::modularity(other, alone.labels));
  EXPECT_EQ(found.criterion, alone.criterion);
  EXPECT_TRUE(
      found.reasons[0].starts_with("Only layer 1 has a weight: it is clustered like a "
                                   "single graph. Modularity of layer 1: "))
      << found.reasons[0];
  const Partition three =
      partition(std::vector<PartitionLayer>{{graph, 2}, {other, 0}, {other, 0.5}});
  EXPECT_TRUE(three.reasons[0].starts_with("The weighted mean of the modularities of 2 layers"))
      << three.reasons[0];
}

TEST(Layers, AnyNumberOfThreadsGivesTheSameBits) {
  const std::vector<PartitionLayer> layers{{planted_layer(1, 0.7, 3000), 1},
                                           {planted_layer(2, 0.6, 3000), 0.3},
                                           {planted_layer(3, 0.5, 3000), 0.8}};
  const PartitionOptions options{.cuts = true, .levels = true};
  const Partition one = partition(layers, options, {.threads = 1});
  for (const int threads : {2, 8}) {
    const Partition many = partition(layers, options, {.threads = threads});
    EXPECT_EQ(many.labels, one.labels);
    EXPECT_EQ(many.modularity, one.modularity);
    EXPECT_EQ(many.solution.value, one.solution.value);
    EXPECT_EQ(many.solution.gap, one.solution.gap);
    ASSERT_EQ(many.hierarchy.size(), one.hierarchy.size());
    for (std::size_t l = 0; l < one.hierarchy.size(); ++l) {
      EXPECT_EQ(many.hierarchy[l].labels, one.hierarchy[l].labels);
    }
  }
}

TEST(Layers, ClustersThatNoLayerShowsAloneAreFoundTogether) {
  const PlantedPartition weak{.nodes = 120, .blocks = 4, .mean_degree = 5, .inside = 0.5};
  const Assignment truth = generate(weak, 0).blocks;
  std::vector<PartitionLayer> layers;
  double alone = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto [graph, labels] = generate(weak, seed);
    ASSERT_EQ(labels, truth);
    layers.push_back({graph, 1});
    alone = std::max(alone, metrics::adjusted_mutual_information(truth, partition(graph).labels));
  }
  const Partition together = partition(layers);
  EXPECT_LT(alone, 0.6);
  EXPECT_GT(metrics::adjusted_mutual_information(truth, together.labels), 0.9);
  EXPECT_EQ(together.clusters, 4);
}

TEST(Layers, RandomLayersHaveNoCommunities) {
  const std::vector<PartitionLayer> layers{{planted_layer(1, 0.25, 200), 1},
                                           {planted_layer(2, 0.25, 200), 1}};
  const Partition found = partition(layers);
  EXPECT_FALSE(found.significant);
  EXPECT_EQ(found.clusters, 1);
  EXPECT_TRUE(partition(std::vector<PartitionLayer>{{planted_layer(1), 1}, {planted_layer(1), 0.5}})
                  .significant);
}

TEST(Layers, LevelsAreNestedAndTellTheModularityOfTheLayers) {
  const std::vector<PartitionLayer> layers{{planted_layer(1), 1}, {planted_layer(2), 0.5}};
  const Partition found = partition(layers, {.cuts = true, .levels = true});
  ASSERT_FALSE(found.hierarchy.empty());
  EXPECT_EQ(found.cuts.size(), found.sizes.size());
  for (const PartitionCut& cut : found.cuts) EXPECT_EQ(cut.components, 1);
  for (std::size_t l = 0; l < found.hierarchy.size(); ++l) {
    const PartitionLevel& level = found.hierarchy[l];
    EXPECT_NEAR(level.modularity, modularity_of_layers(layers, level.labels), 1e-12);
    if (l + 1 == found.hierarchy.size()) continue;
    for (std::size_t i = 0; i < level.labels.size(); ++i) {
      EXPECT_EQ(level.parents[level.labels[i]], found.hierarchy[l + 1].labels[i]);
    }
  }
}

TEST(Layers, ConstraintsHold) {
  const std::vector<PartitionLayer> layers{{planted_layer(1), 1}, {planted_layer(2), 0.5}};
  const Partition sized = partition(layers, {.min_size = 5, .max_size = 20});
  for (const Index size : sized.sizes) {
    EXPECT_GE(size, 5);
    EXPECT_LE(size, 20);
  }
  EXPECT_NEAR(sized.modularity, modularity_of_layers(layers, sized.labels), 1e-12);
  std::vector<std::int64_t> fixed(120, -1);
  fixed[0] = 3;
  fixed[1] = 9;
  const std::vector<std::int64_t> ids = partition(layers, {.fixed = fixed}).node_ids();
  EXPECT_EQ(ids[0], 3);
  EXPECT_EQ(ids[1], 9);
  const Partition before = partition(layers);
  const std::vector<std::int64_t> previous(before.labels.begin(), before.labels.end());
  const Partition again = partition(layers, {.previous = previous, .keep = 0.1});
  EXPECT_EQ(again.node_ids(), previous);
  EXPECT_EQ(again.update->moved, 0);
}

TEST(Layers, WhatDoesNotFitIsRefusedInWords) {
  const Graph graph = planted_layer(1);
  const std::vector<PartitionLayer> layers{{graph, 1}, {graph, 1}};
  const auto message = [&](const std::vector<PartitionLayer>& given,
                           const PartitionOptions& options) -> std::string {
    try {
      (void)partition(given, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Graph small = random_layer(7, 0.5, false, 1);
  const Graph empty = Graph::from_edges(120, std::span<const Entry>());
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(message({{graph, 1}, {small, 1}}, {}), "layer 2 has 7 nodes, expected 120"));
  EXPECT_TRUE(contains(message({{graph, 1}, {empty, 1}}, {}), "layer 2 has no edges"));
  EXPECT_TRUE(contains(message({{graph, 1}, {graph, -1}}, {}), "layer 2 has the weight -1"));
  EXPECT_TRUE(contains(message({{graph, 0}, {graph, 0}}, {}), "expected one above 0"));
  EXPECT_TRUE(contains(message({}, {}), "no layers"));
  EXPECT_TRUE(contains(message(layers, {.criterion = PartitionCriterion::description_length}),
                       "criterion desc"));
  EXPECT_TRUE(contains(message(layers, {.clusters = 3, .sparsity = 0.1}), "sparsity"));
  EXPECT_TRUE(contains(message(layers, {.features = PartitionFeatures{}}), "features"));
  EXPECT_TRUE(contains(message(layers, {.clusters = 3, .method = MirrorDescent{}}), "epsilon"));
  EXPECT_TRUE(contains(message(layers, {.clusters = 3, .start = Start::spectral}),
                       "start spectral with several"));
}

}  // namespace

}  // namespace srgw

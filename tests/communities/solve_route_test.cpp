// SPDX-License-Identifier: MIT
// Structures, targets, starts and settings of one's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/partition.hpp"
#include "srgw/problem.hpp"
#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw {
namespace {

using test::expect_error;

TEST(PartitionBySolve, LearnsATargetForBlocksThatAreSparseInside) {
  Matrix probabilities(3, 3);
  probabilities << 0.02, 0.3, 0.02, 0.3, 0.02, 0.3, 0.02, 0.3, 0.3;
  const PlantedGraph data = generate(StochasticBlockModel{{100, 100, 100}, probabilities}, 1);
  const Partition found = partition(
      data.graph, {.clusters = 3, .target = {.kind = PartitionTarget::Kind::learned}, .starts = 3});
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.95);
  ASSERT_EQ(found.target.rows(), 3);
  // The best target has the densities of the clusters that were found.
  const Matrix A = adjacency(data.graph).structure.dense();
  Matrix density = Matrix::Zero(3, 3), pairs = density;
  for (Index i = 0; i < 300; ++i) {
    for (Index j = 0; j < 300; ++j) {
      density(found.labels[i], found.labels[j]) += A(i, j);
      pairs(found.labels[i], found.labels[j]) += 1;
    }
  }
  EXPECT_LT((found.target - density.cwiseQuotient(pairs)).cwiseAbs().maxCoeff(), 1e-10);
  Vector diagonal = found.target.diagonal();
  std::sort(diagonal.begin(), diagonal.end());
  EXPECT_NEAR(diagonal[0], 0.02, 0.005);
  EXPECT_NEAR(diagonal[1], 0.02, 0.005);
  EXPECT_NEAR(diagonal[2], 0.3, 0.02);
}

TEST(PartitionBySolve, FeaturesDecideWhereTheGraphIsSilent) {
  const PlantedGraph data =
      generate(PlantedPartition{.nodes = 300, .blocks = 3, .mean_degree = 10, .inside = 0.6}, 1);
  Matrix rows(300, 2);
  for (Index i = 0; i < 300; ++i) {
    const double angle = 2.1 * data.blocks[static_cast<std::size_t>(i)];
    rows.row(i) << 3 * std::cos(angle) + 0.3 * std::sin(7.0 * static_cast<double>(i)),
        3 * std::sin(angle) + 0.3 * std::cos(5.0 * static_cast<double>(i));
  }
  const Partition found =
      partition(data.graph, {.clusters = 3, .features = PartitionFeatures{rows, 0.5}});
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.99);
  EXPECT_EQ(found.target_features.rows(), 3);
}

class Structures : public testing::TestWithParam<PartitionStructure> {};

TEST_P(Structures, FindPlantedBlocks) {
  const PlantedGraph data = test::planted_graph(5);
  const bool sparse = GetParam().kind == PartitionStructure::Kind::adjacency;
  const bool kernel = GetParam().kind == PartitionStructure::Kind::heat;
  const double scale = sparse ? 0.05 : (kernel ? 0.01 : 1);
  const Partition found = partition(
      data.graph, {.clusters = 5,
                   .structure = GetParam(),
                   .target = {.kind = PartitionTarget::Kind::scaled_identity, .scale = scale},
                   .start = Start::spectral});
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.9);
}

INSTANTIATE_TEST_SUITE_P(All, Structures,
                         testing::Values(PartitionStructure{PartitionStructure::Kind::adjacency},
                                         PartitionStructure{PartitionStructure::Kind::modularity},
                                         PartitionStructure{PartitionStructure::Kind::stability, 2},
                                         PartitionStructure{PartitionStructure::Kind::heat, 3}),
                         [](const auto& entry) {
                           return "structure" + std::to_string(entry.index);
                         });

TEST(PartitionBySolve, PutsLargeClustersFirst) {
  const PlantedGraph data =
      generate(StochasticBlockModel{{40, 100, 60},
                                    Matrix::Identity(3, 3) * 0.3 + Matrix::Constant(3, 3, 0.01)},
               1);
  const Partition found = partition(data.graph, {.clusters = 3});
  EXPECT_EQ(found.sizes, (std::vector<Index>{100, 60, 40}));
  EXPECT_EQ(found.solution.plan.labels(), found.labels);
  EXPECT_TRUE(found.solution.target_weights.isApprox(found.solution.plan.target_weights()));
}

TEST(PartitionBySolve, GoesOnFromLabelsAndPlansOfOnesOwn) {
  const PlantedGraph data = test::planted_graph(7);
  PartitionOptions options{.clusters = 5, .structure = {PartitionStructure::Kind::modularity}};
  options.start = data.blocks;
  const Partition from_labels = partition(data.graph, options);
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, from_labels.labels), 0.97);
  Matrix rows = Matrix::Constant(600, 5, 0.1);  // scaled to the node weights by the library
  for (Index i = 0; i < 600; ++i) rows(i, data.blocks[static_cast<std::size_t>(i)]) = 5;
  options.start = rows;
  const Partition from_plan = partition(data.graph, options);
  EXPECT_EQ(from_plan.labels, from_labels.labels);
  // A tolerance that every plan meets leaves the start as it is.
  PartitionOptions at_once = options;
  at_once.method = ConditionalGradient{.tolerance = 1e9, .polish_sweeps = 0};
  Assignment dealt(600);
  for (NodeId i = 0; i < 600; ++i) dealt[i] = i % 5;
  at_once.start = dealt;
  const Assignment kept = partition(data.graph, at_once).solution.plan.labels();
  EXPECT_NEAR(metrics::adjusted_rand_index(dealt, kept), 1, 1e-12);
  options.start = Assignment(10, 0);
  expect_error([&] { return partition(data.graph, options); },
               "labels to start from of 10 nodes, expected 600");
  options.start = Matrix(Matrix::Ones(600, 4));
  expect_error([&] { return partition(data.graph, options); },
               "a plan with 4 columns to start from, expected 5");
}

TEST(PartitionBySolve, LeavesNodesOutWithTheirRowsOfWhatWasGiven) {
  // Two triangles with a bridge, a node without edges between them.
  const std::vector<Entry> edges{{0, 1}, {1, 2}, {2, 0}, {2, 4}, {4, 5}, {5, 6}, {6, 4}};
  const Graph graph = Graph::from_edges(7, edges);
  PartitionOptions options{.clusters = 2, .structure = {PartitionStructure::Kind::adjacency}};
  options.weights = {PartitionWeights::Kind::given, 1, Vector::LinSpaced(7, 1, 7)};
  options.start = Assignment{0, 0, 0, 1, 1, 1, 1};
  options.features = PartitionFeatures{Matrix::Zero(7, 1), 0.5};
  options.features->rows.bottomRows(3).setConstant(2);
  const Partition found = partition(graph, options);
  EXPECT_EQ(found.unconnected, 1);
  EXPECT_EQ(found.labels[3], 2U);
  EXPECT_EQ(found.solution.plan.rows(), 7);
  EXPECT_EQ(found.solution.plan.weights()[3], 0);
  EXPECT_NEAR(found.solution.plan.weights()[6], 7.0 / 24, 1e-15);
  EXPECT_NE(found.labels[0], found.labels[6]);
  EXPECT_NEAR(found.solution.value_linear, 0, 1e-12);
}

TEST(PartitionBySolve, TakesStructuresOfOnesOwn) {
  const PlantedGraph data = test::planted_graph(8);
  const auto own = [](const Graph& graph, int) { return normalized_adjacency(graph); };
  const Partition found =
      partition(data.graph, {.clusters = 5,
                             .structure = {PartitionStructure::Kind::other, 1, own},
                             .target = {PartitionTarget::Kind::scaled_identity, 0.05},
                             .start = Start::spectral});
  EXPECT_GT(metrics::adjusted_mutual_information(data.blocks, found.labels), 0.9);
}

TEST(PartitionBySolve, OntoInterpolatedWeightsGivesClustersTheirMasses) {
  const PlantedGraph data = test::planted_graph(9);
  const Partition found = partition(data.graph, {.clusters = 5,
                                                 .weights = {PartitionWeights::Kind::degree},
                                                 .target = {PartitionTarget::Kind::interpolated}});
  Vector masses = found.solution.target_weights;
  std::sort(masses.begin(), masses.end(), std::greater<>());
  EXPECT_TRUE(masses.isApprox(interpolated_weights(degree_weights(data.graph), 5), 1e-9));
}

TEST(PartitionBySolve, ChoosesSettingsByModularity) {
  const PlantedGraph data = test::planted_graph(10);
  PartitionOptions options{.clusters = 5, .structure = {PartitionStructure::Kind::heat, 1}};
  options.select = PartitionGrid{.times = {1, 5}, .scales = {1, 0.01}, .exponents = {0, 0.5}};
  const Partition found = partition(data.graph, options);
  ASSERT_TRUE(found.setting.has_value());
  EXPECT_EQ(found.resolution, found.setting->scale);
  EXPECT_NE(found.reasons.front().find("Of 5 settings"), std::string::npos);
  for (const double time : options.select->times) {
    for (const double scale : options.select->scales) {
      const Partition other =
          partition(data.graph, {.clusters = 5,
                                 .structure = {PartitionStructure::Kind::heat, time},
                                 .target = {PartitionTarget::Kind::scaled_identity, scale}});
      EXPECT_GE(found.modularity, other.modularity - 1e-3) << time << " " << scale;
    }
  }
}

}  // namespace
}  // namespace srgw

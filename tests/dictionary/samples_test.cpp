// SPDX-License-Identifier: MIT
#include "srgw/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/row_descent.hpp"
#include "srgw/io.hpp"
#include "support/data.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"
#include "support/thread_ranks.hpp"

namespace srgw {
namespace {

using test::expect_error;

Graph path(Index nodes) { return test::random_graph({.nodes = nodes, .degree = 0}); }

Dataset small_dataset() {
  Dataset dataset;
  dataset.graphs = {path(2), path(3)};
  dataset.node_labels = {{5, 2}, {2, 2, 9}};
  dataset.node_features = {Matrix(2, 1), Matrix(3, 1)};
  dataset.node_features[0] << 0, 2;
  dataset.node_features[1] << 3, 4, 8;
  return dataset;
}

TEST(Features, AreAttributesWhereThereAreAny) {
  Dataset dataset = small_dataset();
  EXPECT_EQ(fit_features(dataset).take, NodeFeatures::attributes);
  dataset.node_features.clear();
  EXPECT_EQ(fit_features(dataset).take, NodeFeatures::labels);
  dataset.node_labels.clear();
  EXPECT_EQ(fit_features(dataset).columns(), 0);
}

TEST(Features, HaveAColumnForEachLabelThatOccurs) {
  const Dataset dataset = small_dataset();
  const FeatureMap map = fit_features(dataset, {.take = NodeFeatures::both});
  const auto samples = make_samples(dataset, map);
  Matrix expected(3, 4);
  expected << 1, 0, 0, 3, 1, 0, 0, 4, 0, 0, 1, 8;
  EXPECT_EQ(samples[1].features, expected);
}

TEST(Features, AreStandardisedByMeansOfGraphsOrByNodes) {
  const Dataset dataset = small_dataset();  // means of graphs are 1 and 5
  const FeatureMap graphs = fit_features(
      dataset, {.take = NodeFeatures::attributes, .standardisation = Standardisation::graphs});
  EXPECT_DOUBLE_EQ(graphs.shift[0], 3);
  EXPECT_DOUBLE_EQ(graphs.scale[0], 1 / std::sqrt(8.0));
  const FeatureMap nodes = fit_features(
      dataset, {.take = NodeFeatures::attributes, .standardisation = Standardisation::nodes});
  EXPECT_DOUBLE_EQ(nodes.shift[0], 3.4);
  EXPECT_NEAR(node_features(nodes, dataset, 0)(1, 0), (2 - 3.4) * nodes.scale[0], 1e-15);
}

TEST(Features, OfRanksAreThoseOfTheWholeDataset) {
  Dataset dataset;
  detail::Random random(1, 1);
  for (Index g = 0; g < 9; ++g) {
    dataset.graphs.push_back(path(2 + g));
    dataset.node_labels.emplace_back(static_cast<std::size_t>(2 + g), 10 - g);
    dataset.node_features.push_back(test::random_matrix(2 + g, 3, random));
  }
  for (const auto standardisation : {Standardisation::graphs, Standardisation::nodes}) {
    const FeatureOptions options{.take = NodeFeatures::both, .standardisation = standardisation};
    const FeatureMap whole = fit_features(dataset, options);
    test::on_ranks(4, [&](Ranks& ranks) {  // of which the first has no graphs
      const std::size_t starts[] = {0, 0, 2, 3, 9};
      Dataset part{.first = starts[ranks.rank()]};
      for (std::size_t g = part.first; g < starts[ranks.rank() + 1]; ++g) {
        part.graphs.push_back(dataset.graphs[g]);
        part.node_labels.push_back(dataset.node_labels[g]);
        part.node_features.push_back(dataset.node_features[g]);
      }
      EXPECT_EQ(fit_features(part, {}, &ranks).take, NodeFeatures::attributes);
      const FeatureMap map = fit_features(part, options, &ranks);
      EXPECT_EQ(map.labels, whole.labels);
      EXPECT_EQ(map.attributes, whole.attributes);
      EXPECT_EQ(map.shift, whole.shift);
      EXPECT_EQ(map.scale, whole.scale);
    });
  }
}

TEST(Features, ThatDoNotVaryAreNotScaled) {
  Dataset dataset = small_dataset();
  for (Matrix& features : dataset.node_features) features.setConstant(4);
  const FeatureMap map = fit_features(dataset, {.standardisation = Standardisation::graphs});
  EXPECT_EQ(map.scale[0], 1);
  EXPECT_EQ(node_features(map, dataset, 1)(2, 0), 0);
}

TEST(Features, WarnWhenStandardisationExplodes) {
  Dataset dataset = small_dataset();
  dataset.node_features[0] << -1, 1;
  dataset.node_features[1] << -2, 1, 1 + 1e-6;
  EXPECT_EQ(fit_features(dataset, {.standardisation = Standardisation::graphs}).warnings.size(),
            1U);
  EXPECT_TRUE(fit_features(dataset, {.standardisation = Standardisation::nodes}).warnings.empty());
}

TEST(Features, LabelsThatAreNotKnownHaveNoColumn) {
  Dataset dataset = small_dataset();
  const FeatureMap map = fit_features(dataset, {.take = NodeFeatures::labels});
  EXPECT_EQ(unknown_labels(map, dataset), "");
  dataset.node_labels[1][1] = 7;
  const Matrix features = node_features(map, dataset, 1);
  EXPECT_EQ(features.row(1).sum(), 0);
  EXPECT_EQ(features.row(0).sum(), 1);
  EXPECT_EQ(unknown_labels(map, dataset),
            "1 node of 1 graph has labels that the model was not learned from (7); their columns "
            "are 0");
  for (std::int64_t i = 0; i < 2; ++i) dataset.node_labels[0][i] = 11 + i;
  EXPECT_NE(unknown_labels(map, dataset).find("3 nodes of 2 graphs have"), std::string::npos);
}

TEST(Features, NameWhatIsWrong) {
  Dataset dataset = small_dataset();
  const FeatureMap labels = fit_features(dataset, {.take = NodeFeatures::labels});
  dataset.node_labels.clear();
  expect_error([&] { return make_samples(dataset, labels); },
               "the dataset has no node labels, expected labels for features");
  expect_error([&] { return fit_features(dataset, {.take = NodeFeatures::both}); },
               "the dataset has no node labels, expected labels for features");
  const FeatureMap attributes = fit_features(dataset);
  for (Matrix& features : dataset.node_features) features = Matrix::Zero(features.rows(), 4);
  expect_error([&] { return make_samples(dataset, attributes); },
               "graph 0 has 4 attributes, expected 1");
}

TEST(Samples, CarryTheNumberOfTheGraphThatATransformRefuses) {
  Dataset dataset;
  dataset.graphs = {path(2), Graph::from_edges(3, {})};
  expect_error([&] { return make_samples(dataset, {}, modularity); },
               "graph 1: the degrees sum to 0, expected a positive finite number");
}

TEST(Samples, OfScaledStructuresHaveTheirEntriesWhereRowDescentReadsThem) {
  Dataset dataset;
  dataset.graphs = {path(2), test::random_graph({.nodes = 12, .degree = 3})};
  const auto samples = make_samples(dataset, {}, normalized_adjacency);
  for (std::size_t g = 0; g < 2; ++g) {
    const Structure expected = normalized_adjacency(dataset.graphs[g]).structure;
    EXPECT_FALSE(detail::RowDescent::serves(expected));
    EXPECT_TRUE(detail::RowDescent::serves(samples[g].source.structure));
    EXPECT_LT((samples[g].source.structure.dense() - expected.dense()).cwiseAbs().maxCoeff(),
              1e-15);
  }
}

TEST(Samples, OfMutagHaveSevenLabels) {
  SRGW_NEEDS_SHARED_DATA("tud/MUTAG");
  const Dataset dataset = io::read_dataset(test::shared_data() / "tud/MUTAG");
  const auto samples = make_samples(dataset, fit_features(dataset));
  EXPECT_EQ(samples.size(), 188U);
  EXPECT_EQ(samples[0].features.cols(), 7);
}

}  // namespace
}  // namespace srgw

// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <gtest/gtest.h>

#include <array>

#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

/// Whether a start is for targets c I with free weights only.
bool searches(Start start) { return start == Start::split_merge || start == Start::multilevel; }

/// The problem itself, or one onto a scaled identity for starts that know nothing else.
Problem problem_for(Start start, const OwnedProblem& owned, const Structure& identity) {
  if (!searches(start)) return owned.problem();
  return {.source = owned.source, .weights = owned.weights, .target = identity};
}

class EveryStartName : public testing::TestWithParam<StartName> {};
INSTANTIATE_TEST_SUITE_P(Names, EveryStartName,
                         testing::ValuesIn(start_names().begin(), start_names().end()),
                         [](const auto& given) {
                           std::string name(given.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(EveryStartName, NamesItsStart) {
  EXPECT_EQ(start_from_name(GetParam().name), GetParam().start);
  EXPECT_EQ(name(GetParam().start), GetParam().name);
  EXPECT_FALSE(GetParam().doc.empty());
}

TEST_P(EveryStartName, GivesAPlanOfTheProblemForEveryShapeAndStorage) {
  for (const Storage source : all_storages) {
    for (const auto& [rows, columns] :
         {std::pair<Index, Index>{1, 1}, {1, 4}, {9, 1}, {12, 4}, {3, 8}}) {
      const OwnedProblem owned = random_problem(
          {.rows = rows, .columns = columns, .source = source, .zero_weights = true});
      const Structure identity = Structure::scaled_identity(columns, 0.5);
      const Problem problem = problem_for(GetParam().start, owned, identity);
      const Plan plan = initial_plan(problem, GetParam().start, 3);
      check(problem, plan);
      EXPECT_LT((plan.dense().rowwise().sum() - owned.weights).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

TEST_P(EveryStartName, DependsOnTheSeedAlone) {
  const OwnedProblem owned =
      random_problem({.rows = 3000, .columns = 4, .source = Storage::diagonal});
  const Structure identity = Structure::scaled_identity(4, 0.5);
  const Problem problem = problem_for(GetParam().start, owned, identity);
  const Matrix one = initial_plan(problem, GetParam().start, 5, 1).dense();
  EXPECT_EQ(initial_plan(problem, GetParam().start, 5, 1).dense(), one);
  EXPECT_EQ(initial_plan(problem, GetParam().start, 5, 2).dense(), one);
  EXPECT_EQ(initial_plan(problem, GetParam().start, 5, 8).dense(), one);
}

TEST_P(EveryStartName, GivesAPlanBetweenGivenWeights) {
  if (searches(GetParam().start)) GTEST_SKIP() << "for free target weights only";
  for (const Storage source : all_storages) {
    for (const auto& [rows, columns] :
         {std::pair<Index, Index>{1, 1}, {1, 4}, {9, 1}, {12, 4}, {3, 8}, {5, 5}}) {
      const OwnedProblem owned = random_problem(
          {.rows = rows, .columns = columns, .source = source, .zero_weights = true});
      detail::Random random(9, 0);
      const Vector target_weights = random_weights(columns, true, random);
      Problem problem = owned.problem();
      problem.target_weights.emplace(target_weights);
      const Plan plan = initial_plan(problem, GetParam().start, 3);
      check(problem, plan);
      EXPECT_LT((plan.target_weights() - target_weights).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

class SearchedStart : public testing::TestWithParam<Start> {};
INSTANTIATE_TEST_SUITE_P(All, SearchedStart,
                         testing::Values(Start::split_merge, Start::multilevel));

TEST_P(SearchedStart, FindsPlantedBlocksThroughModularityAndAdjacency) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 1000, .blocks = 5, .mean_degree = 20, .inside = 0.8}, 1);
  const double density = 20.0 / 200;
  for (const auto& [source, scale] :
       {std::pair{modularity(planted.graph), 1.0}, {adjacency(planted.graph), density}}) {
    const Structure target = Structure::scaled_identity(5, scale);
    const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
    const Assignment labels = initial_plan(problem, GetParam(), 1).labels();
    EXPECT_GT(metrics::adjusted_mutual_information(planted.blocks, labels), 0.95);
  }
}

TEST_P(SearchedStart, RefusesOtherTargets) {
  const OwnedProblem owned = random_problem({.rows = 6, .columns = 3});
  expect_error([&] { return initial_plan(owned.problem(), GetParam(), 1); },
               "start " + std::string(name(GetParam())) +
                   " with another target than a scaled identity, expected one: other targets have "
                   "spectral and kmeans");
}

TEST(StartName, ListsTheNamesWhenItIsUnknown) {
  expect_error(
      [] { return start_from_name("warm"); },
      "start 'warm', expected one of: auto, product, product-literal, random, random-product, "
      "random-labels, kmeans, spectral, fluid, kmeans-aligned, spectral-aligned, "
      "fluid-aligned, split-merge, multilevel, kmeans-soft, spectral-soft, fluid-soft");
}

struct Blocks {
  const char* name;
  Source (*transform)(const Graph&);
  double inside;
};
void PrintTo(const Blocks& blocks, std::ostream* out) { *out << blocks.name; }

class SpectralStart : public testing::TestWithParam<Blocks> {};
INSTANTIATE_TEST_SUITE_P(Graphs, SpectralStart,
                         testing::Values(Blocks{"modularity", modularity, 0.8},
                                         Blocks{"adjacency", adjacency, 0.8},
                                         Blocks{"normalized", normalized_adjacency, 0.7}));

TEST_P(SpectralStart, FindsPlantedBlocks) {
  const PlantedGraph planted = generate(
      PlantedPartition{.nodes = 3000, .blocks = 8, .mean_degree = 25, .inside = GetParam().inside},
      2);
  const Source source = GetParam().transform(planted.graph);
  const Structure target = Structure::scaled_identity(8);
  const Plan plan =
      initial_plan({.source = source.structure, .weights = source.weights, .target = target},
                   Start::spectral, 1);
  EXPECT_GT(metrics::adjusted_mutual_information(plan.labels(), planted.blocks), 0.95);
}

TEST(SpectralStart, FindsBlocksOfADenseMatrix) {
  Matrix C = Matrix::Constant(60, 60, 0.1);
  for (Index b = 0; b < 3; ++b) C.block(20 * b, 20 * b, 20, 20).setConstant(1);
  const Structure source = Structure::dense(C);
  const Structure target = Structure::scaled_identity(3);
  const Vector h = uniform_weights(60);
  Assignment truth(60);
  for (std::size_t i = 0; i < 60; ++i) truth[i] = static_cast<NodeId>(i / 20);
  const Plan plan =
      initial_plan({.source = source, .weights = h, .target = target}, Start::spectral, 1);
  EXPECT_DOUBLE_EQ(metrics::adjusted_rand_index(plan.labels(), truth), 1);
}

TEST(FluidStart, FindsPlantedBlocks) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 400, .blocks = 4, .mean_degree = 30, .inside = 0.95}, 2);
  const Source source = adjacency(planted.graph);
  const Structure target = Structure::scaled_identity(4);
  double best = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Plan plan =
        initial_plan({.source = source.structure, .weights = source.weights, .target = target},
                     Start::fluid, seed);
    best = std::max(best, metrics::adjusted_rand_index(plan.labels(), planted.blocks));
  }
  EXPECT_GT(best, 0.9);
}

TEST(FluidStart, GivesEveryComponentAPart) {
  Matrix C = Matrix::Zero(9, 9);
  for (Index b = 0; b < 3; ++b) C.block(3 * b, 3 * b, 3, 3).setOnes();
  const Structure source = Structure::dense(C);
  const Structure target = Structure::scaled_identity(2);
  const Vector h = uniform_weights(9);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Assignment labels =
        initial_plan({.source = source, .weights = h, .target = target}, Start::fluid, seed)
            .labels();
    EXPECT_EQ(std::ranges::count(labels, NodeId{0}) + std::ranges::count(labels, NodeId{1}), 9);
    EXPECT_NE(std::ranges::count(labels, NodeId{0}), 0);
    EXPECT_NE(std::ranges::count(labels, NodeId{1}), 0);
  }
}

// Parts of different density go to the target nodes of that density, whatever their number was.
TEST(AlignedStart, SendsPartsToTheTargetNodesThatAreLikeThem) {
  const Vector densities = Vector::LinSpaced(3, 0.2, 1.0);
  Matrix C = Matrix::Constant(30, 30, 0.05);
  for (Index b = 0; b < 3; ++b) C.block(10 * b, 10 * b, 10, 10).setConstant(densities[b]);
  Matrix B = Matrix::Constant(3, 3, 0.05);
  B.diagonal() = densities;
  const Structure source = Structure::dense(C), target = Structure::dense(B);
  const Vector h = uniform_weights(30), uniform = uniform_weights(3);
  for (const Start start : {Start::kmeans_aligned, Start::spectral_aligned}) {
    for (const bool balanced : {false, true}) {
      Problem problem{.source = source, .weights = h, .target = target};
      if (balanced) problem.target_weights.emplace(uniform);
      EXPECT_NEAR(value(problem, initial_plan(problem, start, 1)).total(), 0, 1e-12);
      // And the other way round, where the target is partitioned.
      Problem turned{.source = target, .weights = uniform, .target = source};
      if (balanced) turned.target_weights.emplace(h);
      EXPECT_NEAR(value(turned, initial_plan(turned, start, 1)).total(), 0, 1e-12);
    }
  }
}

// Parts of different mass are not split: a chain of blocks is recognised in any order.
TEST(AlignedStart, PlacesPartsOneToOneWhateverTheirMasses) {
  const std::array<Index, 5> sizes{20, 5, 12, 30, 8};
  Matrix B = Matrix::Constant(5, 5, 0.1);
  for (Index k = 0; k < 5; ++k) {
    B(k, k) = 0.9 - 0.1 * static_cast<double>(k);
    if (k > 0) B(k, k - 1) = B(k - 1, k) = 0.7;
  }
  Assignment labels;
  for (Index k = 0; k < 5; ++k) labels.insert(labels.end(), sizes.at(k), static_cast<NodeId>(k));
  const auto n = static_cast<Index>(labels.size());
  Matrix C(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) C(i, j) = B(labels[i], labels[j]);
  }
  const Structure source = Structure::dense(C), target = Structure::dense(B);
  const Vector h = uniform_weights(n);
  const Problem problem{.source = source, .weights = h, .target = target};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Plan plan = initial_plan(problem, Start::kmeans_aligned, seed);
    EXPECT_NEAR(value(problem, plan).total(), 0, 1e-12);
    EXPECT_EQ(plan.labels(), labels);
  }
}

}  // namespace
}  // namespace srgw

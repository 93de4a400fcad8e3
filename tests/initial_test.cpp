// SPDX-License-Identifier: MIT
#include "srgw/initial.hpp"

#include <gtest/gtest.h>

#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"
#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

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
      const Plan plan = initial_plan(owned.problem(), GetParam().start, 3);
      check(owned.problem(), plan);
      EXPECT_LT((plan.dense().rowwise().sum() - owned.weights).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

TEST_P(EveryStartName, DependsOnTheSeedAlone) {
  const OwnedProblem owned =
      random_problem({.rows = 3000, .columns = 4, .source = Storage::diagonal});
  const Problem problem = owned.problem();
  const Matrix one = initial_plan(problem, GetParam().start, 5, 1).dense();
  EXPECT_EQ(initial_plan(problem, GetParam().start, 5, 1).dense(), one);
  EXPECT_EQ(initial_plan(problem, GetParam().start, 5, 2).dense(), one);
  EXPECT_EQ(initial_plan(problem, GetParam().start, 5, 8).dense(), one);
}

TEST(StartName, ListsTheNamesWhenItIsUnknown) {
  expect_error([] { return start_from_name("warm"); },
               "start 'warm', expected one of: product, product-literal, random, random-product, "
               "random-labels, kmeans, spectral");
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

}  // namespace
}  // namespace srgw

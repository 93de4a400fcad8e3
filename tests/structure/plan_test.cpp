// SPDX-License-Identifier: MIT
#include "srgw/plan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/random.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {
namespace {

const Vector halves{{0.5, 0.5}};

TEST(Plan, OfLabelsPutsEachWeightOnOneColumn) {
  const NodeId labels[] = {2, 0};
  const Plan plan = Plan::from_labels(Vector{{0.25, 0.75}}, labels, 3);
  EXPECT_EQ(plan.dense(), (Matrix{{0, 0, 0.25}, {0.75, 0, 0}}));
  EXPECT_TRUE(plan.is_assignment());
}

TEST(Plan, OfAProductIsTheOuterProduct) {
  const Plan plan = Plan::from_product(Vector{{0.25, 0.75}}, Vector{{0.2, 0.8}});
  EXPECT_TRUE(plan.dense().isApprox(Matrix{{0.05, 0.2}, {0.15, 0.6}}, 1e-15));
  EXPECT_FALSE(plan.is_assignment());
}

TEST(Plan, NormalisesShares) {
  const Plan plan = Plan::from_product(halves, Vector{{0.5, 0.5 + 5e-9}});
  EXPECT_DOUBLE_EQ(plan.target_weights().sum(), 1);
}

TEST(Plan, OfRowsHoldsTheirMasses) {
  const ShortRows rows{.offsets = {0, 2, 3}, .columns = {0, 2, 1}, .masses = {0.1, 0.4, 0.5}};
  const Plan plan = Plan::from_rows(halves, rows, 3);
  EXPECT_EQ(plan.dense(), (Matrix{{0.1, 0, 0.4}, {0, 0.5, 0}}));
}

TEST(Plan, LabelIsTheFirstOfTheHeaviestColumns) {
  const Plan plan = Plan::from_dense(halves, Matrix{{0.1, 0.2, 0.2}, {0.25, 0.25, 0}});
  EXPECT_EQ(plan.labels(), (Assignment{1, 0}));
}

TEST(Plan, ShortRowsLeaveOutZeros) {
  const ShortRows rows = Plan::from_dense(halves, Matrix{{0.5, 0}, {0, 0.5}}).short_rows();
  EXPECT_EQ(rows.columns, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(rows.offsets, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(Plan, LabelsSurviveInRowsWithoutMass) {
  const NodeId labels[] = {1, 1};
  const Plan plan = Plan::from_labels(Vector{{0, 1}}, labels, 2);
  EXPECT_EQ(plan.labels(), (Assignment{1, 1}));
  EXPECT_EQ(plan.short_rows().columns, (std::vector<NodeId>{1}));
}

struct WidthCase {
  Index columns;
  std::size_t alternative;  // of Labels
};

class PlanLabels : public testing::TestWithParam<WidthCase> {};

// The largest number of each width stays free for the kernels.
INSTANTIATE_TEST_SUITE_P(Widths, PlanLabels,
                         testing::Values(WidthCase{255, 0}, WidthCase{256, 1}, WidthCase{65535, 1},
                                         WidthCase{65536, 2}));

TEST_P(PlanLabels, AreAsNarrowAsTheColumnsAllow) {
  const auto [columns, alternative] = GetParam();
  const Assignment labels{static_cast<NodeId>(columns - 1), 0};
  const Plan plan = Plan::from_labels(halves, labels, columns);
  EXPECT_EQ(std::get<Labels>(plan.storage()).index(), alternative);
  EXPECT_EQ(plan.labels(), labels);
}

class RandomPlan : public testing::TestWithParam<PlanStorage> {
 protected:
  RandomPlan() {
    detail::Random random(3, 0);
    plan_ = random_plan(random_weights(8, true, random), 5, GetParam(), 3);
  }
  Plan plan_;
};

INSTANTIATE_TEST_SUITE_P(Storages, RandomPlan, testing::ValuesIn(all_plan_storages));

TEST_P(RandomPlan, RowsSumToTheWeights) {
  EXPECT_TRUE(plan_.dense().rowwise().sum().isApprox(plan_.weights(), 1e-14));
}

TEST_P(RandomPlan, TargetWeightsAreColumnSums) {
  EXPECT_TRUE(plan_.target_weights().isApprox(plan_.dense().colwise().sum().transpose(), 1e-14));
}

TEST_P(RandomPlan, LabelsAreHeaviestColumns) {
  const Matrix dense = plan_.dense();
  const Assignment labels = plan_.labels();
  for (Index i = 0; i < plan_.rows(); ++i) {
    EXPECT_EQ(dense(i, labels[static_cast<std::size_t>(i)]), dense.row(i).maxCoeff())
        << "row " << i;
  }
}

TEST_P(RandomPlan, IsTheSameAsShortRows) {
  const Plan rows = Plan::from_rows(plan_.weights(), plan_.short_rows(), plan_.columns());
  EXPECT_EQ(rows.dense(), plan_.dense());
}

TEST_P(RandomPlan, IsTheSameWhenDense) {
  const Plan dense = Plan::from_dense(plan_.weights(), plan_.dense());
  EXPECT_EQ(dense.short_rows().columns, plan_.short_rows().columns);
  EXPECT_EQ(dense.short_rows().masses, plan_.short_rows().masses);
}

TEST(Plan, DenseSizeMayNotOverflow) {
  const Plan huge(
      Plan::Trusted{.weights = {0.5, 0.5}, .columns = Index{1} << 60, .storage = ProductRows{}});
  expect_error([&] { return huge.dense(); },
               "a dense array of 2 x 1152921504606846976 numbers, expected at most "
               "1152921504606846975 of them",
               Error::Kind::resource);
}

TEST(PlanCheck, RefusesBadWeights) {
  const NodeId labels[] = {0, 0};
  expect_error([] { return Plan::from_labels(Vector(), {}, 1); },
               "a plan of 0 rows, expected at least 1");
  expect_error(
      [&] {
        return Plan::from_labels(Vector{{1.5, -0.5}}, labels, 1);
      },
      "weight 1 is -0.5, expected a finite number that is not negative");
  expect_error(
      [&] {
        return Plan::from_labels(Vector{{not_a_number, 1}}, labels, 1);
      },
      "weight 0 is nan, expected a finite number that is not negative");
}

TEST(PlanCheck, RefusesImpossibleColumnCounts) {
  const NodeId labels[] = {0, 0};
  expect_error([&] { return Plan::from_labels(halves, labels, 0); },
               "a plan of 0 columns, expected at least 1");
  expect_error([] { return Plan::from_product(halves, Vector()); },
               "a plan of 0 columns, expected at least 1");
  expect_error([] { return Plan::from_dense(halves, Matrix(2, 0)); },
               "a plan of 0 columns, expected at least 1");
  expect_error([&] { return Plan::from_labels(halves, labels, Index{1} << 33); },
               "a plan of 8589934592 columns, expected at most 4294967295", Error::Kind::resource);
}

TEST(PlanCheck, RefusesBadLabels) {
  const NodeId labels[] = {0, 7};
  expect_error([&] { return Plan::from_labels(halves, labels, 7); },
               "label 1 is 7, expected a column below 7");
  expect_error([&] { return Plan::from_labels(Vector{{1}}, labels, 8); },
               "the plan has 2 rows, expected one for each of 1 weights");
}

TEST(PlanCheck, RefusesBadShares) {
  expect_error(
      [] {
        return Plan::from_product(halves, Vector{{0.5, 0.6}});
      },
      "the shares sum to 1.1, expected 1");
  expect_error(
      [] {
        return Plan::from_product(halves, Vector{{-0.5, 1.5}});
      },
      "share 0 is -0.5, expected a finite number that is not negative");
}

TEST(PlanCheck, RefusesBadDensePlans) {
  expect_error(
      [] {
        return Plan::from_dense(halves, Matrix{{0.5, 0}, {0.25, 0.5}});
      },
      "row 1 of the plan sums to 0.75, expected its weight 0.5");
  expect_error(
      [] {
        return Plan::from_dense(halves, Matrix{{0.5, 0}, {0.75, -0.25}});
      },
      "entry (1, 1) of the plan is -0.25, expected a finite number that is not negative");
  expect_error(
      [] {
        return Plan::from_dense(halves, Matrix{{not_a_number, 0}, {0.5, 0}});
      },
      "entry (0, 0) of the plan is nan, expected a finite number that is not negative");
  expect_error(
      [] {
        return Plan::from_dense(halves, Matrix{{0.5, 0}});
      },
      "the plan has 1 rows, expected one for each of 2 weights");
}

struct RowsCase {
  ShortRows rows;
  std::string message;
};

class PlanRowsCheck : public testing::TestWithParam<RowsCase> {};

INSTANTIATE_TEST_SUITE_P(
    Malformed, PlanRowsCheck,
    testing::Values(
        RowsCase{{{0, 1}, {0}, {0.5}}, "the plan has 1 rows, expected one for each of 2 weights"},
        RowsCase{{{0, 1, 2}, {0, 1}, {0.5}},
                 "the plan has 1 masses for 2 columns, expected as many"},
        RowsCase{{{0, 1, 3}, {0, 1}, {0.5, 0.5}},
                 "the offsets of the plan go from 0 to 3, expected 0 to 2"},
        RowsCase{{{1, 1, 2}, {0, 1}, {0.5, 0.5}},
                 "the offsets of the plan go from 1 to 2, expected 0 to 2"},
        RowsCase{{{0, 3, 2}, {0, 1}, {0.5, 0.5}},
                 "the offsets of the plan fall somewhere, expected them to rise"},
        RowsCase{{{0, 1, 2}, {0, 4}, {0.5, 0.5}},
                 "row 1 of the plan names column 4, expected columns below 3"},
        RowsCase{{{0, 2, 3}, {1, 1, 0}, {0.25, 0.25, 0.5}},
                 "row 0 of the plan names column 1 after column 1, expected rising columns"},
        RowsCase{{{0, 1, 2}, {0, 1}, {0.5, 0.125}},
                 "row 1 of the plan sums to 0.125, expected its weight 0.5"},
        RowsCase{{{0, 1, 1}, {0}, {0.5}}, "row 1 of the plan sums to 0, expected its weight 0.5"}));

TEST_P(PlanRowsCheck, SaysWhatIsWrong) {
  expect_error([] { return Plan::from_rows(halves, GetParam().rows, 3); }, GetParam().message);
}

}  // namespace
}  // namespace srgw::test

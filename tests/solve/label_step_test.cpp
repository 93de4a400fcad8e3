// SPDX-License-Identifier: MIT
#include "solve/label_step.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "solve/conditional_gradient.hpp"
#include "solve/row_step.hpp"
#include "srgw/generate.hpp"
#include "srgw/transform.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw::detail {
namespace {

using namespace srgw::test;

// A source onto c I_m, and the plan to start from.
struct StepSetting {
  const char* name;
  Source (*transform)(const Graph&);
  bool weighted;
  Index blocks;
  double scale;
};

void PrintTo(const StepSetting& setting, std::ostream* out) { *out << setting.name; }

Graph test_graph(bool weighted) {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 400, .blocks = 4, .mean_degree = 15}, 11);
  if (!weighted) return planted.graph;
  Random random(5, 0);
  std::vector<Entry> edges;
  const Matrix A = Structure::csr(planted.graph.adjacency()).dense();
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = i; j < A.cols(); ++j) {
      if (A(i, j) != 0) {
        edges.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), 0.5 + random.uniform()});
      }
    }
  }
  return Graph::from_edges(A.rows(), edges);
}

class LabelStepRun : public testing::TestWithParam<std::tuple<StepSetting, PlanStorage>> {
 protected:
  void SetUp() override { objective_.prepare(problem_); }

  template <class Label>
  std::pair<Outcome, LabelStep<Label>> run(const ConditionalGradient& method, int threads) {
    std::pair<Outcome, LabelStep<Label>> result{
        Outcome{}, LabelStep<Label>(objective_, {.share_ties = true, .threads = threads})};
    result.second.start(start_);
    Watch watch(run_);
    std::vector<Progress> trace;
    result.first = conditional_gradient(result.second, objective_, method, watch, 0, trace);
    return result;
  }

  const StepSetting setting_ = std::get<0>(GetParam());
  const Graph graph_ = test_graph(setting_.weighted);
  const Source source_ = setting_.transform(graph_);
  const Structure target_ = Structure::scaled_identity(setting_.blocks, setting_.scale);
  const Problem problem_{
      .source = source_.structure, .weights = source_.weights, .target = target_};
  const Plan start_ = random_plan(source_.weights, setting_.blocks, std::get<1>(GetParam()), 21);
  Objective objective_;
  srgw::Run run_;
};

INSTANTIATE_TEST_SUITE_P(
    Settings, LabelStepRun,
    testing::Combine(testing::Values(StepSetting{"modularity", modularity, false, 4, 1},
                                     StepSetting{"modularity weighted", modularity, true, 6, 1},
                                     StepSetting{"adjacency", adjacency, false, 4, 0.1},
                                     StepSetting{"adjacency badly scaled", adjacency, false, 5, 1},
                                     StepSetting{"normalized", normalized_adjacency, false, 20,
                                                 0.05},
                                     StepSetting{"many columns", modularity, false, 300, 1},
                                     StepSetting{"forty columns", modularity, false, 40, 1}),
                     testing::Values(PlanStorage::labels, PlanStorage::short_rows)));

TEST_P(LabelStepRun, MakesTheStepsOfRowStep) {
  const ConditionalGradient method{.max_iterations = 12, .tolerance = 0, .polish_sweeps = 0};
  const auto [outcome, labels] = run<std::uint16_t>(method, 1);
  RowStep rows;
  rows.start(objective_, start_, {.share_ties = true, .threads = 1});
  Watch watch(run_);
  std::vector<Progress> trace;
  const Outcome expected = conditional_gradient(rows, objective_, method, watch, 0, trace);
  EXPECT_EQ(outcome.iterations, expected.iterations);
  EXPECT_NEAR(labels.value().total(), rows.value().total(), 1e-9 * objective_.kappa);
  EXPECT_NEAR(outcome.gap, expected.gap, 1e-9 * (1 + objective_.kappa));
}

TEST_P(LabelStepRun, KnowsTheValueAndGapOfItsPlan) {
  for (const int sweeps : {0, 20}) {
    auto [outcome, labels] = run<std::uint16_t>({.max_iterations = 40, .polish_sweeps = sweeps}, 2);
    const Plan plan = labels.plan();
    const double carried = labels.value().total();
    EXPECT_NEAR(carried, value(problem_, plan).total(), 1e-11 * (1 + objective_.kappa));
    const Matrix G = gradient(problem_, plan);
    const double gap =
        G.cwiseProduct(plan.dense()).sum() - G.rowwise().minCoeff().dot(source_.weights);
    EXPECT_NEAR(labels.gap(), gap, 1e-10 * (1 + objective_.kappa));
    labels.refresh();
    EXPECT_NEAR(labels.value().total(), carried, 1e-12 * (1 + objective_.kappa));
  }
}

TEST_P(LabelStepRun, GivesTheSameBitsOnEveryNumberOfThreads) {
  const auto one = run<std::uint16_t>({}, 1);
  for (const int threads : {2, 8}) {
    const auto many = run<std::uint16_t>({}, threads);
    EXPECT_EQ(one.first.iterations, many.first.iterations);
    EXPECT_EQ(one.first.gap, many.first.gap);
    EXPECT_EQ(one.second.value().total(), many.second.value().total());
    EXPECT_EQ(one.second.plan().dense(), many.second.plan().dense());
  }
}

TEST_P(LabelStepRun, MakesTheSameStepsForEveryWidthOfLabels) {
  const ConditionalGradient method{.max_iterations = 8, .tolerance = 0, .polish_sweeps = 0};
  const double middle = run<std::uint16_t>(method, 1).second.value().total();
  const double tolerance = 1e-12 * (1 + objective_.kappa);
  EXPECT_NEAR(run<std::uint32_t>(method, 1).second.value().total(), middle, tolerance);
  if (setting_.blocks < 255) {
    EXPECT_NEAR(run<std::uint8_t>(method, 1).second.value().total(), middle, tolerance);
  }
}

// The raw adjacency of a large graph spreads its plan over many columns, where arrays are better.
struct HandOver : testing::Test {
  const PlantedGraph planted =
      generate(PlantedPartition{.nodes = 20000, .blocks = 15, .mean_degree = 25}, 3);
  const Source source = adjacency(planted.graph);
  const Structure target = Structure::scaled_identity(15);
  const Problem problem{.source = source.structure, .weights = source.weights, .target = target};
  const Plan start = random_plan(source.weights, 15, PlanStorage::labels, 1);
  const ConditionalGradient method{.max_iterations = 40, .tolerance = 1e-9, .polish_sweeps = 0};
};

TEST_F(HandOver, IsAskedForByAPlanThatStaysSpread) {
  Objective objective;
  objective.prepare(problem);
  LabelStep<std::uint8_t> step(objective, {.threads = 2, .may_ask_for_arrays = true});
  step.start(start);
  const srgw::Run run;
  Watch watch(run);
  std::vector<Progress> trace;
  EXPECT_TRUE(conditional_gradient(step, objective, method, watch, 0, trace).unfinished);
}

TEST_F(HandOver, LeadsWhereArraysLeadFromTheBeginning) {
  const Solution labels = solve(problem, method, start, {.trace = true});
  EXPECT_EQ(labels.trace.size(), static_cast<std::size_t>(labels.iterations) + 1);
  const Solution arrays = solve(problem, method, Plan::from_dense(source.weights, start.dense()));
  EXPECT_EQ(labels.iterations, arrays.iterations);
  EXPECT_NEAR(labels.value, arrays.value, 1e-10 * arrays.value);
  EXPECT_NEAR(labels.gap, arrays.gap, 1e-6 * arrays.gap);
}

TEST(Arrays, AreRefusedBeforeTheyAreMade) {
  const Structure source = Structure::csr(make_csr(2'000'000, {}, Duplicates::refuse), true);
  const Structure target = Structure::scaled_identity(1000);
  const Vector weights = Vector::Constant(2'000'000, 1.0 / 2'000'000);
  const Problem problem{.source = source, .weights = weights, .target = target};
  for (const Start named : {Start::random, Start::product, Start::product_literal}) {
    expect_error([&] { return solve(problem, ConditionalGradient{}, named); },
                 "2000000 x 1000 products would take more than 67108864 numbers; start from labels "
                 "(random-labels or spectral) and a diagonal target, which need no such array",
                 Error::Kind::resource);
  }
}

}  // namespace
}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "srgw/barycenter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using detail::Random;

constexpr Index size = 4;

/// Owns what samples look at. Entries are above 0, so that every loss takes them.
struct Samples {
  std::vector<Structure> structures;
  std::vector<Vector> weights;
  std::vector<Matrix> features;

  [[nodiscard]] std::vector<BarycenterSample> view(bool fused) const {
    std::vector<BarycenterSample> result;
    for (std::size_t s = 0; s < structures.size(); ++s) {
      result.push_back({.structure = structures[s],
                        .weights = weights[s],
                        .features = fused ? std::optional<MatrixSpan>(features[s]) : std::nullopt,
                        .share = 1 + static_cast<double>(s)});
    }
    return result;
  }
};

Samples draw_samples(std::uint64_t seed, bool symmetric = true) {
  Samples samples;
  for (const Index n : {7, 5, 6}) {
    Random random(seed, static_cast<std::uint64_t>(n));
    Matrix C = test::random_matrix(n, n, random).cwiseAbs().array() + 0.1;
    if (symmetric) C = (C + C.transpose().eval()) / 2;
    samples.structures.push_back(Structure::dense(C));
    samples.weights.push_back(test::random_weights(n, false, random));
    samples.features.push_back(test::random_matrix(n, 2, random));
  }
  return samples;
}

struct Kind {
  bool balanced = false, fused = false, symmetric = true;
  Loss loss = Loss::square;
};

class BarycenterKinds : public testing::TestWithParam<std::tuple<bool, bool, bool, Loss>> {
 protected:
  [[nodiscard]] static Kind kind() {
    const auto& [balanced, fused, symmetric, loss] = GetParam();
    return {balanced, fused, symmetric, loss};
  }
};

const Vector target_weights = Vector::Constant(size, 1.0 / size);

BarycenterProblem problem_of(const std::vector<BarycenterSample>& samples, const Kind& kind) {
  BarycenterProblem problem{.samples = samples, .size = size, .loss = kind.loss};
  if (kind.balanced) problem.target_weights.emplace(target_weights);
  return problem;
}

// What the plans make of a structure and features.
double value_at(const BarycenterProblem& problem, const std::vector<Plan>& plans, const Matrix& B,
                const Matrix& X) {
  double sum = 0, shares = 0;
  for (std::size_t s = 0; s < plans.size(); ++s) {
    const auto& sample = problem.samples[s];
    const Structure target = Structure::dense(B);
    const bool turned = problem.loss == Loss::kl && problem.target_weights.has_value();
    const Plan plan =
        turned ? Plan::from_dense(target_weights, plans[s].dense().transpose()) : plans[s];
    const Problem quadratic{.source = turned ? target : sample.structure,
                            .weights = plan.weights(),
                            .target = turned ? sample.structure : target,
                            .loss = problem.loss};
    double value = srgw::value(quadratic, plan).total();
    if (sample.features) {
      const Matrix T = plans[s].dense();
      double linear = 0;
      for (Index i = 0; i < T.rows(); ++i) {
        for (Index k = 0; k < T.cols(); ++k) {
          linear += T(i, k) * (sample.features->row(i) - X.row(k)).squaredNorm();
        }
      }
      value = problem.alpha * value + (1 - problem.alpha) * linear;
    }
    sum += sample.share * value;
    shares += sample.share;
  }
  return sum / shares;
}

TEST_P(BarycenterKinds, ValueNeverRisesAndIsThatOfThePlans) {
  const Samples samples = draw_samples(1, kind().symmetric);
  const auto view = samples.view(kind().fused);
  const BarycenterProblem problem = problem_of(view, kind());
  const Barycenter answer =
      barycenter(problem, ConditionalGradient{}, {.max_iterations = 15}, {.seed = 3});
  EXPECT_GE(answer.iterations, 2);
  for (std::size_t i = 1; i < answer.values.size(); ++i) {
    EXPECT_LE(answer.values[i], answer.values[i - 1] + 1e-12);
  }
  EXPECT_NEAR(answer.value, value_at(problem, answer.plans, answer.structure, answer.features),
              1e-9 * std::max(1.0, answer.value));
}

TEST_P(BarycenterKinds, UpdatesAreTheBestForTheirPlans) {
  const Samples samples = draw_samples(2, kind().symmetric);
  const auto view = samples.view(kind().fused);
  const BarycenterProblem problem = problem_of(view, kind());
  const Barycenter answer = barycenter(problem, ConditionalGradient{}, {.max_iterations = 3});
  const bool geometric = kind().balanced && kind().loss == Loss::kl;
  const Matrix& B = answer.structure;
  const Matrix& X = answer.features;
  EXPECT_EQ(B, barycenter_structure(view, answer.plans, B, geometric));
  const double best = value_at(problem, answer.plans, B, X);
  Random random(5, 5);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix near = (B + 0.05 * test::random_matrix(size, size, random)).cwiseMax(1e-3);
    EXPECT_GE(value_at(problem, answer.plans, near, X), best - 1e-12);
    if (!kind().fused) continue;
    const Matrix beside = X + 0.05 * test::random_matrix(size, 2, random);
    EXPECT_GE(value_at(problem, answer.plans, B, beside), best - 1e-12);
  }
}

TEST_P(BarycenterKinds, ThreadsDoNotShow) {
  const Samples samples = draw_samples(3, kind().symmetric);
  const auto view = samples.view(kind().fused);
  const BarycenterProblem problem = problem_of(view, kind());
  const auto run = [&](int threads) {
    return barycenter(problem, ConditionalGradient{}, {.max_iterations = 4}, {.threads = threads});
  };
  const Barycenter one = run(1), three = run(3);
  EXPECT_EQ(one.structure, three.structure);
  EXPECT_EQ(one.features, three.features);
  EXPECT_EQ(one.values, three.values);
}

TEST_P(BarycenterKinds, EntropicPlansServeToo) {
  const Samples samples = draw_samples(4, kind().symmetric);
  const auto view = samples.view(kind().fused);
  BarycenterProblem problem = problem_of(view, kind());
  problem.entropy = 0.5;
  const Barycenter answer = barycenter(problem, MirrorDescent{}, {.max_iterations = 5});
  EXPECT_TRUE(answer.structure.allFinite());
  for (std::size_t i = 1; i < answer.values.size(); ++i) {
    EXPECT_LE(answer.values[i], answer.values[i - 1] + 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BarycenterKinds,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool(),
                                          testing::Values(Loss::square, Loss::kl)));

TEST_P(BarycenterKinds, GoesOnFromGivenPlans) {
  const Samples samples = draw_samples(5, kind().symmetric);
  const auto view = samples.view(kind().fused);
  BarycenterProblem problem = problem_of(view, kind());
  const Barycenter first = barycenter(problem, ConditionalGradient{}, {.max_iterations = 3});
  problem.plans = first.plans;
  const Barycenter next = barycenter(problem, ConditionalGradient{}, {.max_iterations = 2});
  EXPECT_LE(next.values.front(), first.value + 1e-9 * (1 + std::abs(first.value)));
  problem.plans = std::span(first.plans).first(2);
  test::expect_refused("2 plans to start from, expected 3",
                       [&] { return barycenter(problem, ConditionalGradient{}); });
  const std::vector<Plan> turned{first.plans[1], first.plans[0], first.plans[2]};
  problem.plans = turned;
  test::expect_refused("the plan of sample 0 to start from is 5 x 4, expected 7 x 4",
                       [&] { return barycenter(problem, ConditionalGradient{}); });
}

TEST(Barycenter, OfOneGraphOntoItselfIsThatGraph) {
  const Samples samples = draw_samples(6);
  const BarycenterSample sample{.structure = samples.structures[0], .weights = samples.weights[0]};
  const Matrix identity = samples.weights[0].asDiagonal();
  const Plan plan = Plan::from_dense(samples.weights[0], identity);
  const Matrix former = Matrix::Zero(7, 7);
  const Matrix C = samples.structures[0].dense();
  for (const bool geometric : {false, true}) {
    const Matrix B = barycenter_structure({&sample, 1}, {&plan, 1}, former, geometric);
    EXPECT_LE((B - C).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Barycenter, EntriesThatNoPlanUsesStay) {
  const Samples samples = draw_samples(7);
  const auto view = samples.view(true);
  std::vector<Plan> plans;
  for (const Vector& weights : samples.weights) {
    Assignment labels(static_cast<std::size_t>(weights.size()), 1);
    labels[0] = 2;
    plans.push_back(Plan::from_labels(weights, labels, size));
  }
  const Matrix former = Matrix::Constant(size, size, 7.5);
  const Matrix B = barycenter_structure(view, plans, former);
  const Matrix X = barycenter_features(view, plans, Matrix::Constant(size, 2, 7.5));
  EXPECT_EQ(B(0, 0), 7.5);
  EXPECT_EQ(B(3, 1), 7.5);
  EXPECT_NE(B(1, 2), 7.5);
  EXPECT_EQ(X(0, 1), 7.5);
  EXPECT_NE(X(1, 1), 7.5);
}

TEST(Barycenter, FixedPartsStayAndTheOthersGoOn) {
  const Samples samples = draw_samples(8);
  const auto view = samples.view(true);
  const Matrix structure = Matrix::Identity(size, size);
  Random random(1, 2);
  const Matrix features = test::random_matrix(size, 2, random);
  for (const bool balanced : {false, true}) {
    BarycenterProblem problem = problem_of(view, {.balanced = balanced, .fused = true});
    problem.structure.emplace(structure);
    problem.features.emplace(features);
    problem.fixed_structure = true;
    const Barycenter first = barycenter(problem);
    EXPECT_EQ(first.structure, structure);
    EXPECT_NE(first.features, features);
    EXPECT_GT(first.iterations, 1);
    problem.fixed_structure = false;
    problem.fixed_features = true;
    const Barycenter second = barycenter(problem);
    EXPECT_NE(second.structure, structure);
    EXPECT_EQ(second.features, features);
    EXPECT_GT(second.iterations, 1);
  }
}

TEST(Barycenter, ASampleWithoutShareHasNoSay) {
  const Samples samples = draw_samples(9);
  auto view = samples.view(false);
  view[1].share = 0;
  const std::vector<BarycenterSample> others{view[0], view[2]};
  const Matrix start = Matrix::Identity(size, size);
  const auto run = [&](const std::vector<BarycenterSample>& given) {
    BarycenterProblem problem{.samples = given, .size = size};
    problem.structure.emplace(start);
    return barycenter(problem, ConditionalGradient{}, {.start = Start::product_literal});
  };
  EXPECT_LE((run(view).structure - run(others).structure).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Barycenter, EndsWhereItStandsStillIfThatIsTheRule) {
  const Samples samples = draw_samples(12);
  const auto view = samples.view(true);
  const Barycenter answer =
      barycenter({.samples = view, .size = size}, ConditionalGradient{},
                 {.tolerance = 1e-6, .stopping = BarycenterStopping::change}, {.trace = true});
  EXPECT_EQ(answer.status, Status::converged);
  const auto turns = static_cast<std::size_t>(answer.iterations);
  for (const auto& changes : {answer.structure_changes, answer.feature_changes}) {
    ASSERT_EQ(changes.size(), turns);
    EXPECT_LE(changes.back(), 1e-6);
  }
  EXPECT_GT(std::max(answer.structure_changes[turns - 2], answer.feature_changes[turns - 2]), 1e-6);
  ASSERT_EQ(answer.plan_trace.size(), turns);
  EXPECT_EQ(answer.plan_trace.back()[0].dense(), answer.plans[0].dense());
}

TEST(Barycenter, PlansMayStartWhereOneLikes) {
  const Samples samples = draw_samples(13);
  const auto view = samples.view(false);
  const PlanStart first_column = [](const Problem& problem, std::uint64_t) {
    const Assignment labels(static_cast<std::size_t>(problem.rows()), 0);
    return Plan::from_labels(problem.weights, labels, problem.columns());
  };
  // A constant target likes all plans the same.
  const Matrix flat = Matrix::Ones(size, size);
  BarycenterProblem problem{.samples = view, .size = size};
  problem.structure.emplace(flat);
  const Barycenter answer =
      barycenter(problem, ConditionalGradient{.max_iterations = 1, .polish_sweeps = 0},
                 {.max_iterations = 1, .own_start = first_column}, {.threads = 1});
  for (const Plan& plan : answer.plans) EXPECT_NEAR(plan.target_weights()[0], 1, 1e-12);
}

TEST(Barycenter, TheObserverStopsIt) {
  const Samples samples = draw_samples(10);
  const auto view = samples.view(false);
  srgw::Run run;
  run.observer = [](const Progress& progress) { return progress.iteration < 2; };  // 0: a question
  const Barycenter answer =
      barycenter({.samples = view, .size = size}, ConditionalGradient{}, {.tolerance = 0}, run);
  EXPECT_EQ(answer.iterations, 2);
  EXPECT_EQ(answer.status, Status::interrupted);
}

TEST(Barycenter, KeepsTheBestOfTurnsFromNewPlans) {
  const Samples samples = draw_samples(8);
  const auto views = samples.view(false);
  const BarycenterProblem problem{.samples = views, .size = size};
  for (const int turns : {1, 2, 5, 30}) {
    const BarycenterLoop loop{
        .max_iterations = turns, .tolerance = 0, .warm_plans = false, .start = Start::random};
    const Barycenter found = barycenter(problem, ConditionalGradient{}, loop, {.seed = 3});
    EXPECT_LE(found.value, *std::ranges::min_element(found.values) * (1 + 1e-12));
  }
}

TEST(Barycenter, RefusesWhatMakesNoSense) {
  const Samples samples = draw_samples(11);
  auto view = samples.view(true);
  const auto refuses = [](const BarycenterProblem& problem, const char* text) {
    test::expect_error([&] { return barycenter(problem); }, text);
  };
  refuses({.samples = {}, .size = 3}, "there are no samples, expected at least one");
  refuses({.samples = view, .size = 0}, "size is 0, expected at least 1");
  refuses({.samples = view, .size = 3, .fixed_structure = true},
          "structure entries are to stay as given, but none are given");
  view[1].share = -1;
  refuses({.samples = view, .size = 3}, "share of sample 1 is -1, expected a finite number >= 0");
  view[1].share = 1;
  view[2].features.reset();
  refuses({.samples = view, .size = 3},
          "sample 2 has no features, expected all samples to have them or none");
}

}  // namespace
}  // namespace srgw

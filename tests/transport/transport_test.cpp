// SPDX-License-Identifier: MIT
#include "srgw/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using detail::Random;

struct Input {
  Matrix cost;
  Vector a, b;
};

enum class Costs { continuous, zero_or_one, equal, signed_and_large };
enum class Masses { random, uniform, some_zero, very_unequal };

Vector draw_masses(Index size, Masses kind, Random& random) {
  Vector masses = Vector::Ones(size);
  if (kind == Masses::uniform) return masses / static_cast<double>(size);
  for (double& mass : masses) {
    mass = random.uniform() + 1e-3;
    if (kind == Masses::very_unequal) mass = std::pow(mass, 20);
    if (kind == Masses::some_zero && random.uniform() < 0.4) mass = 0;
  }
  masses[0] += 0.1;
  return masses / masses.sum();
}

Input draw_input(Index n, Index m, Costs costs, Masses masses, std::uint64_t seed) {
  Random random(seed, 0);
  Input input{.cost = Matrix(n, m),
              .a = draw_masses(n, masses, random),
              .b = draw_masses(m, masses, random)};
  for (double& entry : input.cost.reshaped()) {
    switch (costs) {
      case Costs::continuous: entry = random.uniform(); break;
      case Costs::zero_or_one: entry = random.uniform() < 0.5 ? 0 : 1; break;
      case Costs::equal: entry = 3; break;
      case Costs::signed_and_large: entry = 1e8 * random.normal(); break;
    }
  }
  return input;
}

// A plan and potentials that fit together prove each other, whoever found them.
void expect_certified(const Input& input, const Transport& answer) {
  const Matrix T = answer.plan.dense();
  const double scale = input.cost.cwiseAbs().maxCoeff();
  EXPECT_TRUE(answer.converged);
  EXPECT_GE(T.minCoeff(), 0);
  EXPECT_LE((T.rowwise().sum() - input.a).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((T.colwise().sum().transpose() - input.b).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(answer.cost, T.cwiseProduct(input.cost).sum(), 1e-12 * scale);
  Matrix slack = input.cost;
  slack.colwise() -= answer.row_potentials;
  slack.rowwise() -= answer.column_potentials.transpose();
  EXPECT_GE(slack.minCoeff(), -1e-12 * scale);
  const double dual = input.a.dot(answer.row_potentials) + input.b.dot(answer.column_potentials);
  EXPECT_NEAR(answer.cost, dual, 1e-12 * scale);
  EXPECT_LE(answer.gap, 1e-12 * scale);
  EXPECT_LE((T.array() > 0).count(), T.rows() + T.cols() - 1);
}

class TransportKinds : public testing::TestWithParam<std::tuple<Costs, Masses>> {};

TEST_P(TransportKinds, AnswersAreProvedByTheirPotentials) {
  const auto [costs, masses] = GetParam();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed, 7);
    const auto n = static_cast<Index>(1 + random.below(40));
    const auto m = static_cast<Index>(1 + random.below(40));
    const Input input = draw_input(n, m, costs, masses, seed);
    SCOPED_TRACE(testing::Message() << n << " x " << m << ", seed " << seed);
    expect_certified(input, transport(input.cost, input.a, input.b));
  }
}

TEST_P(TransportKinds, LargerOnesToo) {
  const auto [costs, masses] = GetParam();
  for (const auto& [n, m] : {std::pair{150, 150}, {300, 9}, {9, 300}}) {
    const Input input = draw_input(n, m, costs, masses, 3);
    expect_certified(input, transport(input.cost, input.a, input.b));
  }
}

TEST_P(TransportKinds, GoingOnFromTheLastBasisGivesTheSameCost) {
  const auto [costs, masses] = GetParam();
  Input input = draw_input(30, 20, costs, masses, 5);
  Random random(5, 5);
  TransportSolver solver;
  for (int round = 0; round < 20; ++round) {
    const Transport warm = solver.solve(input.cost, input.a, input.b);
    expect_certified(input, warm);
    const double cold = transport(input.cost, input.a, input.b).cost;
    EXPECT_NEAR(warm.cost, cold, 1e-12 * input.cost.cwiseAbs().maxCoeff());
    for (double& entry : input.cost.reshaped()) entry *= 1 + 0.1 * random.uniform();
  }
}

INSTANTIATE_TEST_SUITE_P(All, TransportKinds,
                         testing::Combine(testing::Values(Costs::continuous, Costs::zero_or_one,
                                                          Costs::equal, Costs::signed_and_large),
                                          testing::Values(Masses::random, Masses::uniform,
                                                          Masses::some_zero,
                                                          Masses::very_unequal)));

// With uniform masses some permutation is optimal.
TEST(Transport, IsTheBestOfAllPermutations) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto size = static_cast<Index>(1 + seed % 7);
    const Input input = draw_input(
        size, size, seed % 2 == 0 ? Costs::continuous : Costs::zero_or_one, Masses::uniform, seed);
    std::vector<Index> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), Index{0});
    double best = std::numeric_limits<double>::infinity();
    do {
      double cost = 0;
      for (Index i = 0; i < size; ++i) {
        cost += input.cost(i, order[static_cast<std::size_t>(i)]) / static_cast<double>(size);
      }
      best = std::min(best, cost);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_NEAR(transport(input.cost, input.a, input.b).cost, best, 1e-14);
  }
}

TEST(Transport, ReproducesTheWorkedCase) {
  const auto& given = test::reference_case("19_balanced").at("ot");
  const Transport answer = transport(test::to_matrix(given["cost"]), test::to_vector(given["a"]),
                                     test::to_vector(given["b"]));
  EXPECT_NEAR(answer.cost, given["optimal_cost"].get<double>(), 1e-12);
  EXPECT_LE((answer.plan.dense() - test::to_matrix(given["plan"])).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Transport, WarmStartsSavePivots) {
  Input input = draw_input(100, 100, Costs::continuous, Masses::random, 1);
  TransportSolver solver;
  const Index cold = solver.solve(input.cost, input.a, input.b).steps;
  EXPECT_GT(cold, 50);
  EXPECT_EQ(solver.solve(input.cost, input.a, input.b).steps, 0);
  input.cost(3, 4) = -1;
  EXPECT_LT(solver.solve(input.cost, input.a, input.b).steps, cold / 2);
}

TEST(Transport, StopsAtTheLimitOfPivotsWithAFeasiblePlan) {
  const Input input = draw_input(40, 30, Costs::continuous, Masses::random, 2);
  TransportSolver solver;
  solver.max_pivots = 3;
  const Transport answer = solver.solve(input.cost, input.a, input.b);
  EXPECT_FALSE(answer.converged);
  EXPECT_EQ(answer.steps, 3);
  EXPECT_GT(answer.gap, 0);
  const Matrix T = answer.plan.dense();
  EXPECT_LE((T.colwise().sum().transpose() - input.b).cwiseAbs().maxCoeff(), 1e-14);
  const double best = transport(input.cost, input.a, input.b).cost;
  EXPECT_LE(answer.cost - answer.gap, best + 1e-12);
  EXPECT_GE(answer.cost, best - 1e-12);
}

TEST(Transport, ScalesMassesThatDifferByRounding) {
  const Input input = draw_input(5, 4, Costs::continuous, Masses::random, 2);
  const Transport answer = transport(input.cost, input.a, input.b * (1 + 1e-10));
  EXPECT_LE((answer.plan.target_weights() - input.b).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Transport, MassesNeedNotSumToOne) {
  const Input input = draw_input(5, 4, Costs::continuous, Masses::random, 2);
  const double cost = transport(input.cost, input.a, input.b).cost;
  EXPECT_NEAR(transport(input.cost, 50 * input.a, 50 * input.b).cost, 50 * cost, 1e-12);
}

TEST(Transport, RefusesWhatMakesNoSense) {
  const Matrix cost = Matrix::Ones(2, 3);
  const Vector a = Vector::Constant(2, 0.5), b = Vector::Constant(3, 1.0 / 3);
  const auto refuses = [](const Matrix& c, const Vector& x, const Vector& y, const char* text) {
    test::expect_error([&] { return transport(c, x, y); }, text);
  };
  refuses(cost, a, 2 * b,
          "row masses sum to 1, column masses to 2, expected the same; scale one of them");
  refuses(cost, b, b, "row masses has 3 entries, expected 2 as the cost");
  refuses(cost, Vector::Zero(2), b, "row masses sum to 0, expected a finite number above 0");
  Vector negative = b;
  negative[1] = -0.1;
  refuses(cost, a, negative, "column masses[1] is -0.1, expected a finite number >= 0");
  Matrix undefined = cost;
  undefined(1, 2) = std::numeric_limits<double>::quiet_NaN();
  refuses(undefined, a, b, "cost(1, 2) is nan, expected a number of size at most 1e+300");
  refuses(Matrix(0, 0), Vector(0), Vector(0),
          "cost is 0 x 0, expected at least one row and column");
}

}  // namespace
}  // namespace srgw

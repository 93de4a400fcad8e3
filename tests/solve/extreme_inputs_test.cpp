// SPDX-License-Identifier: MIT
// No NaN leaves the library: random problems at extreme scales either work or are refused in words.
#include <gtest/gtest.h>

#include <cmath>

#include "srgw/solve.hpp"
#include "srgw/types.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

struct Scales {
  double source, target, cost;
};

void PrintTo(const Scales& scales, std::ostream* out) {
  *out << "source " << scales.source << ", target " << scales.target << ", cost " << scales.cost;
}

class ExtremeScales : public testing::TestWithParam<std::tuple<Scales, Storage, std::uint64_t>> {};

INSTANTIATE_TEST_SUITE_P(
    Scales, ExtremeScales,
    testing::Combine(testing::Values(Scales{1e-150, 1e-150, 1e-300}, Scales{1e150, 1e150, 1e300},
                                     Scales{1e150, 1e-150, 1}, Scales{1e-150, 1, 1e-150},
                                     Scales{1, 1e150, 1e-300}, Scales{0, 1, 1}, Scales{1, 0, 0},
                                     Scales{0, 0, 0}, Scales{5e-324, 5e-324, 5e-324},
                                     Scales{1, 1, 1e308}),
                     testing::ValuesIn(all_storages), testing::Values(1, 2, 3)));

TEST_P(ExtremeScales, GiveFiniteAnswersOrAnError) {
  const auto& [scales, storage, seed] = GetParam();
  const OwnedProblem base = random_problem(
      {.rows = 8, .columns = 4, .source = Storage::dense, .alpha = 0.5, .seed = seed});
  const auto structure = [&, s = storage](Matrix matrix, double scale) {
    matrix *= scale / matrix.cwiseAbs().maxCoeff();
    return s == Storage::dense ? Structure::dense(matrix) : Structure::csr(to_csr(matrix));
  };
  OwnedProblem owned = base;
  owned.source = structure(base.source.dense(), scales.source);
  owned.target = storage == Storage::diagonal ? Structure::scaled_identity(4, scales.target)
                                              : structure(base.target.dense(), scales.target);
  owned.cost = base.cost * (scales.cost / base.cost.maxCoeff());
  for (const Start start : {Start::product, Start::random, Start::random_labels, Start::kmeans}) {
    try {
      const Solution solution = solve(owned.problem(), ConditionalGradient{.max_iterations = 50},
                                      start, 1, {.seed = seed});
      EXPECT_TRUE(std::isfinite(solution.value));
      EXPECT_TRUE(std::isfinite(solution.gap));
      EXPECT_TRUE(solution.plan.dense().allFinite());
      EXPECT_LT((solution.plan.dense().rowwise().sum() - owned.weights).cwiseAbs().maxCoeff(),
                1e-14);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos) << error.what();
    }
  }
}

TEST(TinyScale, StillMovesAwayFromABadStart) {
  OwnedProblem owned = random_problem({.rows = 12, .columns = 3, .seed = 8});
  const Plan start = random_plan(owned.weights, 3, PlanStorage::dense, 2);
  const double normal = solve(owned.problem(), ConditionalGradient{}, start).value;
  owned.source = Structure::dense(1e-100 * owned.source.dense());
  owned.target = Structure::dense(1e-100 * owned.target.dense());
  const double tiny = solve(owned.problem(), ConditionalGradient{}, start).value;
  EXPECT_NEAR(tiny * 1e200, normal, 1e-4 * normal);
}

}  // namespace
}  // namespace srgw

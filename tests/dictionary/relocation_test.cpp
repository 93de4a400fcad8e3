// SPDX-License-Identifier: MIT
#include "dictionary/relocation.hpp"

#include <gtest/gtest.h>

#include "dictionary/plan_edits.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using detail::AtomSums;

constexpr Index size = 5;
constexpr double alpha = 0.4;

/// Graphs with plans, and the best atom for them.
struct Fitted {
  std::vector<Sample> samples;
  std::vector<Plan> plans;
  Atom atom{Matrix::Constant(size, size, 0.5), Matrix::Zero(size, 2)};

  Fitted(bool directed, test::PlanStorage storage, Index used = size)
      : samples(test::random_samples(12, 2, 4, directed)) {
    for (const Sample& sample : samples) {
      const Vector& h = sample.source.weights;
      const Matrix narrow = test::random_plan(h, used, storage, plans.size()).dense();
      Matrix T = Matrix::Zero(h.size(), size);
      T.leftCols(used) = narrow;
      plans.push_back(Plan::from_dense(h, T));
      if (storage == test::PlanStorage::labels) {
        plans.back() = Plan::from_labels(h, plans.back().labels(), size);
      }
    }
    detail::set_best_atom(sums(), atom);
  }

  [[nodiscard]] AtomSums sums() const {
    AtomSums sums(size, 2);
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const auto& [structure, h] = samples[s].source;
      sums.add_plan(samples[s], plans[s]);
      sums.kappa += structure.square_form(h);
      sums.squares += samples[s].features.rowwise().squaredNorm().dot(h);
      sums.count += 1;
    }
    return sums;
  }
  [[nodiscard]] double best_loss() const {
    Atom best = atom;
    detail::set_best_atom(sums(), best);
    return detail::mean_loss(sums(), best, alpha);
  }
};

class Relocation : public testing::TestWithParam<std::tuple<bool, test::PlanStorage>> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Relocation,
                         testing::Combine(testing::Bool(),
                                          testing::Values(test::PlanStorage::labels,
                                                          test::PlanStorage::dense)));

TEST_P(Relocation, RevivesUnusedTargetNodesAndDoesNotRaiseTheLoss) {
  Fitted given(std::get<0>(GetParam()), std::get<1>(GetParam()), 3);
  const double before = given.best_loss();
  const AtomSums sums = given.sums();
  ASSERT_EQ((sums.masses.array() > 0).count(), 3);
  detail::Projector projector({.alpha = alpha}, 1);
  projector.set_atom(given.atom);
  detail::Random random(1, 1);
  const std::vector<double> values(given.samples.size(), 1.0);
  detail::Shard shard(given.samples.size());
  EXPECT_TRUE(detail::revive({given.samples, projector, values, random, shard}, sums.masses,
                             given.plans, given.atom));
  EXPECT_EQ((given.sums().masses.array() > 0).count(), 5);
  EXPECT_LE(given.best_loss(), before + 1e-12);
}

TEST_P(Relocation, NodeLossesSumToTheValue) {
  const Fitted given(std::get<0>(GetParam()), std::get<1>(GetParam()));
  detail::Projector projector({.alpha = alpha, .sparsity = 3}, 1);
  projector.set_atom(given.atom);
  double sum = 0;
  for (std::size_t s = 0; s < given.samples.size(); ++s) {
    sum += projector.node_losses(given.samples[s], given.plans[s]).sum();
  }
  EXPECT_NEAR(sum / 12, detail::mean_loss(given.sums(), given.atom, alpha), 1e-12);
}

TEST_P(Relocation, CheapestMergeIsThatOfBruteForce) {
  const Fitted given(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const double before = given.best_loss();
  double least = 1e300;
  for (Index from = 0; from < size; ++from) {
    for (Index to = 0; to < size; ++to) {
      if (from == to) continue;
      Fitted merged = given;
      for (Plan& plan : merged.plans) plan = detail::with_merged(plan, from, to);
      least = std::min(least, merged.best_loss() - before);
    }
  }
  const detail::Merge merge = detail::cheapest_merge(given.sums(), alpha);
  EXPECT_NE(merge.from, merge.to);
  EXPECT_NEAR(merge.cost / 12, least, 1e-12);
}

}  // namespace
}  // namespace srgw

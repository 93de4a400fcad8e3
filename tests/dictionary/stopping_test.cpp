// SPDX-License-Identifier: MIT
//
// Learning that is stopped: within time, with the best so far, and to be taken up again without a
// trace.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "base/stop.hpp"
#include "srgw/baselines.hpp"
#include "srgw/clustering.hpp"
#include "srgw/completion.hpp"
#include "srgw/dictionary.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::random_samples;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

constexpr double limit = 0.1, margin = 3;

void expect_same(const Learned& a, const Learned& b) {
  EXPECT_EQ(a.atom.structure, b.atom.structure);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.epochs, b.epochs);
  EXPECT_EQ(a.passes, b.passes);
}

/// Advances for a moment at a time, from checkpoint to checkpoint; moments grow until a step fits.
Learned learn_in_moments(const std::vector<Sample>& samples, const Learner& learner, int& cuts) {
  double moment = 1e-4;
  Learning learning(samples, 4, {}, learner);
  for (bool more = true; more;) {
    const StopScope scope({.time_limit = moment});
    try {
      while (learning.advance()) {
      }
      more = false;
    } catch (const detail::Stopped&) {
      ++cuts;
      moment *= 1.2;
      const detail::StopShield shield;
      const io::Archive saved = learning.checkpoint();
      learning = Learning(samples, 4, {}, learner);
      learning.resume(saved);
    }
  }
  return learning.result();
}

TEST(Stopping, CutBatchesLeaveNoTrace) {
  const auto samples = random_samples(40, 2);
  for (const Learner& learner : {Learner(ClosedForm{.epochs = 3, .batch = 16, .jumps = 2}),
                                 Learner(AdamScheme{.epochs = 7, .batch = 16})}) {
    Learning undisturbed(samples, 4, {}, learner);
    while (undisturbed.advance()) {
    }
    int cuts = 0;
    const Learned in_moments = learn_in_moments(samples, learner, cuts);
    EXPECT_GT(cuts, 3);
    expect_same(in_moments, undisturbed.result());
  }
}

TEST(Stopping, EpochsAreThoseOfOneStartAndPassesAreAll) {
  const auto samples = random_samples(10, 0);
  const Learned learned = learn(samples, 3, {}, ClosedForm{.epochs = 1, .jumps = 2});
  EXPECT_EQ(learned.epochs, 1);
  EXPECT_EQ(learned.starts, 2);
  EXPECT_EQ(learned.jumps, 4);
  EXPECT_GE(learned.passes, 2 + 4);
  const Learned plain =
      learn(samples, 3, {}, ClosedForm{.start = AtomStart::noise, .epochs = 2, .jumps = 0});
  EXPECT_LE(plain.epochs, 2);
  EXPECT_EQ(plain.passes, plain.epochs);
}

TEST(Stopping, LearningEndsInTimeWithTheBatchesSoFar) {
  const auto samples = random_samples(3000, 0);
  for (const Learner& learner : {Learner(ClosedForm{.epochs = 1000}), Learner(AdamScheme{})}) {
    Learned learned;
    EXPECT_LT(seconds_of([&] { learned = learn(samples, 8, {}, learner, {.time_limit = limit}); }),
              limit + margin);
    EXPECT_EQ(learned.status, Status::time_limit);
    EXPECT_EQ(learned.plans.size(), samples.size());
    EXPECT_TRUE(std::isfinite(learned.loss));
    EXPECT_TRUE(learned.atom.structure.allFinite());
    for (const Plan& plan : learned.plans) EXPECT_GT(plan.rows(), 0);
  }
}

TEST(Stopping, BeforeTheGraphsWereLookedAtThereIsNoResult) {
  const auto samples = random_samples(20, 1);
  try {
    (void)learn(samples, 3, {}, ClosedForm{}, {.cancelled = [] { return true; }});
    FAIL() << "there is an atom";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::stopped);
  }
}

TEST(Stopping, BeforeTheFirstBatchTheAtomIsTheStart) {
  const auto samples = random_samples(20, 1);
  Learning learning(samples, 3);
  const Learned learned = finish(learning, {.cancelled = [] { return true; }});
  EXPECT_EQ(learned.status, Status::interrupted);
  EXPECT_EQ(learned.passes, 0);
  EXPECT_TRUE(std::isfinite(learned.loss));
}

TEST(Stopping, BaselinesEndInTimeWithAModel) {
  const auto samples = random_samples(400, 1);
  const srgw::Run run{.time_limit = limit};
  LearnedBaseline<LinearDictionary> mixtures;
  EXPECT_LT(seconds_of([&] {
              mixtures = learn(samples, Unmixing{}, 4, 6, LinearScheme{.epochs = 100000}, run);
            }),
            limit + margin);
  EXPECT_EQ(mixtures.status, Status::time_limit);
  EXPECT_EQ(mixtures.model.atoms.size(), 4U);
  EXPECT_EQ(mixtures.embedding.coordinates.rows(), 400);
  EXPECT_TRUE(mixtures.embedding.values.allFinite());
  LearnedBaseline<Factorization> factors;
  EXPECT_LT(seconds_of([&] {
              factors = learn(samples, Factoring{}, 4, 6, FactorScheme{.epochs = 100000}, run);
            }),
            limit + margin);
  EXPECT_EQ(factors.status, Status::time_limit);
  EXPECT_TRUE(factors.embedding.values.allFinite());
  GraphClusters clusters;
  EXPECT_LT(seconds_of([&] {
              clusters = learn(samples, GraphKMeansOptions{.clusters = 5, .tolerance = 0}, run);
            }),
            limit + margin);
  EXPECT_EQ(clusters.status, Status::time_limit);
  EXPECT_EQ(clusters.labels.size(), 400U);
  EXPECT_TRUE(std::isfinite(clusters.inertia));
}

TEST(Stopping, EmbeddingThatIsStoppedIsNoResult) {
  const auto samples = random_samples(50, 0);
  const Dictionary dictionary{{.atoms = {Atom{Matrix::Identity(3, 3), Matrix(3, 0)}}}};
  try {
    (void)embed(dictionary, samples, {}, {.cancelled = [] { return true; }});
    FAIL() << "there are rows";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::stopped);
  }
}

TEST(Stopping, CompletionEndsInTimeWithAWholeGraph) {
  const Graph seen = test::random_graph({.nodes = 1400, .degree = 6, .seed = 4});
  const Dictionary dictionary{{.atoms = {Atom{Matrix::Identity(12, 12), Matrix(12, 0)}}}};
  const PartialGraph graph =
      half_seen(adjacency(seen).structure.dense(), Matrix(seen.nodes(), 0), 1600);
  for (const CompletionMethod& method :
       {CompletionMethod(Alternation{.max_iterations = 100000, .tolerance = 0}),
        CompletionMethod(ProjectedAdam{.max_iterations = 100000, .tolerance = 0})}) {
    Completion found;
    EXPECT_LT(
        seconds_of([&] { found = complete(dictionary, graph, method, {.time_limit = limit}); }),
        limit + margin);
    EXPECT_EQ(found.status, Status::time_limit);
    EXPECT_EQ(found.structure.rows(), 1600);
    EXPECT_TRUE(std::isfinite(found.value));
  }
}

TEST(Stopping, ClusteringEndsInTimeWithLabels) {
  const auto samples = random_samples(500, 0);
  GraphPartition found;
  EXPECT_LT(seconds_of([&] { found = cluster(samples, {.clusters = 3}, {.time_limit = limit}); }),
            limit + margin);
  EXPECT_EQ(found.status, Status::time_limit);
  EXPECT_EQ(found.labels.size(), 500U);
}

}  // namespace
}  // namespace srgw

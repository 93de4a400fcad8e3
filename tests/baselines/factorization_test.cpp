// SPDX-License-Identifier: MIT
#include "srgw/baselines.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "baselines/gwf/factorer.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::expect_error;
using test::random_samples;

Factorization some_factors(Index columns, double alpha = 0.6) {
  Factorization model{{}, {.alpha = alpha}};
  for (const Sample& sample : random_samples(3, columns, 31)) {
    model.atoms.push_back({sample.source.structure.dense(), sample.features});
  }
  return model;
}

/// The objective as it is defined, for plans and shares held fixed.
double objective(const std::vector<Atom>& atoms, const Sample& sample,
                 const std::vector<Matrix>& plans, const Vector& w, double alpha) {
  const auto& [structure, h] = sample.source;
  const Matrix C = structure.dense();
  const Index d = sample.features.cols();
  Matrix B = Matrix::Zero(C.rows(), C.rows()), X = Matrix::Zero(C.rows(), d);
  for (std::size_t s = 0; s < atoms.size(); ++s) {
    B += w[static_cast<Index>(s)] * (plans[s].transpose() * atoms[s].structure * plans[s]);
    if (d > 0) X += w[static_cast<Index>(s)] * (plans[s].transpose() * atoms[s].features);
  }
  double sum = 0;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.rows(); ++j) {
      const double difference = C(i, j) - B(i, j) / (h[i] * h[j]);
      sum += (d > 0 ? alpha : 1.0) * h[i] * h[j] * difference * difference;
    }
    if (d > 0) sum += (1 - alpha) * h[i] * (sample.features.row(i) - X.row(i) / h[i]).squaredNorm();
  }
  return sum;
}

TEST(Factor, GivesPlansSharesAndTheirObjective) {
  for (const Index columns : {0, 2}) {
    const Factorization model = some_factors(columns);
    detail::Factorer factorer(model.factoring, 1);
    factorer.set_atoms(model.atoms);
    for (const Sample& sample : random_samples(4, columns, 12)) {
      const detail::FactoredGraph found = factorer.factor(0, sample);
      EXPECT_NEAR(found.shares.sum(), 1, 1e-12);
      EXPECT_GE(found.shares.minCoeff(), 0);
      EXPECT_NEAR(found.value, objective(model.atoms, sample, found.plans, found.shares, 0.6),
                  1e-10);
      for (Index s = 0; s < 3; ++s) {  // no vertex is better
        const Vector vertex = Vector::Unit(3, s);
        EXPECT_LE(found.value, objective(model.atoms, sample, found.plans, vertex, 0.6) + 1e-10);
      }
    }
  }
}

TEST(Factor, GradientsAreFiniteDifferencesOfTheObjective) {
  for (const Index columns : {0, 2}) {
    const Factorization model = some_factors(columns);
    const Sample sample = random_samples(1, columns, 5, true).front();
    detail::Factorer factorer(model.factoring, 1);
    factorer.set_atoms(model.atoms);
    const detail::FactoredGraph found = factorer.factor(0, sample);
    std::vector<Atom> gradients = model.atoms;
    for (Atom& gradient : gradients) {
      gradient.structure.setZero();
      gradient.features.setZero();
    }
    detail::add_gradients(sample, found, 0.6, gradients);
    constexpr double step = 0.5;  // the objective is quadratic in the atoms
    for (std::size_t s = 0; s < 3; ++s) {
      for (const auto part : {&Atom::structure, &Atom::features}) {
        for (Index e = 0; e < (gradients[s].*part).size(); ++e) {
          std::vector<Atom> above = model.atoms, below = model.atoms;
          (above[s].*part).data()[e] += step;
          (below[s].*part).data()[e] -= step;
          const double slope = (objective(above, sample, found.plans, found.shares, 0.6) -
                                objective(below, sample, found.plans, found.shares, 0.6)) /
                               (2 * step);
          EXPECT_NEAR((gradients[s].*part).data()[e], slope, 1e-9);
        }
      }
    }
  }
}

TEST(LearnFactorization, LowersTheLossWithAtomsOfFixedAndOfRandomSizes) {
  const auto samples = random_samples(24, 2, 9);
  for (const Index size : {6, 0}) {
    const auto learned = learn(samples, Factoring{}, 3, size, {.batch = 8});
    EXPECT_LT(learned.losses.back(), learned.losses.front());
    for (const Atom& atom : learned.model.atoms) {
      EXPECT_TRUE(size == 0 || atom.size() == size);
      EXPECT_GE(atom.structure.minCoeff(), 0);
      EXPECT_LE(atom.structure.maxCoeff(), 1);
    }
  }
}

TEST(LearnFactorization, IsTheSameOnAnyNumberOfThreads) {
  const auto samples = random_samples(12, 0, 2);
  const FactorScheme scheme{.epochs = 2, .batch = 6};
  const auto one = learn(samples, Factoring{}, 2, 5, scheme, {.threads = 1, .seed = 4});
  const auto four = learn(samples, Factoring{}, 2, 5, scheme, {.threads = 4, .seed = 4});
  test::expect_same_learning(one, four);
}

TEST(Factorization, IsTheSameAfterAFile) {
  Factorization model = some_factors(2);
  model.structure = "adjacency";
  const Factorization read = test::through_file(model, "factorization_test");
  EXPECT_EQ(read.factoring.alpha, model.factoring.alpha);
  EXPECT_EQ(read.structure, "adjacency");
}

TEST(Factorization, SaysWhatIsWrong) {
  auto samples = random_samples(4, 0, 1);
  expect_error([&] { return learn(samples, Factoring{}, 0, 3); },
               "there are to be 0 atoms, expected at least 1");
  expect_error([&] { return learn({}, Factoring{}, 2, 3); },
               "the dataset is empty, expected at least one graph");
  expect_error([&] { return embed(some_factors(2), samples); },
               "graph 0 has 0 feature columns, expected 2");
  samples[1].source.structure = Structure::dense(-samples[1].source.structure.dense());
  expect_error([&] { return learn(samples, Factoring{}, 2, 3); },
               "structures have entries below 0, which atoms of a factorization cannot have; "
               "expected adjacency or another non-negative structure");
}

}  // namespace
}  // namespace srgw

// SPDX-License-Identifier: MIT
#include "srgw/baselines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "baselines/simplex_quadratic.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::expect_error;
using test::random_samples;
using test::reference_case;
using test::to_matrix;
using test::to_vector;

/// Case 20: three atoms, a fixed plan and one step over the simplex.
struct UnmixingCase {
  const nlohmann::json& data = reference_case("20_linear_unmixing");
  LinearDictionary dictionary{};
  Matrix C = to_matrix(data["C"]), T = to_matrix(data["T"]);
  double reg = data["reg"];
  Matrix form;
  Vector linear;

  UnmixingCase() {
    for (const auto& atom : data["atoms"]) dictionary.atoms.push_back({to_matrix(atom)});
    dictionary.weights = T.colwise().sum().transpose();
    form = gram(dictionary);
    form.diagonal().array() -= reg;
    const Matrix cross = T.transpose() * C * T;
    linear.resize(3);
    for (Index s = 0; s < 3; ++s) {
      linear[s] = dictionary.atoms[static_cast<std::size_t>(s)].structure.cwiseProduct(cross).sum();
    }
  }
  [[nodiscard]] double objective(const Vector& w) const {
    return test::four_fold_sum(C, mixture(dictionary, w).structure, T) - reg * w.squaredNorm();
  }
};

TEST(SimplexQuadratic, TakesTheStepOfTheReference) {
  const UnmixingCase given;
  const detail::SimplexQuadratic quadratic{given.form, given.linear};
  Vector w = to_vector(given.data["w"]);
  EXPECT_LT((gradient(quadratic, w) - to_vector(given.data["gradient"])).norm(), 1e-13);
  EXPECT_NEAR(given.objective(w), given.data["loss"], 1e-13);
  const double value = minimise(quadratic, {.max_steps = 1}, given.data["loss"], w);
  EXPECT_LT((w - to_vector(given.data["w1"])).norm(), 1e-13);
  EXPECT_NEAR(value, given.data["loss_w1"], 1e-13);
  EXPECT_NEAR(given.objective(w), value, 1e-13);
}

TEST(SimplexQuadratic, EndsAtTheLowestPointOfAGrid) {
  const UnmixingCase given;
  Vector w = Vector::Constant(3, 1.0 / 3);
  const double found =
      detail::minimise({given.form, given.linear}, {100000, 1e-14}, given.objective(w), w);
  EXPECT_NEAR(w.sum(), 1, 1e-12);
  double lowest = found;
  for (int i = 0; i <= 100; ++i) {
    for (int j = 0; i + j <= 100; ++j) {
      const Vector point = Vector{{i / 100.0, j / 100.0, (100 - i - j) / 100.0}};
      lowest = std::min(lowest, given.objective(point));
    }
  }
  EXPECT_NEAR(found, lowest, 1e-5);
}

TEST(LinearDictionary, GramOfEqualWeightsIsTheReference) {
  UnmixingCase given;
  given.dictionary.weights = Vector::Constant(3, 1.0 / 3);
  const Matrix expected = to_matrix(given.data["mahalanobis_uniform_weights"]);
  EXPECT_LT((gram(given.dictionary) - expected).cwiseAbs().maxCoeff(), 1e-13);
  const Matrix shares{{0.5, 0.3, 0.2}, {0, 0, 1}};
  const Matrix rows = metric_rows(given.dictionary, shares);
  const Vector difference = (shares.row(0) - shares.row(1)).transpose();
  EXPECT_NEAR((rows.row(0) - rows.row(1)).squaredNorm(), difference.dot(expected * difference),
              1e-13);
}

LinearDictionary some_dictionary(Index columns, double alpha = 0.6) {
  LinearDictionary dictionary{{}, Vector{{0.1, 0.4, 0.3, 0.2}}, {alpha}};
  for (const Sample& sample : random_samples(3, columns, 21)) {
    const Matrix C = sample.source.structure.dense();
    Atom atom{Matrix(4, 4), Matrix(4, columns)};
    for (Index k = 0; k < 4; ++k) {
      for (Index l = 0; l < 4; ++l) atom.structure(k, l) = C(k % C.rows(), l % C.rows());
      if (columns > 0) atom.features.row(k) = sample.features.row(k % C.rows());
    }
    dictionary.atoms.push_back(std::move(atom));
  }
  return dictionary;
}

/// The objective as it is defined.
double objective(const LinearDictionary& dictionary, const Sample& sample, const Vector& w,
                 const Matrix& T) {
  const Atom model = mixture(dictionary, w);
  const double alpha = dictionary.columns() > 0 ? dictionary.unmixing.alpha : 1.0;
  double sum = alpha * test::four_fold_sum(sample.source.structure.dense(), model.structure, T);
  for (Index i = 0; i < T.rows() && dictionary.columns() > 0; ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      sum += (1 - alpha) * T(i, k) * (sample.features.row(i) - model.features.row(k)).squaredNorm();
    }
  }
  return sum - dictionary.unmixing.regularisation * w.squaredNorm();
}

TEST(Unmix, GivesSharesAPlanAndTheirObjective) {
  for (const Index columns : {0, 2}) {
    LinearDictionary dictionary = some_dictionary(columns);
    for (const double reg : {0.0, 0.3}) {
      dictionary.unmixing.regularisation = reg;
      for (const Sample& sample : random_samples(6, columns, 4)) {
        const Unmixed found = unmix(dictionary, sample);
        const Matrix T = found.plan.dense();
        EXPECT_NEAR(found.shares.sum(), 1, 1e-12);
        EXPECT_GE(found.shares.minCoeff(), 0);
        EXPECT_LT((T.colwise().sum().transpose() - dictionary.weights).norm(), 1e-10);
        EXPECT_LT((T.rowwise().sum() - sample.source.weights).norm(), 1e-10);
        EXPECT_NEAR(found.value, objective(dictionary, sample, found.shares, T), 1e-10);
      }
    }
  }
}

TEST(Unmix, FallsFromTurnToTurn) {
  LinearDictionary dictionary = some_dictionary(2);
  for (const Sample& sample : random_samples(6, 2, 8)) {
    double last = std::numeric_limits<double>::infinity();
    for (int turns = 1; turns < 6; ++turns) {
      dictionary.unmixing.max_turns = turns;
      const double value = unmix(dictionary, sample).value;
      EXPECT_LE(value, last + 1e-12);
      last = value;
    }
  }
}

TEST(Unmix, IsTheSameOnAnyNumberOfThreads) {
  const LinearDictionary dictionary = some_dictionary(2);
  const auto samples = random_samples(20, 2, 3);
  const Embedding one = embed(dictionary, samples, {.threads = 1});
  const Embedding four = embed(dictionary, samples, {.threads = 4});
  EXPECT_EQ(one.coordinates, four.coordinates);
  EXPECT_EQ(one.values, four.values);
}

TEST(LinearLearning, StepsAlongFiniteDifferencesOfTheObjective) {
  for (const Index columns : {0, 2}) {
    const auto samples = random_samples(3, columns, 17, true);
    const LinearDictionary dictionary = some_dictionary(columns);
    constexpr double rate = 0.01;
    LinearLearning learning(samples, dictionary,
                            {.steps = {.learning_rate = rate},
                             .adam = false,
                             .symmetric = false,
                             .non_negative = false});
    const std::vector<std::size_t> batch{0, 2};
    learning.step(batch);
    std::vector<Unmixed> held;
    for (const std::size_t g : batch) held.push_back(unmix(dictionary, samples[g]));
    const auto mean = [&](const LinearDictionary& at) {
      double sum = 0;
      for (std::size_t b = 0; b < batch.size(); ++b) {
        sum += objective(at, samples[batch[b]], held[b].shares, held[b].plan.dense());
      }
      return sum / 2;
    };
    constexpr double step = 0.5;  // the objective is quadratic in the atoms
    for (std::size_t s = 0; s < 3; ++s) {
      for (const auto part : {&Atom::structure, &Atom::features}) {
        const Matrix& now = learning.dictionary().atoms[s].*part;
        const Matrix moved = dictionary.atoms[s].*part - now;
        for (Index e = 0; e < now.size(); ++e) {
          LinearDictionary above = dictionary, below = dictionary;
          (above.atoms[s].*part).data()[e] += step;
          (below.atoms[s].*part).data()[e] -= step;
          EXPECT_NEAR(moved.data()[e] / rate, (mean(above) - mean(below)) / (2 * step), 1e-9);
        }
      }
    }
  }
}

TEST(LearnLinear, LowersTheLossAndKeepsAtomsSymmetricAndNonNegative) {
  for (const auto start : {LinearStart::noise, LinearStart::graphs}) {
    const auto samples = random_samples(24, 2, 5);
    const auto learned =
        learn(samples, Unmixing{}, 3, 5, {.start = start, .epochs = 8, .batch = 8});
    EXPECT_EQ(learned.epochs, 8);
    EXPECT_LT(learned.losses.back(), learned.losses.front());
    for (const Atom& atom : learned.model.atoms) {
      EXPECT_EQ(atom.structure, atom.structure.transpose());
      EXPECT_GE(atom.structure.minCoeff(), 0);
    }
    EXPECT_EQ(learned.embedding.coordinates.rows(), 24);
  }
}

TEST(LearnLinear, EndsWhenEvaluationsBringNoGainAndKeepsTheBestAtoms) {
  const auto samples = random_samples(12, 2, 5);
  LinearScheme scheme{.epochs = 400, .batch = 4, .steps = {.learning_rate = 0.2}};
  scheme.patience = 2;
  scheme.evaluate_every = 3;
  const auto learned = learn(samples, Unmixing{}, 2, 4, scheme, {.seed = 1});
  EXPECT_EQ(learned.status, Status::converged);
  EXPECT_LT(learned.epochs, 400);
  EXPECT_EQ(learned.epochs % 3, 1);  // evaluations follow epochs 1, 4, 7, ...
  EXPECT_EQ(learned.losses.size(), static_cast<std::size_t>(learned.epochs));
  // With less patience a part of the same epochs is made, and the best of fewer evaluations is
  // kept.
  scheme.patience = 1;
  const auto hasty = learn(samples, Unmixing{}, 2, 4, scheme, {.seed = 1});
  EXPECT_LE(hasty.epochs, learned.epochs);
  EXPECT_GE(hasty.embedding.mean_value, learned.embedding.mean_value);
}

TEST(LearnLinear, IsTheSameOnAnyNumberOfThreads) {
  const auto samples = random_samples(20, 0, 6);
  const LinearScheme scheme{.epochs = 3, .batch = 8};
  const auto one = learn(samples, Unmixing{}, 2, 4, scheme, {.threads = 1, .seed = 3});
  const auto four = learn(samples, Unmixing{}, 2, 4, scheme, {.threads = 4, .seed = 3});
  test::expect_same_learning(one, four);
}

TEST(LinearDictionary, IsTheSameAfterAFile) {
  LinearDictionary dictionary = some_dictionary(2);
  dictionary.structure = "heat:1";
  dictionary.unmixing.regularisation = 0.25;
  const LinearDictionary read = test::through_file(dictionary, "linear_dictionary_test");
  EXPECT_EQ(read.weights, dictionary.weights);
  EXPECT_EQ(read.structure, "heat:1");
  EXPECT_EQ(read.unmixing.regularisation, 0.25);
}

TEST(LinearDictionary, SaysWhatIsWrong) {
  const auto samples = random_samples(4, 2, 1);
  expect_error([&] { return learn(samples, Unmixing{}, 0, 3); },
               "there are to be 0 atoms, expected at least 1");
  expect_error([&] { return learn(samples, Unmixing{}, 2, 0); },
               "size of the atom is 0, expected at least 1");
  expect_error([&] { return learn({}, Unmixing{}, 2, 3); },
               "the dataset is empty, expected at least one graph");
  expect_error([&] { return learn(samples, Unmixing{.alpha = 2}, 2, 3); },
               "alpha is 2, expected a number in [0, 1]");
  expect_error([&] { return embed(some_dictionary(0), samples); },
               "graph 0 has 2 feature columns, expected 0");
  LinearDictionary uneven = some_dictionary(0);
  uneven.atoms[1].structure = Matrix::Zero(3, 3);
  expect_error([&] { check(uneven); }, "atom 1 has 3 nodes, expected 4 as atom 0");
  LinearDictionary light = some_dictionary(0);
  light.weights *= 0.5;
  expect_error([&] { check(light); },
               "weights of the atoms are 4 numbers, expected 4 that are >= 0 and sum to 1");
  LinearLearning learning(samples, some_dictionary(2));
  const std::vector<std::size_t> beyond{4};
  expect_error([&] { learning.step(beyond); }, "graph 4 of a batch, expected one below 4");
}

}  // namespace
}  // namespace srgw

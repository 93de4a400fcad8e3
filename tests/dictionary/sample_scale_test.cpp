// SPDX-License-Identifier: MIT
//
// Structures and features times a power of two: the same plans and shares, and atoms and values
// times that power, to the last bit; or a refusal in words where squares are no numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "dictionary/sample_scale.hpp"
#include "srgw/barycenter.hpp"
#include "srgw/baselines.hpp"
#include "srgw/clustering.hpp"
#include "srgw/completion.hpp"
#include "srgw/dictionary.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

constexpr int exponents[] = {-900, -300, -40, 3, 40, 300, 900};
constexpr int most = 480;

/// What does not depend on the scale, what follows it, and what follows its square.
struct Outcome {
  std::vector<double> same, linear, squared;
};

void append(const Matrix& matrix, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
}
void append(const std::vector<double>& values, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), values.begin(), values.end());
}
void append(const Atom& atom, Outcome& outcome) {
  append(atom.structure, outcome.linear);
  append(atom.features, outcome.linear);
}

Outcome outcome_of(const Learned& learned) {
  Outcome outcome;
  append(learned.embedding, outcome.same);
  append(learned.atom, outcome);
  append(learned.values, outcome.squared);
  append(learned.losses, outcome.squared);
  outcome.squared.push_back(learned.loss);
  return outcome;
}

template <class Model>
Outcome outcome_of(const LearnedBaseline<Model>& learned) {
  Outcome outcome;
  append(learned.embedding.coordinates, outcome.same);
  for (const Atom& atom : learned.model.atoms) append(atom, outcome);
  append(learned.embedding.values, outcome.squared);
  append(learned.losses, outcome.squared);
  return outcome;
}

Dictionary some_dictionary(std::span<const Sample> samples) {
  const Learned learned = learn(samples, 4, {}, ClosedForm{.epochs = 3, .jumps = 1});
  return {{.atoms = {learned.atom}, .unit = learned.unit}};
}

Outcome completed(std::span<const Sample> samples, const CompletionMethod& method) {
  const Dictionary dictionary = some_dictionary(samples);
  const Sample& seen = samples.front();
  const PartialGraph partial =
      half_seen(seen.source.structure.dense(), seen.features, seen.source.structure.size() + 2);
  const Completion found = complete(dictionary, partial, method);
  Outcome outcome;
  append(found.structure, outcome.linear);
  append(found.features, outcome.linear);
  append(found.values, outcome.squared);
  return outcome;
}

struct Task {
  const char* name;
  std::function<Outcome(std::span<const Sample>)> run;
};

const Task tasks[] = {
    {"learn", [](auto samples) { return outcome_of(learn(samples, 4)); }},
    {"learn by Adam",
     [](auto samples) { return outcome_of(learn(samples, 4, {}, AdamScheme{.epochs = 10})); }},
    {"embed",
     [](auto samples) {
       const Embedding found =
           embed(some_dictionary(samples), samples,
                 {.coordinates = {Coordinate::weights, Coordinate::sqrt}, .random_starts = 2});
       Outcome outcome;
       append(found.coordinates, outcome.same);
       append(found.values, outcome.squared);
       return outcome;
     }},
    {"cluster",
     [](auto samples) {
       const GraphPartition found = cluster(samples, {.size = 4, .atoms = 2});
       Outcome outcome;
       outcome.same.assign(found.labels.begin(), found.labels.end());
       append(found.points, outcome.same);
       return outcome;
     }},
    {"GDL",
     [](auto samples) {
       return outcome_of(learn(samples, Unmixing{}, 3, 6, LinearScheme{.epochs = 3}));
     }},
    {"GWF",
     [](auto samples) {
       return outcome_of(learn(samples, Factoring{}, 3, 6, FactorScheme{.epochs = 2}));
     }},
    {"graph k-means",
     [](auto samples) {
       const GraphClusters found = learn(samples, GraphKMeansOptions{.size = 6, .max_rounds = 5});
       Outcome outcome;
       outcome.same.assign(found.labels.begin(), found.labels.end());
       for (const Atom& atom : found.model.atoms) append(atom, outcome);
       append(found.embedding.coordinates, outcome.squared);
       outcome.squared.push_back(found.inertia);
       return outcome;
     }},
    {"barycenter",
     [](auto samples) {
       std::vector<BarycenterSample> members;
       for (const Sample& sample : samples) {
         std::optional<MatrixSpan> features;
         if (sample.features.cols() > 0) features.emplace(sample.features);
         members.push_back({sample.source.structure, sample.source.weights, features});
       }
       const Barycenter found = barycenter({.samples = members, .size = 4});
       Outcome outcome;
       for (const Plan& plan : found.plans) append(plan.dense(), outcome.same);
       append(found.structure, outcome.linear);
       append(found.features, outcome.linear);
       append(found.values, outcome.squared);
       outcome.squared.push_back(found.value);
       return outcome;
     }},
    {"complete", [](auto samples) { return completed(samples, Alternation{}); }},
    {"complete by Adam",
     [](auto samples) { return completed(samples, ProjectedAdam{.max_iterations = 30}); }},
};

void expect_times(const std::vector<double>& found, const std::vector<double>& expected,
                  int exponent, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i], std::ldexp(expected[i], exponent)) << what << ' ' << i;
  }
}

class SampleScale : public testing::TestWithParam<std::size_t> {};

TEST_P(SampleScale, IsInvariantOrRefused) {
  const Task& task = tasks[GetParam()];
  for (const Index columns : {0, 2}) {
    const std::vector<Sample> samples = random_samples(8, columns);
    const Outcome expected = task.run(samples);
    for (const int exponent : exponents) {
      SCOPED_TRACE(testing::Message()
                   << task.name << ", 2^" << exponent << ", features " << columns);
      std::vector<Sample> scaled = detail::times_power_of_two(samples, exponent);
      if (std::abs(exponent) > most) {
        try {
          (void)task.run(scaled);
          ADD_FAILURE() << "was not refused";
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), Error::Kind::argument);
          EXPECT_NE(std::string(error.what()).find("power of two"), std::string::npos)
              << error.what();
        }
        continue;
      }
      const Outcome found = task.run(scaled);
      expect_times(found.same, expected.same, 0, "same");
      expect_times(found.linear, expected.linear, exponent, "linear");
      expect_times(found.squared, expected.squared, 2 * exponent, "squared");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, SampleScale, testing::Range<std::size_t>(0, std::size(tasks)));

TEST(SampleScale, IsThatOfTheStructuresAndOfFeaturesWhereTheseAloneCount) {
  std::vector<Sample> samples = random_samples(3, 1);
  for (Sample& sample : samples) sample.features.setConstant(-32);
  EXPECT_EQ(detail::scale_exponent(samples, 0.5), 0);
  EXPECT_EQ(detail::scale_exponent(samples, 0), 5);
  EXPECT_EQ(detail::scale_exponent(detail::times_power_of_two(samples, -7), 0.5), -7);
}

TEST(SampleScale, StandardisesAttributesOfAnySize) {
  Dataset dataset;
  dataset.graphs = {random_graph({.nodes = 3}), random_graph({.nodes = 3})};
  const auto attributes = [&](double factor) {
    dataset.node_features.clear();
    for (int g = 0; g < 2; ++g) {
      dataset.node_features.emplace_back(factor * (Matrix(3, 1) << g, 2, 5).finished());
    }
    const FeatureMap map =
        fit_features(dataset, {NodeFeatures::attributes, Standardisation::nodes});
    return node_features(map, dataset, 1);
  };
  const Matrix expected = attributes(1);
  for (const int exponent : exponents) EXPECT_EQ(attributes(std::ldexp(1.0, exponent)), expected);
}

TEST(SampleScale, AUnitThatIsNoPowerOfTwoIsRefused) {
  Dictionary model{{.atoms = {{Matrix::Ones(2, 2)}}}};
  for (const double unit : {0.0, -1.0, 3.0, std::numeric_limits<double>::infinity()}) {
    model.unit = unit;
    EXPECT_THROW(check(model), Error);
  }
  model.unit = 0.25;
  EXPECT_EQ(from_archive<Dictionary>(to_archive(model)).unit, 0.25);
}

}  // namespace
}  // namespace srgw

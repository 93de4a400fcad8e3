// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

Template random_template(Index m, Index columns, bool balanced, std::uint64_t seed) {
  detail::Random random(seed, 0);
  Matrix B = test::random_matrix(m, m, random).cwiseAbs();
  Template result{.structure = 0.5 * (B + B.transpose()),
                  .features = test::random_matrix(m, columns, random),
                  .alpha = 0.3};
  if (balanced) {
    Vector q = Vector::LinSpaced(m, 1, 2);
    result.weights = q / q.sum();
  }
  return result;
}

Problem problem_of(const Sample& graph, const Template& target, const TemplateOptions& options) {
  Problem problem{.source = graph.source.structure,
                  .weights = graph.source.weights,
                  .target = Structure::dense(target.structure),
                  .loss = options.loss,
                  .entropy = options.entropy};
  if (target.weights) problem.target_weights.emplace(*target.weights);
  if (target.features.cols() == 0) return problem;
  Matrix cost(graph.features.rows(), target.features.rows());
  for (Index i = 0; i < cost.rows(); ++i) {
    for (Index k = 0; k < cost.cols(); ++k) {
      cost(i, k) = (graph.features.row(i) - target.features.row(k)).squaredNorm();
    }
  }
  problem.features.emplace(FusedTerm{.cost = std::move(cost), .alpha = target.alpha});
  return problem;
}

struct Case {
  Index columns = 3;
  bool balanced = false;
  double entropy = 0;
  Loss loss = Loss::square;
};

class Templates : public testing::TestWithParam<Case> {
 protected:
  std::vector<Sample> graphs = test::random_samples(70, GetParam().columns);  // more than a block
  std::vector<Template> templates{random_template(4, GetParam().columns, GetParam().balanced, 1),
                                  random_template(2, GetParam().columns, GetParam().balanced, 2)};
  TemplateOptions options{.loss = GetParam().loss, .entropy = GetParam().entropy};

  void SetUp() override {
    if (options.entropy > 0) options.method = MirrorDescent{.max_iterations = 300};
  }
  [[nodiscard]] double sum_at(const TemplateMatches& matches, const Matrix& factors) const {
    double sum = 0;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      for (std::size_t k = 0; k < templates.size(); ++k) {
        const auto row = static_cast<Index>(g), column = static_cast<Index>(k);
        sum +=
            factors(row, column) *
            value(problem_of(graphs[g], templates[k], options), matches.plan(row, column)).total();
      }
    }
    return sum;
  }
};

TEST_P(Templates, HaveTheValuesOfTheirPlans) {
  const TemplateMatches matches = match_templates(graphs, templates, options);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    for (std::size_t k = 0; k < templates.size(); ++k) {
      const auto row = static_cast<Index>(g), column = static_cast<Index>(k);
      const Problem problem = problem_of(graphs[g], templates[k], options);
      EXPECT_NEAR(matches.values(row, column), value(problem, matches.plan(row, column)).total(),
                  1e-9);
    }
  }
}

// By differences of the value with the plans held fixed, one number of each kind at a time.
TEST_P(Templates, HaveTheDerivativesOfTheirValues) {
  const TemplateMatches matches = match_templates(graphs, templates, options);
  detail::Random random(3, 0);
  const Matrix factors = test::random_matrix(std::ssize(graphs), 2, random);
  const TemplateGradients found =
      template_gradients(graphs, templates, options, matches, factors, {});
  constexpr double step = 1e-6;
  const auto difference = [&](double& number) {
    const double before = number;
    number = before + step;
    const double above = sum_at(matches, factors);
    number = before - step;
    const double below = sum_at(matches, factors);
    number = before;
    return (above - below) / (2 * step);
  };
  EXPECT_NEAR(found.structures[0](1, 2), difference(templates[0].structure(1, 2)), 1e-5);
  EXPECT_NEAR(found.structures[1](0, 0), difference(templates[1].structure(0, 0)), 1e-5);
  if (GetParam().columns > 0) {
    EXPECT_NEAR(found.template_features[1](1, 0), difference(templates[1].features(1, 0)), 1e-5);
    EXPECT_NEAR(found.features(2, 1), difference(graphs[0].features(2, 1)), 1e-5);
    EXPECT_NEAR(found.alpha[0], difference(templates[0].alpha), 1e-5);
  }
  std::size_t entry = 0;
  for (Sample& graph : graphs) {
    const Structure original = graph.source.structure;
    const auto count = static_cast<std::size_t>(original.entries());
    const Matrix C = original.dense();
    std::size_t at = 0;
    for (Index i = 0; i < C.rows() && &graph == &graphs[1]; ++i) {
      for (Index j = 0; j < C.cols(); ++j) {
        if (original.entries() != C.size() && C(i, j) == 0) continue;
        Matrix moved = C;
        const auto set = [&](double number) {
          moved(i, j) = number;
          graph.source.structure = Structure::dense(moved);
          return sum_at(matches, factors);
        };
        if (at == 3) {
          const double slope = (set(C(i, j) + step) - set(C(i, j) - step)) / (2 * step);
          EXPECT_NEAR(found.entries[entry + at], slope, 1e-5);
        }
        ++at;
      }
    }
    graph.source.structure = original;
    entry += count;
  }
  EXPECT_EQ(found.entries.size(), entry);
}

TEST_P(Templates, AreTheSameOnEveryThreadCount) {
  const auto run = [&](int threads) {
    const TemplateMatches matches =
        match_templates(graphs, templates, options, {.threads = threads});
    const Matrix factors = matches.values;
    return template_gradients(graphs, templates, options, matches, factors, {},
                              {.threads = threads});
  };
  const TemplateGradients one = run(1), four = run(4);
  EXPECT_EQ(one.entries, four.entries);
  EXPECT_EQ(one.structures[0], four.structures[0]);
  EXPECT_EQ(one.weights, four.weights);
  EXPECT_EQ(one.alpha, four.alpha);
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Templates,
                         testing::Values(Case{}, Case{.columns = 0}, Case{.balanced = true},
                                         Case{.entropy = 0.3},
                                         Case{.balanced = true, .entropy = 0.3},
                                         Case{.loss = Loss::kl}));

TEST(SplitEdges, AddsUpEdgesThatOccurTwice) {
  const std::vector<std::int64_t> from{0, 1, 0, 3, 2}, to{1, 0, 1, 2, 3}, sizes{2, 2};
  const std::vector<double> weights{1, 2, 3, 4, 5};
  const SplitEdges split = split_edges(from, to, weights, sizes);
  ASSERT_EQ(split.structures.size(), 2U);
  EXPECT_EQ(split.structures[0].at(0, 1), 4);
  EXPECT_EQ(split.structures[0].at(1, 0), 2);
  EXPECT_EQ(split.structures[1].at(1, 0), 4);
  EXPECT_EQ(split.slots, (std::vector<std::size_t>{0, 1, 0, 3, 2}));
}

TEST(SplitEdges, RefusesEdgesBetweenGraphs) {
  const std::vector<std::int64_t> from{0}, to{2}, sizes{2, 1}, none{1, 0};
  test::expect_error([&] { return split_edges(from, to, {}, sizes); },
                     "edge 0 (0, 2) joins graphs 0 and 1, expected edges inside of graphs");
  test::expect_error([&] { return split_edges(from, to, {}, none); },
                     "graph 1 has 0 nodes, expected at least 1");
}

TEST(TemplatesOfOtherShape, AreRefused) {
  const std::vector<Sample> graphs = test::random_samples(3, 2);
  std::vector<Template> templates{random_template(3, 1, false, 1)};
  test::expect_error([&] { return match_templates(graphs, templates); },
                     "template 0 has 3 x 1 features, expected 3 x 2");
}

}  // namespace
}  // namespace srgw

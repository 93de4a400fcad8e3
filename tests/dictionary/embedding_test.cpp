// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "support/expect_error.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::expect_error;
using test::random_samples;

Dictionary random_dictionary(std::vector<Index> sizes, Index columns) {
  Dictionary dictionary;
  for (const Index m : sizes) {
    detail::Random random(9, static_cast<std::uint64_t>(m));
    const Matrix B = test::random_matrix(m, m, random).cwiseAbs();
    dictionary.atoms.push_back(
        {0.5 * (B + B.transpose()), test::random_matrix(m, columns, random)});
  }
  return dictionary;
}

/// A graph, an atom and what embeds the one on the other.
struct ProjectionCase {
  ProjectionCase(const Sample& sample, const Atom& atom, double alpha)
      : source(sample.source), target(Structure::dense(atom.structure)) {
    cost.resize(sample.features.rows(), atom.features.cols() > 0 ? atom.size() : 0);
    for (Index i = 0; i < cost.rows(); ++i) {
      for (Index k = 0; k < cost.cols(); ++k) {
        cost(i, k) = (sample.features.row(i) - atom.features.row(k)).squaredNorm();
      }
    }
    if (cost.cols() > 0) features.emplace(FusedTerm{cost, alpha});
  }
  [[nodiscard]] Problem problem() const {
    return {.source = source.structure,
            .weights = source.weights,
            .target = target,
            .features = features};
  }

  Source source;
  Structure target;
  Matrix cost;
  std::optional<FusedTerm> features;
};

TEST(Embedding, IsWhatSolveGivesWhereRowDescentIsNotWantedOrDoesNotServe) {
  struct Row {
    Index columns;
    bool directed;
    EmbedSearch search;
  };
  for (const auto& [columns, directed, search] :
       {Row{0, true, EmbedSearch::rows}, Row{3, true, EmbedSearch::rows},
        Row{0, false, EmbedSearch::method}, Row{3, false, EmbedSearch::method}}) {
    const auto samples = random_samples(9, columns, 1, directed);
    const Dictionary dictionary = random_dictionary({4, 6}, columns);
    const Embedding embedding = embed(dictionary, samples, {.search = search});
    ASSERT_EQ(embedding.coordinates.cols(), 10);
    for (Index g = 0; g < 9; ++g) {
      Index column = 0;
      for (Index a = 0; a < 2; ++a) {
        const Atom& atom = dictionary.atoms[static_cast<std::size_t>(a)];
        const ProjectionCase one(samples[static_cast<std::size_t>(g)], atom, 0.5);
        const Solution found = solve(one.problem(), ConditionalGradient{}, Start::product_literal);
        EXPECT_EQ(embedding.values(g, a), found.value);
        EXPECT_EQ(Vector(embedding.coordinates.row(g).segment(column, atom.size())),
                  found.target_weights);
        column += atom.size();
      }
    }
    EXPECT_DOUBLE_EQ(embedding.mean_value, embedding.values.mean());
  }
}

TEST(Embedding, IsLowerOnAverageThanFromTheProduct) {
  for (const Index columns : {0, 3}) {
    const auto samples = random_samples(60, columns);
    const Dictionary dictionary = random_dictionary({6}, columns);
    const Embedding embedding = embed(dictionary, samples);
    double sum = 0;
    for (const Sample& sample : samples) {
      const ProjectionCase one(sample, dictionary.atoms.front(), 0.5);
      sum += solve(one.problem(), ConditionalGradient{}, Start::product_literal).value;
    }
    EXPECT_LT(embedding.mean_value, sum / 60);
  }
}

TEST(Embedding, WithRandomStartsIsNeverAboveWhatTheMethodFinds) {
  const auto samples = random_samples(30, 2);
  const Dictionary dictionary = random_dictionary({6}, 2);
  const Embedding embedding = embed(dictionary, samples, {.random_starts = 1});
  for (Index g = 0; g < 30; ++g) {
    const ProjectionCase one(samples[static_cast<std::size_t>(g)], dictionary.atoms.front(), 0.5);
    const Problem problem = one.problem();
    EXPECT_LE(embedding.values(g, 0),
              solve(problem, ConditionalGradient{}, Start::product_literal).value);
  }
}

TEST(Embedding, HasAllCoordinates) {
  const auto samples = random_samples(6, 0);
  const Dictionary dictionary = random_dictionary({5}, 0);
  EmbedOptions options;
  options.coordinates.clear();
  for (const auto& row : names_of(Coordinate{})) {
    EXPECT_EQ(from_name<Coordinate>(row.name, "coordinate"), row.value);
    options.coordinates.push_back(row.value);
  }
  const Embedding embedding = embed(dictionary, samples, options);
  ASSERT_EQ(embedding.coordinates.cols(), 5 + 5 + 1 + 1 + 5 + 10 + 1);
  const Matrix& B = dictionary.atoms[0].structure;
  for (Index g = 0; g < 6; ++g) {
    const Vector row = embedding.coordinates.row(g);
    const Vector q = row.head(5);
    EXPECT_LT((row.segment(5, 5) - q.cwiseSqrt()).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_EQ(row[10], embedding.values(g, 0));
    EXPECT_NEAR(row[11], q.dot(B * q), 1e-14);
    const Vector root = q.cwiseSqrt();
    const Matrix scaled = root.asDiagonal() * B * root.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(scaled);
    EXPECT_LT((row.segment(12, 5) - spectrum.eigenvalues().reverse()).cwiseAbs().maxCoeff(), 1e-12);
    const Vector degrees = B * q;
    for (Index k = 0; k < 10; ++k) {
      // The smallest degree such that so much mass has no larger one.
      double below = 0, above = 0;
      for (Index l = 0; l < 5; ++l) {
        if (degrees[l] < row[17 + k]) below += q[l];
        if (degrees[l] <= row[17 + k]) above += q[l];
      }
      const double level = (static_cast<double>(k) + 0.5) / 10;
      EXPECT_LT(below, level + 1e-12);
      EXPECT_GE(above, level - 1e-12);
    }
    EXPECT_EQ(row[27], std::log(static_cast<double>(
                           samples[static_cast<std::size_t>(g)].source.structure.size())));
  }
}

TEST(Embedding, TellsItsBlocksOfColumns) {
  const Dictionary dictionary = random_dictionary({4, 6}, 0);
  const EmbedOptions options{
      .coordinates = {Coordinate::log_size, Coordinate::weights, Coordinate::value}};
  EXPECT_EQ(embedding_blocks(dictionary, options), (std::vector<Index>{4, 1, 6, 1, 1}));
  EXPECT_EQ(embedding_columns(dictionary, options), 13);
}

TEST(Embedding, MoreStartsAreNeverWorseAndThreadsDoNotShow) {
  const auto samples = random_samples(30, 2);
  const Dictionary dictionary = random_dictionary({6}, 2);
  const Embedding one = embed(dictionary, samples);
  const Embedding five = embed(dictionary, samples, {.random_starts = 5}, {.threads = 1});
  const Embedding parallel = embed(dictionary, samples, {.random_starts = 5}, {.threads = 3});
  EXPECT_TRUE((five.values.array() <= one.values.array()).all());
  EXPECT_LT(five.mean_value, one.mean_value);
  EXPECT_EQ(five.coordinates, parallel.coordinates);
}

TEST(Embedding, DoesNotDependOnTheOtherGraphs) {
  auto samples = random_samples(20, 2);
  const Dictionary dictionary = random_dictionary({6}, 2);
  const Embedding before = embed(dictionary, samples, {.random_starts = 3});
  std::ranges::reverse(samples);
  const Embedding after = embed(dictionary, samples, {.random_starts = 3, .first = 100});
  EXPECT_EQ(before.coordinates, after.coordinates.colwise().reverse());
}

TEST(Embedding, OfNoGraphsIsEmpty) {
  const Embedding embedding = embed(random_dictionary({4}, 0), {});
  EXPECT_EQ(embedding.coordinates.rows(), 0);
  EXPECT_EQ(embedding.coordinates.cols(), 4);
}

TEST(Embedding, NamesWhatIsWrong) {
  const auto plain = random_samples(3, 0), attributed = random_samples(3, 2);
  const Dictionary of_plain = random_dictionary({4}, 0), of_attributed = random_dictionary({4}, 3);
  expect_error([&] { return embed(of_plain, attributed); },
               "graph 0 has 2 feature columns, but the dictionary has no features");
  expect_error([&] { return embed(of_attributed, plain); },
               "graph 0 has no features, but the dictionary has 3 feature columns");
  expect_error([&] { return embed(of_attributed, attributed); },
               "graph 0 has 2 feature columns, expected 3");
  expect_error([&] { return embed({}, plain); },
               "the dictionary has no atoms, expected one or more");
  expect_error([] { return from_name<Coordinate>("weight", "coordinate"); },
               "coordinate 'weight', expected one of: weights, sqrt, value, form, spectrum, "
               "quantiles, log-size");
}

}  // namespace
}  // namespace srgw

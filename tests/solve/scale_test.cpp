// SPDX-License-Identifier: MIT
// Structures times a power of two have the same plans, and values times its square.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "srgw/solve.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;

constexpr std::array exponents{-450, -300, -151, -120, 120, 151, 300, 450};

Structure times(const Structure& structure, Storage storage, int exponent) {
  const Matrix scaled = structure.dense() * std::ldexp(1.0, exponent);
  switch (storage) {
    case Storage::dense: return Structure::dense(scaled);
    case Storage::diagonal: return Structure::diagonal(scaled.diagonal());
    default: return Structure::csr(to_csr(scaled));
  }
}

TEST(Scale, PlansAreTheSameAndValuesExact) {
  const std::vector<Method> methods{ConditionalGradient{}, MirrorDescent{.relative = true}};
  for (const Storage source : {Storage::dense, Storage::csr}) {
    for (const Storage target : {Storage::dense, Storage::diagonal}) {
      for (const Method& method : methods) {
        OwnedProblem owned = random_problem(
            {.rows = 12, .columns = 4, .source = source, .target = target, .seed = 3});
        const int size =
            std::ilogb(std::max(owned.source.largest_entry(), owned.target.largest_entry()));
        owned.source = times(owned.source, source, -size);
        owned.target = times(owned.target, target, -size);
        for (const Start start : {Start::automatic, Start::product, Start::kmeans, Start::spectral,
                                  Start::fluid, Start::random}) {
          const Solution expected = solve(owned.problem(), method, start, 2);
          for (const int exponent : exponents) {
            SCOPED_TRACE(std::string(name(start)) + " 2^" + std::to_string(exponent));
            const Problem problem{.source = times(owned.source, source, exponent),
                                  .weights = owned.weights,
                                  .target = times(owned.target, target, exponent)};
            const Solution found = solve(problem, method, start, 2);
            EXPECT_EQ(found.plan.dense(), expected.plan.dense());
            EXPECT_EQ(std::ldexp(found.value, -2 * exponent), expected.value);
          }
        }
      }
    }
  }
}

TEST(Scale, ValuesThatAreNoNumbersAreRefused) {
  const OwnedProblem owned = random_problem({.rows = 6, .columns = 3});
  for (const int exponent : {-900, -600, 600, 900}) {
    const Problem problem{.source = times(owned.source, Storage::dense, exponent),
                          .weights = owned.weights,
                          .target = times(owned.target, Storage::dense, exponent)};
    EXPECT_THROW((void)solve(problem), Error);
  }
}

Graph path_with_weight(double weight) {
  std::vector<Entry> edges;
  for (NodeId i = 0; i + 1 < 5; ++i) edges.push_back({i, i + 1, weight * (1 + i % 2)});
  return Graph::from_edges(5, edges);
}

TEST(Scale, StartsAndTransformsDoNotCare) {
  for (const char* text : {"modularity", "normalized-adjacency", "normalized-laplacian", "heat:2",
                           "stability:2", "adjacency", "shortest-path", "laplacian"}) {
    const NamedStructure kind = parse_structure(text);
    const bool linear = std::string(text) == "adjacency" || std::string(text) == "shortest-path" ||
                        std::string(text) == "laplacian";
    const Source expected = make_source(path_with_weight(1), kind);
    for (const int exponent : {-900, -500, -50, 50, 500, 900}) {
      SCOPED_TRACE(std::string(text) + " 2^" + std::to_string(exponent));
      const Graph graph = path_with_weight(std::ldexp(1.0, exponent));
      const Source found = make_source(graph, kind);
      const double unit = linear ? std::ldexp(1.0, -exponent) : 1.0;
      EXPECT_LT((found.structure.dense() * unit - expected.structure.dense()).cwiseAbs().maxCoeff(),
                1e-13);
      EXPECT_LT((found.weights - expected.weights).cwiseAbs().maxCoeff(), 1e-15);
      EXPECT_LT((degree_weights(graph) - degree_weights(path_with_weight(1))).norm(), 1e-15);
      if (linear && std::abs(exponent) > 400) continue;  // refused by solve in words
      const Structure target = Structure::scaled_identity(2);
      const auto labels = [&](const Source& source) {
        const Problem problem{
            .source = source.structure, .weights = source.weights, .target = target};
        return initial_plan(problem, Start::spectral).labels();
      };
      EXPECT_EQ(labels(found), labels(expected));
    }
  }
}

// Segmentation faults were seen here.
TEST(Scale, SpectralStartsOfTinyAndHugeWeightsHaveLabels) {
  for (const double weight : {1e-300, 1e300, 1e-320}) {
    const Graph graph = path_with_weight(weight);
    for (const char* text : {"modularity", "adjacency", "shortest-path"}) {
      const Source source = make_source(graph, parse_structure(text));
      const Structure target = Structure::scaled_identity(2);
      const Problem problem{
          .source = source.structure, .weights = source.weights, .target = target};
      try {
        EXPECT_EQ(initial_plan(problem, Start::spectral).rows(), 5);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::argument);
      }
    }
  }
}

}  // namespace
}  // namespace srgw

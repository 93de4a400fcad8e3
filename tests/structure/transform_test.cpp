// SPDX-License-Identifier: MIT
#include "srgw/transform.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "srgw/plan.hpp"
#include "structure/storage.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"

namespace srgw::test {
namespace {

/// A path 0 - 1 - 2 and, if asked for, a heavier triangle, self-loops and a lonely node.
Graph small_graph(bool with_weights, bool with_self_loops, bool with_lonely_node) {
  std::vector<Entry> edges = {{0, 1, 1}, {1, 2, 1}};
  if (with_weights) edges.insert(edges.end(), {{2, 3, 0.5}, {3, 4, 2}, {2, 4, 3}});
  if (with_self_loops) edges.insert(edges.end(), {{0, 0, 1}, {2, 2, 1.5}});
  return Graph::from_edges(with_lonely_node ? 6 : 5, edges);
}

const detail::CsrStorage& scaled_csr(const Source& source) {
  return std::get<detail::CsrStorage>(detail::storage_of(source.structure).form);
}

TEST(Weights, UniformOnesAreAlike) {
  EXPECT_EQ(uniform_weights(4), Vector::Constant(4, 0.25));
  expect_error([] { return uniform_weights(0); }, "weights of 0 nodes, expected at least 1");
}

TEST(Weights, DegreeWeightsGiveNoMassToLonelyNodes) {
  const Entry edges[] = {{0, 1, 1}, {1, 2, 2}};
  EXPECT_TRUE(degree_weights(Graph::from_edges(4, edges))
                  .isApprox(Vector{{1 / 6.0, 3 / 6.0, 2 / 6.0, 0}}, 1e-15));
}

TEST(Weights, DegreeWeightsNeedAnEdge) {
  expect_error([] { return degree_weights(Graph::from_edges(2, {})); },
               "the degrees sum to 0, expected a positive finite number");
}

TEST(Weights, PowersOfDegrees) {
  const Entry edges[] = {{0, 1, 1}, {1, 2, 3}};
  const Graph graph = Graph::from_edges(3, edges);  // degrees 1 4 3
  EXPECT_TRUE(
      power_weights(graph, 0.5).isApprox(Vector{{1, 2, std::sqrt(3)}} / (3 + std::sqrt(3))));
  EXPECT_TRUE(power_weights(graph, 1).isApprox(degree_weights(graph)));
  EXPECT_TRUE(power_weights(graph, 0).isApprox(uniform_weights(3)));
  EXPECT_TRUE(power_weights(graph, -1).isApprox(Vector{{12, 3, 4}} / 19));
  EXPECT_TRUE(power_weights(graph, 1e4).isApprox(Vector{{0, 1, 0}}));
}

TEST(Weights, PowersAreShiftedWhenANodeIsLonely) {
  const Entry edges[] = {{0, 1, 1}, {1, 2, 2}};
  EXPECT_TRUE(
      power_weights(Graph::from_edges(4, edges), 1).isApprox(Vector{{2, 4, 3, 1}} / 10, 1e-15));
}

TEST(Weights, PowersRefuseWhatHasNone) {
  const Entry negative[] = {{0, 1, -2}};
  expect_error([&] { return power_weights(Graph::from_edges(2, negative), 1); },
               "node 0 has degree -2, expected no negative degrees");
  expect_error([] { return power_weights(Graph::from_edges(2, {}), 1); },
               "all degrees are 0, expected at least one edge");
  const Entry edge[] = {{0, 1, 1}};
  expect_error([&] { return power_weights(Graph::from_edges(2, edge), std::nan("")); },
               "the exponent of the weights is nan, expected a finite number");
}

TEST(Weights, InterpolatedOnesAreThoseOfTheReference) {
  const auto& reference = reference_case("18_preprocessing");
  const Vector weights = to_vector(reference.at("h_a1_b05"));
  const Vector expected = to_vector(reference.at("target_weights_m3_from_h_a1_b05"));
  EXPECT_TRUE(interpolated_weights(weights, 3).isApprox(expected, 1e-14));
  EXPECT_EQ(interpolated_weights(weights, 1), Vector::Ones(1));
  EXPECT_TRUE(interpolated_weights(Vector::Ones(1), 4).isApprox(Vector::Constant(4, 0.25)));
  expect_error([&] { return interpolated_weights(weights, 0); },
               "7 weights to be read at 0 places, expected at least 1 of each");
}

TEST(Adjacency, IsTheMatrixWithUniformWeights) {
  const Entry arcs[] = {{0, 1, 2}, {1, 2, 3}};
  const Source directed = adjacency(Graph::from_edges(3, arcs, true));
  EXPECT_EQ(directed.structure.dense(), (Matrix{{0, 2, 0}, {0, 0, 3}, {0, 0, 0}}));
  EXPECT_EQ(directed.weights, uniform_weights(3));
  EXPECT_FALSE(directed.structure.symmetric());
  EXPECT_TRUE(adjacency(Graph::from_edges(3, arcs)).structure.symmetric());
}

TEST(Adjacency, CopiesNothing) {
  const Graph graph = small_graph(true, true, true);
  EXPECT_EQ(scaled_csr(adjacency(graph)).csr.columns.data(), graph.adjacency().columns.data());
}

class Transformed : public testing::TestWithParam<
                        std::tuple<bool /*weights*/, bool /*self-loops*/, bool /*lonely node*/>> {
 protected:
  static Graph graph() { return std::apply(small_graph, GetParam()); }
  const Graph graph_ = graph();
  const Matrix A_ = Structure::csr(graph_.adjacency()).dense();
};

INSTANTIATE_TEST_SUITE_P(SmallGraphs, Transformed,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()));

TEST_P(Transformed, NormalizedAdjacencyDividesByRootsOfRowSums) {
  const Source source = normalized_adjacency(graph_);
  const Vector sums = A_.rowwise().sum();
  for (Index i = 0; i < graph_.nodes(); ++i) {
    for (Index j = 0; j < graph_.nodes(); ++j) {
      const double expected = A_(i, j) == 0 ? 0 : A_(i, j) / std::sqrt(sums[i] * sums[j]);
      EXPECT_DOUBLE_EQ(source.structure.at(i, j), expected);
    }
  }
  EXPECT_EQ(source.weights, uniform_weights(graph_.nodes()));
  EXPECT_TRUE(source.structure.symmetric());
}

TEST_P(Transformed, ModularityFollowsItsFormula) {
  const Source source = modularity(graph_);
  const Vector d = graph_.degrees();
  const double w = d.sum() / 2;
  for (Index i = 0; i < graph_.nodes(); ++i) {
    EXPECT_DOUBLE_EQ(source.weights[i], d[i] / (2 * w));
    for (Index j = 0; j < graph_.nodes(); ++j) {
      const double a = i == j ? 2 * A_(i, j) : A_(i, j);
      EXPECT_DOUBLE_EQ(source.structure.at(i, j), a == 0 ? 0 : w * a / (d[i] * d[j]));
    }
  }
  EXPECT_DOUBLE_EQ(source.weights.sum(), 1);
  EXPECT_TRUE(source.structure.symmetric());
}

TEST_P(Transformed, ModularityStructureSharesThePattern) {
  EXPECT_EQ(scaled_csr(modularity(graph_)).csr.columns.data(), graph_.adjacency().columns.data());
}

/// Newman's modularity from its definition: the share of edges inside clusters, less the
/// resolution times what the degrees alone would give.
double newman_modularity(const Matrix& A, const Assignment& labels, double resolution) {
  const Matrix doubled_loops = A + Matrix(A.diagonal().asDiagonal());
  const Vector d = doubled_loops.rowwise().sum();
  const double two_w = d.sum();
  double Q = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.rows(); ++j) {
      if (labels[static_cast<std::size_t>(i)] != labels[static_cast<std::size_t>(j)]) continue;
      Q += doubled_loops(i, j) / two_w - resolution * d[i] * d[j] / (two_w * two_w);
    }
  }
  return Q;
}

class ModularityIdentity
    : public testing::TestWithParam<
          std::tuple<bool /*weights*/, bool /*self-loops*/, bool /*lonely node*/, double>> {};

INSTANTIATE_TEST_SUITE_P(Resolutions, ModularityIdentity,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool(),
                                          testing::Values(1.0, 0.5)));

TEST_P(ModularityIdentity, ValueOfAHardPlanIsAConstantLessModularity) {
  const auto [weights, self_loops, lonely_node, c] = GetParam();
  const Graph graph = small_graph(weights, self_loops, lonely_node);
  const Matrix A = Structure::csr(graph.adjacency()).dense();
  const Source source = modularity(graph);
  const double constant = source.structure.square_form(source.weights);
  for (const Assignment& all_labels :
       {Assignment{0, 0, 1, 1, 1, 2}, Assignment{0, 1, 2, 0, 1, 2}, Assignment{2, 2, 2, 2, 2, 2}}) {
    const Assignment labels(all_labels.begin(), all_labels.begin() + graph.nodes());
    const Matrix T = Plan::from_labels(source.weights, labels, 3).dense();
    const double value = four_fold_sum(source.structure.dense(), c * Matrix::Identity(3, 3), T);
    EXPECT_NEAR(value, constant - c * newman_modularity(A, labels, c), 1e-14);
  }
}

class ExtremeEdges : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Scales, ExtremeEdges, testing::Values(1e-150, 1.0, 1e150));

TEST_P(ExtremeEdges, DoNotChangeModularity) {
  const Entry edges[] = {{0, 1, GetParam()}, {1, 2, 2 * GetParam()}};
  const Source source = modularity(Graph::from_edges(3, edges));
  EXPECT_NEAR(source.structure.at(0, 1), 1, 1e-15);  // w A / (d d) = 3 * 1 / (1 * 3)
  EXPECT_NEAR(source.structure.at(1, 2), 1, 1e-15);
  EXPECT_TRUE(source.weights.isApprox(Vector{{1, 3, 2}} / 6, 1e-15));
}

TEST(Transform, RefusesDirectedGraphs) {
  const Entry arcs[] = {{0, 1, 1}};
  const Graph graph = Graph::from_edges(2, arcs, true);
  expect_error([&] { return modularity(graph); },
               "modularity of a directed graph, expected an undirected one");
  expect_error([&] { return normalized_adjacency(graph); },
               "normalized adjacency of a directed graph, expected an undirected one");
}

TEST(Transform, RefusesNegativeWeights) {
  const Entry edges[] = {{0, 1, 3}, {1, 2, -0.5}};
  const Graph graph = Graph::from_edges(3, edges);
  expect_error([&] { return modularity(graph); },
               "modularity: edge (1, 2) has weight -0.5, expected no negative weights");
  expect_error([&] { return normalized_adjacency(graph); },
               "normalized adjacency: edge (1, 2) has weight -0.5, expected no negative weights");
}

TEST(Transform, ModularityNeedsAnEdge) {
  expect_error([] { return modularity(Graph::from_edges(3, {})); },
               "the degrees sum to 0, expected a positive finite number");
}

TEST(Transform, ModularityOfHugeWeightsIsThatOfSmallOnes) {
  const Entry huge[] = {{0, 1, 1e308}, {1, 2, 5e307}};
  const Entry small[] = {{0, 1, 1}, {1, 2, 0.5}};
  const Source found = modularity(Graph::from_edges(3, huge));
  const Source expected = modularity(Graph::from_edges(3, small));
  EXPECT_TRUE(found.structure.dense().isApprox(expected.structure.dense(), 1e-14));
  EXPECT_TRUE(found.weights.isApprox(expected.weights, 1e-14));
}

TEST(Transform, OfOneNodeWorks) {
  const Graph lonely = Graph::from_edges(1, {});
  EXPECT_EQ(adjacency(lonely).structure.dense(), Matrix::Zero(1, 1));
  EXPECT_EQ(normalized_adjacency(lonely).structure.dense(), Matrix::Zero(1, 1));
}

}  // namespace
}  // namespace srgw::test

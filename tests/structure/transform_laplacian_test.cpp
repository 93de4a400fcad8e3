// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "srgw/transform.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/graphs.hpp"

namespace srgw::test {
namespace {

class Laplacians : public testing::TestWithParam<
                       std::tuple<bool /*weighted*/, bool /*self-loops*/, Index /*lonely nodes*/>> {
 protected:
  static Graph graph() {
    const auto [weighted, self_loops, lonely] = GetParam();
    return random_graph({.weighted = weighted, .self_loops = self_loops, .lonely = lonely});
  }
  const Graph graph_ = graph();
  const Matrix A_ = dense_adjacency(graph_);
  const Vector sums_ = A_.rowwise().sum();
};

INSTANTIATE_TEST_SUITE_P(Graphs, Laplacians,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Values(0, 2)));

TEST_P(Laplacians, PlainIsDegreesLessAdjacency) {
  const Source source = laplacian(graph_);
  const Matrix expected = Matrix(sums_.asDiagonal()) - A_;
  EXPECT_TRUE(source.structure.dense().isApprox(expected, 1e-15));
  EXPECT_TRUE(source.structure.symmetric());
  EXPECT_EQ(source.weights, uniform_weights(graph_.nodes()));
}

TEST_P(Laplacians, NormalizedShiftsAllDegreesWhenANodeIsLonely) {
  const double shift = std::get<2>(GetParam()) > 0 ? 1 : 0;
  const Vector s = (sums_.array() + shift).sqrt().inverse();
  const Matrix expected =
      Matrix::Identity(A_.rows(), A_.rows()) - s.asDiagonal() * A_ * s.asDiagonal();
  const Source source = normalized_laplacian(graph_);
  const Matrix found = source.structure.dense();
  EXPECT_TRUE(found.isApprox(expected, 1e-15));
  EXPECT_EQ(found, Matrix(found.transpose()));
  EXPECT_TRUE(source.structure.symmetric());
  EXPECT_EQ(source.weights, uniform_weights(graph_.nodes()));
}

TEST(Laplacian, StaysSparse) {
  const Graph graph = random_graph({.nodes = 50});
  EXPECT_EQ(laplacian(graph).structure.entries(), 2 * graph.edges() + 50);
  EXPECT_EQ(normalized_laplacian(graph).structure.entries(), 2 * graph.edges() + 50);
}

TEST(Laplacian, OfOneNodeWorks) {
  const Graph lonely = Graph::from_edges(1, {});
  EXPECT_EQ(laplacian(lonely).structure.dense(), Matrix::Zero(1, 1));
  EXPECT_EQ(normalized_laplacian(lonely).structure.dense(), Matrix::Ones(1, 1));
  EXPECT_EQ(directed_laplacian(Graph::from_edges(1, {}, true)).structure.dense(),
            Matrix::Zero(1, 1));
}

TEST(Laplacian, RefusesWhatItIsNotDefinedFor) {
  const Entry arcs[] = {{0, 1, 1}};
  const Graph directed = Graph::from_edges(2, arcs, true);
  expect_error([&] { return laplacian(directed); },
               "laplacian of a directed graph, expected an undirected one");
  expect_error([&] { return normalized_laplacian(directed); },
               "normalized laplacian of a directed graph, expected an undirected one");
  const Entry negative[] = {{0, 1, -1}};
  expect_error([&] { return normalized_laplacian(Graph::from_edges(2, negative)); },
               "normalized laplacian: edge (0, 1) has weight -1, expected no negative weights");
  expect_error([&] { return directed_laplacian(Graph::from_edges(2, negative, true)); },
               "directed laplacian: edge (0, 1) has weight -1, expected no negative weights");
}

TEST(DirectedLaplacian, EqualsTheReference) {
  const auto& reference = reference_case("18_preprocessing").at("directed_heat_kernel");
  const Entry arcs[] = {{0, 1, 1}, {1, 2, 1}, {1, 3, 1}, {2, 0, 1}};
  const Source source = directed_laplacian(Graph::from_edges(4, arcs, true));
  EXPECT_TRUE(source.structure.dense().isApprox(to_matrix(reference.at("laplacian")), 1e-12));
  EXPECT_TRUE(source.structure.symmetric());
  EXPECT_EQ(source.weights, uniform_weights(4));
}

TEST(DirectedLaplacian, IsRefusedWhenTooLarge) {
  expect_error([] { return directed_laplacian(Graph::from_edges(20001, {}, true)); },
               "directed laplacian of 20001 nodes is a dense array, expected at most 20000 nodes; "
               "its heat kernel has an implicit form, implicit_heat_kernel",
               Error::Kind::resource);
}

}  // namespace
}  // namespace srgw::test

// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <gtest/gtest.h>

#include <array>

#include "srgw/structure.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/wide_offsets.hpp"

namespace srgw::test {
namespace {

Matrix dense_adjacency(const Graph& graph) { return Structure::csr(graph.adjacency()).dense(); }

TEST(Graph, StoresUndirectedEdgesInBothRowsAndSelfLoopsOnce) {
  const Entry edges[] = {{1, 0, 2}, {1, 2, 3}, {2, 2, 5}};
  const Graph graph = Graph::from_edges(4, edges);
  const Matrix expected{{0, 2, 0, 0}, {2, 0, 3, 0}, {0, 3, 5, 0}, {0, 0, 0, 0}};
  EXPECT_EQ(dense_adjacency(graph), expected);
  EXPECT_EQ(graph.nodes(), 4);
  EXPECT_EQ(graph.edges(), 3);
  EXPECT_TRUE(graph.weighted());
  EXPECT_FALSE(graph.directed());
}

TEST(Graph, StoresArcsOnce) {
  const Entry arcs[] = {{0, 1, 1}, {1, 0, 1}, {2, 2, 1}};
  const Graph graph = Graph::from_edges(3, arcs, true);
  EXPECT_EQ(dense_adjacency(graph), (Matrix{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}));
  EXPECT_EQ(graph.edges(), 3);
  EXPECT_TRUE(graph.directed());
  EXPECT_FALSE(graph.weighted());
}

TEST(Graph, TakesPairsAndTriples) {
  const std::vector<std::pair<int, int>> pairs{{0, 1}, {2, 1}};
  EXPECT_EQ(dense_adjacency(Graph::from_edges(3, pairs)),
            (Matrix{{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}));
  const std::vector<std::tuple<std::size_t, long, float>> triples{{0, 1, 2.5F}, {1, 1, 3.0F}};
  EXPECT_EQ(dense_adjacency(Graph::from_edges(2, triples, true)), (Matrix{{0, 2.5}, {0, 3}}));
  const std::vector<std::array<std::int64_t, 2>> outside{{0, std::int64_t{1} << 32}},
      below{{-1, 0}};
  expect_error([&] { return Graph::from_edges(2, outside); },
               "an edge names node 4294967296, expected one from 0 to 4294967295");
  expect_error([&] { return Graph::from_edges(2, below); },
               "an edge names node -1, expected one from 0 to 4294967295");
}

TEST(Graph, WithoutEdgesIsFine) {
  const Graph graph = Graph::from_edges(2, {});
  EXPECT_EQ(graph.edges(), 0);
  EXPECT_EQ(graph.degrees(), Vector::Zero(2));
}

TEST(Graph, DegreesCountSelfLoopsTwice) {
  const Entry edges[] = {{0, 1, 2}, {1, 1, 5}};
  EXPECT_EQ(Graph::from_edges(2, edges).degrees(), (Vector{{2, 12}}));
}

TEST(Graph, DirectedDegreesAreOutPlusIn) {
  const Entry arcs[] = {{0, 1, 2}, {1, 0, 3}, {1, 1, 5}, {1, 2, 7}};
  EXPECT_EQ(Graph::from_edges(3, arcs, true).degrees(), (Vector{{5, 22, 7}}));
}

TEST(Graph, UndirectedIsTheUnionWithTheLargerWeight) {
  const Entry arcs[] = {{0, 1, 2}, {1, 0, 3}, {1, 2, -7}, {2, 2, 5}};
  const Graph graph = Graph::from_edges(3, arcs, true).undirected();
  EXPECT_EQ(dense_adjacency(graph), (Matrix{{0, 3, 0}, {3, 0, -7}, {0, -7, 5}}));
  EXPECT_FALSE(graph.directed());
  EXPECT_EQ(graph.edges(), 3);
}

TEST(Graph, UndirectedOfUndirectedSharesTheRows) {
  const Entry edges[] = {{0, 1, 1}};
  const Graph graph = Graph::from_edges(2, edges);
  EXPECT_EQ(graph.undirected().adjacency().columns.data(), graph.adjacency().columns.data());
}

TEST(Graph, BothDirectionsWithOneWeightAreOneEdge) {
  const Entry edges[] = {{0, 1, 2}, {1, 0, 2}};
  const Graph graph = Graph::from_edges(2, edges);
  EXPECT_EQ(dense_adjacency(graph), (Matrix{{0, 2}, {2, 0}}));
  EXPECT_EQ(graph.edges(), 1);
}

TEST(Graph, RepeatedEdgeWithoutWeightsIsOneEdge) {
  const Entry edges[] = {{0, 1, 1}, {0, 1, 1}, {1, 0, 1}};
  EXPECT_EQ(Graph::from_edges(2, edges).edges(), 1);
  EXPECT_EQ(Graph::from_edges(2, edges, true).edges(), 2);
  EXPECT_FALSE(Graph::from_edges(2, edges).weighted());
}

TEST(Graph, RefusesRepeatedWeightedEdges) {
  const auto message = [](const char* pair, const char* weights) {
    return std::string(pair) + " is given twice, as " + weights +
           "; expected once, or a rule for duplicates: sum, maximum or first";
  };
  const Entry repeated[] = {{2, 1, 0.5}, {2, 1, 0.5}};
  expect_error([&] { return Graph::from_edges(3, repeated); }, message("(2, 1)", "0.5 and 0.5"));
  expect_error([&] { return Graph::from_edges(3, repeated, true); },
               message("(2, 1)", "0.5 and 0.5"));
  const Entry contradicting[] = {{2, 1, 0.5}, {1, 2, 4}};
  expect_error([&] { return Graph::from_edges(3, contradicting); }, message("(1, 2)", "4 and 0.5"));
  EXPECT_NO_THROW(static_cast<void>(Graph::from_edges(3, contradicting, true)));
}

struct DuplicateEdge {
  Duplicates duplicates;
  double expected;
};

class GraphDuplicates : public testing::TestWithParam<DuplicateEdge> {};

INSTANTIATE_TEST_SUITE_P(Rules, GraphDuplicates,
                         testing::Values(DuplicateEdge{Duplicates::sum, 12},
                                         DuplicateEdge{Duplicates::maximum, 5},
                                         DuplicateEdge{Duplicates::first, 3}));

TEST_P(GraphDuplicates, AreMergedAcrossDirections) {
  const Entry edges[] = {{1, 0, 3}, {0, 1, 4}, {1, 0, 5}};
  const Graph graph = Graph::from_edges(2, edges, false, GetParam().duplicates);
  const double weight = GetParam().expected;
  EXPECT_EQ(dense_adjacency(graph), (Matrix{{0, weight}, {weight, 0}}));
}

TEST(Graph, SumsRepeatedSelfLoopsOnce) {
  const Entry edges[] = {{0, 0, 3}, {0, 0, 4}};
  EXPECT_EQ(dense_adjacency(Graph::from_edges(1, edges, false, Duplicates::sum)), (Matrix{{7}}));
}

TEST(Graph, RefusesBadEdges) {
  const Entry outside[] = {{0, 34, 1}};
  expect_error([&] { return Graph::from_edges(34, outside); },
               "entry 0 is at (0, 34), expected indices below 34");
  expect_error([] { return Graph::from_edges(0, {}); }, "0 rows, expected at least 1");
}

class GraphFromAdjacency : public testing::TestWithParam<bool /*wide*/> {
 protected:
  static Csr adjacency(const Matrix& matrix) {
    return GetParam() ? with_wide_offsets(to_csr(matrix)) : to_csr(matrix);
  }
};

INSTANTIATE_TEST_SUITE_P(Widths, GraphFromAdjacency, testing::Bool());

TEST_P(GraphFromAdjacency, KeepsTheMatrix) {
  const Matrix matrix{{0, 2, 0}, {2, 4, 1}, {0, 1, 0}};
  const Graph graph = Graph::from_adjacency(adjacency(matrix));
  EXPECT_EQ(dense_adjacency(graph), matrix);
  EXPECT_EQ(graph.edges(), 3);
  EXPECT_EQ(graph.degrees(), (Vector{{2, 11, 1}}));
}

TEST_P(GraphFromAdjacency, TakesRoundingForSymmetry) {
  EXPECT_NO_THROW(
      static_cast<void>(Graph::from_adjacency(adjacency(Matrix{{0, 0.1}, {0.1 + 1e-16, 0}}))));
}

TEST_P(GraphFromAdjacency, RefusesAsymmetryUnlessDirected) {
  const Csr asymmetric = adjacency(Matrix{{0, 2, 0}, {2, 0, 1.5}, {0, 0, 0}});
  expect_error([&] { return Graph::from_adjacency(asymmetric); },
               "weight (1, 2) is 1.5 but (2, 1) is 0, expected equal weights or a directed graph");
  EXPECT_EQ(Graph::from_adjacency(asymmetric, true).edges(), 3);
}

TEST(Graph, RefusesMalformedRows) {
  const Csr malformed{
      .offsets = SharedArray(std::vector<std::uint32_t>{0, 2}), .columns = {}, .values = {}};
  expect_error([&] { return Graph::from_adjacency(malformed); },
               "the last offset is 2, expected the number of entries 0");
}

}  // namespace
}  // namespace srgw::test

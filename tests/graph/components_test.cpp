// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace srgw {
namespace {

Graph two_triangles_and_a_loner() {
  const std::vector<Entry> edges{{0, 2}, {2, 4}, {4, 0}, {1, 3}, {3, 5}, {5, 1}, {6, 6}};
  return Graph::from_edges(8, edges);
}

TEST(Components, AreNumberedByTheirFirstNodes) {
  const Components found = connected_components(two_triangles_and_a_loner());
  EXPECT_EQ(found.labels, (Assignment{0, 1, 0, 1, 0, 1, 2, 3}));
  EXPECT_EQ(found.sizes, (std::vector<Index>{3, 3, 1, 1}));
}

TEST(Components, DoNotCareForDirections) {
  const std::vector<Entry> arcs{{2, 0}, {2, 1}};
  EXPECT_EQ(connected_components(Graph::from_edges(3, arcs, true)).sizes, (std::vector<Index>{3}));
}

TEST(InducedSubgraph, KeepsTheOrderAndTheEdgesInside) {
  const std::vector<Entry> edges{{0, 1, 2.0}, {1, 2, 3.0}, {2, 3, 4.0}, {2, 2, 5.0}};
  const Graph whole = Graph::from_edges(4, edges);
  const Assignment nodes{2, 1};
  const Graph part = induced_subgraph(whole, nodes);
  EXPECT_EQ(part.nodes(), 2);
  EXPECT_EQ(part.edges(), 2);
  EXPECT_EQ(part.degrees(), (Vector(2) << 13, 3).finished());
  EXPECT_FALSE(part.directed());
}

TEST(InducedSubgraph, RefusesNodesThatAreNotThere) {
  const Graph graph = two_triangles_and_a_loner();
  const Assignment outside{1, 8}, twice{1, 1};
  test::expect_error([&] { return induced_subgraph(graph, outside); },
                     "node 8 of a graph with 8 nodes, expected less");
  test::expect_error([&] { return induced_subgraph(graph, twice); },
                     "node 1 is named twice, expected once");
}

}  // namespace
}  // namespace srgw

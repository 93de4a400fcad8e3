// SPDX-License-Identifier: MIT
#include "dictionary/alike_nodes.hpp"

#include <gtest/gtest.h>

#include "dictionary/projector.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

/// Cliques that share node 0, as the films of an actor do, and pairs of leaves on their first
/// nodes.
std::vector<Entry> films(const std::vector<NodeId>& sizes, NodeId& nodes) {
  std::vector<Entry> edges;
  nodes = 1;
  for (const NodeId size : sizes) {
    const NodeId first = nodes;
    nodes += size;
    for (NodeId i = first; i < nodes; ++i) {
      edges.push_back({0, i, 1});
      for (NodeId j = first; j < i; ++j) edges.push_back({i, j, 1});
    }
    for (int leaf = 0; leaf < 2; ++leaf) edges.push_back({first, nodes++, 1});
  }
  return edges;
}

Sample sample_of(const std::vector<NodeId>& sizes) {
  NodeId nodes = 0;
  const auto edges = films(sizes, nodes);
  return {adjacency(Graph::from_edges(nodes, edges))};
}

Atom random_atom(Index m, Index columns) {
  detail::Random random(5, static_cast<std::uint64_t>(m));
  const Matrix B = test::random_matrix(m, m, random).cwiseAbs();
  return {0.5 * (B + B.transpose()), test::random_matrix(m, columns, random)};
}

TEST(AlikeNodes, MakesOneNodeOfPartnersInACliqueAndOfLeaves) {
  detail::AlikeNodes alike;
  // The hub; of each clique the first node, the others as one, its two leaves as one.
  const Sample* reduced = alike.reduce(sample_of({4, 5}));
  ASSERT_NE(reduced, nullptr);
  EXPECT_EQ(reduced->source.structure.size(), 1 + 2 * 3);
  EXPECT_NEAR(reduced->source.weights.sum(), 1, 1e-15);
  EXPECT_NEAR(reduced->source.weights.maxCoeff(), 4.0 / 14, 1e-15);
}

TEST(AlikeNodes, LeavesGraphsAloneThatHaveFew) {
  detail::AlikeNodes alike;
  std::vector<Entry> path;
  for (NodeId i = 0; i + 1 < 12; ++i) path.push_back({i, i + 1, 1});
  EXPECT_EQ(alike.reduce({adjacency(Graph::from_edges(12, path))}), nullptr);
}

TEST(AlikeNodes, TellsFeaturesAndWeightsApart) {
  detail::AlikeNodes alike;
  Sample sample = sample_of({6, 6});
  const Index before = alike.reduce(sample)->source.structure.size();
  sample.features = Matrix::Zero(sample.source.weights.size(), 1);
  sample.features(3, 0) = 1;
  EXPECT_EQ(alike.reduce(sample)->source.structure.size(), before + 1);
  sample.source.weights[4] *= 2;
  sample.source.weights /= sample.source.weights.sum();
  EXPECT_EQ(alike.reduce(sample)->source.structure.size(), before + 2);
}

TEST(AlikeNodes, ChangesNoProjection) {
  const Projection plain{.alpha = 0.6};
  for (const Index columns : {0, 2}) {
    for (const Index m : {3, 7, 12}) {
      detail::Projector projector(plain, 1);
      projector.set_atom(random_atom(m, columns));
      for (const auto& sizes : std::vector<std::vector<NodeId>>{{4, 5}, {9}, {3, 3, 6}, {20, 2}}) {
        NodeId nodes = 0;
        const auto edges = films(sizes, nodes);
        const Graph graph = Graph::from_edges(nodes, edges);
        for (const Source& source : {adjacency(graph), normalized_adjacency(graph)}) {
          Sample sample{source};
          if (columns > 0) sample.features = Matrix::Ones(sample.source.weights.size(), columns);
          detail::AlikeNodes alike;
          ASSERT_NE(alike.reduce(sample), nullptr);
          const Solution whole = projector.solve(0, sample);
          const auto found = projector.project(0, sample);
          EXPECT_NEAR(found.value, whole.value, 1e-6 * (1 + whole.value));
          EXPECT_LT((found.weights - whole.target_weights).norm(), 1e-2);
        }
      }
    }
  }
}

}  // namespace
}  // namespace srgw

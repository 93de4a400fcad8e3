// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "srgw/generate.hpp"
#include "srgw/graph.hpp"
#include "srgw/structure.hpp"

namespace srgw::test {

struct GraphRecipe {
  Index nodes = 20;
  double degree = 4;  ///< mean number of edges or out-arcs that each node starts
  bool directed = false, weighted = false, self_loops = false;
  Index lonely = 0;  ///< the last nodes have no edges
  std::uint64_t seed = 0;
};

/// Ends of edges are uniform; repeated pairs are dropped, so degrees are a little lower than asked.
inline Graph random_graph(const GraphRecipe& recipe) {
  detail::Random random(recipe.seed, 0);
  const auto connected = static_cast<std::uint64_t>(recipe.nodes - recipe.lonely);
  const auto edges = static_cast<std::size_t>(recipe.degree * static_cast<double>(connected) / 2);
  std::vector<Entry> entries;
  // A path keeps everyone connected, whatever is drawn.
  for (NodeId i = 1; i < connected; ++i) entries.push_back({i - 1, i, 1});
  for (std::size_t e = 0; e < edges; ++e) {
    const auto i = static_cast<NodeId>(random.below(connected));
    const auto j = static_cast<NodeId>(random.below(connected));
    const double weight = recipe.weighted ? 0.1 + random.uniform() : 1.0;
    if (i != j || recipe.self_loops) entries.push_back({i, j, weight});
  }
  return Graph::from_edges(recipe.nodes, entries, recipe.directed, Duplicates::first);
}

/// 600 nodes in five blocks that are easily told apart.
inline PlantedGraph planted_graph(std::uint64_t seed) {
  return generate(PlantedPartition{.nodes = 600, .blocks = 5, .mean_degree = 16, .inside = 0.8},
                  seed);
}

inline Matrix dense_adjacency(const Graph& graph) {
  return Structure::csr(graph.adjacency()).dense();
}

/// exp(X) by its series, after halving X until it is small.
inline Matrix brute_force_exponential(const Matrix& X) {
  int halvings = 0;
  while (X.cwiseAbs().rowwise().sum().maxCoeff() * std::pow(0.5, halvings) > 0.5) ++halvings;
  const Matrix small = X * std::pow(0.5, halvings);
  Matrix sum = Matrix::Identity(X.rows(), X.cols());
  Matrix term = sum;
  for (int k = 1; k <= 18; ++k) {
    term = (term * small / k).eval();
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum;
}

}  // namespace srgw::test

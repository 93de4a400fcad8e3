// SPDX-License-Identifier: MIT
#include <srgw/srgw.hpp>

#include <cstdio>

// Two triangles joined by an edge fall into their two halves.
int main() {
  const srgw::Entry edges[] = {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}};
  const auto graph = srgw::Graph::from_edges(6, edges);
  const auto source = srgw::modularity(graph);
  const auto target = srgw::Structure::scaled_identity(2);
  const auto solution = srgw::solve({source.structure, source.weights, target},
                                    srgw::ConditionalGradient{}, srgw::Start::random, 10);
  const auto labels = solution.plan.labels();
  std::printf("modularity %.6f\n", srgw::metrics::modularity(graph, labels));
  const bool halves = labels[0] == labels[1] && labels[1] == labels[2] && labels[3] == labels[4] &&
                      labels[4] == labels[5] && labels[2] != labels[3];
  return halves ? 0 : 1;
}

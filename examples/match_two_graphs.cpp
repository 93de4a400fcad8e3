// SPDX-License-Identifier: MIT
// Two triangles joined by an edge, matched with two nodes that have loops: each triangle becomes
// one node, and the plan says which.
#include <srgw/srgw.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<srgw::Entry> edges = {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}};
  const auto graph = srgw::Graph::from_edges(6, edges);

  // C = A with uniform weights h; Cbar has no weights: the best ones are part of the answer.
  const srgw::Source source = srgw::adjacency(graph);
  srgw::Matrix loops(2, 2);
  loops << 0.8, 0.1,  //
      0.1, 0.8;
  const auto target = srgw::Structure::dense(loops);

  const srgw::Solution solution =
      srgw::solve({source.structure, source.weights, target}, srgw::ConditionalGradient{},
                  srgw::Start::random, /*count=*/10, srgw::Run{.seed = 1});

  std::printf("value           %.6f (gap %.1e)\n", solution.value, solution.gap);
  std::printf("target weights  %.3f %.3f\n", solution.target_weights[0],
              solution.target_weights[1]);
  std::printf("labels         ");
  for (const srgw::NodeId label : solution.plan.labels()) std::printf(" %u", label);
  std::printf("\n");
  return 0;
}

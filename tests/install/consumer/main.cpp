// SPDX-License-Identifier: MIT
#include <srgw/srgw.hpp>

#include <cstdio>
#include <cstring>

// Two triangles joined by an edge fall into their two halves.
int main() {
  const std::vector<std::pair<int, int>> edges{{0, 1}, {0, 2}, {1, 2}, {3, 4},
                                               {3, 5}, {4, 5}, {2, 3}};
  const auto graph = srgw::Graph::from_edges(6, edges);
  auto source = srgw::modularity(graph);
  // Vectors made here are freed by the library, and the other way round.
  std::vector<srgw::Problem> problems;
  problems.push_back({source.structure, std::move(source.weights),
                      srgw::Structure::diagonal(srgw::Vector::Ones(2))});
  const auto solution = srgw::solve(problems.front(), srgw::ConditionalGradient{},
                                    srgw::Start::random, 10, {.threads = 2});
  const auto labels = solution.plan.labels();
  // Vectors of the standard library are weights and labels, too.
  const std::vector<double> weights(6, 1. / 6);
  const srgw::Problem uniform{source.structure, weights, problems.front().target};
  srgw::io::write_labels(srgw::solve(uniform).plan.labels(), "/dev/null");
  std::printf("srgw %s: modularity %.6f\n", srgw::version(),
              srgw::metrics::modularity(graph, labels));
  bool refused = false;
  try {
    srgw::Graph::from_edges(2, edges);
  } catch (const srgw::Error& error) {
    refused = error.kind() == srgw::Error::Kind::argument;
  }
  const bool halves = labels[0] == labels[1] && labels[1] == labels[2] && labels[3] == labels[4] &&
                      labels[4] == labels[5] && labels[2] != labels[3];
  return halves && refused && std::strcmp(srgw::version(), SRGW_VERSION) == 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// The communities of a graph file and how certain they are. Usage: find_communities FILE
#include <srgw/srgw.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  try {
    const auto file = srgw::io::read_graph(argc > 1 ? argv[1] : "karate.txt");
    const srgw::Partition found = srgw::partition(file.graph, {.clusters = 2});
    std::printf("%td clusters of %td and %td nodes\n", found.clusters, found.sizes[0],
                found.sizes[1]);
    std::printf("modularity %.4f, gap %.1e\n", found.modularity, found.solution.gap);
  } catch (const srgw::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

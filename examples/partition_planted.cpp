// SPDX-License-Identifier: MIT
// Finds the planted blocks of a random graph by matching its modularity structure with the
// identity. Usage: partition_planted [nodes]
#include <srgw/srgw.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const srgw::Index nodes = argc > 1 ? std::atol(argv[1]) : 100'000;
    const srgw::Index blocks = 15;

    const auto drawn = std::chrono::steady_clock::now();
    const auto [graph, planted] = srgw::generate(
        srgw::PlantedPartition{.nodes = nodes, .blocks = blocks, .mean_degree = 25, .inside = 0.8},
        /*seed=*/1);
    std::printf("graph       %td nodes, %td edges, drawn in %.2f s\n", graph.nodes(), graph.edges(),
                seconds_since(drawn));

    const auto begun = std::chrono::steady_clock::now();
    const srgw::Source source = srgw::modularity(graph);
    const auto target = srgw::Structure::scaled_identity(blocks);
    const srgw::Solution solution =
        srgw::solve({source.structure, source.weights, target}, srgw::ConditionalGradient{},
                    srgw::Start::spectral, /*count=*/1, srgw::Run{.seed = 1});
    const srgw::Assignment labels = solution.plan.labels();
    const double seconds = seconds_since(begun);

    const auto found = (solution.target_weights.array() > 0).count();
    std::printf("blocks      %td found, %td planted\n", found, blocks);
    std::printf("modularity  %.4f found, %.4f planted\n", srgw::metrics::modularity(graph, labels),
                srgw::metrics::modularity(graph, planted));
    std::printf("AMI         %.4f with the planted blocks\n",
                srgw::metrics::adjusted_mutual_information(labels, planted));
    std::printf("gap         %.2e after %d iterations\n", solution.gap, solution.iterations);
    std::printf("seconds     %.2f\n", seconds);
    return 0;
  } catch (const srgw::Error& error) {
    std::fprintf(stderr, "partition_planted: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
// One partition of two graphs on the same people: who calls whom, and who writes to whom. Each
// layer keeps half of its edges inside of groups of 50; together they show the groups.
#include <srgw/srgw.hpp>

#include <cstdio>
#include <vector>

int main() {
  try {
    const srgw::PlantedPartition groups{
        .nodes = 500, .blocks = 10, .mean_degree = 8, .inside = 0.5};
    const auto [calls, truth] = srgw::generate(groups, /*seed=*/1);
    const auto [mails, same] = srgw::generate(groups, /*seed=*/2);

    const std::vector<srgw::PartitionLayer> layers{{calls, 1.0}, {mails, 0.8}};
    const srgw::Partition alone = srgw::partition(calls);
    const srgw::Partition both = srgw::partition(layers);

    std::printf("calls alone: %td clusters, AMI %.2f\n", alone.clusters,
                srgw::metrics::adjusted_mutual_information(truth, alone.labels));
    std::printf("both layers: %td clusters, AMI %.2f\n", both.clusters,
                srgw::metrics::adjusted_mutual_information(truth, both.labels));
    for (const srgw::PartitionLayerFit& layer : both.layers) {
      std::printf("  weight %.1f, %td edges: modularity %.3f\n", layer.weight, layer.edges,
                  layer.modularity);
    }
    return 0;
  } catch (const srgw::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

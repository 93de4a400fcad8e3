// SPDX-License-Identifier: MIT
// Several graphs on the same nodes, as callers have them.
#include "communities/layers.hpp"

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "communities/search/layered_graph.hpp"
#include "srgw/metrics.hpp"

namespace srgw {

namespace detail {

void check_layers(std::span<const PartitionLayer> layers) {
  if (layers.empty()) fail_argument("no layers, expected at least one graph");
  double all = 0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto& [graph, weight] = layers[l];
    if (!(weight >= 0) || std::isinf(weight)) {
      fail_argument("layer {} has the weight {}, expected a finite number from 0", l + 1, weight);
    }
    if (graph.nodes() != layers[0].graph.nodes()) {
      fail_argument("layer {} has {} nodes, expected {} as layer 1", l + 1, graph.nodes(),
                    layers[0].graph.nodes());
    }
    if (weight > 0 && graph.edges() == 0) {
      fail_argument("layer {} has no edges, expected some, or the weight 0", l + 1);
    }
    all += weight;
  }
  if (!(all > 0)) fail_argument("all layers have the weight 0, expected one above 0");
}

Graph undirected_layer(const Graph& graph) { return graph.directed() ? graph.undirected() : graph; }

std::vector<PartitionLayerFit> fit_of_layers(std::span<const PartitionLayer> layers,
                                             const Assignment& labels) {
  std::vector<PartitionLayerFit> fits;
  for (const auto& [graph, weight] : layers) {
    const Graph seen = undirected_layer(graph);
    fits.push_back({.weight = weight,
                    .edges = seen.edges(),
                    .modularity = seen.edges() > 0 ? metrics::modularity(seen, labels) : 0});
  }
  return fits;
}

std::string explain_layers(const std::vector<PartitionLayerFit>& fits, bool is_free) {
  const auto weighs = [](const PartitionLayerFit& fit) { return fit.weight > 0; };
  const auto weighing = std::ranges::count_if(fits, weighs);
  std::string text;
  if (weighing == 1) {
    const auto only = std::ranges::find_if(fits, weighs) - fits.begin();
    text =
        fmt::format("Only layer {} has a weight: it is clustered like a single graph.", only + 1);
  } else {
    text = fmt::format("The weighted mean of the modularities of {} layers is maximised", weighing);
    if (is_free) text += ", which also chooses the number of clusters";
    text += "; memberships are hard.";
  }
  for (std::size_t l = 0; l < fits.size(); ++l) {
    text += fmt::format("{} layer {}: {:.4f} (weight {:.4g})", l == 0 ? " Modularity of" : ",",
                        l + 1, fits[l].modularity, fits[l].weight);
  }
  return text + ".";
}

}  // namespace detail

Graph sum_of_layers(std::span<const PartitionLayer> layers) {
  detail::check_layers(layers);
  std::vector<Entry> entries;
  for (const PartitionLayer& layer : layers) {
    if (layer.weight == 0) continue;
    const Graph seen = detail::undirected_layer(layer.graph);
    const double all = seen.degrees().sum();
    if (!(all > 0)) continue;
    const Csr& rows = seen.adjacency();
    std::visit(
        [&](const auto& offsets) {
          for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
            for (std::size_t e = offsets[i]; e < offsets[i + 1]; ++e) {
              if (rows.columns[e] < i) continue;
              const double value = rows.has_values() ? rows.values[e] : 1;
              entries.push_back(
                  {static_cast<NodeId>(i), rows.columns[e], layer.weight / all * value});
            }
          }
        },
        rows.offsets);
  }
  return Graph::from_edges(layers[0].graph.nodes(), std::span<const Entry>(entries), false,
                           Duplicates::sum);
}

double modularity_of_layers(std::span<const PartitionLayer> layers,
                            std::span<const NodeId> labels) {
  detail::check_layers(layers);
  double sum = 0, all = 0;
  for (const auto& [graph, weight] : layers) {
    if (weight == 0) continue;
    sum += weight * metrics::modularity(detail::undirected_layer(graph), labels);
    all += weight;
  }
  return sum / all;
}

}  // namespace srgw

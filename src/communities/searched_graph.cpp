// SPDX-License-Identifier: MIT
#include "communities/searched_graph.hpp"

#include <algorithm>
#include <numeric>

#include "base/message.hpp"
#include "base/row_blocks.hpp"
#include "communities/search/cluster_masses.hpp"
#include "communities/search/layered_graph.hpp"
#include "srgw/generate.hpp"
#include "srgw/metrics.hpp"

namespace srgw::detail {

double Layers::modularity(const Assignment& labels) const {
  if (!several()) return metrics::modularity(graphs[0], labels);
  double sum = 0;
  for (std::size_t l = 0; l < graphs.size(); ++l) {
    sum += weights[l] * metrics::modularity(graphs[l], labels);
  }
  return sum / std::accumulate(weights.begin(), weights.end(), 0.0);
}

SearchedGraph::SearchedGraph(const Layers& given, int threads) : given_(given) {
  if (!given.several()) {
    weighted_ = modularity_graph(given.graphs[0]);
    if (weighted_.columns.size() == 0) {
      fail_argument("a graph whose only edges are self-loops, expected an edge between two nodes");
    }
    return;
  }
  for (const Graph& graph : given.graphs) {
    layers_.push_back(modularity_graph(graph));
    if (!(layers_.back().total > 0)) {
      fail_argument(
          "layer {} has no edge between two nodes, expected one; without the layer, or with its "
          "weight 0, the others are clustered",
          layers_.size());
    }
  }
  weighted_ = combine_layers(layers_, given.weights, threads);
}

double SearchedGraph::modularity(const Assignment& labels, int threads) const {
  // The weighted graph has no self-loops.
  const bool same =
      !given_.several() && weighted_.columns.size() == given_.graphs[0].adjacency().columns.size();
  return same ? quality(weighted_, labels, 1, threads) : given_.modularity(labels);
}

std::vector<WeightedGraph> SearchedGraph::layers_between(const std::vector<NodeId>& nodes,
                                                         int threads) const {
  std::vector<WeightedGraph> result;
  for (const WeightedGraph& layer : layers_) {
    result.push_back(nodes.size() == layer.size() ? layer : induced(layer, nodes, threads));
  }
  return result;
}

WeightedGraph SearchedGraph::rewired(std::uint64_t seed, int threads) const {
  if (!given_.several()) return modularity_graph(srgw::rewired(given_.graphs[0], seed));
  std::vector<WeightedGraph> copies;
  for (const Graph& graph : given_.graphs) {
    // Equal layers must not become equal copies, which would share more edges than chance.
    const auto own = seed + (std::uint64_t{copies.size()} << 32U);
    copies.push_back(modularity_graph(srgw::rewired(graph, own)));
  }
  return combine_layers(copies, given_.weights, threads);
}

double source_constant(const WeightedGraph& graph, int threads) {
  double sum = 0;
  for (const double part : block_sums(graph.size(), threads, [&](double before, std::size_t i) {
         for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
           const double weight = graph.weight(e);
           before += weight / graph.mass[i] * (weight / graph.mass[graph.columns[e]]) / 4;
         }
         return before;
       })) {
    sum += part;
  }
  return sum;
}

double source_constant(const std::vector<WeightedGraph>& layers, const std::vector<double>& weights,
                       int threads) {
  double sum = 0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    sum += weights[l] * source_constant(layers[l], threads);
  }
  return sum / std::accumulate(weights.begin(), weights.end(), 0.0);
}

Solution evaluate_layers(const WeightedGraph& graph, double constant, double resolution,
                         const Plan& plan, int threads) {
  const Assignment labels = plan.labels();
  const auto columns = static_cast<std::size_t>(plan.columns());
  const ClusterMasses masses(graph, labels, columns);
  // Half of the slope along z_ik, the share of node i in cluster k: what it gains there.
  std::vector<double> links(columns, 0);
  std::vector<NodeId> touched;
  double gap = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
      const NodeId c = labels[graph.columns[e]];
      if (links[c] == 0) touched.push_back(c);
      links[c] += graph.weight(e);
    }
    const auto gain = [&](NodeId c) { return links[c] - masses.expected(resolution, graph, i, c); };
    const double own = gain(labels[i]);
    double best = columns > 1 ? std::max(own, 0.0) : own;
    for (const NodeId c : touched) best = std::max(best, gain(c));
    gap += best - own;
    for (const NodeId c : touched) links[c] = 0;
    touched.clear();
  }
  Solution solution;
  solution.plan = plan;
  solution.target_weights = plan.target_weights();
  solution.value = constant - resolution * quality(graph, labels, resolution, threads);
  solution.value_quad = solution.value;
  solution.gap = 2 * resolution * gap / graph.total;
  solution.status = Status::converged;
  solution.start_values = {solution.value};
  return solution;
}

}  // namespace srgw::detail

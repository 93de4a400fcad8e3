// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include "base/message.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

void check_list(std::size_t size, std::size_t graphs, std::string_view what) {
  if (size != 0 && size != graphs) {
    fail_argument("{} {} for {} graphs, expected one for each or none", size, what, graphs);
  }
}

void check_items(Index size, Index expected, std::size_t graph, std::string_view what) {
  if (size != expected) {
    fail_argument("graph {} has {} {}, expected {}", graph, size, what, expected);
  }
}

}  // namespace

void check(const Dataset& dataset) {
  const std::size_t graphs = dataset.graphs.size();
  check_list(dataset.names.size(), graphs, "names");
  check_list(dataset.labels.size(), graphs, "labels");
  for (const std::int64_t label : dataset.labels) {
    if (dataset.classes.empty() || (label >= 0 && label < std::ssize(dataset.classes))) continue;
    fail_argument("class {}, expected 0 to {}: there are {} names of classes", label,
                  dataset.classes.size() - 1, dataset.classes.size());
  }
  check_list(dataset.node_labels.size(), graphs, "lists of node labels");
  check_list(dataset.node_features.size(), graphs, "matrices of node features");
  check_list(dataset.edge_labels.size(), graphs, "lists of edge labels");
  for (std::size_t g = 0; g < graphs; ++g) {
    const Graph& graph = dataset.graphs[g];
    if (!dataset.node_labels.empty()) {
      check_items(std::ssize(dataset.node_labels[g]), graph.nodes(), dataset.first + g,
                  "node labels");
    }
    if (!dataset.node_features.empty()) {
      const Matrix& features = dataset.node_features[g];
      check_items(features.rows(), graph.nodes(), dataset.first + g, "rows of features");
      check_items(features.cols(), dataset.node_features[0].cols(), dataset.first + g,
                  "columns of features");
    }
    if (!dataset.edge_labels.empty()) {
      check_items(std::ssize(dataset.edge_labels[g]), graph.adjacency().entries(),
                  dataset.first + g, "edge labels");
    }
  }
}

}  // namespace srgw

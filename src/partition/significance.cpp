// SPDX-License-Identifier: MIT
#include "partition/significance.hpp"

#include <algorithm>
#include <limits>

#include "partition/graph_flow.hpp"
#include "partition/resolution.hpp"
#include "srgw/generate.hpp"

namespace srgw::detail {

namespace {

constexpr int copies = 3;
/// Copies of a random graph agree with it to 0.08 nats a node.
constexpr double margin = 0.1;

/// Nats a node saved on the nodes that count.
double saved_by(const Flow& flow, const Communities& found, int threads) {
  std::vector<NodeId> nodes;
  Assignment labels;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (found.labels[i] == found.count) continue;
    nodes.push_back(static_cast<NodeId>(i));
    labels.push_back(found.labels[i]);
  }
  const Flow part = found.between(flow, nodes, threads);
  const double edges = 0.5 * static_cast<double>(part.columns.size());
  return description_length(part, labels, edges, threads).planted;
}

}  // namespace

Significance test_significance(const Graph& graph, const Flow& flow, const Communities& found,
                               const CommunitySearch& search) {
  Significance result;
  if (found.route == Route::components) return result;  // nothing between them: no need of a test
  if (found.count < 2) {
    result.significant = false;
    return result;
  }
  result.saved = saved_by(flow, found, search.threads);
  result.one_block = description_length_of_one_block(flow.size() - found.unconnected);
  if (result.saved > result.one_block) return result;
  result.needed_copies = true;
  result.rewired = -std::numeric_limits<double>::infinity();
  for (int copy = 0; copy < copies && !(search.stopped && search.stopped()); ++copy) {
    const Flow null = modularity_flow(rewired(graph, search.seed + static_cast<unsigned>(copy)));
    const Communities there =
        find_communities(null, 0.5 * static_cast<double>(null.columns.size()), search);
    result.rewired = std::max(result.rewired, saved_by(null, there, search.threads));
  }
  result.significant = result.saved > result.rewired + margin;
  return result;
}

}  // namespace srgw::detail

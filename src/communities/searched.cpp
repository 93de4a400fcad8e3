// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "communities/alternate.hpp"
#include "communities/communities.hpp"
#include "communities/finish.hpp"
#include "communities/graph_flow.hpp"
#include "communities/part.hpp"
#include "communities/reasons.hpp"
#include "communities/routes.hpp"
#include "communities/significance.hpp"
#include "communities/sparse_path.hpp"
#include "graph/csr_build.hpp"
#include "solve/watch.hpp"
#include "srgw/metrics.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

/// The graph of a flow; weights and columns are shared.
Graph graph_of(const Flow& flow) {
  Csr csr;
  csr.offsets = SharedArray<std::uint64_t>(flow.offsets);
  csr.columns = flow.columns;
  csr.values = flow.weights;
  return Graph(Graph::Trusted{std::move(csr), false, 0});
}

/// All nodes with a neighbour in one cluster.
void become_one_cluster(const Flow& flow, Communities& found) {
  found.count = 1;
  found.resolution = 1;
  for (std::size_t i = 0; i < flow.size(); ++i) found.labels[i] = flow.degree(i) > 0 ? 0 : 1;
}

}  // namespace

Partition searched(const Graph& graph, const PartitionOptions& options, const Run& run) {
  const Flow flow = modularity_flow(graph);
  if (flow.columns.size() == 0) {
    fail_argument("a graph whose only edges are self-loops, expected an edge between two nodes");
  }
  CommunitySearch search{
      .starts = options.starts, .seed = run.seed, .threads = resolve_threads(run.threads)};
  Watch watch(run);
  search.stopped = [&] { return watch.stopped(); };
  if (options.clusters) {
    search.most_clusters = static_cast<std::size_t>(std::min(*options.clusters, graph.nodes()));
  }
  Communities found =
      find_communities(flow, 0.5 * static_cast<double>(flow.columns.size()), search);

  Partition result;
  Significance significance;
  // Features may tell nodes apart where edges do not.
  if (options.test_significance && !options.features && options.clusters != Index{1}) {
    significance = test_significance(graph, flow, found, search);
  }
  result.significant = significance.significant;
  result.reasons = reasons(found, search, significance);
  if (!significance.significant) become_one_cluster(flow, found);

  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (found.labels[i] != found.count) result.nodes.push_back(static_cast<NodeId>(i));
  }
  const Graph seen = graph_of(found.between(flow, result.nodes, search.threads));
  const Source source = modularity(seen);
  Assignment labels;
  labels.reserve(result.nodes.size());
  for (const NodeId node : result.nodes) labels.push_back(found.labels[node]);
  const auto columns = static_cast<Index>(found.count);
  const Plan start = Plan::from_labels(source.weights, labels, columns);
  Alternation problem{.source = source,
                      .target = Structure::scaled_identity(columns, found.resolution)};
  PartitionFeatures features;
  if (options.features) {
    features = {rows_of(options.features->rows, result.nodes), options.features->alpha};
    problem.features = &features;
  }
  Alternated solved = options.sparsity > 0
                          ? follow_path(problem, start, options, seen, watch.rest(), result.path)
                          : alternate(problem, start, options.method, watch.rest());
  if (options.features) {
    const Plan by_features =
        plan_by_features(source.weights, features.rows, columns, run.seed, search.threads);
    Alternated other = alternate(problem, by_features, options.method, watch.rest());
    if (other.solution.value < solved.solution.value) solved = std::move(other);
  }
  result.resolution = found.resolution;
  result.target_features = std::move(solved.target_features);
  result.solution = std::move(solved.solution);
  finish(graph.nodes(), false, result);
  // A flow has no self-loops.
  result.modularity = flow.columns.size() == graph.adjacency().columns.size()
                          ? quality(flow, result.labels, 1, search.threads)
                          : metrics::modularity(graph, result.labels);
  return result;
}

}  // namespace srgw::detail

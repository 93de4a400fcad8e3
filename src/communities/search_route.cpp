// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "communities/alternate.hpp"
#include "communities/communities.hpp"
#include "communities/finish.hpp"
#include "communities/modularity_graph.hpp"
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

Partition partition_by_search(const Graph& graph, const PartitionOptions& options, const Run& run) {
  const WeightedGraph weighted = modularity_graph(graph);
  if (weighted.columns.size() == 0) {
    fail_argument("a graph whose only edges are self-loops, expected an edge between two nodes");
  }
  CommunitySearch search{
      .starts = options.starts, .seed = run.seed, .threads = resolve_threads(run.threads)};
  Watch watch(run);
  search.stopped = [&] { return watch.stopped(); };
  if (options.clusters) {
    search.most_clusters = std::min(*options.clusters, graph.nodes());
  }
  Communities found =
      find_communities(weighted, 0.5 * static_cast<double>(weighted.columns.size()), search);

  Partition result;
  Significance significance;
  // Features may tell nodes apart where edges do not.
  if (options.test_significance && !options.features && options.clusters != Index{1}) {
    significance = test_significance(graph, weighted, found, search);
  }
  result.significant = significance.significant;
  result.reasons = reasons(found, search, significance);
  if (!significance.significant) {  // all nodes with a neighbour are one cluster
    found.count = 1;
    found.resolution = 1;
    for (std::size_t i = 0; i < weighted.size(); ++i) {
      found.labels[i] = weighted.degree(i) > 0 ? 0 : 1;
    }
  }

  for (std::size_t i = 0; i < weighted.size(); ++i) {
    if (found.labels[i] != found.count) result.nodes.push_back(static_cast<NodeId>(i));
  }
  const Graph seen(Graph::Trusted{found.between(weighted, result.nodes, search.threads).rows()});
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
  finish(alone, graph.nodes(), result.nodes, false, result);
  // The weighted graph has no self-loops.
  result.modularity = weighted.columns.size() == graph.adjacency().columns.size()
                          ? quality(weighted, result.labels, 1, search.threads)
                          : metrics::modularity(graph, result.labels);
  return result;
}

}  // namespace srgw::detail

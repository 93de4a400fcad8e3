// SPDX-License-Identifier: MIT
#include "srgw/partition.hpp"

#include <cmath>

#include "message.hpp"
#include "partition/routes.hpp"
#include "srgw/metrics.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using Kind = PartitionStructure::Kind;

void check_rows(const Graph& graph, const PartitionOptions& options) {
  const auto expect = [&](const char* what, Index rows) {
    if (rows != graph.nodes())
      fail_argument("{} of {} nodes, expected {}", what, rows, graph.nodes());
  };
  if (options.weights.kind == PartitionWeights::Kind::given) {
    expect("weights", options.weights.values.size());
  }
  if (!options.start) return;
  if (const auto* labels = std::get_if<Assignment>(&*options.start)) {
    expect("labels to start from", static_cast<Index>(labels->size()));
  }
  if (const auto* plan = std::get_if<Matrix>(&*options.start)) {
    expect("a plan to start from", plan->rows());
  }
}

void check(const Graph& graph, const PartitionOptions& options) {
  if (options.clusters && *options.clusters < 1) {
    fail_argument("clusters is {}, expected at least 1", *options.clusters);
  }
  if (graph.edges() == 0) {
    fail_argument("a graph of {} nodes without edges, expected at least one edge", graph.nodes());
  }
  if (options.starts < 1) fail_argument("starts is {}, expected at least 1", options.starts);
  const Kind kind = options.structure.kind;
  if (graph.directed() && (kind == Kind::modularity || kind == Kind::stability)) {
    fail_argument(
        "{} of a directed graph, expected an undirected one: undirected(), or "
        "--symmetrize, takes the union of both directions",
        kind == Kind::modularity ? "modularity" : "stability");
  }
  const bool own_weights = kind == Kind::modularity || kind == Kind::stability;
  const auto weights = options.weights.kind;
  if (own_weights && weights != PartitionWeights::Kind::automatic &&
      weights != PartitionWeights::Kind::degree) {
    fail_argument(
        "weights with the modularity or stability structure, expected none: these have "
        "their own, degree");
  }
  if (options.target.kind == PartitionTarget::Kind::given && !options.target.structure) {
    fail_argument("a given target without its structure, expected one");
  }
  if (kind == Kind::other && !options.structure.make) {
    fail_argument("a structure of one's own without a function that makes it, expected one");
  }
  check_rows(graph, options);
  if (!options.features) return;
  if (options.features->rows.rows() != graph.nodes()) {
    fail_argument("features of {} nodes, expected {}", options.features->rows.rows(),
                  graph.nodes());
  }
  if (!options.features->rows.allFinite()) {
    fail_argument("a feature that is not finite, expected finite numbers");
  }
  const double alpha = options.features->alpha;
  if (!(alpha >= 0 && alpha <= 1)) fail_argument("alpha is {}, expected a number in [0, 1]", alpha);
}

}  // namespace

Partition partition(const Graph& graph, const PartitionOptions& options, const Run& run) {
  check(graph, options);
  const bool automatic = options.structure.kind == Kind::automatic;
  const bool symmetrise = automatic && graph.directed();
  const Graph seen = symmetrise ? graph.undirected() : graph;
  Partition result = detail::uses_search(options) ? detail::searched(seen, options, run)
                                                  : detail::solved(seen, options, run);
  result.symmetrized = symmetrise;
  if (symmetrise) {
    result.reasons.insert(result.reasons.begin(),
                          "The graph is directed; the union of both directions was taken.");
  }
  result.modularity = metrics::modularity(seen, result.labels);
  return result;
}

Partition partition(GraphShard /*graph*/, const PartitionOptions& /*options*/, const Run& /*run*/) {
  fail_argument("a partition on ranks, expected one process");
}

}  // namespace srgw

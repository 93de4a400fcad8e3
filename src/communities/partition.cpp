// SPDX-License-Identifier: MIT
#include "srgw/partition.hpp"

#include <cmath>

#include "base/message.hpp"
#include "communities/distributed_graph.hpp"
#include "communities/routes.hpp"
#include "srgw/ranks.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using Kind = PartitionStructure::Kind;

/// What options are checked against.
struct Seen {
  Index nodes = 0;
  Index rows = 0;  ///< nodes that are here
  Index edges = 0;
  bool directed = false;
};

void check_rows(const Seen& graph, const PartitionOptions& options) {
  const auto expect = [&](const char* what, Index rows) {
    if (rows != graph.rows) fail_argument("{} of {} nodes, expected {}", what, rows, graph.rows);
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

void check(const Seen& graph, const PartitionOptions& options) {
  if (graph.edges == 0) {
    fail_argument("a graph of {} nodes without edges, expected at least one edge", graph.nodes);
  }
  const Kind kind = options.structure.kind;
  if (graph.directed && (kind == Kind::modularity || kind == Kind::stability)) {
    fail_argument(
        "{} of a directed graph, expected an undirected one: undirected(), or "
        "--symmetrize, takes the union of both directions",
        kind == Kind::modularity ? "modularity" : "stability");
  }
  if (options.target.kind == PartitionTarget::Kind::given && !options.target.structure) {
    fail_argument("a given target without its structure, expected one");
  }
  if (kind == Kind::other && !options.structure.make) {
    fail_argument("a structure of one's own without a function that makes it, expected one");
  }
  check_rows(graph, options);
  if (!options.features) return;
  if (options.features->rows.rows() != graph.rows) {
    fail_argument("features of {} nodes, expected {}", options.features->rows.rows(), graph.rows);
  }
  if (!options.features->rows.allFinite()) {
    fail_argument("a feature that is not finite, expected finite numbers");
  }
  const double alpha = options.features->alpha;
  if (!(alpha >= 0 && alpha <= 1)) fail_argument("alpha is {}, expected a number in [0, 1]", alpha);
}

}  // namespace

Partition partition(const Graph& graph, const PartitionOptions& given, const Run& run) {
  const ResolvedPartition resolved = resolve(given);
  const bool symmetrise = resolved.symmetrises && graph.directed();
  const Graph seen = symmetrise ? graph.undirected() : graph;
  const PartitionOptions& options = resolved.options;
  check({seen.nodes(), seen.nodes(), seen.edges(), seen.directed()}, options);
  const bool distributes =
      !resolved.searches && !seen.directed() && refusal_on_ranks(resolved).empty();
  Partition result = resolved.searches ? detail::partition_by_search(seen, options, run)
                     : distributes
                         ? detail::partition_distributed(detail::distribute(seen), options, run)
                         : detail::partition_by_solve(seen, resolved, run);
  result.structure = resolved.structure_name();
  result.symmetrized = symmetrise;
  if (symmetrise) {
    result.reasons.insert(result.reasons.begin(),
                          "The graph is directed; the union of both directions was taken.");
  }
  return result;
}

Partition partition(GraphShard graph, const PartitionOptions& given, const Run& run) {
  if (run.ranks == nullptr) fail_argument("rows of a graph without ranks, expected Run::ranks");
  const ResolvedPartition resolved = resolve(given);
  const PartitionOptions& options = resolved.options;
  if (const std::string refusal = refusal_on_ranks(resolved); !refusal.empty()) {
    fail_argument("{}", refusal);
  }
  const std::size_t rank = run.ranks->rank();
  check({.nodes = graph.nodes(),
         .rows = graph.starts[rank + 1] - graph.starts[rank],
         .edges = graph.edges,
         .directed = false},
        options);
  const bool symmetrized = graph.symmetrized;
  Partition result =
      detail::partition_distributed(detail::distribute(std::move(graph), *run.ranks), options, run);
  result.structure = resolved.structure_name();
  result.symmetrized = symmetrized;
  return result;
}

}  // namespace srgw

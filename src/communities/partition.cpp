// SPDX-License-Identifier: MIT
#include "srgw/partition.hpp"

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/whole_numbers.hpp"
#include "communities/distributed_graph.hpp"
#include "communities/layers.hpp"
#include "communities/routes.hpp"
#include "ranks/parcel.hpp"
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
  const auto expect_ids = [&](const char* what, const auto& ids) {
    if (!ids) return;
    expect(what, std::ssize(*ids));
    for (const std::int64_t id : *ids) {
      if (id < -1 || id > detail::largest_exact_integer) {
        fail_argument("{} has the label {}, expected whole numbers from 0 to 2^53, or -1 for none",
                      what, id);
      }
    }
  };
  expect_ids("previous", options.previous);
  if (options.previous && std::ranges::all_of(*options.previous, [](auto id) { return id < 0; })) {
    fail_argument("previous has no label, expected labels of some nodes of this graph");
  }
  expect_ids("fixed", options.fixed);
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
  if (graph.directed && !options.clusters) {
    fail_argument("clusters auto for a directed graph, expected a number or an undirected graph");
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

bool is_scale_free(Kind kind) {
  return kind == Kind::modularity || kind == Kind::stability ||
         kind == Kind::normalized_adjacency || kind == Kind::normalized_laplacian;
}

/// The power of two that brings the largest weight near 1, where it is so far from it that sums and
/// squares could overflow or vanish; else 0. Scaling by it changes no bit of a scale-free result.
int scaling_exponent(double largest) {
  constexpr int moderate = 64;
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) <= moderate ? 0 : -exponent;
}

double largest_of(std::span<const double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, std::abs(weight));
  return largest;
}

/// The graph with weights near 1; without weights where all are equal, which changes no scale-free
/// structure and leaves edges that can be counted.
Graph with_moderate_weights(const Graph& graph) {
  const Csr& rows = graph.adjacency();
  const auto with = [&](SharedArray<double> weights) {
    return Graph(Graph::Trusted{{rows.offsets, rows.columns, std::move(weights)},
                                graph.directed(),
                                graph.directed() ? 0 : 2 * graph.edges() - rows.entries()});
  };
  const auto differs = [&](double weight) { return weight != rows.values[0]; };
  if (!rows.values.empty() && rows.values[0] > 0 && std::ranges::none_of(rows.values, differs)) {
    return with({});
  }
  const int exponent = scaling_exponent(largest_of(rows.values));
  if (exponent == 0) return graph;
  std::vector<double> weights(rows.values.begin(), rows.values.end());
  for (double& weight : weights) weight = std::ldexp(weight, exponent);
  return with(std::move(weights));
}

/// The search, with or without constraints.
Partition search(const detail::Layers& layers, const PartitionOptions& options, const Run& run) {
  const bool constrained =
      options.previous || options.fixed || options.min_size || options.max_size;
  return constrained ? detail::partition_constrained(layers, options, run)
                     : detail::partition_by_search(layers, options, run);
}

void say_symmetrized(Partition& result) {
  result.symmetrized = true;
  std::string reason = "The graph is directed; the union of both directions was taken.";
  result.reasons.insert(result.reasons.begin(), std::move(reason));
}

}  // namespace

Partition partition(const Graph& graph, const PartitionOptions& given, const Run& run) {
  const StopScope scope(run);  // the limit of all steps together
  const ResolvedPartition resolved = resolve(given);
  const bool symmetrise = resolved.symmetrises && graph.directed();
  const PartitionOptions& options = resolved.options;
  Graph seen = symmetrise ? graph.undirected() : graph;
  if (is_scale_free(options.structure.kind)) seen = with_moderate_weights(seen);
  check({seen.nodes(), seen.nodes(), seen.edges(), seen.directed()}, options);
  const bool distributes =
      !resolved.searches && !seen.directed() && refusal_on_ranks(resolved).empty();
  Partition result = resolved.searches ? search({{seen}, {1}}, options, run)
                     : distributes
                         ? detail::partition_distributed(detail::distribute(seen), options, run)
                         : detail::partition_by_solve(seen, resolved, run);
  result.structure = resolved.structure_name();
  if (symmetrise) say_symmetrized(result);
  return result;
}

Partition partition(std::span<const PartitionLayer> layers, const PartitionOptions& given,
                    const Run& run) {
  detail::check_layers(layers);
  if (layers.size() == 1) return partition(layers[0].graph, given, run);
  if (const std::string refusal = refusal_of_layers(given); !refusal.empty()) {
    fail_argument("{}", refusal);
  }
  const StopScope scope(run);  // the limit of all steps together
  const ResolvedPartition resolved = resolve(given);
  const PartitionOptions& options = resolved.options;
  detail::Layers seen;
  bool symmetrises = false;
  for (const auto& [graph, weight] : layers) {
    if (weight == 0) continue;
    symmetrises = symmetrises || graph.directed();
    seen.graphs.push_back(with_moderate_weights(detail::undirected_layer(graph)));
    seen.weights.push_back(weight);
    const Graph& layer = seen.graphs.back();
    check({layer.nodes(), layer.nodes(), layer.edges(), layer.directed()}, options);
  }
  Partition result = search(seen, options, run);
  result.structure = resolved.structure_name();
  result.layers = detail::fit_of_layers(layers, result.labels);
  result.reasons.insert(result.reasons.begin(),
                        detail::explain_layers(result.layers, !options.clusters));
  if (symmetrises) say_symmetrized(result);
  return result;
}

std::vector<std::int64_t> Partition::node_ids() const {
  std::vector<std::int64_t> result;
  result.reserve(labels.size());
  for (const NodeId label : labels) result.push_back(ids.empty() ? label : ids[label]);
  return result;
}

Partition partition(GraphShard graph, const PartitionOptions& given, const Run& run) {
  if (run.ranks == nullptr) fail_argument("rows of a graph without ranks, expected Run::ranks");
  const ResolvedPartition resolved = resolve_on_ranks(given);
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
  if (is_scale_free(options.structure.kind)) {
    const int scaling = scaling_exponent(detail::largest(*run.ranks, largest_of(graph.weights)));
    for (double& weight : graph.weights) weight = std::ldexp(weight, scaling);
  }
  const bool symmetrized = graph.symmetrized;
  Partition result =
      detail::partition_distributed(detail::distribute(std::move(graph), *run.ranks), options, run);
  result.structure = resolved.structure_name();
  result.symmetrized = symmetrized;
  if (resolved.chooses_start) {
    result.reasons.insert(result.reasons.begin(),
                          "The graph is spread over ranks: splitting and merging replaces the "
                          "search of one process.");
  }
  return result;
}

}  // namespace srgw

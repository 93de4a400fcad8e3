// SPDX-License-Identifier: MIT
#include "report/graph_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/quotient.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/draw.hpp"
#include "srgw/graph.hpp"

namespace srgw::detail {

namespace {

constexpr Index most_nodes = 50'000, sampled_nodes = 20'000, most_edges = 120'000;

std::vector<std::uint32_t> neighbour_counts(const Graph& graph) {
  std::vector<std::uint32_t> counts;
  counts.reserve(graph.nodes());
  with_rows(graph.adjacency(), [&](const auto& rows) {
    for (Index i = 0; i < rows.size(); ++i) {
      counts.push_back(static_cast<std::uint32_t>(rows.end(i) - rows.begin(i)));
    }
  });
  return counts;
}

/// Edges of the graph on the shown nodes, every so manyth where there are too many.
Index add_edges(ReportGraph& view, const Graph& graph) {
  const Index every = (std::max<Index>(graph.edges(), 1) + most_edges - 1) / most_edges;
  Index seen = 0;
  for_each_entry(graph.adjacency(), [&](Index i, Index j, double) {
    if (i == j || (i > j && !graph.directed())) return;
    if (seen++ % every == 0) view.edges.emplace_back(i, j);
  });
  return every;
}

/// Shares above one per cent of nodes that are spread over clusters.
void add_memberships(ReportGraph& view, const std::vector<NodeId>& nodes, const Plan* plan,
                     Index clusters) {
  if (plan == nullptr || plan->is_assignment() || plan->columns() > clusters) return;
  const ShortRows rows = plan->short_rows();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t begin = rows.offsets[nodes[i]], end = rows.offsets[nodes[i] + 1];
    const double weight = plan->weights()[nodes[i]];
    if (end - begin < 2 || !(weight > 0)) continue;
    for (std::size_t e = begin; e < end; ++e) {
      const double share = rows.masses[e] / weight;
      if (share >= 0.01) {
        view.memberships.push_back({static_cast<NodeId>(i), rows.columns[e], share});
      }
    }
  }
}

NodeNames names_of(const NodeNames& names, const std::vector<NodeId>& nodes) {
  if (names.are_numbers()) {
    std::vector<std::int64_t> ids;
    ids.reserve(nodes.size());
    for (const NodeId i : nodes) ids.push_back(names.number(i));
    return NodeNames(std::move(ids));
  }
  std::vector<std::string> texts;
  texts.reserve(nodes.size());
  for (const NodeId i : nodes) texts.push_back(names[i]);
  return NodeNames(std::move(texts));
}

/// The nodes with most neighbours of each cluster that has a disc, as many as its size asks for,
/// and their places: in the disc, the first in the middle.
struct Chosen {
  std::vector<NodeId> nodes;
  std::vector<Point> places;
};
Chosen sample_nodes(const Graph& graph, const Assignment& labels, Index clusters,
                    const std::vector<std::uint32_t>& degrees) {
  Index largest = clusters;
  for (const NodeId label : labels) largest = std::max<Index>(largest, label + 1);
  const BlockOrder order = order_by_block(labels, largest);
  std::vector<NodeId> by_block(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) by_block[order.place[i]] = static_cast<NodeId>(i);
  const Discs discs = arrange_discs({0, 0, 1000, 1000}, graph, labels, order, clusters);
  double total = 0;
  for (const Index size : discs.sizes) total += static_cast<double>(size);
  Chosen result;
  for (std::size_t d = 0; d < discs.clusters.size(); ++d) {
    const double fair =
        static_cast<double>(sampled_nodes) * static_cast<double>(discs.sizes[d]) / total;
    const auto take = std::clamp<Index>(std::lround(fair), 1, discs.sizes[d]);
    const auto first = by_block.begin() + order.begins[discs.clusters[d]];
    std::partial_sort(first, first + take, first + discs.sizes[d], [&](NodeId a, NodeId b) {
      return degrees[a] != degrees[b] ? degrees[a] > degrees[b] : a < b;
    });
    for (Index k = 0; k < take; ++k) {
      const double angle = golden_angle * static_cast<double>(k);
      const double radius =
          discs.radii[d] * std::sqrt((static_cast<double>(k) + 0.5) / static_cast<double>(take));
      const auto row = static_cast<Index>(d);
      result.nodes.push_back(first[k]);
      result.places.push_back({discs.points(row, 0) + radius * std::cos(angle),
                               discs.points(row, 1) + radius * std::sin(angle)});
    }
  }
  return result;
}

}  // namespace

GraphView graph_view(const Graph& graph, const NodeNames& names, const Assignment& labels,
                     Index clusters, const Plan* plan, ClusterPlaces places) {
  GraphView result;
  ReportGraph& view = result.graph;
  const Index n = graph.nodes();
  const std::vector<std::uint32_t> degrees = neighbour_counts(graph);
  std::vector<NodeId> nodes;
  Index every = 1;
  if (n <= most_nodes) {
    nodes.resize(n);
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    const bool large = n > 2000;
    const std::span<const NodeId> blocks(labels.data(),
                                         places == ClusterPlaces::apart ? labels.size() : 0);
    view.points =
        layout(graph, {.blocks = blocks, .pivots = large ? 50 : 200, .sweeps = large ? 15 : 40});
    view.names = names;
    every = add_edges(view, graph);
  } else {
    const Chosen sample = sample_nodes(graph, labels, clusters, degrees);
    nodes = sample.nodes;
    view.points.resize(std::ssize(nodes), 2);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      view.points.row(static_cast<Index>(i)) =
          Eigen::RowVector2d(sample.places[i].x, sample.places[i].y);
    }
    view.names = names_of(names, nodes);
    every = add_edges(view, induced_subgraph(graph, nodes));
    result.note = fmt::format(
        "{} of {} nodes are shown: those with most neighbours of each of the "
        "{} largest clusters, with the edges among them. ",
        nodes.size(), n, std::min<Index>(clusters, 60));
  }
  if (every > 1) result.note += fmt::format("Every {}th edge is shown.", every);
  for (const NodeId i : nodes) {
    const NodeId label = labels[i];
    view.cluster.push_back(label < static_cast<NodeId>(clusters) ? static_cast<std::int32_t>(label)
                                                                 : -1);
    view.degree.push_back(degrees[i]);
  }
  for (Index k = 0; k < clusters; ++k) view.clusters.push_back(fmt::format("cluster {}", k + 1));
  add_memberships(view, nodes, plan, clusters);
  return result;
}

}  // namespace srgw::detail

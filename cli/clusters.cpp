// SPDX-License-Identifier: MIT
#include "cli/clusters.hpp"

#include <algorithm>
#include <numeric>

#include "srgw/components.hpp"

namespace srgw::cli {

namespace {

/// Components by falling volume (the sum of degrees), the first of equals first.
std::vector<std::size_t> by_volume(const Graph& graph, const Components& components) {
  std::vector<double> volumes(components.sizes.size(), 0);
  const Vector degrees = graph.degrees();
  for (std::size_t i = 0; i < components.labels.size(); ++i) {
    volumes[components.labels[i]] += degrees[static_cast<Index>(i)];
  }
  std::vector<std::size_t> order(volumes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return volumes[a] > volumes[b]; });
  return order;
}

/// New numbers of the columns: by falling number of nodes, the first of equals first.
std::vector<NodeId> ranks(const std::vector<Index>& sizes) {
  std::vector<NodeId> order(sizes.size()), rank(sizes.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return sizes[a] > sizes[b]; });
  for (std::size_t place = 0; place < order.size(); ++place) {
    rank[order[place]] = static_cast<NodeId>(place);
  }
  return rank;
}

/// The plan of all nodes, with columns renumbered.
Plan whole_plan(const Plan& plan, const Selection& selection, const std::vector<NodeId>& rank) {
  const ShortRows part = plan.short_rows();
  Vector weights = Vector::Zero(static_cast<Index>(selection.connected.size()));
  ShortRows rows{.offsets = {0}, .columns = {}, .masses = {}};
  std::size_t next = 0;  // of the kept nodes
  std::vector<std::pair<NodeId, double>> row;
  for (std::size_t node = 0; node < selection.connected.size(); ++node) {
    if (next < selection.kept.size() && selection.kept[next] == node) {
      row.clear();
      for (auto entry = part.offsets[next]; entry < part.offsets[next + 1]; ++entry) {
        row.emplace_back(rank[part.columns[entry]], part.masses[entry]);
      }
      std::sort(row.begin(), row.end());
      for (const auto& [column, mass] : row) {
        rows.columns.push_back(column);
        rows.masses.push_back(mass);
      }
      weights[static_cast<Index>(node)] = plan.weights()[static_cast<Index>(next)];
      ++next;
    }
    rows.offsets.push_back(rows.columns.size());
  }
  return Plan::from_rows(weights, std::move(rows), plan.columns());
}

}  // namespace

Selection select_nodes(const Graph& graph, Index clusters) {
  const Components components = connected_components(graph);
  Selection result;
  for (const NodeId label : components.labels) {
    result.connected.push_back(components.sizes[label] > 1);
  }
  std::vector<bool> keep(components.sizes.size(), false);
  Index left = clusters;
  for (const std::size_t component : by_volume(graph, components)) {
    if (left == 0) break;
    if (components.sizes[component] == 1) continue;
    keep[component] = true;
    --left;
  }
  for (NodeId node = 0; node < components.labels.size(); ++node) {
    if (keep[components.labels[node]]) result.kept.push_back(node);
  }
  return result;
}

Vector rows_of(const Vector& values, const Selection& selection) {
  if (values.size() == 0 || selection.keeps_all()) return values;
  Vector result(static_cast<Index>(selection.kept.size()));
  for (std::size_t i = 0; i < selection.kept.size(); ++i) {
    result[static_cast<Index>(i)] = values[selection.kept[i]];
  }
  return result;
}

Matrix rows_of(const Matrix& values, const Selection& selection) {
  if (values.size() == 0 || selection.keeps_all()) return values;
  Matrix result(static_cast<Index>(selection.kept.size()), values.cols());
  for (std::size_t i = 0; i < selection.kept.size(); ++i) {
    result.row(static_cast<Index>(i)) = values.row(selection.kept[i]);
  }
  return result;
}

void keep_rows(std::optional<StartFile>& start, const Selection& selection) {
  if (!start) return;
  start->plan = rows_of(start->plan, selection);
  if (start->labels.empty()) return;
  std::vector<std::int64_t> labels;
  for (const NodeId node : selection.kept) labels.push_back(start->labels[node]);
  start->labels = std::move(labels);
}

Clusters finish_clusters(Solution& solution, const Selection& selection, bool reorder) {
  const Assignment found = solution.plan.labels();
  std::vector<Index> sizes(static_cast<std::size_t>(solution.plan.columns()), 0);
  for (const NodeId label : found) ++sizes[label];
  std::vector<NodeId> rank(sizes.size());
  std::iota(rank.begin(), rank.end(), NodeId{0});
  if (reorder) rank = ranks(sizes);

  const Vector weights = solution.target_weights;
  for (std::size_t k = 0; k < rank.size(); ++k) {
    solution.target_weights[rank[k]] = weights[static_cast<Index>(k)];
  }
  Clusters result;
  result.sizes.resize(sizes.size());
  for (std::size_t k = 0; k < rank.size(); ++k) result.sizes[rank[k]] = sizes[k];
  // Target nodes of a file keep their numbers, so labels without nodes may lie between.
  while (!result.sizes.empty() && result.sizes.back() == 0) result.sizes.pop_back();
  const auto others = static_cast<NodeId>(result.sizes.size());
  result.labels.assign(selection.connected.size(), others);
  for (std::size_t i = 0; i < found.size(); ++i) {
    result.labels[selection.kept[i]] = rank[found[i]];
  }
  solution.plan = whole_plan(solution.plan, selection, rank);
  return result;
}

Index Clusters::count() const {
  return std::count_if(sizes.begin(), sizes.end(), [](Index size) { return size > 0; });
}

Assignment connected_only(const Assignment& labels, const Selection& selection) {
  Assignment result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (selection.connected[i]) result.push_back(labels[i]);
  }
  return result;
}

}  // namespace srgw::cli

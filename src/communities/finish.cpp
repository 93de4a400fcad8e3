// SPDX-License-Identifier: MIT
#include "communities/finish.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace srgw::detail {

namespace {

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
Plan whole_plan(const Plan& plan, std::size_t all_nodes, const std::vector<NodeId>& nodes,
                const std::vector<NodeId>& rank) {
  if (plan.is_assignment() && nodes.size() == all_nodes) {
    Assignment labels = plan.labels();
    for (NodeId& label : labels) label = rank[label];
    return Plan::from_labels(plan.weights(), labels, plan.columns());
  }
  const ShortRows part = plan.short_rows();
  Vector weights = Vector::Zero(static_cast<Index>(all_nodes));
  ShortRows rows{.offsets = {0}, .columns = {}, .masses = {}};
  std::size_t next = 0;  // of the clustered nodes
  std::vector<std::pair<NodeId, double>> row;
  for (std::size_t node = 0; node < all_nodes; ++node) {
    if (next < nodes.size() && nodes[next] == node) {
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

/// Rows of what is known about target nodes, renumbered.
Matrix renumbered_rows(const Matrix& values, const std::vector<NodeId>& rank) {
  Matrix result = values;
  for (Index k = 0; k < values.rows(); ++k) {
    result.row(rank[k]) = values.row(k);
  }
  return result;
}

void renumber(Partition& result, const std::vector<NodeId>& rank) {
  result.solution.target_weights = renumbered_rows(result.solution.target_weights, rank).col(0);
  result.target_features = renumbered_rows(result.target_features, rank);
  const Matrix rows = renumbered_rows(result.target, rank);
  result.target = renumbered_rows(rows.transpose(), rank).transpose();
}

}  // namespace

void finish(Index all_nodes, bool given_target, Partition& result) {
  Solution& solution = result.solution;
  const Assignment found = solution.plan.labels();
  std::vector<Index> sizes(solution.plan.columns(), 0);
  for (const NodeId label : found) ++sizes[label];
  std::vector<NodeId> rank(sizes.size());
  std::iota(rank.begin(), rank.end(), NodeId{0});
  if (!given_target) rank = ranks(sizes);

  result.sizes.resize(sizes.size());
  for (std::size_t k = 0; k < rank.size(); ++k) result.sizes[rank[k]] = sizes[k];
  while (!result.sizes.empty() && result.sizes.back() == 0) result.sizes.pop_back();
  result.clusters =
      std::count_if(result.sizes.begin(), result.sizes.end(), [](Index size) { return size > 0; });
  result.labels.assign(all_nodes, static_cast<NodeId>(result.sizes.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    result.labels[result.nodes[i]] = rank[found[i]];
  }
  result.unconnected = all_nodes - static_cast<Index>(result.nodes.size());
  solution.plan = whole_plan(solution.plan, all_nodes, result.nodes, rank);
  renumber(result, rank);
}

void become_one_cluster(Partition& result) {
  std::fill(result.labels.begin(), result.labels.end(), NodeId{1});
  for (const NodeId node : result.nodes) result.labels[node] = 0;
  result.sizes = {static_cast<Index>(result.nodes.size())};
  result.clusters = 1;
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "communities/finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace srgw::detail {

namespace {

/// New numbers of the columns: by falling number of nodes, the first of equals first.
std::vector<NodeId> number_by_size(const std::vector<std::int64_t>& sizes) {
  std::vector<NodeId> order(sizes.size()), number(sizes.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::ranges::stable_sort(order, [&](NodeId a, NodeId b) { return sizes[a] > sizes[b]; });
  for (std::size_t place = 0; place < order.size(); ++place) {
    number[order[place]] = static_cast<NodeId>(place);
  }
  return number;
}

/// The plan of all rows here, with columns renumbered.
Plan whole_plan(Plan plan, std::size_t rows, const std::vector<NodeId>& clustered,
                const std::vector<NodeId>& number, bool all_clustered) {
  Plan::Trusted parts = plan.release();
  if (all_clustered && std::holds_alternative<Labels>(parts.storage)) {
    std::visit(
        [&]<class Label>(std::vector<Label>& labels) {
          for (Label& label : labels) label = static_cast<Label>(number[label]);
        },
        std::get<Labels>(parts.storage));
    return Plan(std::move(parts));
  }
  const Index columns = parts.columns;
  const std::vector<double> part_weights = parts.weights;
  const ShortRows part = Plan(std::move(parts)).short_rows();
  std::vector<double> weights(rows, 0);
  ShortRows whole;
  std::vector<std::pair<NodeId, double>> row;
  for (std::size_t k = 0; k < clustered.size(); ++k) {
    const std::size_t from = part_weights.size() == rows ? clustered[k] : k;
    row.clear();
    for (auto entry = part.offsets[from]; entry < part.offsets[from + 1]; ++entry) {
      row.emplace_back(number[part.columns[entry]], part.masses[entry]);
    }
    std::ranges::sort(row);
    whole.offsets.resize(std::size_t{clustered[k]} + 1, whole.columns.size());
    for (const auto& [column, mass] : row) {
      whole.columns.push_back(column);
      whole.masses.push_back(mass);
    }
    weights[clustered[k]] = part_weights[from];
  }
  whole.offsets.resize(rows + 1, whole.columns.size());
  return Plan(Plan::Trusted{std::move(weights), columns, std::move(whole)});
}

/// Rows of what is known about target nodes, renumbered.
Matrix renumbered_rows(const Matrix& values, const std::vector<NodeId>& number) {
  Matrix result = values;
  for (Index k = 0; k < values.rows(); ++k) {
    result.row(number[k]) = values.row(k);
  }
  return result;
}

void renumber(Partition& result, const std::vector<NodeId>& number) {
  result.solution.target_weights = renumbered_rows(result.solution.target_weights, number).col(0);
  result.target_features = renumbered_rows(result.target_features, number);
  const Matrix rows = renumbered_rows(result.target, number);
  result.target = renumbered_rows(rows.transpose(), number).transpose();
}

}  // namespace

void finish(const Exchange& exchange, Index rows, std::vector<NodeId> clustered, bool given_target,
            Partition& result) {
  Solution& solution = result.solution;
  const Assignment found = solution.plan.labels();
  const auto label_of = [&](std::size_t k) {
    return found[std::ssize(found) == rows ? clustered[k] : k];
  };
  std::vector<std::int64_t> sizes(solution.plan.columns(), 0);
  for (std::size_t k = 0; k < clustered.size(); ++k) ++sizes[label_of(k)];
  exchange.sum(sizes);
  std::vector<NodeId> number(sizes.size());
  std::iota(number.begin(), number.end(), NodeId{0});
  if (!given_target) number = number_by_size(sizes);

  result.sizes.resize(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) result.sizes[number[k]] = sizes[k];
  while (!result.sizes.empty() && result.sizes.back() == 0) result.sizes.pop_back();
  result.clusters = std::ranges::count_if(result.sizes, [](Index size) { return size > 0; });
  result.labels.assign(rows, static_cast<NodeId>(result.sizes.size()));
  result.nodes.clear();
  for (std::size_t k = 0; k < clustered.size(); ++k) {
    result.labels[clustered[k]] = number[label_of(k)];
    result.nodes.push_back(exchange.node(clustered[k]));
  }
  result.unconnected =
      exchange.all_rows(rows) - std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  solution.plan =
      whole_plan(std::move(solution.plan), rows, clustered, number, result.unconnected == 0);
  renumber(result, number);
}

void judge(PartitionTarget::Kind target, Partition& result) {
  using Kind = PartitionTarget::Kind;
  if (result.clusters <= 1) {
    result.significant = result.solution.plan.columns() == 1;
    return;
  }
  result.significant = target == Kind::learned || target == Kind::given || result.modularity > 0;
  if (result.significant) return;
  result.reasons.push_back(
      fmt::format("No communities: the modularity of these clusters is {:.3g}, and one cluster has "
                  "0. The {} clusters are kept because their number was given.",
                  result.modularity, result.clusters));
}

}  // namespace srgw::detail

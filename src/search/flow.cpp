// SPDX-License-Identifier: MIT
#include "search/flow.hpp"

#include <algorithm>
#include <limits>

#include "parallel.hpp"

namespace srgw::detail {

namespace {

constexpr NodeId none = std::numeric_limits<NodeId>::max();

/// The nodes of each label, one label after the other.
struct Members {
  std::vector<std::uint64_t> offsets;
  std::vector<NodeId> nodes;

  Members(const Assignment& labels, std::size_t count)
      : offsets(count + 1, 0), nodes(labels.size()) {
    for (const NodeId label : labels) ++offsets[label + std::size_t{1}];
    for (std::size_t c = 0; c < count; ++c) offsets[c + 1] += offsets[c];
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      nodes[next[labels[i]]++] = static_cast<NodeId>(i);
    }
  }
};

}  // namespace

std::size_t compact(Assignment& labels) {
  NodeId largest = 0;
  for (const NodeId label : labels) largest = std::max(largest, label);
  std::vector<NodeId> names(std::size_t{largest} + 1, none);
  NodeId count = 0;
  for (NodeId& label : labels) {
    if (names[label] == none) names[label] = count++;
    label = names[label];
  }
  return count;
}

Flow contract(const Flow& flow, const Assignment& labels, std::size_t count) {
  const Members members(labels, count);
  Flow coarse;
  coarse.total = flow.total;
  coarse.mass.assign(count, 0);
  coarse.inside.assign(count, 0);
  coarse.offsets.reserve(count + 1);
  coarse.offsets.push_back(0);
  std::vector<NodeId> columns;
  std::vector<double> weights;
  std::vector<double> sums(count, 0);
  std::vector<NodeId> touched;
  for (std::size_t c = 0; c < count; ++c) {
    double inside = 0;
    touched.clear();
    for (std::uint64_t k = members.offsets[c]; k < members.offsets[c + 1]; ++k) {
      const NodeId i = members.nodes[k];
      coarse.mass[c] += flow.mass[i];
      if (!flow.inside.empty()) inside += flow.inside[i];
      for (std::uint64_t e = flow.offsets[i]; e < flow.offsets[i + std::size_t{1}]; ++e) {
        const NodeId other = labels[flow.columns[e]];
        const double weight = flow.weight(e);
        if (other == c) {
          inside += weight;
        } else {
          if (sums[other] == 0) touched.push_back(other);
          sums[other] += weight;
        }
      }
    }
    coarse.inside[c] = inside;
    for (const NodeId other : touched) {
      if (sums[other] == 0) continue;  // named twice: weights that cancelled on the way
      columns.push_back(other);
      weights.push_back(sums[other]);
      sums[other] = 0;
    }
    coarse.offsets.push_back(columns.size());
  }
  coarse.columns = std::move(columns);
  coarse.weights = std::move(weights);
  return coarse;
}

Flow induced(const Flow& flow, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> place(flow.size(), none);
  for (std::size_t k = 0; k < nodes.size(); ++k) place[nodes[k]] = static_cast<NodeId>(k);
  Flow part;
  part.total = 0;
  part.offsets.push_back(0);
  std::vector<NodeId> columns;
  std::vector<double> weights;
  for (const NodeId i : nodes) {
    for (std::uint64_t e = flow.offsets[i]; e < flow.offsets[i + std::size_t{1}]; ++e) {
      if (place[flow.columns[e]] == none) continue;
      columns.push_back(place[flow.columns[e]]);
      if (!flow.weights.empty()) weights.push_back(flow.weights[e]);
    }
    part.offsets.push_back(columns.size());
    part.mass.push_back(flow.mass[i]);
    if (!flow.inside.empty()) part.inside.push_back(flow.inside[i]);
    part.total += flow.mass[i];
  }
  part.columns = std::move(columns);
  part.weights = std::move(weights);
  return part;
}

double quality(const Flow& flow, const Assignment& labels, double resolution, int threads) {
  NodeId largest = 0;
  for (const NodeId label : labels) largest = std::max(largest, label);
  std::vector<double> masses(std::size_t{largest} + 1, 0);
  for (std::size_t i = 0; i < flow.size(); ++i) masses[labels[i]] += flow.mass[i];
  const auto rows = static_cast<Index>(flow.size());
  std::vector<double> sums(static_cast<std::size_t>(block_count(rows)), 0);
  parallel_for(block_count(rows), threads, [&](Index block, int) {
    const auto last = static_cast<std::size_t>(std::min(rows, (block + 1) * block_rows));
    double sum = 0;
    for (auto i = static_cast<std::size_t>(block * block_rows); i < last; ++i) {
      if (!flow.inside.empty()) sum += flow.inside[i];
      for (std::uint64_t e = flow.offsets[i]; e < flow.offsets[i + 1]; ++e) {
        if (labels[flow.columns[e]] == labels[i]) sum += flow.weight(e);
      }
    }
    sums[static_cast<std::size_t>(block)] = sum;
  });
  double inside = 0, squares = 0;
  for (const double sum : sums) inside += sum;
  for (const double mass : masses) squares += mass * mass;
  return (inside - resolution * squares / flow.total) / flow.total;
}

Assignment project(const Assignment& coarse_of, const Assignment& coarse_labels) {
  Assignment labels(coarse_of.size());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = coarse_labels[coarse_of[i]];
  return labels;
}

Components components(const Flow& flow) {
  Components found{Assignment(flow.size(), none), 0};
  std::vector<NodeId> stack;
  std::size_t left = flow.size();  // nodes without a label: with the last one the search ends
  for (std::size_t root = 0; left > 0; ++root) {
    if (found.labels[root] != none) continue;
    const auto label = static_cast<NodeId>(found.count++);
    found.labels[root] = label;
    --left;
    stack.push_back(static_cast<NodeId>(root));
    while (!stack.empty() && left > 0) {
      const NodeId i = stack.back();
      stack.pop_back();
      for (std::uint64_t e = flow.offsets[i]; e < flow.offsets[i + std::size_t{1}]; ++e) {
        const NodeId j = flow.columns[e];
        if (found.labels[j] != none) continue;
        found.labels[j] = label;
        stack.push_back(j);
        --left;
      }
    }
  }
  return found;
}

}  // namespace srgw::detail

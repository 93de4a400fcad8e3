// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "srgw/problem.hpp"

namespace srgw::test {

/// The plan that sends each node to one target node.
inline Plan vertex(const Problem& problem, const Assignment& labels) {
  return Plan::from_labels(problem.weights, labels, problem.columns());
}

/// Steps through all assignments like a counter; false after the last one.
inline bool next_assignment(Assignment& labels, Index columns) {
  for (NodeId& label : labels) {
    if (++label < static_cast<NodeId>(columns)) return true;
    label = 0;
  }
  return false;
}

/// The objective at all m^n hard plans, smallest first.
inline std::vector<double> sorted_vertex_values(const Problem& problem) {
  std::vector<double> values;
  Assignment labels(static_cast<std::size_t>(problem.rows()), 0);
  do {
    values.push_back(value(problem, vertex(problem, labels)).total());
  } while (next_assignment(labels, problem.columns()));
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace srgw::test

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "completion/free_entries.hpp"
#include "srgw/completion.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

void check_known(const Matrix& values, const Mask& free, const char* what) {
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      const bool known = free.size() == 0 || free(i, j) == 0;
      if (known && !std::isfinite(values(i, j))) {
        fail_argument("{} ({}, {}) is {}, expected a finite number", what, i, j, values(i, j));
      }
    }
  }
}

}  // namespace

std::vector<Index> PartialGraph::seen() const {
  std::vector<Index> nodes;
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < size(); ++j) {
      if (i == j || (free(i, j) != 0 && free(j, i) != 0)) continue;
      nodes.push_back(i);
      break;
    }
  }
  return nodes;
}

std::vector<Index> PartialGraph::hidden() const {
  std::vector<Index> all(size()), nodes;
  std::iota(all.begin(), all.end(), Index{0});
  std::ranges::set_difference(all, seen(), std::back_inserter(nodes));
  return nodes;
}

PartialGraph half_seen(MatrixView seen, Index nodes) { return half_seen(seen, Matrix(), nodes); }

PartialGraph half_seen(MatrixView seen, MatrixView seen_features, Index nodes) {
  const Index known = seen.rows(), columns = seen_features.cols();
  if (known != seen.cols()) {
    fail_argument("the seen graph is {} x {}, expected a square matrix", known, seen.cols());
  }
  if (nodes < known) {
    fail_argument("the whole graph has {} nodes, expected {} or more, which are seen", nodes,
                  known);
  }
  if (columns > 0 && seen_features.rows() != known) {
    fail_argument("features of {} nodes, expected {}, which are seen", seen_features.rows(), known);
  }
  PartialGraph graph{.structure = Matrix::Zero(nodes, nodes), .free = Mask::Ones(nodes, nodes)};
  graph.structure.topLeftCorner(known, known) = seen;
  graph.free.topLeftCorner(known, known).setZero();
  if (columns == 0) return graph;
  graph.features = Matrix::Zero(nodes, columns);
  graph.features.topRows(known) = seen_features;
  graph.free_features = Mask::Ones(nodes, columns);
  graph.free_features.topRows(known).setZero();
  return graph;
}

void check(const PartialGraph& graph) {
  const auto& [C, free, F, free_features] = graph;
  const Index n = graph.size();
  if (C.cols() != n) fail_argument("structure is {} x {}, expected a square matrix", n, C.cols());
  if (free.rows() != n || free.cols() != n) {
    fail_argument("the mask is {} x {}, expected {} x {}", free.rows(), free.cols(), n, n);
  }
  if (F.cols() > 0 && F.rows() != n) {
    fail_argument("features have {} rows, expected {}, one for each node", F.rows(), n);
  }
  if (free_features.size() > 0 &&
      (free_features.rows() != F.rows() || free_features.cols() != F.cols())) {
    fail_argument("the mask of features is {} x {}, expected {} x {}", free_features.rows(),
                  free_features.cols(), F.rows(), F.cols());
  }
  check_known(C, free, "entry");
  check_known(F, free_features, "feature");
  if (graph.seen().empty()) {
    fail_argument("no pair of nodes is known: nothing was observed, expected two nodes or more");
  }
}

bool detail::is_symmetric(const PartialGraph& graph) {
  if (graph.free != graph.free.transpose()) return false;
  for (Index i = 0; i < graph.size(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (graph.free(i, j) == 0 && graph.structure(i, j) != graph.structure(j, i)) return false;
    }
  }
  return true;
}

void detail::check_kind(Index columns, const PartialGraph& graph) {
  const Index found = graph.features.cols();
  if (found > 0 && columns == 0) {
    fail_argument("the graph has {} feature columns, but the model has no features", found);
  }
  if (found != columns) {
    fail_argument("the graph has {} feature columns, expected {} as the model has", found, columns);
  }
}

}  // namespace srgw

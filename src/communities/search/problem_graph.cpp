// SPDX-License-Identifier: MIT
#include "communities/search/problem_graph.hpp"

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "structure/plain_rows.hpp"

namespace srgw::detail {

namespace {

/// c of a target c I; throws for another target.
double identity_scale(const Problem& problem, const char* start) {
  const auto* diagonal = std::get_if<DiagonalStorage>(&storage_of(problem.target).form);
  if (diagonal == nullptr || diagonal->entries.size() > 0 || !(diagonal->scale > 0)) {
    fail_argument(
        "start {} with another target than a scaled identity, expected one: other targets "
        "have spectral and kmeans",
        start);
  }
  return diagonal->scale;
}

Csr csr_of(const Matrix& dense) {
  CsrBuilder builder(dense.rows(), dense.size());
  for (Index i = 0; i < dense.rows(); ++i) {
    for (Index j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) != 0) builder.add(i, j, dense(i, j));
    }
  }
  return std::move(builder).finish(dense.rows());
}

}  // namespace

WeightedGraph weigh_pairs(const CsrStorage& C, std::vector<double> h, const Exchange& exchange) {
  std::vector<double> scaled = h;  // right_j h_j at all places
  for (Index j = 0; j < C.right.size(); ++j) scaled[j] *= C.right[j];
  scaled.resize(exchange.places(std::ssize(h)));
  exchange.refresh_all(std::span(scaled));
  std::vector<double> weights;
  weights.reserve(C.csr.columns.size());
  for_each_entry(C.csr, [&](Index i, Index j, double a) {
    const double left = C.left.size() > 0 ? C.left[i] : 1.0;
    weights.push_back(2 * C.factor * (left * h[i]) * scaled[j] * a);
  });
  WeightedGraph graph = without_diagonal({C.csr.offsets, C.csr.columns, std::move(weights)});
  graph.mass = std::move(h);
  graph.exchange = &exchange;
  return graph;
}

ProblemGraph problem_graph(const Problem& problem, const char* start) {
  if (problem.balanced()) {
    fail_argument("start {} with given target weights, expected none: they follow from it", start);
  }
  const double scale = identity_scale(problem, start);
  if (!problem.source.has_rows()) {
    fail_argument(
        "start {} with a structure known through products only, expected one with rows: "
        "this one has spectral",
        start);
  }
  // With a symmetric target, C may be replaced by (C + C')/2.
  const Structure rows = with_plain_rows(problem.source.symmetrized(), false);
  const auto& form = storage_of(rows).form;
  const auto* dense = std::get_if<DenseStorage>(&form);
  const Csr csr = dense != nullptr ? csr_of(dense->matrix) : std::get<CsrStorage>(form).csr;
  return {weigh_pairs({csr, {}, {}, 1}, {problem.weights.begin(), problem.weights.end()}), scale};
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "communities/search/problem_graph.hpp"

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "structure/plain_rows.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

/// c of a target c I; throws for another target.
double identity_scale(const Problem& problem, const char* start) {
  const auto* diagonal = std::get_if<DiagonalStorage>(&problem.target.storage().form);
  if (diagonal == nullptr || diagonal->entries.size() > 0 || !(diagonal->scale > 0)) {
    fail_argument(
        "start {} with another target than a scaled identity, expected one: other targets "
        "have spectral and kmeans",
        start);
  }
  return diagonal->scale;
}

/// weight_ij = 2 h_i h_j C_ij between different nodes.
class FlowBuilder {
 public:
  explicit FlowBuilder(const Problem& problem)
      : mass_(problem.weights.begin(), problem.weights.end()) {
    offsets_.push_back(0);
  }
  void add(std::size_t i, std::size_t j, double value) {
    const double weight = 2 * mass_[i] * mass_[j] * value;
    if (i == j || weight == 0) return;
    columns_.push_back(static_cast<NodeId>(j));
    weights_.push_back(weight);
  }
  void end_row() { offsets_.push_back(columns_.size()); }
  [[nodiscard]] WeightedGraph finish() && {
    WeightedGraph graph;
    graph.offsets = std::move(offsets_);
    graph.columns = std::move(columns_);
    graph.weights = std::move(weights_);
    graph.mass = std::move(mass_);
    return graph;
  }

 private:
  std::vector<double> mass_;
  std::vector<std::uint64_t> offsets_;
  std::vector<NodeId> columns_;
  std::vector<double> weights_;
};

}  // namespace

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
  // With a symmetric target, C may be replaced by (C + C')/2 (spec 1.9).
  const Structure rows = with_plain_rows(problem.source.symmetrized(), false);
  FlowBuilder builder(problem);
  if (const auto* dense = std::get_if<DenseStorage>(&rows.storage().form)) {
    for (Index i = 0; i < dense->matrix.rows(); ++i) {
      for (Index j = 0; j < dense->matrix.cols(); ++j) {
        builder.add(i, j, dense->matrix(i, j));
      }
      builder.end_row();
    }
  } else {
    with_rows(std::get<CsrStorage>(rows.storage().form).csr, [&](const auto& csr) {
      for (Index i = 0; i < csr.size(); ++i) {
        for (std::size_t e = csr.begin(i); e < csr.end(i); ++e) {
          builder.add(i, csr.columns[e], csr.value(e));
        }
        builder.end_row();
      }
    });
  }
  return {std::move(builder).finish(), scale};
}

}  // namespace srgw::detail

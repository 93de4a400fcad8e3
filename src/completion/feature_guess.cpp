// SPDX-License-Identifier: MIT
#include "completion/feature_guess.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace srgw::detail {

namespace {
constexpr Index degree_classes = 6;  // 0, 1, 2, 3, 4 and more; the last is the constant
}

Index feature_evidence_columns(Index features) { return degree_classes + 2 * features; }

Vector feature_evidence(const SeenGraph& graph, const std::vector<NodeId>& neighbours) {
  const Index d = graph.features.cols();
  Vector evidence = Vector::Zero(feature_evidence_columns(d));
  evidence[std::min<Index>(std::ssize(neighbours), degree_classes - 2)] = 1;
  evidence[degree_classes - 1] = 1;
  for (const NodeId j : neighbours) {
    evidence.segment(degree_classes, d) +=
        graph.features.row(j).transpose() / static_cast<double>(neighbours.size());
  }
  evidence.tail(d) = graph.features.colwise().mean().transpose();
  return evidence;
}

FeatureRegression::FeatureRegression(Index features)
    : squares_(
          Matrix::Zero(feature_evidence_columns(features), feature_evidence_columns(features))),
      products_(Matrix::Zero(feature_evidence_columns(features), features)) {}

void FeatureRegression::add(const Vector& evidence, const Vector& features) {
  squares_ += evidence * evidence.transpose();
  products_ += evidence * features.transpose();
}

void FeatureRegression::add(const FeatureRegression& other) {
  squares_ += other.squares_;
  products_ += other.products_;
}

Matrix FeatureRegression::weights() const {
  const Matrix damped = squares_ + Matrix::Identity(squares_.rows(), squares_.cols());
  return damped.ldlt().solve(products_);
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "completion/free_entries.hpp"

namespace srgw::detail {

FreeEntries::FreeEntries(const PartialGraph& graph, const Atom& atom)
    : graph_(graph),
      atom_(atom),
      weights_(uniform_weights(graph.size())),
      symmetric_(is_symmetric(graph)),
      non_negative_(atom.structure.minCoeff() >= 0) {
  for (Index e = 0; e < graph.structure.size(); ++e) {
    if (graph.free.data()[e] == 0 && graph.structure.data()[e] < 0) non_negative_ = false;
  }
}

// T B T', symmetric where the graph is: of two free entries that must be equal the best is the
// mean.
Matrix FreeEntries::pulled_structure(const Matrix& T) const {
  Matrix pulled = (T * atom_.structure) * T.transpose();
  if (symmetric_) pulled = (0.5 * (pulled + pulled.transpose())).eval();
  return pulled;
}

FilledGraph FreeEntries::gradient(const FilledGraph& point, const Plan& plan) const {
  const Matrix T = plan.dense();
  const auto h = plan.weights();
  FilledGraph gradient{2 * (point.structure.cwiseProduct(h * h.transpose()) - pulled_structure(T)),
                       {}};
  gradient.structure =
      gradient.structure.cwiseProduct(graph_.free.cwiseMin(std::uint8_t{1}).cast<double>());
  if (graph_.free_features.size() == 0) {
    gradient.features = Matrix::Zero(point.features.rows(), point.features.cols());
    return gradient;
  }
  gradient.features = 2 * (h.asDiagonal() * point.features - T * atom_.features);
  gradient.features =
      gradient.features.cwiseProduct(graph_.free_features.cwiseMin(std::uint8_t{1}).cast<double>());
  return gradient;
}

void FreeEntries::set_best(const Plan& plan, FilledGraph& point) const {
  const Matrix T = plan.dense();
  const auto h = plan.weights();
  const Matrix best = pulled_structure(T);
  for (Index i = 0; i < best.rows(); ++i) {
    for (Index j = 0; j < best.cols(); ++j) {
      if (graph_.free(i, j) != 0) point.structure(i, j) = best(i, j) / (h[i] * h[j]);
    }
  }
  if (graph_.free_features.size() == 0) return;
  const Matrix mean = T * atom_.features;
  for (Index i = 0; i < mean.rows(); ++i) {
    for (Index c = 0; c < mean.cols(); ++c) {
      if (graph_.free_features(i, c) != 0) point.features(i, c) = mean(i, c) / h[i];
    }
  }
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "completion/free_entries.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

namespace {

constexpr double noise_deviation = 0.01;

/// Degrees of seen nodes over the largest one, from known entries; -1 for hidden nodes.
Vector scaled_degrees(const PartialGraph& graph, const std::vector<Index>& seen) {
  Vector degrees = Vector::Constant(graph.size(), -1);
  for (const Index i : seen) {
    degrees[i] = 0;
    for (Index j = 0; j < graph.size(); ++j) {
      if (i != j && graph.free(i, j) == 0) degrees[i] += graph.structure(i, j);
    }
  }
  const double largest = std::max(degrees.maxCoeff(), 1e-300);
  for (double& degree : degrees) degree = degree < 0 ? -1 : degree / largest;
  return degrees;
}

double mean_of_entry(const Vector& degrees, Index i, Index j) {
  if (degrees[i] >= 0 && degrees[j] >= 0) return degrees[i] * degrees[j];
  if (degrees[i] < 0 && degrees[j] < 0) return 0.5;
  return std::max(degrees[i], degrees[j]);
}

Matrix fill_structure(const PartialGraph& graph, CompletionStart start, Random random) {
  const Index n = graph.size();
  const std::vector<Index> seen = graph.seen();
  const Vector degrees = scaled_degrees(graph, seen);
  double least = 1;
  for (const Index i : seen) least = std::min(least, degrees[i]);
  const bool symmetric = is_symmetric(graph);
  Matrix C = graph.structure;
  for (Index i = 0; i < n; ++i) {
    throw_if_stopped();
    for (Index j = 0; j < n; ++j) {
      if (graph.free(i, j) == 0) continue;
      if (symmetric && j < i) {
        C(i, j) = C(j, i);
        continue;
      }
      double entry = start == CompletionStart::noise ? 0.5 : mean_of_entry(degrees, i, j);
      if (i == j) entry = start == CompletionStart::noise ? 0.0 : 0.5;
      if (start == CompletionStart::degrees) {
        C(i, j) = std::max(0.0, entry);
        continue;
      }
      // The mean of two draws, as the reference symmetrises its noise.
      const double normal = noise_deviation * (random.normal() + random.normal()) / 2;
      const double uniform = 0.1 * least * (random.uniform() + random.uniform() - 1);
      if (start == CompletionStart::noise && i != j) entry += normal;
      if (start == CompletionStart::noisy_degrees && i != j) entry += normal;
      if (start == CompletionStart::shaken_degrees && i != j) entry += uniform;
      C(i, j) = std::max(0.0, entry);
    }
  }
  return C;
}

Matrix fill_features(const PartialGraph& graph, Random random) {
  Matrix F = graph.features;
  if (graph.free_features.size() == 0) return F;
  for (Index c = 0; c < F.cols(); ++c) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (Index i = 0; i < F.rows(); ++i) {
      if (graph.free_features(i, c) != 0) continue;
      least = std::min(least, F(i, c));
      most = std::max(most, F(i, c));
    }
    if (least > most) least = most = 0;
    for (Index i = 0; i < F.rows(); ++i) {
      if (graph.free_features(i, c) != 0) F(i, c) = least + random.uniform() * (most - least);
    }
  }
  return F;
}

}  // namespace

FilledGraph fill_at_start(const PartialGraph& graph, CompletionStart start, std::uint64_t seed) {
  return {fill_structure(graph, start, Random(seed, 0)), fill_features(graph, Random(seed, 1))};
}

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

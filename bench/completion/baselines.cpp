// SPDX-License-Identifier: MIT
#include "baselines.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace srgw::bench {

namespace {

Vector degrees_of(const detail::SeenGraph& graph) {
  Vector degrees(graph.size());
  for (Index i = 0; i < graph.size(); ++i) {
    degrees[i] = static_cast<double>(graph.neighbours[static_cast<std::size_t>(i)].size());
  }
  return degrees;
}

double density_of(const Vector& degrees) {
  const auto n = static_cast<double>(degrees.size());
  return n > 1 ? degrees.sum() / (n * (n - 1)) : 0;
}

/// Newton's method for the logistic loss with a little damping; the last column of the rows is 1.
Vector logistic_regression(const Matrix& rows, const Vector& shares, const Vector& weights) {
  constexpr int steps = 30;
  constexpr double damping = 1e-3;
  Vector w = Vector::Zero(rows.cols());
  for (int step = 0; step < steps; ++step) {
    const Vector p = (1 + (-(rows * w).array()).exp()).inverse();
    const Vector slope = rows.transpose() * weights.cwiseProduct(p - shares) + damping * w;
    const Vector curvature = weights.array() * p.array() * (1 - p.array());
    const Matrix hessian = rows.transpose() * curvature.asDiagonal() * rows +
                           damping * Matrix::Identity(w.size(), w.size());
    const Vector move = hessian.ldlt().solve(slope);
    w -= move;
    if (move.norm() < 1e-8 * (1 + w.norm())) break;
  }
  return w;
}

}  // namespace

std::vector<Vector> Baselines::simple_features(const detail::SeenGraph& graph) {
  const Vector degrees = degrees_of(graph);
  const auto n = static_cast<double>(graph.size());
  const double largest = std::max(1.0, degrees.maxCoeff());
  std::vector<Vector> rows;
  for (Index i = 0; i < graph.size(); ++i) {
    double around = 0;
    for (const NodeId j : graph.neighbours[static_cast<std::size_t>(i)]) around += degrees[j];
    Vector row(7 + graph.features.cols());
    row.head(7) << degrees[i], degrees[i] / n, degrees[i] / largest,
        degrees[i] > 0 ? around / degrees[i] : 0, n, static_cast<double>(graph.hidden),
        density_of(degrees);
    if (graph.features.cols() > 0) row.tail(graph.features.cols()) = graph.features.row(i);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Label and degree, or tenths of the degree over the largest one.
std::vector<int> Baselines::frequency_class(const detail::SeenGraph& graph) const {
  const Vector degrees = degrees_of(graph);
  const double largest = std::max(1.0, degrees.maxCoeff());
  std::vector<int> classes;
  for (Index i = 0; i < graph.size(); ++i) {
    if (!has_labels_) {
      classes.push_back(static_cast<int>(10 * degrees[i] / largest));
      continue;
    }
    Index label = 0;
    graph.features.row(i).maxCoeff(&label);
    classes.push_back(static_cast<int>(label) * 10 + std::min(static_cast<int>(degrees[i]), 9));
  }
  return classes;
}

Baselines::Baselines(std::span<const Sample> training, double rate, std::uint64_t seed)
    : has_labels_(training.front().features.cols() > 0) {
  constexpr int times = 4;
  std::vector<Vector> rows;
  std::vector<double> shares, weights;
  double edges = 1, pairs = 2;
  for (std::size_t g = 0; g < training.size(); ++g) {
    const auto neighbours = detail::neighbours_of(training[g].source.structure.dense());
    const auto n = static_cast<Index>(neighbours.size());
    if (n < 3) continue;
    Vector degrees(n);
    for (Index i = 0; i < n; ++i) {
      degrees[i] = static_cast<double>(neighbours[static_cast<std::size_t>(i)].size());
    }
    std::sort(degrees.begin(), degrees.end(), std::greater<>());
    training_.push_back({degrees, density_of(degrees)});
    detail::Random random(seed, g);
    for (int t = 0; t < times; ++t) {
      const auto hidden =
          std::clamp<Index>(static_cast<Index>(rate * static_cast<double>(n)), 1, n - 2);
      const detail::HalfSeen half =
          detail::hide_nodes(neighbours, training[g].features, hidden, random);
      const std::vector<int> classes = frequency_class(half.seen);
      const std::vector<Vector> features = simple_features(half.seen);
      const auto count = static_cast<double>(half.shown.size());
      for (std::size_t s = 0; s < half.shown.size(); ++s) {
        double ties = 0;
        for (const NodeId u : half.hidden) {
          ties += static_cast<double>(std::ranges::count(neighbours[half.shown[s]], u));
        }
        auto& [found, all] = frequencies_[classes[s]];
        found += ties;
        all += static_cast<double>(hidden);
        rows.push_back(features[s]);
        shares.push_back(ties / static_cast<double>(hidden));
        weights.push_back(1 / count);
      }
      for (std::size_t a = 0; a < half.hidden.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          edges +=
              static_cast<double>(std::ranges::count(neighbours[half.hidden[a]], half.hidden[b]));
          ++pairs;
        }
      }
    }
  }
  hidden_pairs_ = edges / pairs;
  const Index columns = rows.front().size(), count = std::ssize(rows);
  Matrix X(count, columns + 1);
  for (Index r = 0; r < count; ++r) X.row(r).head(columns) = rows[static_cast<std::size_t>(r)];
  mean_ = X.leftCols(columns).colwise().mean();
  scale_ = ((X.leftCols(columns).rowwise() - mean_.transpose()).colwise().squaredNorm() /
            static_cast<double>(count))
               .cwiseSqrt();
  for (double& scale : scale_) scale = scale > 0 ? 1 / scale : 0;
  X.leftCols(columns) =
      ((X.leftCols(columns).rowwise() - mean_.transpose()) * scale_.asDiagonal()).eval();
  X.col(columns).setOnes();
  weights_ = logistic_regression(X, Eigen::Map<Vector>(shares.data(), count),
                                 Eigen::Map<Vector>(weights.data(), count));
}

// The training graph of nearest size and density lends its degrees by rank.
Vector Baselines::nearest_rows(const detail::SeenGraph& graph) const {
  const Vector degrees = degrees_of(graph);
  const auto whole = static_cast<double>(graph.size() + graph.hidden);
  const double density = density_of(degrees);
  const auto distance = [&](const Whole& other) {
    const auto n = static_cast<double>(other.sorted_degrees.size());
    return std::abs(std::log(n / whole)) + std::abs(other.density - density);
  };
  const Whole* nearest = &training_.front();
  for (const Whole& other : training_) {
    if (distance(other) < distance(*nearest)) nearest = &other;
  }
  const Vector& lent = nearest->sorted_degrees;
  std::vector<Index> order(static_cast<std::size_t>(graph.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::stable_sort(order, [&](Index a, Index b) { return degrees[a] > degrees[b]; });
  Vector p(graph.size());
  for (std::size_t r = 0; r < order.size(); ++r) {
    const double at = (static_cast<double>(r) + 0.5) / static_cast<double>(order.size());
    const auto rank = static_cast<Index>(at * static_cast<double>(lent.size()));
    p[order[r]] = std::min(1.0, lent[rank] / static_cast<double>(lent.size() - 1));
  }
  return p;
}

std::map<std::string, Completion> Baselines::complete(const PartialGraph& partial,
                                                      std::uint64_t seed) const {
  const std::vector<Index> seen = partial.seen();
  const Index n = partial.size(), known = std::ssize(seen);
  detail::SeenGraph graph;
  graph.neighbours = detail::neighbours_of(partial.structure.topLeftCorner(known, known));
  graph.hidden = n - known;
  if (partial.features.cols() > 0) graph.features = partial.features.topRows(known);
  const Vector degrees = degrees_of(graph);
  const double density = density_of(degrees);

  Vector by_frequency(known), by_regression(known);
  const std::vector<int> classes = frequency_class(graph);
  const std::vector<Vector> features = simple_features(graph);
  for (Index i = 0; i < known; ++i) {
    const auto found = frequencies_.find(classes[static_cast<std::size_t>(i)]);
    by_frequency[i] = found == frequencies_.end()
                          ? density
                          : (found->second.first + 1) / (found->second.second + 2);
    const Vector x = (features[static_cast<std::size_t>(i)] - mean_).cwiseProduct(scale_);
    const double logit = weights_.head(x.size()).dot(x) + weights_[x.size()];
    by_regression[i] = 1 / (1 + std::exp(-logit));
  }
  const auto filled = [&](const Vector& p, double pair) {
    Completion answer{.structure = partial.structure, .features = partial.features};
    answer.structure.bottomLeftCorner(n - known, known) = p.transpose().replicate(n - known, 1);
    answer.structure.topRightCorner(known, n - known) = p.replicate(1, n - known);
    answer.structure.bottomRightCorner(n - known, n - known).setConstant(pair);
    answer.structure.diagonal().tail(n - known).setZero();
    answer.probabilities = answer.structure;
    if (partial.features.cols() > 0) {
      answer.features.bottomRows(n - known) =
          graph.features.colwise().mean().replicate(n - known, 1);
    }
    return answer;
  };
  std::map<std::string, Completion> answers{
      {"no edges", filled(Vector::Zero(known), 0)},
      {"density", filled(Vector::Constant(known, density), density)},
      {"degrees", filled(degrees / std::max(1.0, degrees.maxCoeff()), 0.5)},
      {"nearest training graph", filled(nearest_rows(graph), density)},
      {"label and degree frequencies", filled(by_frequency, hidden_pairs_)},
      {"logistic regression", filled(by_regression, hidden_pairs_)}};
  Completion random = filled(Vector::Zero(known), 0);
  detail::Random numbers(seed, 99);
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max(known, i + 1); j < n; ++j) {
      random.structure(i, j) = random.structure(j, i) = static_cast<double>(numbers.below(2));
    }
  }
  random.probabilities = random.structure;
  answers.emplace("random", std::move(random));
  return answers;
}

}  // namespace srgw::bench

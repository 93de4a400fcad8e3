// SPDX-License-Identifier: MIT
#include "dictionary/atom_start.hpp"

#include <algorithm>
#include <cmath>

#include "random.hpp"
#include "srgw/kmeans.hpp"

namespace srgw::detail {

namespace {

constexpr double atom_mean = 0.5, atom_deviation = 0.01;
constexpr double descriptor_noise = 0.3;  // of columns with deviation 1

// Streams of a seed.
constexpr std::uint64_t atom_stream = 0, cluster_stream = 1, noise_stream = 2;

Index total_nodes(std::span<const Sample> samples) {
  Index nodes = 0;
  for (const Sample& sample : samples) nodes += sample.source.structure.size();
  return nodes;
}

Matrix stacked_features(std::span<const Sample> samples) {
  Matrix rows(total_nodes(samples), samples.front().features.cols());
  Index begin = 0;
  for (const Sample& sample : samples) {
    rows.middleRows(begin, sample.features.rows()) = sample.features;
    begin += sample.features.rows();
  }
  return rows;
}

// Centres of k-means; where there are fewer rows than clusters, rows are repeated.
Matrix feature_centres(std::span<const Sample> samples, Index size, std::uint64_t seed,
                       int threads) {
  constexpr int tries = 10;
  const Matrix rows = stacked_features(samples);
  const auto clusters = static_cast<int>(std::min(size, rows.rows()));
  const Matrix centres = kmeans(rows, {.clusters = clusters,
                                       .tries = tries,
                                       .seed = Random(seed, cluster_stream)(),
                                       .threads = threads})
                             .centres;
  Matrix result(size, rows.cols());
  for (Index k = 0; k < size; ++k) result.row(k) = centres.row(k % centres.rows());
  return result;
}

// Sums of rows of C and of what neighbours have, their logarithms, and the size of the graph.
void describe(const Sample& sample, Eigen::Ref<Matrix> rows) {
  const Structure& C = sample.source.structure;
  const auto n = static_cast<double>(C.size());
  const Vector degree = C.product(Vector(Vector::Ones(C.size())));
  const Vector around = C.product(degree);
  for (Index i = 0; i < C.size(); ++i) {
    const double d = std::abs(degree[i]);
    rows(i, 0) = degree[i];
    rows(i, 1) = d > 0 ? around[i] / d : 0.0;
    rows(i, 2) = std::log1p(d);
    rows(i, 3) = std::log(n);
  }
}

constexpr Index structure_columns = 4;

void scale_columns(Eigen::Ref<Matrix> columns, double weight) {
  const auto n = static_cast<double>(columns.rows());
  for (Index c = 0; c < columns.cols(); ++c) {
    const double mean = columns.col(c).sum() / n;
    const double deviation = std::sqrt((columns.col(c).array() - mean).square().sum() / n);
    columns.col(c).array() = (columns.col(c).array() - mean) *
                             (deviation > 1e-12 * (1 + std::abs(mean)) ? weight / deviation : 0.0);
  }
}

}  // namespace

Atom noisy_atom(std::span<const Sample> samples, Index size, std::uint64_t seed, int threads) {
  Random random(seed, atom_stream);
  Matrix drawn(size, size);
  for (double& entry : drawn.reshaped()) entry = atom_mean + atom_deviation * random.normal();
  Atom atom{(0.5 * (drawn + drawn.transpose())).cwiseMax(0.0), Matrix(size, 0)};
  if (samples.front().features.cols() > 0) {
    atom.features = feature_centres(samples, size, seed, threads);
  }
  return atom;
}

std::vector<Plan> descriptor_plans(std::span<const Sample> samples, Index size, double alpha,
                                   std::uint64_t seed, int threads) {
  const Index columns = samples.front().features.cols();
  Matrix rows = Matrix::Zero(total_nodes(samples), structure_columns + columns);
  Index begin = 0;
  for (const Sample& sample : samples) {
    const Index n = sample.source.structure.size();
    describe(sample, rows.block(begin, 0, n, structure_columns));
    if (columns > 0) rows.block(begin, structure_columns, n, columns) = sample.features;
    begin += n;
  }
  scale_columns(rows.leftCols(structure_columns), columns > 0 ? std::sqrt(alpha) : 1.0);
  if (columns > 0) scale_columns(rows.rightCols(columns), std::sqrt(1 - alpha));
  Random random(seed, noise_stream);
  for (double& entry : rows.reshaped<Eigen::RowMajor>()) {
    entry += descriptor_noise * random.normal();
  }
  const auto clusters = static_cast<int>(std::min(size, rows.rows()));
  const Assignment labels = kmeans(rows, {.clusters = clusters,
                                          .max_iterations = 20,
                                          .seed = Random(seed, cluster_stream)(),
                                          .threads = threads})
                                .labels;
  std::vector<Plan> plans;
  std::size_t first = 0;
  for (const Sample& sample : samples) {
    const auto n = static_cast<std::size_t>(sample.source.structure.size());
    plans.push_back(
        Plan::from_labels(sample.source.weights, std::span(labels).subspan(first, n), size));
    first += n;
  }
  return plans;
}

}  // namespace srgw::detail

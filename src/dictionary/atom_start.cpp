// SPDX-License-Identifier: MIT
#include "dictionary/atom_start.hpp"

#include <algorithm>
#include <cmath>

#include "base/kmeans.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"

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

Matrix stack_features(const StartData& data) {
  Matrix rows(total_nodes(data.samples), data.columns);
  Index begin = 0;
  for (const Sample& sample : data.samples) {
    rows.middleRows(begin, sample.features.rows()) = sample.features;
    begin += sample.features.rows();
  }
  return join_rows_on_first(rows, data.shard.ranks());
}

// Centres of k-means; where there are fewer rows than clusters, rows are repeated.
Matrix feature_centres(const StartData& data) {
  constexpr int tries = 10;
  const Matrix rows = stack_features(data);
  Matrix result(data.size, data.columns);
  if (data.shard.is_first()) {
    const auto clusters = static_cast<int>(std::min(data.size, rows.rows()));
    const Matrix centres = kmeans(rows, {.clusters = clusters,
                                         .tries = tries,
                                         .seed = Random(data.seed, cluster_stream)(),
                                         .threads = data.threads})
                               .centres;
    for (Index k = 0; k < data.size; ++k) result.row(k) = centres.row(k % centres.rows());
  }
  data.shard.broadcast(std::span(result.data(), result.size()));
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

/// Clusters of the nodes of all ranks, on the first.
Assignment cluster_nodes(Matrix rows, const StartData& data, double alpha) {
  if (!data.shard.is_first()) return {};
  const Index columns = data.columns;
  scale_columns(rows.leftCols(structure_columns), columns > 0 ? std::sqrt(alpha) : 1.0);
  if (columns > 0) scale_columns(rows.rightCols(columns), std::sqrt(1 - alpha));
  Random random(data.seed, noise_stream);
  StopCounter stop;
  for (double& entry : rows.reshaped<Eigen::RowMajor>()) {
    stop.throw_if_stopped();
    entry += descriptor_noise * random.normal();
  }
  const auto clusters = static_cast<int>(std::min(data.size, rows.rows()));
  return kmeans(rows, {.clusters = clusters,
                       .max_iterations = 20,
                       .seed = Random(data.seed, cluster_stream)(),
                       .threads = data.threads})
      .labels;
}

}  // namespace

Atom noisy_atom(const StartData& data) {
  Random random(data.seed, atom_stream);
  Matrix drawn(data.size, data.size);
  for (double& entry : drawn.reshaped()) entry = atom_mean + atom_deviation * random.normal();
  Atom atom{(0.5 * (drawn + drawn.transpose())).cwiseMax(0.0), Matrix(data.size, 0)};
  if (data.columns > 0) atom.features = feature_centres(data);
  return atom;
}

std::vector<Plan> descriptor_plans(const StartData& data, double alpha) {
  const Index columns = data.columns;
  Matrix own = Matrix::Zero(total_nodes(data.samples), structure_columns + columns);
  Index begin = 0;
  for (const Sample& sample : data.samples) {
    throw_if_stopped();
    const Index n = sample.source.structure.size();
    describe(sample, own.block(begin, 0, n, structure_columns));
    if (columns > 0) own.block(begin, structure_columns, n, columns) = sample.features;
    begin += n;
  }
  const Assignment labels = deal_from_first(
      data.shard.ranks(), cluster_nodes(join_rows_on_first(own, data.shard.ranks()), data, alpha),
      own.rows());
  std::vector<Plan> plans;
  std::size_t first = 0;
  for (const Sample& sample : data.samples) {
    throw_if_stopped();
    const std::size_t n = sample.source.structure.size();
    plans.push_back(
        Plan::from_labels(sample.source.weights, std::span(labels).subspan(first, n), data.size));
    first += n;
  }
  return plans;
}

}  // namespace srgw::detail

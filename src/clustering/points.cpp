// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "base/kmeans.hpp"
#include "base/message.hpp"
#include "base/random.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "srgw/clustering.hpp"
#include "srgw/metrics.hpp"

namespace srgw {

namespace {

constexpr Index most_points = 400;  // that evidence is computed from
constexpr int references = 10, parts = 5, few_tries = 10;
// Streams of the seed, behind those of the tries of k-means.
constexpr std::uint64_t sample_stream = std::uint64_t{1} << 40U;

KMeansResult find_clusters(MatrixView rows, int clusters, int tries, const Run& run) {
  return kmeans(rows, {.clusters = clusters,
                       .tries = tries,
                       .max_iterations = 300,
                       .seed = run.seed,
                       .threads = run.threads});
}

std::vector<Index> draw_rows(Index rows, Index count, detail::Random& random) {
  std::vector<Index> order(rows);
  std::iota(order.begin(), order.end(), Index{0});
  detail::draw_to_front(order, count, random);
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

/// Inertia of clusters over the sum of squares without any.
double spread_of(const Matrix& points, int clusters, const Run& run) {
  const double all = (points.rowwise() - points.colwise().mean()).squaredNorm();
  return all > 0 ? find_clusters(points, clusters, few_tries, run).inertia / all : 0.0;
}

/// Different rows, `most` at most.
Index count_distinct(const Matrix& points, Index most) {
  std::set<std::vector<double>> seen;
  for (Index i = 0; i < points.rows() && std::ssize(seen) < most; ++i) {
    seen.emplace(points.row(i).begin(), points.row(i).end());
  }
  return std::ssize(seen);
}

class EvidenceOf {
 public:
  EvidenceOf(MatrixView rows, const PointOptions& options, const PointClusters& found,
             const Run& run)
      : rows_(rows), options_(options), found_(found), run_(run) {}

  ClusterEvidence collect(std::span<const Index> sizes) {
    ClusterEvidence evidence;
    const int k = options_.clusters;
    evidence.distinct = count_distinct(found_.points, k + 1);
    if (k < 2 || evidence.distinct <= k) return evidence;
    compare_with_none(evidence);
    compare_with_parts(evidence);
    if (!sizes.empty()) compare_with_sizes(sizes, evidence);
    return evidence;
  }

 private:
  // The gap statistic (Tibshirani, Walther and Hastie, 2001) with normal reference points, which go
  // through the same scaling.
  void compare_with_none(ClusterEvidence& evidence) const {
    const Index count = std::min(rows_.rows(), most_points);
    detail::Random random(run_.seed, sample_stream);
    const std::vector<Index> drawn = draw_rows(rows_.rows(), count, random);
    const Matrix some = rows_(drawn, Eigen::all);
    evidence.spread = spread_of(scale(some), options_.clusters, run_);
    const Matrix centred = some.rowwise() - some.colwise().mean();
    std::vector<double> spreads;
    for (int r = 0; r < references; ++r) {
      detail::throw_if_stopped();
      Matrix shares(count, count);
      for (double& share : shares.reshaped()) share = random.normal();
      const Matrix reference = shares * centred / std::sqrt(static_cast<double>(count));
      spreads.push_back(spread_of(scale(reference), options_.clusters, run_));
    }
    const Eigen::Map<const Vector> all(spreads.data(), references);
    evidence.spread_without = all.mean();
    evidence.deviation_without =
        std::sqrt((all.array() - all.mean()).square().sum() / (references - 1));
  }

  void compare_with_parts(ClusterEvidence& evidence) const {
    const Index rows = rows_.rows();
    const Index count = std::clamp<Index>(rows * 4 / 5, options_.clusters, 2 * most_points);
    double sum = 0;
    for (int p = 0; p < parts; ++p) {
      detail::Random random(run_.seed, sample_stream + 1 + static_cast<std::uint64_t>(p));
      const std::vector<Index> drawn = draw_rows(rows, count, random);
      const Matrix some = found_.points(drawn, Eigen::all);
      const Assignment labels = find_clusters(some, options_.clusters, few_tries, run_).labels;
      Assignment of_all;
      for (const Index i : drawn) of_all.push_back(found_.labels[i]);
      sum += metrics::adjusted_rand_index(of_all, labels);
    }
    evidence.stability = sum / parts;
  }

  void compare_with_sizes(std::span<const Index> sizes, ClusterEvidence& evidence) const {
    Matrix logs(std::ssize(sizes), 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      logs(static_cast<Index>(i), 0) = std::log(static_cast<double>(std::max<Index>(1, sizes[i])));
    }
    const bool differ = (logs.array() != logs(0, 0)).any();
    evidence.by_size =
        differ ? metrics::adjusted_rand_index(
                     found_.labels, find_clusters(logs, options_.clusters, few_tries, run_).labels)
               : 0.0;
  }

  [[nodiscard]] Matrix scale(const Matrix& rows) const {
    return row_scale(rows, options_.blocks, options_.scaling).apply(rows);
  }

  const MatrixView rows_;
  const PointOptions& options_;
  const PointClusters& found_;
  const Run run_;
};

}  // namespace

std::vector<std::string> ClusterEvidence::doubts(int clusters) const {
  constexpr double deviations = 2, stable = 0.5, size_alone = 0.8;
  std::vector<std::string> found;
  if (clusters < 2) return found;
  if (distinct <= 1) {
    return {"all graphs are the same point, so the clusters mean nothing"};
  }
  if (distinct < clusters) {
    return {fmt::format("there are only {} different points for {} clusters", distinct, clusters)};
  }
  if (distinct == clusters) return found;
  if (!(spread < spread_without - deviations * deviation_without)) {
    found.push_back(
        fmt::format("the data do not support {} clusters: points without clusters are as close to "
                    "the centres ({:.3f} of their variance is left, here {:.3f})",
                    clusters, spread_without, spread));
  }
  if (stability < stable) {
    found.push_back(fmt::format(
        "the clusters are not stable: random parts of the graphs give others (adjusted Rand index "
        "{:.2f})",
        stability));
  }
  if (by_size && *by_size > size_alone) {
    found.push_back(
        fmt::format("the clusters are explained by the sizes of the graphs alone (adjusted Rand "
                    "index {:.2f})",
                    *by_size));
  }
  return found;
}

double PointClusters::largest_share() const {
  std::vector<Index> sizes(std::max<Index>(1, centres.rows()), 0);
  for (const NodeId label : labels) ++sizes[label];
  return labels.empty()
             ? 0.0
             : static_cast<double>(std::ranges::max(sizes)) / static_cast<double>(labels.size());
}

PointClusters cluster_points(MatrixView rows, const PointOptions& given,
                             std::span<const Index> sizes, const Run& run) {
  PointOptions options = given;
  if (options.clusters > rows.rows()) {
    detail::fail_argument("{} clusters of {} rows, expected one for each row at most",
                          options.clusters, rows.rows());
  }
  if (!sizes.empty() && std::ssize(sizes) != rows.rows()) {
    detail::fail_argument("{} sizes for {} rows, expected one for each", sizes.size(), rows.rows());
  }
  if (options.blocks.empty()) options.blocks = {rows.cols()};
  PointClusters result;
  bool clustered = false;
  const auto cluster_with = [&](const KMeansOptions& method) {
    KMeansResult found = kmeans(result.points, method);
    result.labels = std::move(found.labels);
    result.centres = std::move(found.centres);
    result.inertia = found.inertia;
    clustered = true;
  };
  const std::optional<Status> stopped = detail::run_until_stopped(run, [&](StopScope&) {
    result.scale = row_scale(rows, options.blocks, options.scaling);
    result.points = result.scale.apply(rows);
    cluster_with({.clusters = options.clusters,
                  .tries = options.tries,
                  .max_iterations = 300,
                  .seed = run.seed,
                  .threads = run.threads});
    result.evidence = EvidenceOf(rows, options, result, run).collect(sizes);
  });
  if (!stopped || clustered) return result;
  const detail::StopShield shield;
  result.status = *stopped;
  result.scale = row_scale(rows, options.blocks, options.scaling);
  result.points = result.scale.apply(rows);
  cluster_with({.clusters = options.clusters,
                .max_iterations = 1,
                .seed = run.seed,
                .threads = run.threads});
  return result;
}

}  // namespace srgw

// SPDX-License-Identifier: MIT
#include "cli/feature_targets.hpp"

#include <algorithm>

#include "srgw/kmeans.hpp"

namespace srgw::cli {

namespace {

constexpr int most_rounds = 20;

/// Means of features under a plan, Fbar = diag(q)^-1 T'F; a target node without mass keeps its own.
void update(Matrix& centres, const Matrix& features, const Solution& solution) {
  const ShortRows rows = solution.plan.short_rows();
  Matrix sums = Matrix::Zero(centres.rows(), centres.cols());
  for (Index i = 0; i < features.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto entry = rows.offsets[row]; entry < rows.offsets[row + 1]; ++entry) {
      sums.row(rows.columns[entry]) += rows.masses[entry] * features.row(i);
    }
  }
  for (Index k = 0; k < centres.rows(); ++k) {
    const double mass = solution.target_weights[k];
    if (mass > 0) centres.row(k) = sums.row(k) / mass;
  }
}

}  // namespace

Solution solve_with_features(const Source& source, const Structure& target, const Matrix& features,
                             const std::optional<StartFile>& start, const Solving& solving,
                             const Setup& setup) {
  const auto clusters = static_cast<int>(std::min(target.size(), features.rows()));
  Matrix centres = Matrix::Zero(target.size(), features.cols());
  centres.topRows(clusters) = kmeans(features, {.clusters = clusters,
                                                .tries = 3,
                                                .seed = solving.seed,
                                                .threads = std::max(1, solving.common.threads)})
                                  .centres;
  Solution solution;
  Assignment former;
  std::optional<StartFile> from = start;
  for (int round = 0; round < most_rounds; ++round) {
    const Matrix cost = squared_distances(features, centres);
    const Problem problem = make_problem(source, target, cost, solving, setup);
    solution = run_solver(problem, from, solving, setup);
    Assignment labels = solution.plan.labels();
    const bool stopped =
        solution.status == Status::interrupted || solution.status == Status::time_limit;
    if (stopped || labels == former) break;
    from = StartFile{"the last plan", {labels.begin(), labels.end()}, {}};
    former = std::move(labels);
    update(centres, features, solution);
  }
  return solution;
}

}  // namespace srgw::cli

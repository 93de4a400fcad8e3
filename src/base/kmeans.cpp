// SPDX-License-Identifier: MIT
#include "base/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/kmeans_rows.hpp"
#include "base/message.hpp"
#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "base/stop.hpp"

namespace srgw {

namespace {

using detail::Random;

/// Sums of squares of entries up to this size do not overflow.
constexpr double largest_entry = 1e140;

/// A squared distance below this share of |x|^2 is the rounding of |x|^2 - 2 x.c + |c|^2: x is c.
constexpr double rounding = 1e-13;

/// Lloyd's method on rows of any kind. All sums are over rows in order, or over fixed blocks of
/// rows and then over blocks in order: threads cannot be seen in the result.
template <class Rows>
class Lloyd {
 public:
  Lloyd(const Rows& rows, const KMeansOptions& options)
      : rows_(rows),
        options_(options),
        threads_(detail::resolve_threads(options.threads)),
        squared_norms_(rows.size()) {
    for (Index i = 0; i < rows.size(); ++i) squared_norms_[i] = rows.squared_norm(i);
    bound_on_shift_ = options.tolerance * mean_variance();
  }

  [[nodiscard]] KMeansResult best_of_tries() const {
    KMeansResult best = run(Random(options_.seed, 0));
    for (int i = 1; i < options_.tries; ++i) {
      KMeansResult other = run(Random(options_.seed, static_cast<std::uint64_t>(i)));
      if (other.inertia < best.inertia) best = std::move(other);
    }
    rows_.move_back(best.centres);
    return best;
  }

 private:
  /// Which centre is nearest to each row, and how far it is (squared).
  struct Nearest {
    Assignment labels;
    Vector distances;
  };

  [[nodiscard]] KMeansResult run(Random random) const {
    Matrix centres = choose_centres(random);
    Nearest nearest = find_nearest(centres);
    int iterations = 0;
    double shift = std::numeric_limits<double>::infinity();
    for (Assignment former; nearest.labels != former && shift > bound_on_shift_ &&
                            iterations < options_.max_iterations;
         ++iterations) {
      shift = move_centres(centres, nearest.labels);
      former = std::move(nearest.labels);
      nearest = find_nearest(centres);
    }
    return {.labels = std::move(nearest.labels),
            .centres = std::move(centres),
            .inertia = nearest.distances.sum(),
            .iterations = iterations};
  }

  /// Calls `work(begin, count)` for pieces of all blocks of rows.
  template <class Work>
  void for_each_piece(Work work) const {
    detail::for_each_block(rows_.size(), threads_, [&](Index, Index begin, Index end, int) {
      for (; begin < end; begin += Rows::piece_rows) {
        work(begin, std::min(Rows::piece_rows, end - begin));
      }
    });
  }

  /// |c|^2 - 2 x.c for some rows x and all centres c: the distances but for |x|^2.
  [[nodiscard]] Matrix relative_distances(const Matrix& centres_by_column,
                                          const Eigen::RowVectorXd& squared_norms, Index begin,
                                          Index count) const {
    Matrix result = rows_.times(centres_by_column, begin, count);
    result = (-2 * result).rowwise() + squared_norms;
    return result;
  }

  /// Row i among the data, as a full row.
  [[nodiscard]] Matrix full_row(Index i) const {
    Matrix row = Matrix::Zero(1, rows_.columns());
    rows_.add_to(row.row(0), i);
    return row;
  }

  [[nodiscard]] double mean_variance() const {
    Matrix mean = Matrix::Zero(1, rows_.columns());
    for (Index i = 0; i < rows_.size(); ++i) rows_.add_to(mean.row(0), i);
    mean /= static_cast<double>(rows_.size());
    const double variance = squared_norms_.mean() - mean.squaredNorm();
    return std::max(0.0, variance) / static_cast<double>(rows_.columns());
  }

  // Seeding.

  /// Greedy k-means++: rows are drawn with probability proportional to their squared distance from
  /// the centres so far, and of a few such candidates the one that lowers the sum most is taken.
  [[nodiscard]] Matrix choose_centres(Random& random) const {
    const auto candidates = static_cast<Index>(2 + std::log(options_.clusters));
    Matrix centres(options_.clusters, rows_.columns());
    Vector distances = Vector::Constant(rows_.size(), std::numeric_limits<double>::infinity());
    const auto first = static_cast<Index>(random.below(static_cast<std::uint64_t>(rows_.size())));
    add_best_candidate(centres, 0, {first}, distances);
    for (Index c = 1; c < options_.clusters; ++c) {
      add_best_candidate(centres, c, draw_rows(distances, candidates, random), distances);
    }
    return centres;
  }

  /// Rows with probability proportional to `weights`; uniform ones when all weights are 0.
  [[nodiscard]] static std::vector<Index> draw_rows(const Vector& weights, Index count,
                                                    Random& random) {
    Vector sums(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums.begin());
    const double total = sums[sums.size() - 1];
    std::vector<Index> drawn(count);
    for (Index& row : drawn) {
      row = total > 0 ? std::upper_bound(sums.begin(), sums.end(), random.uniform() * total) -
                            sums.begin()
                      : static_cast<Index>(random.below(static_cast<std::uint64_t>(sums.size())));
      row = std::min(row, sums.size() - 1);
    }
    return drawn;
  }

  /// Makes that candidate the centre `c` which leaves the smallest sum of `distances`.
  void add_best_candidate(Matrix& centres, Index c, const std::vector<Index>& candidates,
                          Vector& distances) const {
    const auto count = static_cast<Index>(candidates.size());
    Matrix by_column(rows_.columns(), count);
    for (Index k = 0; k < count; ++k) {
      by_column.col(k) = full_row(candidates[k]).transpose();
    }
    Matrix distances_with(rows_.size(), count);
    const Eigen::RowVectorXd centre_norms = by_column.colwise().squaredNorm();
    for_each_piece([&](Index begin, Index size) {
      auto block = distances_with.middleRows(begin, size);
      block = relative_distances(by_column, centre_norms, begin, size);
      block.colwise() += squared_norms_.segment(begin, size);
      block = block.cwiseMax(0.0);
      for (Index k = 0; k < count; ++k) {
        block.col(k) = block.col(k).cwiseMin(distances.segment(begin, size));
      }
    });
    Index best = 0;
    distances_with.colwise().sum().minCoeff(&best);
    distances = distances_with.col(best);
    centres.row(c) = by_column.col(best).transpose();
  }

  // Iterations.

  /// Every centre keeps at least one row while there are rows away from their centres: an empty
  /// cluster takes the farthest one, and moves there.
  [[nodiscard]] Nearest find_nearest(Matrix& centres) const {
    Nearest nearest{Assignment(rows_.size()), Vector(rows_.size())};
    const Matrix by_column = centres.transpose();
    const Eigen::RowVectorXd centre_norms = by_column.colwise().squaredNorm();
    for_each_piece([&](Index begin, Index size) {
      const Matrix distances = relative_distances(by_column, centre_norms, begin, size);
      for (Index i = 0; i < size; ++i) {
        Index label = 0;
        const double distance = distances.row(i).minCoeff(&label) + squared_norms_[begin + i];
        nearest.labels[begin + i] = static_cast<NodeId>(label);
        nearest.distances[begin + i] =
            distance > rounding * squared_norms_[begin + i] ? distance : 0;
      }
    });
    fill_empty_clusters(nearest, centres);
    return nearest;
  }

  void fill_empty_clusters(Nearest& nearest, Matrix& centres) const {
    std::vector<Index> sizes(options_.clusters, 0);
    for (const NodeId label : nearest.labels) ++sizes[label];
    for (std::size_t empty = 0; empty < sizes.size(); ++empty) {
      if (sizes[empty] > 0) continue;
      detail::throw_if_stopped();
      const auto row = farthest_row(nearest, sizes);
      if (!row) return;
      NodeId& label = nearest.labels[*row];
      --sizes[label];
      ++sizes[empty];
      label = static_cast<NodeId>(empty);
      nearest.distances[*row] = 0;
      centres.row(static_cast<Index>(empty)) = full_row(*row);
    }
  }

  /// The row farthest from its centre that is not alone there, if any is away from it at all.
  [[nodiscard]] static std::optional<Index> farthest_row(const Nearest& nearest,
                                                         const std::vector<Index>& sizes) {
    std::optional<Index> farthest;
    double largest = 0;
    for (Index i = 0; i < nearest.distances.size(); ++i) {
      const bool alone = sizes[nearest.labels[i]] == 1;
      if (alone || !(nearest.distances[i] > largest)) continue;
      farthest = i;
      largest = nearest.distances[i];
    }
    return farthest;
  }

  /// Each centre becomes the mean of its rows; one without rows stays. Returns the sum of squared
  /// moves.
  double move_centres(Matrix& centres, const Assignment& labels) const {
    std::vector<std::vector<Index>> members(options_.clusters);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      members[labels[i]].push_back(static_cast<Index>(i));
    }
    Vector moves = Vector::Zero(options_.clusters);
    detail::parallel_for(options_.clusters, threads_, [&](Index c, int) {
      const auto& mine = members[c];
      if (mine.empty()) return;
      Matrix mean = Matrix::Zero(1, rows_.columns());
      for (const Index row : mine) rows_.add_to(mean.row(0), row);
      mean /= static_cast<double>(mine.size());
      moves[c] = (centres.row(c) - mean).squaredNorm();
      centres.row(c) = mean;
    });
    return moves.sum();
  }

  const Rows& rows_;
  const KMeansOptions& options_;
  int threads_;
  Vector squared_norms_;
  double bound_on_shift_ = 0;
};

void check(const KMeansOptions& options, Index columns) {
  using detail::fail_argument;
  if (options.clusters < 1) fail_argument("clusters is {}, expected 1 or more", options.clusters);
  if (options.tries < 1) fail_argument("tries is {}, expected 1 or more", options.tries);
  if (options.max_iterations < 0) {
    fail_argument("max_iterations is {}, expected 0 or more", options.max_iterations);
  }
  if (!(options.tolerance >= 0)) {
    fail_argument("tolerance is {}, expected a number >= 0", options.tolerance);
  }
  constexpr auto largest_count = std::numeric_limits<Index>::max() / Index{sizeof(double)};
  if (columns > largest_count / options.clusters) {
    detail::fail_resource("centres of {} x {} numbers do not fit into memory", options.clusters,
                          columns);
  }
}

void check_entry(Index row, Index column, double entry) {
  if (!(std::abs(entry) <= largest_entry)) {
    detail::fail_argument("entry ({}, {}) is {}, expected a number of size at most {}", row, column,
                          entry, largest_entry);
  }
}

}  // namespace

KMeansResult kmeans(MatrixView rows, const KMeansOptions& options) {
  if (rows.size() == 0) {
    detail::fail_argument("rows is {} x {}, expected at least one row and column", rows.rows(),
                          rows.cols());
  }
  check(options, rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) check_entry(i, j, rows(i, j));
  }
  const detail::DenseRows view(rows);
  return Lloyd(view, options).best_of_tries();
}

KMeansResult kmeans(const Csr& rows, const KMeansOptions& options) {
  check(rows);
  check(options, rows.rows());
  detail::for_each_entry(rows, check_entry);
  return detail::with_rows(rows, [&](const auto& csr_rows) {
    const detail::SparseRows view(csr_rows);
    return Lloyd(view, options).best_of_tries();
  });
}

}  // namespace srgw

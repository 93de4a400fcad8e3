// SPDX-License-Identifier: MIT
//
// Golub and Van Loan, Matrix Computations, section 8.3: tridiagonal form by Householder
// reflections, then QR steps with Wilkinson's shift. Eigen does the same for small matrices. For
// large ones it cannot be interrupted, and its passes over the whole matrix for each reflection and
// each rotation are bound by memory; here reflections and rotations are applied many at a time.
#include "structure/eigen.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Householder>
#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

namespace {

constexpr Index largest_of_eigen = 256;  // a few milliseconds
constexpr Index most_steps_per_value = 30;
constexpr Index reflections_in_panel = 32;  // of the tridiagonal form
constexpr Index reflections_at_a_time = 96;
constexpr Index strip_columns = 256;  // work between two polls
constexpr std::size_t rotations_at_a_time = 1 << 15;
constexpr Index strip_rows = 8;  // of vectors that are rotated together, in registers

/// Calls work(begin, columns) for strips of the columns [0, count).
template <class Work>
void for_each_strip(Index count, int threads, const Work& work) {
  parallel_for((count + strip_columns - 1) / strip_columns, threads, [&](Index strip, int) {
    const Index begin = strip * strip_columns;
    work(begin, std::min(strip_columns, count - begin));
  });
}

/// Q' A Q as a tridiagonal matrix. Reflection k is I - sizes[k] v v' with v = (1, column k of
/// `reflections` below its subdiagonal).
struct TridiagonalForm {
  Vector diagonal, subdiagonal;
  Eigen::MatrixXd reflections;
  Vector sizes;
};

// Panels as LAPACK's dsytrd: within one, A is what it was before minus V W' + W V'.
TridiagonalForm tridiagonal_form(Eigen::MatrixXd A, int threads) {
  const Index n = A.rows();
  Vector diagonal(n), subdiagonal(n - 1), sizes(n - 1), inner(reflections_in_panel);
  Eigen::MatrixXd W(n, reflections_in_panel);
  for (Index begin = 0; begin < n - 1; begin += reflections_in_panel) {
    const Index width = std::min(reflections_in_panel, n - 1 - begin);
    for (Index j = 0; j < width; ++j) {
      throw_if_stopped();
      const Index i = begin + j, rest = n - i - 1;
      auto column = A.col(i).tail(rest + 1);
      column.noalias() -= A.block(i, begin, rest + 1, j) * W.row(i).head(j).transpose();
      column.noalias() -= W.block(i, 0, rest + 1, j) * A.row(i).segment(begin, j).transpose();
      diagonal[i] = A(i, i);
      auto v = A.col(i).tail(rest);
      v.makeHouseholderInPlace(sizes[i], subdiagonal[i]);
      v[0] = 1;
      const auto V_before = A.block(i + 1, begin, rest, j);
      const auto W_before = W.block(i + 1, 0, rest, j);
      auto w = W.col(j).tail(rest);
      w.noalias() = A.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>() * v;
      inner.head(j).noalias() = W_before.transpose() * v;
      w.noalias() -= V_before * inner.head(j);
      inner.head(j).noalias() = V_before.transpose() * v;
      w.noalias() -= W_before * inner.head(j);
      w *= sizes[i];
      w -= (0.5 * sizes[i] * w.dot(v)) * v;
    }
    const Index rest = n - begin - width;
    auto corner = A.bottomRightCorner(rest, rest);
    const auto V = A.block(n - rest, begin, rest, width);
    const auto W_corner = W.block(n - rest, 0, rest, width);
    for_each_strip(rest, threads, [&](Index first, Index columns) {
      auto square = corner.block(first, first, columns, columns);
      const auto V_square = V.middleRows(first, columns);
      const auto W_square = W_corner.middleRows(first, columns);
      square.triangularView<Eigen::Lower>() -= V_square * W_square.transpose();
      square.triangularView<Eigen::Lower>() -= W_square * V_square.transpose();
      const Index below = rest - first - columns;
      auto rectangle = corner.block(first + columns, first, below, columns);
      rectangle.noalias() -= V.bottomRows(below) * W_square.transpose();
      rectangle.noalias() -= W_corner.bottomRows(below) * V_square.transpose();
    });
  }
  diagonal[n - 1] = A(n - 1, n - 1);
  return {std::move(diagonal), std::move(subdiagonal), std::move(A), std::move(sizes)};
}

/// The product of the reflections.
Eigen::MatrixXd orthogonal_matrix(const TridiagonalForm& form, int threads) {
  const Index n = form.diagonal.size();
  Eigen::MatrixXd Q(n, n);
  for_each_strip(n, threads, [&](Index first, Index columns) {
    Q.middleCols(first, columns).setZero();
    Q.diagonal().segment(first, columns).setOnes();
  });
  const Index batches = (n - 1 + reflections_at_a_time - 1) / reflections_at_a_time;
  for (Index batch = batches - 1; batch >= 0; --batch) {
    const Index begin = batch * reflections_at_a_time, rest = n - begin - 1;
    const Index count = std::min(reflections_at_a_time, rest);
    const auto reflections = Eigen::householderSequence(
        form.reflections.block(begin + 1, begin, rest, count), form.sizes.segment(begin, count));
    for_each_strip(rest, threads, [&](Index first, Index columns) {
      Q.block(begin + 1, begin + 1 + first, rest, columns).applyOnTheLeft(reflections);
    });
  }
  return Q;
}

/// Columns k and k+1 become c x - s y and s x + c y.
struct Rotation {
  double c, s;
};
/// Rotations of columns first, first+1, ...
struct Sweep {
  Index first, rotations;
};

/// Columns that are rotated, kept in strips of rows: a strip fits the cache, and rows do not meet.
class RotatedColumns {
 public:
  RotatedColumns(const Eigen::MatrixXd& Q, int threads)
      : rows_(Q.rows()),
        strips_((Q.rows() + strip_rows - 1) / strip_rows),
        columns_(Q.cols()),
        threads_(threads),
        entries_(strip_rows * columns_, strips_) {
    parallel_for(strips_, threads_, [&](Index strip, int) {
      const Index begin = strip * strip_rows, count = std::min(strip_rows, rows_ - begin);
      Eigen::Map<Eigen::MatrixXd> part(entries_.col(strip).data(), strip_rows, columns_);
      part.topRows(count) = Q.middleRows(begin, count);
      part.bottomRows(strip_rows - count).setZero();
    });
  }

  void add(const Sweep& sweep, const std::vector<Rotation>& rotations) {
    sweeps_.push_back(sweep);
    rotations_.insert(rotations_.end(), rotations.begin(), rotations.end());
    if (rotations_.size() >= rotations_at_a_time) apply();
  }

  /// Moves column order[k] to k.
  void move_to(Eigen::MatrixXd& Q, const std::vector<Index>& order) {
    apply();
    for_each_strip(columns_, threads_, [&](Index first, Index columns) {
      for (Index k = first; k < first + columns; ++k) {
        for (Index i = 0; i < rows_; ++i) {
          Q(i, k) = entries_(order[k] * strip_rows + i % strip_rows, i / strip_rows);
        }
      }
    });
  }

 private:
  using Strip = Eigen::Array<double, strip_rows, 1>;

  void apply() {
    parallel_for(strips_, threads_, [&](Index strip, int) {
      auto rotation = rotations_.begin();
      for (const Sweep& sweep : sweeps_) {
        double* at = entries_.col(strip).data() + sweep.first * strip_rows;
        Strip x = Strip::Map(at);
        for (Index k = 0; k < sweep.rotations; ++k, ++rotation, at += strip_rows) {
          const Strip y = Strip::Map(at + strip_rows);
          Strip::Map(at) = rotation->c * x - rotation->s * y;
          x = rotation->c * y + rotation->s * x;
        }
        Strip::Map(at) = x;
      }
    });
    sweeps_.clear();
    rotations_.clear();
  }

  Index rows_, strips_, columns_;
  int threads_;
  Eigen::MatrixXd entries_;  // a column for each strip
  std::vector<Sweep> sweeps_;
  std::vector<Rotation> rotations_;
};

/// The eigenvalue of the last two rows that is nearer to their last entry.
double wilkinson_shift(double before, double last, double e) {
  const double half = (before - last) * 0.5;
  if (half == 0) return last - std::abs(e);
  const double sum = half + std::copysign(Eigen::numext::hypot(half, e), half);
  const double square = e * e;
  return last - (square > 0 ? square / sum : e / (sum / e));  // e^2 may underflow
}

/// A QR step on rows [start, end] of a tridiagonal matrix.
void qr_step(Vector& diagonal, Vector& subdiagonal, Index start, Index end,
             std::vector<Rotation>& rotations) {
  rotations.clear();
  double x =
      diagonal[start] - wilkinson_shift(diagonal[end - 1], diagonal[end], subdiagonal[end - 1]);
  double z = subdiagonal[start];
  for (Index k = start; k < end && z != 0; ++k) {
    Eigen::JacobiRotation<double> rotation;
    rotation.makeGivens(x, z);
    const double c = rotation.c(), s = rotation.s();
    const double a = diagonal[k], b = diagonal[k + 1], e = subdiagonal[k];
    const double mixed = s * a + c * e, after = s * e + c * b;
    diagonal[k] = c * (c * a - s * e) - s * (c * e - s * b);
    diagonal[k + 1] = s * mixed + c * after;
    subdiagonal[k] = c * mixed - s * after;
    if (k > start) subdiagonal[k - 1] = c * subdiagonal[k - 1] - s * z;
    x = subdiagonal[k];
    if (k + 1 < end) {
      z = -s * subdiagonal[k + 1];
      subdiagonal[k + 1] *= c;
    }
    rotations.push_back({c, s});
  }
}

/// Turns the diagonal into eigenvalues; calls step(first, rotations) after each QR step. False if
/// there are too many of them.
template <class Step>
bool diagonalise(Vector& diagonal, Vector& subdiagonal, const Step& step) {
  constexpr double precision = std::numeric_limits<double>::epsilon();
  const Index n = diagonal.size();
  std::vector<Rotation> rotations;
  Index start = 0, steps = 0;
  for (Index end = n - 1;;) {
    for (Index i = start; i < end; ++i) {
      // |e| <= precision sqrt(|a| + |b|), without underflow: entries are at most about n
      const double scaled = subdiagonal[i] / precision;
      if (std::abs(subdiagonal[i]) < std::numeric_limits<double>::min() ||
          scaled * scaled <= std::abs(diagonal[i]) + std::abs(diagonal[i + 1])) {
        subdiagonal[i] = 0;
      }
    }
    while (end > 0 && subdiagonal[end - 1] == 0) --end;
    if (end == 0) return true;
    if (++steps > most_steps_per_value * n) return false;
    throw_if_stopped();
    start = end - 1;
    while (start > 0 && subdiagonal[start - 1] != 0) --start;
    qr_step(diagonal, subdiagonal, start, end, rotations);
    step(start, rotations);
  }
}

/// Entries of the lower triangle in [-1, 1], against overflow; returns the former largest.
double scale_to_unit(Eigen::MatrixXd& A) {
  double largest = 0;
  for (Index k = 0; k < A.cols(); ++k) {
    largest = std::max(largest, A.col(k).tail(A.rows() - k).cwiseAbs().maxCoeff());
  }
  if (largest == 0) return 1;
  for (Index k = 0; k < A.cols(); ++k) A.col(k).tail(A.rows() - k) /= largest;
  return largest;
}

}  // namespace

EigenPairs eigen_pairs(Eigen::MatrixXd matrix, int threads) {
  const Index n = matrix.rows();
  if (n <= largest_of_eigen) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(matrix);
    return {pairs.eigenvalues(), pairs.eigenvectors(), pairs.info() == Eigen::Success};
  }
  if (!matrix.allFinite()) return {Vector::Zero(n), Eigen::MatrixXd::Identity(n, n), false};
  const double scale = scale_to_unit(matrix);
  TridiagonalForm form = tridiagonal_form(std::move(matrix), threads);
  EigenPairs pairs{{}, orthogonal_matrix(form, threads)};
  form.reflections.resize(0, 0);
  RotatedColumns columns(pairs.vectors, threads);
  pairs.converged = diagonalise(form.diagonal, form.subdiagonal,
                                [&](Index first, const std::vector<Rotation>& rotations) {
                                  columns.add({first, std::ssize(rotations)}, rotations);
                                });
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index k) { return form.diagonal[k]; });
  columns.move_to(pairs.vectors, order);
  pairs.values = scale * form.diagonal(order);
  return pairs;
}

Vector eigenvalues(Eigen::MatrixXd matrix) {
  if (matrix.rows() <= largest_of_eigen) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
        .eigenvalues();
  }
  if (!matrix.allFinite()) return Vector::Zero(matrix.rows());
  const double scale = scale_to_unit(matrix);
  TridiagonalForm form = tridiagonal_form(std::move(matrix), 1);
  diagonalise(form.diagonal, form.subdiagonal, [](Index, const std::vector<Rotation>&) {});
  std::ranges::sort(form.diagonal);
  return scale * form.diagonal;
}

}  // namespace srgw::detail

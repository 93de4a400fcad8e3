// SPDX-License-Identifier: MIT
#include "solve/objective.hpp"

#include <algorithm>
#include <cmath>

#include "base/span_of.hpp"
#include "base/stop.hpp"
#include "kernels/products.hpp"
#include "solve/problem_loss.hpp"
#include "structure/plain_rows.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

double square_unit(double largest) {
  return largest > 0 ? std::ldexp(1.0, 2 * std::ilogb(largest)) : 1.0;
}

/// (A + A')/2 in place, in tiles that fit the cache.
void take_symmetric_part(Matrix& A) {
  constexpr Index tile = 64;
  for (Index i = 0; i < A.rows(); i += tile) {
    throw_if_stopped();
    for (Index j = 0; j <= i; j += tile) {
      for (Index r = i; r < std::min(i + tile, A.rows()); ++r) {
        for (Index c = j; c < std::min(j + tile, r); ++c) {
          A(r, c) = A(c, r) = 0.5 * (A(r, c) + A(c, r));
        }
      }
    }
  }
}

}  // namespace

void Objective::prepare(const Problem& problem, int threads,
                        const std::optional<SquareForm>& constant) {
  const bool symmetric = problem.symmetric();
  if (!problem.source.has_rows()) {
    source = problem.source;  // symmetric, all of them
    source_transposed.reset();
  } else if (symmetric) {
    source = with_plain_rows(problem.source.symmetrized(), true);
    source_transposed.reset();
  } else {
    // left_i and right_j differ, so C and C' cannot share one left scaling.
    source = with_plain_rows(problem.source, false);
    source_transposed = source->transposed();
  }
  weights = span_of(problem.weights);
  all_rows = problem.weights.size();
  target_weights = {};
  if (problem.balanced()) target_weights = span_of(*problem.target_weights);
  alpha = problem.alpha();
  const SquareForm kept =
      constant ? *constant
               : source_constant(problem.loss, problem.source, problem.weights, threads);
  kappa = kept.value;
  kappa_error = kept.error;
  prepare_target(problem.target, problem.loss, symmetric);
  linear_factor = 1 - alpha;
  linear = problem.features && linear_factor > 0 ? &*problem.features : nullptr;

  if (problem.relation_weight != 1 || !problem.relations.empty()) {
    kappa *= problem.relation_weight;
    for (const Relation& relation : problem.relations) {
      kappa += relation.weight *
               source_constant(problem.loss, relation.source, problem.weights, threads).value;
    }
  }
  if (problem.partial()) kappa = 0;  // it is no constant: the sums of rows may change
  column_slope.clear();
  allowed = problem.allowed;
  largest_linear = linear != nullptr ? linear_factor * linear->cost.cwiseAbs().maxCoeff() : 0.0;
  scale =
      2 * alpha * (largest_square + 2 * largest_cross * source->largest_entry()) + largest_linear;
  unit = square_unit(std::max(source->largest_entry(), problem.target.largest_entry()));
}

void Objective::prepare(const Rows& some, const Structure& target) {
  *this = Objective();
  weights = some.weights;
  all_rows = some.all_rows;
  kappa = some.kappa;
  prepare_target(target, Loss::square, true);
  scale = 2 * alpha * (largest_square + 2 * largest_cross * some.largest_entry);
  unit = square_unit(std::max(some.largest_entry, target.largest_entry()));
}

void Objective::prepare_target(const Structure& target, Loss loss, bool symmetrize) {
  // Thousands of graphs go onto one target: what is known of it is kept.
  if (prepared_target_ && &storage_of(*prepared_target_) == &storage_of(target) &&
      prepared_loss_ == loss && prepared_symmetrized_ == symmetrize) {
    return;
  }
  prepared_target_.reset();  // until all is done: a stop may come
  prepared_loss_ = loss;
  prepared_symmetrized_ = symmetrize;
  columns_ = target.size();
  const auto* storage = std::get_if<DiagonalStorage>(&storage_of(target).form);
  diagonal = storage != nullptr && loss == Loss::square;  // the logarithm of 0 is not 0
  if (diagonal) {
    cross_diagonal =
        storage->entries.size() > 0 ? storage->entries : Vector::Constant(columns_, storage->scale);
    square_diagonal = cross_diagonal.cwiseAbs2();
    largest_cross = cross_diagonal.cwiseAbs().maxCoeff();
    largest_square = largest_cross * largest_cross;
    prepared_target_ = target;
    return;
  }
  // Each pass over thousands of target nodes takes a tenth of a second.
  throw_if_stopped();
  cross = cross_target(loss, target).dense();
  throw_if_stopped();
  square = loss == Loss::square ? Matrix(cross.cwiseAbs2()) : target.dense();
  largest_cross = cross.cwiseAbs().maxCoeff();
  largest_square = square.cwiseAbs().maxCoeff();
  take_symmetric_part(square);  // q'S q sees no other part
  if (symmetrize) {
    take_symmetric_part(cross);
    cross_transposed = cross;
  } else {
    cross_transposed = cross.transpose();
  }
  prepared_target_ = target;
}

void Objective::square_times(const double* x, double* result) const {
  if (diagonal) {
    Eigen::Map<Vector>(result, columns_) =
        square_diagonal.cwiseProduct(Eigen::Map<const Vector>(x, columns_));
    return;
  }
  // Few columns hold mass, and S is symmetric: its rows are its columns.
  sum_of_rows(x, square.data(), columns_, columns_, result);
}

double Objective::column_form(const double* x) const {
  double sum = 0;
  for (std::size_t k = 0; k < column_slope.size(); ++k) sum += column_slope[k] * x[k];
  return sum;
}

}  // namespace srgw::detail

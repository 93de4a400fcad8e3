// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "srgw/problem.hpp"

namespace srgw::detail {

/// A problem in the form that all solvers walk on:
///
///     Phi(T) = alpha (kappa + q'S q - 2 <T, C T R'>) + <L, T> + r'q,      q = T'1
///
/// with S and R of the loss (problem_loss.hpp; of S the symmetric part), L = (1 - alpha) M, and r
/// the slope of what stands for the sparsity penalty. When one of C and Cbar is symmetric, C and R
/// are made so here, and kappa stays that of the original C.
///
/// The part of the gradient that the solvers need is, up to a constant in each row,
///
///     g_ik = 2 alpha ((S q)_k - 2 Y_ik) + L_ik + r_k,       Y = (C T R' + C'T R)/2.
struct Objective {
  /// Fills the objective from a checked problem, which must outlive it. Allocates nothing when the
  /// target is the former one and no matrix has to be rewritten.
  /// `constant`: h'f(C)h, where the caller knows it already.
  void prepare(const Problem& problem, int threads = 1,
               const std::optional<SquareForm>& constant = {});

  /// From rows of a source whose others are on other ranks, in a problem of the square loss and
  /// nothing else: of the source the caller knows the constant kappa and the largest entry. There
  /// is no structure then.
  struct Rows {
    std::span<const double> weights;  ///< of these rows
    Index all_rows = 0;               ///< of all ranks
    double kappa = 0;
    double largest_entry = 0;
  };
  void prepare(const Rows& some, const Structure& target);

  [[nodiscard]] Index rows() const { return static_cast<Index>(weights.size()); }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] bool balanced() const { return !target_weights.empty(); }
  [[nodiscard]] bool asymmetric() const { return source_transposed.has_value(); }
  /// S x, for all m columns.
  void square_times(const double* x, double* result) const;
  /// r'x
  [[nodiscard]] double column_form(const double* x) const;
  /// 2 alpha (S q)_k + r_k, from w = S q: what all rows of the gradient have in common.
  [[nodiscard]] double column_cost(double w, std::size_t k) const {
    return 2 * alpha * w + (column_slope.empty() ? 0.0 : column_slope[k]);
  }

  std::optional<Structure> source;             ///< C: dense, CSR, or without rows
  std::optional<Structure> source_transposed;  ///< C', only when the problem is asymmetric
  std::span<const double> weights;             ///< h
  Index all_rows = 0;                          ///< of all ranks
  std::span<const double> target_weights;      ///< hbar; empty: free
  double alpha = 1;
  double kappa = 0;
  double kappa_error = 0;                  ///< of an estimate; 0 when exact
  bool diagonal = false;                   ///< S and R are
  Vector square_diagonal, cross_diagonal;  ///< then this holds them
  Matrix square, cross, cross_transposed;  ///< S, R and R' otherwise
  const FusedTerm* linear = nullptr;       ///< M, null when L = 0
  double linear_factor = 0;                ///< 1 - alpha
  std::vector<double> column_slope;        ///< r (m); empty: none
  AllowedPairs allowed;                    ///< the columns of each row
  /// max |S_kl|, max |R_kl|, max |L_ik|
  double largest_square = 0, largest_cross = 0, largest_linear = 0;
  /// No entry of the gradient is larger: the scale that tolerances and exact sums refer to.
  double scale = 0;
  /// Power of four below the square of the largest entry: what is not relative is measured in it.
  double unit = 1;

 private:
  void prepare_target(const Structure& target, Loss loss, bool symmetrize);

  Index columns_ = 0;
  std::optional<Structure> prepared_target_;
  Loss prepared_loss_ = Loss::square;
  bool prepared_symmetrized_ = false;
};

}  // namespace srgw::detail

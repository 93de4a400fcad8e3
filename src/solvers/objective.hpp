// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "srgw/problem.hpp"

namespace srgw::detail {

/// A problem in the form that all solvers walk on:
///
///     Phi(T) = alpha (kappa + q'S q - 2 <T, C T R'>) + <L, T>,      q = T'1
///
/// with S = Cbar o Cbar (its symmetric part), R = Cbar and L = (1 - alpha) M. When one of C and
/// Cbar is symmetric both are made so here, and kappa stays that of the original C (spec 1.9).
///
/// The part of the gradient that the solvers need is, up to a constant in each row,
///
///     g_ik = 2 alpha ((S q)_k - 2 Y_ik) + L_ik,       Y = (C T R' + C'T R)/2.
struct Objective {
  /// Fills the objective from a checked problem, which must outlive it. Allocates nothing when the
  /// target is the former one and no matrix has to be rewritten.
  void prepare(const Problem& problem);

  [[nodiscard]] Index rows() const { return static_cast<Index>(weights.size()); }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] bool asymmetric() const { return source_transposed.has_value(); }
  /// S x, for all m columns.
  void square_times(const double* x, double* result) const;

  std::optional<Structure> source;             ///< C: dense or CSR
  std::optional<Structure> source_transposed;  ///< C', only when the problem is asymmetric
  std::span<const double> weights;             ///< h
  double alpha = 1;
  double kappa = 0;
  bool diagonal = false;                   ///< S and R are
  Vector square_diagonal, cross_diagonal;  ///< then this holds them
  Matrix square, cross, cross_transposed;  ///< S, R and R' otherwise
  const FusedTerm* linear = nullptr;       ///< M, null when L = 0
  double linear_factor = 0;                ///< 1 - alpha
  double largest_target = 0, largest_linear = 0;  ///< max |R_kl|, max |L_ik|
  /// No entry of the gradient is larger: the scale that tolerances and exact sums refer to.
  double scale = 0;

 private:
  void prepare_target(const Structure& target, bool symmetrize);

  Index columns_ = 0;
  std::optional<Structure> prepared_target_;
  bool prepared_symmetrized_ = false;
};

}  // namespace srgw::detail

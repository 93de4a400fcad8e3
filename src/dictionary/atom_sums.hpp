// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Sums over graphs and their plans that determine an atom; updates need nothing else. With the
/// square loss the sum of the objectives at the plans is
///     alpha (kappa + <B o B, uses> - 2 <B, cross>)
///     + (1 - alpha) (squares + sum_k masses_k |X_k|^2 - 2 <X, features>) + extra.
struct AtomSums {
  Matrix cross;                   ///< sum of T'C T (m x m)
  Matrix uses;                    ///< sum of q q'
  Matrix features;                ///< sum of T'F (m x d)
  Vector masses;                  ///< sum of q
  double kappa = 0, squares = 0;  ///< sums of h'(C o C)h and sum_i h_i |F_i|^2
  double extra = 0;               ///< sum of penalties and entropies
  double value = 0;               ///< sum of the values as they were solved
  double count = 0;               ///< graphs
  bool symmetric = true;          ///< all structures are

  AtomSums() = default;
  AtomSums(Index size, Index columns);

  /// Adds `sign` times what a plan says.
  void add_plan(const Sample& sample, const Plan& plan, double sign = 1);
  void add(const AtomSums& other);
  void multiply(double factor);
  /// cross is symmetric but for rounding where all structures are.
  void symmetrize();
};

/// The best atom; what no plan uses stays as it is.
void set_best_atom(const AtomSums& sums, Atom& atom);

/// The mean objective at the plans that were summed.
[[nodiscard]] double mean_loss(const AtomSums& sums, const Atom& atom, double alpha);

/// Gradients of the mean objective in B and X, without their factors alpha and 1 - alpha, which
/// Adam would not see.
[[nodiscard]] Atom atom_gradient(const AtomSums& sums, const Atom& atom);

}  // namespace srgw::detail

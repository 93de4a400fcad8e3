// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/random.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Looks for the hard plan sigma of a small graph with equal weights that has the least
///     alpha/n^2 sum_ij (C_ij - B_{sigma_i sigma_j})^2 + (1 - alpha)/n sum_i |F_i - X_{sigma_i}|^2
/// one row at a time. Solvers end in the nearest of very many such plans; a descent here costs so
/// little that hundreds can be tried.
class LabelSearch {
 public:
  LabelSearch(const Matrix& structure, const Matrix& features, const Atom& atom, double alpha);

  /// Moves rows while that lowers the value, which is returned.
  double descend(Assignment& labels);
  /// The best end of descents from the first labels, if there are any, and from random ones: until
  /// so many in turn were in vain, or the least value was met again and again.
  [[nodiscard]] Assignment best(std::span<const NodeId> first, int patience, Random& random);

 private:
  struct Tie {
    NodeId to;
    double out, in;  // 2 C_ij and 2 C_ji; where B is symmetric, out is their sum
  };

  void set_labels(const Assignment& labels);
  void set_label(Index i, NodeId label);
  bool move_row(Index i);
  [[nodiscard]] double value() const;

  const Atom& atom_;
  Index n_, m_;
  bool symmetric_;  // B
  std::vector<std::vector<Tie>> ties_;
  double squares_ = 0;  // sum_ij C_ij^2
  double scale_ = 0;    // alpha/n^2
  Matrix transposed_;   // B'
  Matrix square_sums_;  // B_kl^2 + B_lk^2
  Matrix own_costs_;    // B_kk^2 - 2 C_ii B_kk and the linear part (n x m)
  // With the labels as they are:
  Assignment labels_;
  Vector column_costs_;  // sum_j (B_{k sigma_j}^2 + B_{sigma_j k}^2)
  Matrix row_costs_;     // own costs - 2 sum_j (C_ij B_{k sigma_j} + C_ji B_{sigma_j k}) (n x m)
  Vector change_, change_back_;  // of rows of B' and B by a move
  Vector costs_;                 // of row i with each label, as the others are
};

}  // namespace srgw::detail

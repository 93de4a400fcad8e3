// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "transport/basis.hpp"

namespace srgw::detail {

/// The step of conditional gradient where the sums of rows may change (partial problems) or several
/// relations add up. With p = T1 and q = T'1
///
///     Phi(T) = alpha sum_r w_r (p'F_r p + q'S_r q - 2 <T, C_r T R_r'>) + (1 - alpha) <M, T>
///
/// in the notation of problem_loss.hpp, F = f(C). Products of T and of the direction are dense, and
/// nothing is carried along but them; the line is exact. The direction minimises the gradient over
/// one of three polytopes: rows that sum to their weight, rows that sum to at most their weight
/// with a given total, or rows and columns that do so.
class GeneralStep {
 public:
  struct Task {
    std::vector<Relation> relations;  ///< at least one
    Loss loss = Loss::square;
    std::span<const double> weights;         ///< h
    std::span<const double> target_weights;  ///< what columns sum to at most; empty: they are free
    double mass = 1;                         ///< total of the plan
    bool partial = false;                    ///< rows sum to at most their weight
    const FusedTerm* linear = nullptr;
    AllowedPairs allowed = {};
    bool share_ties = true;
    int threads = 1;

    [[nodiscard]] double alpha() const { return linear != nullptr ? linear->alpha : 1.0; }
  };
  /// The task of a semi-relaxed problem.
  [[nodiscard]] static Task task_of(const Problem& problem);
  /// Whether a problem needs this step.
  [[nodiscard]] static bool is_needed(const Problem& problem) {
    return problem.partial() || !problem.relations.empty() || problem.relation_weight != 1;
  }

  /// From a plan whose rows sum to what they sum to.
  void start(Task task, const Matrix& plan);

  [[nodiscard]] Line direction();
  void advance(double gamma);
  /// T <- masses
  void move_to(const Matrix& masses) {
    set(masses, plan_);
    has_gradient_ = false;
  }
  [[nodiscard]] double gap();
  /// At least the gap, without a transport problem.
  [[nodiscard]] double bound_gap();
  void refresh();
  [[nodiscard]] Value value() const;
  /// How far rounding may change the gap at T.
  [[nodiscard]] double rounding() const;

  [[nodiscard]] const Matrix& plan() const { return plan_.masses; }
  /// Of Phi at T.
  [[nodiscard]] const Matrix& gradient() {
    make_gradient();
    return gradient_;
  }
  /// The row sums p and the column sums q of T.
  [[nodiscard]] const Vector& row_sums() const { return plan_.p; }
  [[nodiscard]] const Vector& column_sums() const { return plan_.q; }
  /// Whether several columns tied in rows of the last direction.
  [[nodiscard]] bool has_ties() const { return has_ties_; }

 private:
  /// A matrix of masses and what is linear in it.
  struct Masses {
    Matrix masses;
    Vector p, q;
    Vector u, v;  ///< sum_r w_r (F_r + F_r')/2 p and the same of S_r and q
    Matrix y;     ///< sum_r w_r (C_r T R_r' + C_r'T R_r)/2
  };

  void set(Matrix masses, Masses& kept) const;
  void make_gradient();
  void linear_step();
  void fill_rows();
  void fill_part_of_rows();
  void transport_part();
  /// The columns of row i that attain its minimum.
  void find_minimum(Index i);
  void spread_row(Index i, double mass);
  [[nodiscard]] bool follows_rows() const { return task_.partial; }

  Task task_;
  std::vector<Matrix> crosses_;  // R_r
  Index rows_ = 0, columns_ = 0;
  double tie_tolerance_ = 0;
  Masses plan_, direction_;
  bool has_gradient_ = false, has_ties_ = false;
  Matrix gradient_, next_;
  std::vector<Index> minima_;  // of a row
  TransportBasis basis_;       // with a dummy row and a dummy column
};

}  // namespace srgw::detail

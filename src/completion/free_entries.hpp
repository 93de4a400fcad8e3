// SPDX-License-Identifier: MIT
#pragma once

#include "completion/starts.hpp"
#include "srgw/plan.hpp"

namespace srgw::detail {

/// What a plan says about the free entries of a graph. At a fixed plan T the objective is
/// alpha sum_ij (h_i h_j C_ij^2 - 2 C_ij (T B T')_ij) + (1 - alpha) sum_i (h_i |F_i|^2 -
/// 2 F_i (T X)_i') and a constant.
class FreeEntries {
 public:
  FreeEntries(const PartialGraph& graph, const Atom& atom);

  /// Of the objective in C and F, without the factors alpha and 1 - alpha, which Adam would not
  /// see; 0 at entries that are known.
  [[nodiscard]] FilledGraph gradient(const FilledGraph& point, const Plan& plan) const;
  /// (T B T')_ij / (h_i h_j) and (T X)_i / h_i; known entries as they are.
  void set_best(const Plan& plan, FilledGraph& point) const;

  [[nodiscard]] bool symmetric() const { return symmetric_; }
  /// Whether entries stay at 0 or above: all that is known does.
  [[nodiscard]] bool non_negative() const { return non_negative_; }
  [[nodiscard]] const Vector& weights() const { return weights_; }

 private:
  [[nodiscard]] Matrix pulled_structure(const Matrix& T) const;

  const PartialGraph& graph_;
  const Atom& atom_;
  Vector weights_;
  bool symmetric_ = false, non_negative_ = true;
};

}  // namespace srgw::detail

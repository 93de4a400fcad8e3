// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/completion.hpp"
#include "srgw/plan.hpp"

namespace srgw::detail {

/// Whether the known entries of C and the mask are symmetric, so that what is filled in is too.
[[nodiscard]] bool is_symmetric(const PartialGraph& graph);
/// Throws unless graph and model have the same number of feature columns.
void check_kind(Index columns, const PartialGraph& graph);

/// The graph with numbers at its free entries, which move as those of an atom do.
using FilledGraph = Atom;
[[nodiscard]] FilledGraph fill_at_start(const PartialGraph& graph, CompletionStart start,
                                        std::uint64_t seed);

/// The free entries of a graph at a given plan. At a fixed plan T the objective is
/// alpha sum_ij (h_i h_j C_ij^2 - 2 C_ij (T B T')_ij) + (1 - alpha) sum_i (h_i |F_i|^2 -
/// 2 F_i (T X)_i') and a constant.
class FreeEntries {
 public:
  FreeEntries(const PartialGraph& graph, const Atom& atom);

  /// Gradient of the objective in C and F, without the factors alpha and 1 - alpha, which Adam
  /// would not see; 0 at entries that are known.
  [[nodiscard]] FilledGraph gradient(const FilledGraph& point, const Plan& plan) const;
  /// (T B T')_ij / (h_i h_j) and (T X)_i / h_i; known entries as they are.
  void set_best(const Plan& plan, FilledGraph& point) const;

  [[nodiscard]] bool symmetric() const { return symmetric_; }
  /// The filled graph as solvers see it.
  [[nodiscard]] Sample sample(const FilledGraph& point) const {
    return {{Structure::dense(point.structure, symmetric_), weights_}, point.features};
  }
  /// Whether entries stay at 0 or above: all that is known does.
  [[nodiscard]] bool non_negative() const { return non_negative_; }

 private:
  [[nodiscard]] Matrix pulled_structure(const Matrix& T) const;

  const PartialGraph& graph_;
  const Atom& atom_;
  Vector weights_;
  bool symmetric_ = false, non_negative_ = true;
};

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/plan.hpp"
#include "srgw/structure.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A linear cost next to the structure term: objective = alpha E(T) + (1 - alpha) <M, T>.
struct FusedTerm {
  MatrixSpan cost;     ///< M (n x m), for features the squared distances
  double alpha = 0.5;  ///< weight of the structure term, in [0, 1]
};

/// The cost of a pair of entries a of C and b of Cbar.
enum class Loss {
  square,  ///< (a - b)^2
  kl,      ///< a log(a/b) - a + b, for entries >= 0; zeros count as 1e-18 inside logarithms
};
constexpr auto names_of(Loss) {
  return std::array{Named{Loss::square, "square"}, Named{Loss::kl, "kl"}};
}

/// How error messages name the nodes of both sides; by default by their numbers.
struct PairNames {
  std::function<std::string(Index)> row, column;
};

/// The columns that each row of a plan may use. By default all of them, which costs nothing. Copies
/// share their storage, whose size is that of the forbidden pairs and the rows.
class AllowedPairs {
 public:
  /// Everything is allowed.
  AllowedPairs() = default;
  /// All pairs but the forbidden ones; of a row with an anchor only that. Pairs may be repeated.
  /// Throws an argument error when a pair does not exist, when an anchor is forbidden or differs
  /// from another one of its row, and when a row has no column left.
  AllowedPairs(Index rows, Index columns, std::span<const NodePair> forbidden,
               std::span<const NodePair> anchors = {}, const PairNames& names = {});

  /// Whether no pair is forbidden.
  [[nodiscard]] bool everything() const { return data_ == nullptr; }
  [[nodiscard]] Index rows() const { return everything() ? 0 : data_->rows; }
  [[nodiscard]] Index columns() const { return everything() ? 0 : data_->columns; }

  // For a row of constrained problems:
  [[nodiscard]] bool allows(Index row, Index column) const;
  /// Whether all columns are.
  [[nodiscard]] bool allows_all(Index row) const;
  /// How many columns are allowed.
  [[nodiscard]] Index count(Index row) const;
  /// The allowed column number `place` of them, in ascending order.
  [[nodiscard]] Index nth(Index row, Index place) const;
  /// The column itself, or the next one that is allowed, the first after the last.
  [[nodiscard]] Index next(Index row, Index column) const;
  /// Calls visit(column) for what is forbidden, ascending.
  template <class Visit>
  void for_each_forbidden(Index row, const Visit& visit) const {
    if (everything()) return;
    if (const Index anchor = anchor_of(row); anchor >= 0) {
      for (Index k = 0; k < data_->columns; ++k) {
        if (k != anchor) visit(k);
      }
      return;
    }
    for (const NodeId k : forbidden_of(row)) visit(Index{k});
  }

  /// The plan with the mass of each row on allowed columns: that of forbidden ones is shared over
  /// the others in their proportions, or goes to the next allowed column where the row has no
  /// others. Rows that use allowed columns only stay as they are.
  [[nodiscard]] Plan project(const Plan& plan) const;

 private:
  struct Data {
    Index rows = 0, columns = 0;
    std::vector<std::uint64_t> offsets;  // rows + 1
    std::vector<NodeId> forbidden;       // ascending in each row
    std::vector<NodeId> anchors;         // `no_anchor` for none; empty: no row has one
  };
  static constexpr NodeId no_anchor = ~NodeId{0};

  [[nodiscard]] Index anchor_of(Index row) const {
    if (data_->anchors.empty() || data_->anchors[row] == no_anchor) return -1;
    return data_->anchors[row];
  }
  [[nodiscard]] std::span<const NodeId> forbidden_of(Index row) const {
    const auto i = static_cast<std::size_t>(row);
    return std::span(data_->forbidden)
        .subspan(data_->offsets[i], data_->offsets[i + 1] - data_->offsets[i]);
  }
  static void read_anchors(Data& data, std::span<const NodePair> anchors, const PairNames& names);
  static void read_forbidden(Data& data, std::span<const NodePair> forbidden);
  void check_rows(const PairNames& names) const;

  std::shared_ptr<const Data> data_;
};

/// A further pair of structures on the nodes of a problem.
struct Relation {
  Structure source;   ///< n x n
  Structure target;   ///< m x m
  double weight = 1;  ///< at least 0
};

/// Gromov-Wasserstein, semi-relaxed or balanced: minimise over plans T >= 0 with row sums h, and
/// with column sums hbar where target weights are given,
///     alpha E(T) + (1 - alpha) <M, T> + sparsity sum_k sqrt(q_k)
///         + entropy sum_ik T_ik (log T_ik - 1)
/// with q = T'1 and E(T) = sum_ijkl loss(C_ij, Cbar_kl) T_ik T_jl.
/// Everything that changes the objective is here; options of the path to a solution are in Method.
struct Problem {
  Structure source;    ///< C (n x n)
  VectorSpan weights;  ///< h (n), non-negative, sums to 1
  Structure target;    ///< Cbar (m x m)
  /// hbar (m), non-negative, sums to 1. Given: the balanced problem (GW, FGW); absent: the target
  /// weights are free (srGW, srFGW).
  std::optional<VectorSpan> target_weights = {};
  std::optional<FusedTerm> features = {};  ///< absent: alpha = 1
  Loss loss = Loss::square;
  double sparsity = 0;  ///< weight of the concave penalty on target weights: few are used
  double entropy = 0;   ///< weight of the entropy (the truly entropic problem): plans are soft
  /// The columns that each row may use, for forbidden pairs and anchors; semi-relaxed problems
  /// only.
  AllowedPairs allowed = {};
  /// The share of the source mass that has to be matched, in (0, 1]. Below 1 the problem is
  /// partial: rows sum to at most h, and all of the plan to the share. Semi-relaxed problems only.
  double share = 1;
  /// Further relations: E(T) is relation_weight times that of source and target, plus the weighted
  /// terms of these. Semi-relaxed problems only.
  std::vector<Relation> relations = {};
  double relation_weight = 1;

  [[nodiscard]] bool partial() const { return share < 1; }
  [[nodiscard]] bool balanced() const { return target_weights.has_value(); }
  [[nodiscard]] Index rows() const { return source.size(); }
  [[nodiscard]] Index columns() const { return target.size(); }
  [[nodiscard]] double alpha() const { return features ? features->alpha : 1.0; }
  /// Whether one matrix is symmetric, which makes the problem equivalent to a symmetric one: with
  /// Cbar symmetric, C may be replaced by (C + C')/2 and E changes by a constant (and vice versa).
  [[nodiscard]] bool symmetric() const { return source.symmetric() || target.symmetric(); }
};

/// Throws an argument error that says what was found and expected: sizes, signs, sums, alpha,
/// entries that are not finite.
void check(const Problem& problem);
/// Throws when the plan is not one of this problem (sizes, row sums, column sums where given,
/// forbidden pairs).
void check(const Problem& problem, const Plan& plan);

/// What there is to explain: what structures and features cost on the best target of one node,
/// before alpha weighs one against the other.
struct FusedTerms {
  double structure = 0;  ///< variance of the entries
  double features = 0;   ///< variance of all columns

  /// The weight of the structure with which both cost the same; 1/2 where one of them is 0.
  [[nodiscard]] double balanced_alpha() const;
};
/// Of a problem with features: the structure on the best node, and the cost of sending all nodes to
/// the cheapest target node.
[[nodiscard]] FusedTerms fused_terms(const Problem& problem);

/// The objective at a plan, in parts that include alpha, 1 - alpha, sparsity and entropy.
struct Value {
  double quad = 0;
  double linear = 0;
  double penalty = 0;
  double entropy = 0;
  [[nodiscard]] double total() const { return quad + linear + penalty + entropy; }
};
/// alpha (h'f(C)h + q'S q - 2 <T, C T R'>), (1 - alpha) <M, T> and the two others; with the square
/// loss f(a) = a^2, S = Cbar o Cbar and R = Cbar.
[[nodiscard]] Value value(const Problem& problem, const Plan& plan);

/// The gradient (n x m) of the objective without its entropy:
///     alpha ([f(C)h + f(C)'h]_i + [(S + S')q]_k - 2 [C T R' + C'T R]_ik) + (1-alpha) M_ik
///     + sparsity / (2 sqrt(q_k)).
[[nodiscard]] Matrix gradient(const Problem& problem, const Plan& plan);

/// The structure and linear parts of the objective along T + gamma (X - T) are
/// value(T) + b gamma + a gamma^2.
struct Line {
  double a = 0, b = 0;
  /// The exact minimiser on [0, 1]; 0 when nothing is gained.
  [[nodiscard]] double step() const;
};
[[nodiscard]] Line line(const Problem& problem, const Plan& from, const Plan& to);

/// Derivatives of the optimal value in what the problem is made of, at a plan that solves it (where
/// the plan's own change has no say), or of value() with the plan held fixed at any other.
struct Derivatives {
  Matrix source;     ///< dense n x n
  Matrix target;     ///< m x m
  Matrix cost;       ///< (1 - alpha) T; empty without features
  double alpha = 0;  ///< E(T) - <M, T>; 0 without features
};
[[nodiscard]] Derivatives derivatives(const Problem& problem, const Plan& plan);

}  // namespace srgw

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernels/label_pass.hpp"
#include "kernels/sparse_plan.hpp"
#include "ranks/exchange.hpp"
#include "solve/objective.hpp"
#include "solve/row_minimum.hpp"
#include "srgw/plan.hpp"
#include "srgw/problem.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// The step of conditional gradient for a sparse source, a diagonal target and no linear term. The
/// plan is a label for most rows and a short list for the others, products are never stored, and an
/// iteration costs O(nnz + n + m), or less when few rows moved: rows with nothing new around them
/// are passed over.
///
/// Most steps have length 1, so the pass at X that the next iteration needs anyway is made before
/// the step: it gives <X, C X R>, and with that the curvature, for free. Where the step turns out
/// shorter, the pass is made again at the true point.
///
/// Rows may be spread over ranks: each passes over its own and keeps copies of what neighbours
/// elsewhere have, of which only those that changed are sent.
template <class Label>
class LabelStep {
 public:
  struct Options {
    bool share_ties = true;
    int threads = 1;
    bool may_ask_for_arrays = false;
  };

  LabelStep(const Objective& objective, const Options& options, const Exchange& exchange = alone);
  /// With the rows of a source whose others are on other ranks; columns are places.
  LabelStep(const Objective& objective, const CsrStorage& source, const Options& options,
            const Exchange& exchange);

  /// Whether this step can solve a problem at all.
  [[nodiscard]] static bool serves(const Objective& objective);

  /// From a plan of the rows here.
  void start(const Plan& plan);

  [[nodiscard]] Line direction();
  void advance(double gamma);
  [[nodiscard]] double gap() const;
  [[nodiscard]] double bound_gap() const { return gap(); }
  double sweep(double tolerance);
  void refresh();
  [[nodiscard]] Value value() const;
  /// How far rounding may change the gap at T.
  [[nodiscard]] double rounding() const;
  [[nodiscard]] Index changed_rows() const { return sums_.changed; }
  /// Most rows have been spread over several columns for a while: arrays would be faster.
  [[nodiscard]] bool wants_arrays() const {
    return options_.may_ask_for_arrays && spread_steps_ > 4;
  }

  /// T, for the rows here.
  [[nodiscard]] Plan plan() const;
  /// Column sums of the plan, of all ranks.
  [[nodiscard]] Vector target_weights() const;

 private:
  using Rows = SparsePlan<Label>;
  using Shares = std::vector<typename Rows::Share>;
  /// Sums that a pass at a plan finds, beside the direction.
  struct Sums : LabelSums {
    std::vector<std::int64_t> flow;  // change of column sums, in 2^-62
    Index changed = 0;               // rows of all ranks
  };
  /// Places in which two plans differ, ascending: rows here, and copies.
  struct Changed {
    std::vector<NodeId> rows, copies;
  };

  void prepare_masses();
  /// Looks at the plan P with column sums q; leaves the minimisers in X and the rows that moved in
  /// `changed`.
  Sums evaluate(const Rows& plan, const Rows* former, Rows& minimisers, Changed& changed,
                bool all_rows);
  void start_copies();
  void refresh_copies(const Rows& plan, Rows& minimisers, bool lists, Changed& changed);
  void set_column_sums(const std::vector<std::int64_t>& q);
  [[nodiscard]] double column_cost(const std::vector<std::int64_t>& q, Index k) const;
  void evaluate_plan(bool all_rows);
  bool flag_neighbours(const Changed& changed);
  bool flag_neighbours_of_copies(const std::vector<NodeId>& copies);
  void blend(double gamma);
  void flatten();
  Changed minimise_rows(double tolerance);
  bool minimise_row(Index i, double tolerance);
  [[nodiscard]] double own_entry(Index i) const;
  static void write_row(const Rows& rows, NodeId row, Ranks::Bytes& bytes);
  static void read_row(Rows& rows, NodeId place, std::span<const std::byte>& bytes);
  [[nodiscard]] double square_form(const std::vector<std::int64_t>& q) const;

  const Objective& objective_;
  const CsrStorage& source_;
  Options options_;
  const Exchange& exchange_;
  Index rows_, places_, columns_;
  FixedPoint fixed_;

  LabelPass<Label> pass_;
  std::vector<double> row_factor_, mass_, cross_, column_cost_;
  std::vector<NodeId> cheapest_;
  std::vector<std::uint8_t> flag_;
  std::vector<float> safe_until_;
  std::vector<LabelScratch> scratch_;  // one for each thread
  std::vector<std::vector<NodeId>> block_changed_;
  std::vector<LabelSums> block_sums_;

  Rows plan_, direction_, next_, blended_;  // T, X, and the direction at X
  Changed changed_, next_changed_;          // where X differs from T, ...
  std::vector<std::int64_t> q_, q_x_;       // column sums of T and X, in 2^-62
  Sums sums_, next_sums_;                   // of the passes at T and X
  double tt_ = 0;                           // <T, C T R>
  double dd_ = 0;                           // <D, C D R>, D = X - T
  int spread_steps_ = 0;
  RowMinimiser minimiser_;
  std::vector<double> gradient_row_, fractions_, curvature_, counts_;
};

}  // namespace srgw::detail

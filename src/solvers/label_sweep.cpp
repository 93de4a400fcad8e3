// SPDX-License-Identifier: MIT
// Row coordinate descent on the state of LabelStep: the finish of spec 3.10. Only the rows in which
// direction and plan differ are visited, so the cost follows their number.
#include <algorithm>

#include "solvers/label_step.hpp"

namespace srgw::detail {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

template <class Label>
double LabelStep<Label>::sweep(double tolerance) {
  const double before = value().total();
  flatten();
  gradient_row_.resize(at(columns_));
  fractions_.resize(at(columns_));
  curvature_.resize(at(columns_));
  counts_.resize(at(columns_));
  pass_.plan = &plan_;
  std::vector<NodeId> moved;
  for (const NodeId i : changed_) {
    if (minimise_row(static_cast<Index>(i), tolerance)) moved.push_back(i);
  }
  plan_.settle_lists();
  if (moved.empty()) return 0;
  // A row whose minimum is elsewhere must be looked at even when nothing around it moved.
  for (const NodeId i : changed_) flag_[i] = 1;
  const bool all_rows = flag_neighbours(moved);
  set_column_sums(q_);
  evaluate_plan(all_rows);
  return before - value().total();
}

// One layer and lists, which rows can be changed in.
template <class Label>
void LabelStep<Label>::flatten() {
  plan_.prepare_lists();
  if (plan_.layers() == 1) return;
  blended_.reset();
  blended_.prepare_lists();
  std::vector<typename Rows::Share> shares;
  for (Index i = 0; i < rows_; ++i) {
    if (plan_.is_single(i)) {
      blended_.set_label(i, plan_.label(i));
    } else {
      plan_.collect(i, shares);
      blended_.set_list(i, shares);
    }
  }
  std::swap(plan_, blended_);
}

// With all other rows fixed, a change d of the fractions of row i changes the objective by
//     2 alpha h sum_k d_k v_k + alpha h^2 sum_k d_k^2 (S_k - 2 C_ii R_k).
template <class Label>
bool LabelStep<Label>::minimise_row(Index i, double tolerance) {
  const double h = objective_.weights[at(i)];
  std::ranges::fill(counts_, 0.0);
  count_row(pass_, i, counts_.data());
  std::ranges::fill(fractions_, 0.0);
  plan_.for_each_share(i, [&](NodeId k, double fraction) { fractions_[k] += fraction; });
  const double scale = 2 * objective_.alpha * h;
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    const double w = column_cost(q_, static_cast<Index>(k));
    gradient_row_[k] = scale * (w - 2 * row_factor_[at(i)] * cross_[k] * counts_[k]);
  }
  if (row_gap(fractions_, gradient_row_) <= tolerance * h) return false;

  const double own = objective_.source->at(i, i);
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    curvature_[k] = objective_.alpha * h * h *
                    (objective_.square_diagonal[static_cast<Index>(k)] - 2 * own * cross_[k]);
  }
  std::vector<double> former = fractions_;
  minimiser_.minimise_diagonal(curvature_, fractions_, gradient_row_);

  std::vector<typename Rows::Share> shares;
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    if (fractions_[k] < 1e-15) fractions_[k] = 0;
    if (fractions_[k] > 0) shares.push_back({static_cast<NodeId>(k), fractions_[k]});
    const double change = h * (fractions_[k] - former[k]);
    if (change == 0) continue;
    q_[k] += weight_as_integer(h * fractions_[k]) - weight_as_integer(h * former[k]);
    // <T, C T R> grows by 2 <d, C T R> + C_ii d'R d
    tt_ += 2 * change * row_factor_[at(i)] * cross_[k] * counts_[k] +
           own * cross_[k] * change * change;
  }
  if (shares.size() == 1) {
    plan_.set_label(i, static_cast<Label>(shares[0].column));
  } else {
    plan_.set_list(i, shares);
  }
  return true;
}

template double LabelStep<std::uint8_t>::sweep(double);
template double LabelStep<std::uint16_t>::sweep(double);
template double LabelStep<std::uint32_t>::sweep(double);

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
// Row coordinate descent on the state of LabelStep: the polish of conditional gradient. Only the
// rows in which direction and plan differ are visited, so the cost follows their number.
#include <algorithm>

#include "base/stop.hpp"
#include "solve/label_step.hpp"
#include "structure/entries.hpp"

namespace srgw::detail {

template <class Label>
double LabelStep<Label>::sweep(double tolerance) {
  const double before = value().total();
  flatten();
  gradient_row_.resize(columns_);
  fractions_.resize(columns_);
  curvature_.resize(columns_);
  counts_.resize(columns_);
  pass_.plan = &plan_;
  const Changed moved = minimise_rows(tolerance);
  const StopShield shield;  // plan and sums change together
  plan_.settle_lists();
  if (exchange_.sum(std::ssize(moved.rows)) == 0) return 0;
  // A row whose minimum is elsewhere must be looked at even when nothing around it moved.
  for (const NodeId i : changed_.rows) flag_[i] = 1;
  const bool all_rows = flag_neighbours(moved);
  set_column_sums(q_);
  evaluate_plan(all_rows);
  return before - value().total();
}

// One row after the other. On ranks one after the other is at it, and hands on what the next needs
// to go on as if all rows were in one place.
template <class Label>
auto LabelStep<Label>::minimise_rows(double tolerance) -> Changed {
  Changed moved;
  const auto mine = static_cast<std::uint32_t>(changed_.rows.size());
  const Bytes joined = exchange_.join(std::as_bytes(std::span(&mine, 1)));
  std::span<const std::byte> counts(joined);
  for (int rank = 0; rank < exchange_.ranks(); ++rank) {
    if (take<std::uint32_t>(counts) == 0) continue;
    if (rank == exchange_.rank()) {
      for (const NodeId i : changed_.rows) {
        if (stop_requested()) break;
        if (minimise_row(static_cast<Index>(i), tolerance)) moved.rows.push_back(i);
      }
    }
    if (exchange_.alone()) break;
    exchange_.share(rank, std::as_writable_bytes(std::span(&tt_, 1)));
    exchange_.share(rank, std::as_writable_bytes(std::span(q_)));
    exchange_.refresh_parts(
        rank == exchange_.rank() ? moved.rows : std::vector<NodeId>(),
        [&](NodeId row, Ranks::Bytes& bytes) { write_row(plan_, row, bytes); },
        [&](NodeId place, std::span<const std::byte>& bytes) {
          read_row(plan_, place, bytes);
          moved.copies.push_back(place);
        });
  }
  return moved;
}

// One layer and lists, which rows can be changed in.
template <class Label>
void LabelStep<Label>::flatten() {
  plan_.prepare_lists();
  if (plan_.layers() == 1) return;
  blended_.reset();
  blended_.prepare_lists();
  Shares shares;
  for (Index i = 0; i < places_; ++i) {
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
  const double h = objective_.weights[i];
  std::ranges::fill(counts_, 0.0);
  count_row(pass_, i, counts_.data());
  std::ranges::fill(fractions_, 0.0);
  plan_.for_each_share(i, [&](NodeId k, double fraction) { fractions_[k] += fraction; });
  const double scale = 2 * objective_.alpha * h;
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    const double w = column_cost(q_, static_cast<Index>(k));
    gradient_row_[k] = scale * (w - 2 * row_factor_[i] * cross_[k] * counts_[k]);
  }
  if (row_gap(fractions_, gradient_row_) <= tolerance * h) return false;

  const double own = own_entry(i);
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    curvature_[k] = objective_.alpha * h * h *
                    (objective_.square_diagonal[static_cast<Index>(k)] - 2 * own * cross_[k]);
  }
  std::vector<double> former = fractions_;
  minimiser_.minimise_diagonal(curvature_, fractions_, gradient_row_);

  Shares shares;
  for (std::size_t k = 0; k < fractions_.size(); ++k) {
    if (fractions_[k] < 1e-15) fractions_[k] = 0;
    if (fractions_[k] > 0) shares.push_back({static_cast<NodeId>(k), fractions_[k]});
    const double change = h * (fractions_[k] - former[k]);
    if (change == 0) continue;
    q_[k] += weight_as_integer(h * fractions_[k]) - weight_as_integer(h * former[k]);
    // <T, C T R> grows by 2 <d, C T R> + C_ii d'R d
    tt_ += 2 * change * row_factor_[i] * cross_[k] * counts_[k] + own * cross_[k] * change * change;
  }
  plan_.set_row(i, shares);
  return true;
}

// C_ii
template <class Label>
double LabelStep<Label>::own_entry(Index i) const {
  const auto entries = pass_.source.sparse_row(i);
  const auto found = std::ranges::find(entries.columns, static_cast<NodeId>(i));
  if (found == entries.columns.end()) return 0;
  const double a =
      entries.values != nullptr ? entries.values[found - entries.columns.begin()] : 1.0;
  return scaled_entry(source_, i, i, a);
}

template double LabelStep<std::uint8_t>::sweep(double);
template double LabelStep<std::uint16_t>::sweep(double);
template double LabelStep<std::uint32_t>::sweep(double);

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "solve/label_step.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "solve/stopping.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

constexpr Index lane_padding = 64;

/// The smallest and largest values of rows that have weight, on all ranks.
struct Range {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;

  Range(const Exchange& exchange, const std::vector<double>& values,
        std::span<const double> weights) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0) continue;
      smallest = std::min(smallest, values[j]);
      largest = std::max(largest, values[j]);
    }
    smallest = -exchange.largest(-smallest);
    largest = exchange.largest(largest);
  }
  // Equal up to the rounding of right_j h_j, as for modularity: (1/d_j)(d_j/2w).
  [[nodiscard]] bool is_constant() const {
    return smallest > 0 && largest - smallest <= 1e-14 * largest;
  }
};

// Rows without weight must not be counted: they may have no entries in the rows of others.
bool weightless_rows_are_isolated(const Exchange& exchange, const SourceRows& source,
                                  std::span<const double> weights) {
  std::int64_t connected = 0;
  for (std::size_t i = 0; i < weights.size() && connected == 0; ++i) {
    const auto row = static_cast<Index>(i);
    if (weights[i] == 0 && source.offset(row) != source.offset(row + 1)) connected = 1;
  }
  return exchange.sum(connected) == 0;
}

}  // namespace

template <class Label>
bool LabelStep<Label>::serves(const Objective& objective) {
  return objective.diagonal && !objective.asymmetric() && objective.linear == nullptr &&
         objective.allowed.everything() &&
         std::holds_alternative<CsrStorage>(storage_of(*objective.source).form) &&
         objective.columns() <= std::numeric_limits<Label>::max();
}

template <class Label>
LabelStep<Label>::LabelStep(const Objective& objective, const Options& options,
                            const Exchange& exchange)
    : LabelStep(objective, std::get<CsrStorage>(storage_of(*objective.source).form), options,
                exchange) {}

template <class Label>
LabelStep<Label>::LabelStep(const Objective& objective, const CsrStorage& source,
                            const Options& options, const Exchange& exchange)
    : objective_(objective),
      source_(source),
      options_(options),
      exchange_(exchange),
      rows_(objective.rows()),
      places_(exchange.places(rows_)),
      columns_(objective.columns()),
      fixed_(objective.scale) {
  // One more than the columns: what listed rows count as.
  const Index padded = (columns_ + lane_padding) / lane_padding * lane_padding;
  pass_.source = SourceRows(source.csr);
  prepare_masses();
  cross_.assign(padded, 0.0);
  std::ranges::copy(objective.cross_diagonal, cross_.begin());
  column_cost_.assign(padded, std::numeric_limits<double>::infinity());
  std::fill_n(column_cost_.begin(), columns_, 0.0);
  cheapest_.resize(columns_);
  std::iota(cheapest_.begin(), cheapest_.end(), NodeId{0});
  flag_.assign(rows_, 0);
  safe_until_.assign(rows_, 0.0F);
  scratch_.resize(options.threads);
  for (LabelScratch& scratch : scratch_) {
    scratch.counts.assign(padded, 0.0);
    scratch.flow.assign(columns_, 0);
  }
  block_changed_.resize(block_count(rows_));
  block_sums_.resize(block_count(rows_));
  for (Rows* rows : {&plan_, &direction_, &next_, &blended_}) rows->resize(places_, columns_);

  pass_.columns = columns_;
  pass_.weights = objective.weights.data();
  pass_.row_factor = row_factor_.data();
  pass_.mass = mass_.empty() ? nullptr : mass_.data();
  pass_.cross = cross_.data();
  pass_.column_cost = column_cost_.data();
  pass_.cheapest = cheapest_.data();
  // Counts of labels are all but exact, so POT's tolerance is kept, less when all is small.
  const double tie_tolerance =
      1e-15 * std::min(objective.unit, objective.scale) / (2 * objective.alpha);
  pass_.tie_tolerance = options.share_ties ? tie_tolerance : -1.0;
  pass_.flag = flag_.data();
  pass_.safe_until = safe_until_.data();
}

// C_ij h_j = factor left_i a_ij (right_j h_j): what depends on i goes into the row's factor, and so
// does the mass right_j h_j where it is the same for all j, which leaves pure counting.
template <class Label>
void LabelStep<Label>::prepare_masses() {
  row_factor_.assign(rows_, source_.factor);
  for (Index i = 0; i < source_.left.size(); ++i) row_factor_[i] *= source_.left[i];
  mass_.assign(objective_.weights.begin(), objective_.weights.end());
  for (Index j = 0; j < source_.right.size(); ++j) mass_[j] *= source_.right[j];
  const Range range(exchange_, mass_, objective_.weights);
  if (range.is_constant() &&
      weightless_rows_are_isolated(exchange_, pass_.source, objective_.weights)) {
    for (double& factor : row_factor_) factor *= range.largest;
    mass_.clear();
    mass_.shrink_to_fit();
    return;
  }
  mass_.resize(places_);
  exchange_.refresh_all(std::span(mass_));
}

template <class Label>
void LabelStep<Label>::start(const Plan& plan) {
  const StopShield shield;  // one pass over the edges
  const auto set_q = [&](NodeId k, double mass) { q_[k] += weight_as_integer(mass); };
  q_.assign(columns_, 0);
  if (const auto* labels = std::get_if<Labels>(&plan.storage())) {
    std::visit(
        [&](const auto& narrow) {
          for (Index i = 0; i < rows_; ++i) {
            plan_.set_label(i, static_cast<Label>(narrow[i]));
            set_q(static_cast<NodeId>(narrow[i]), objective_.weights[i]);
          }
        },
        *labels);
  } else {
    const ShortRows rows = plan.short_rows();
    Shares shares;
    plan_.prepare_lists();
    for (Index i = 0; i < rows_; ++i) {
      const double h = objective_.weights[i];
      shares.clear();
      for (std::uint64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
        shares.push_back({rows.columns[e], rows.masses[e] / h});
        set_q(rows.columns[e], rows.masses[e]);
      }
      if (shares.size() > 1) {
        plan_.set_list(i, shares);
      } else {
        plan_.set_label(i, shares.empty() ? Label{0} : static_cast<Label>(shares[0].column));
      }
    }
  }
  exchange_.sum(q_);
  start_copies();
  set_column_sums(q_);
  refresh();
}

// w = S q + r / 2 alpha, and how far its columns have moved against each other since the first
// pass.
template <class Label>
void LabelStep<Label>::set_column_sums(const std::vector<std::int64_t>& q) {
  double rise = -std::numeric_limits<double>::infinity();
  double fall = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < columns_; ++k) {
    const double w = column_cost(q, k);
    rise = std::max(rise, w - column_cost_[k]);
    fall = std::min(fall, w - column_cost_[k]);
    column_cost_[k] = w;
  }
  pass_.drift += rise - fall;
  std::ranges::sort(cheapest_, [&](NodeId a, NodeId b) {
    return column_cost_[a] < column_cost_[b] || (column_cost_[a] == column_cost_[b] && a < b);
  });
}

template <class Label>
double LabelStep<Label>::column_cost(const std::vector<std::int64_t>& q, Index k) const {
  const double w = objective_.square_diagonal[k] * weight_from_integer(q[k]);
  return objective_.column_slope.empty() ? w
                                         : w + objective_.column_slope[k] / (2 * objective_.alpha);
}

template <class Label>
auto LabelStep<Label>::evaluate(const Rows& plan, const Rows* former, Rows& minimisers,
                                Changed& changed, bool all_rows) -> Sums {
  minimisers.reset();
  if (options_.share_ties) minimisers.prepare_lists();
  pass_.plan = &plan;
  pass_.former = former;
  pass_.minimisers = &minimisers;
  pass_.all_rows = all_rows;
  for (LabelScratch& scratch : scratch_) std::ranges::fill(scratch.flow, 0);
  for_each_block(rows_, options_.threads, [&](Index block, Index begin, Index end, int worker) {
    block_changed_[block].clear();
    block_sums_[block] = label_pass(&pass_, begin, end, scratch_[worker], block_changed_[block]);
  });

  std::array<Fixed, 4> fixed{};
  changed.rows.clear();
  for (std::size_t block = 0; block < block_sums_.size(); ++block) {
    const LabelSums& sums = block_sums_[block];
    fixed[0] += fixed_.from(sums.slope);
    fixed[1] += fixed_.from(sums.cross_slope);
    fixed[2] += fixed_.from(sums.cross);
    fixed[3] += fixed_.from(sums.back);
    changed.rows.insert(changed.rows.end(), block_changed_[block].begin(),
                        block_changed_[block].end());
  }
  exchange_.sum(fixed);
  // Behind the columns: rows that changed, and those of them that are lists.
  std::vector<std::int64_t> flow(columns_ + 2, 0);
  for (const LabelScratch& scratch : scratch_) {
    std::ranges::transform(scratch.flow, flow, flow.begin(), std::plus<>());
  }
  flow[columns_] = std::ssize(changed.rows);
  flow[columns_ + 1] = std::ranges::count_if(
      changed.rows, [&](NodeId i) { return minimisers.is_listed(static_cast<Index>(i)); });
  exchange_.sum(flow);
  refresh_copies(plan, minimisers, flow.back() > 0, changed);
  minimisers.settle_lists();
  const Index all_changed = flow[columns_];
  flow.resize(columns_);
  return {{.slope = fixed_.to(fixed[0]),
           .cross_slope = fixed_.to(fixed[1]),
           .cross = fixed_.to(fixed[2]),
           .back = fixed_.to(fixed[3])},
          std::move(flow),
          all_changed};
}

// The direction at T.
template <class Label>
void LabelStep<Label>::evaluate_plan(bool all_rows) {
  sums_ = evaluate(plan_, nullptr, direction_, changed_, all_rows);
  std::ranges::fill(flag_, std::uint8_t{0});
}

template <class Label>
void LabelStep<Label>::refresh() {
  const StopShield shield;
  evaluate_plan(true);
  tt_ = sums_.cross;
}

// Marks rows and their neighbours to be looked at again; true: so many that all rows should be.
template <class Label>
bool LabelStep<Label>::flag_neighbours(const Changed& changed) {
  const std::uint64_t most = pass_.source.offset(rows_) / 16;
  std::uint64_t touched = 0;
  for (const NodeId j : changed.rows) {
    touched += pass_.source.offset(static_cast<Index>(j) + 1) - pass_.source.offset(j);
    if (touched > most) return true;
  }
  if (flag_neighbours_of_copies(changed.copies)) return true;
  const auto mark = [&](NodeId i) {
    if (Index{i} < rows_) std::atomic_ref(flag_[i]).store(1, std::memory_order_relaxed);
  };
  for_each_row(std::ssize(changed.rows), options_.threads, [&](Index r) {
    const NodeId j = changed.rows[r];
    mark(j);
    for (const NodeId i : pass_.source.sparse_row(j).columns) mark(i);
  });
  return false;
}

template <class Label>
double LabelStep<Label>::square_form(const std::vector<std::int64_t>& q) const {
  double sum = 0;
  for (Index k = 0; k < columns_; ++k) {
    const double mass = weight_from_integer(q[k]);
    sum += objective_.square_diagonal[k] * mass * mass;
  }
  return sum;
}

template <class Label>
Line LabelStep<Label>::direction() {
  q_x_ = q_;
  std::ranges::transform(q_x_, sums_.flow, q_x_.begin(), std::plus<>());
  // Look ahead: the pass at X, with its own direction.
  set_column_sums(q_x_);
  const bool all_rows = flag_neighbours(changed_);
  next_sums_ = evaluate(direction_, &plan_, next_, next_changed_, all_rows);
  // <D, C D R> = <D, C X R> - <D, C T R>
  dd_ = next_sums_.back - sums_.cross_slope;
  return {.a = objective_.alpha * (square_form(sums_.flow) - 2 * dd_),
          .b = 2 * objective_.alpha * sums_.slope};
}

template <class Label>
void LabelStep<Label>::advance(double gamma) {
  if (gamma == 0) return;
  const StopShield shield;  // plan and sums change together
  tt_ += 2 * gamma * sums_.cross_slope + gamma * gamma * dd_;
  spread_steps_ = gamma < 1 && 4 * changed_rows() > objective_.all_rows ? spread_steps_ + 1 : 0;
  if (gamma == 1) {
    std::swap(plan_, direction_);
    std::swap(direction_, next_);
    std::swap(changed_, next_changed_);
    std::swap(sums_, next_sums_);
    std::swap(q_, q_x_);
    std::ranges::fill(flag_, std::uint8_t{0});
    return;
  }
  // The rows looked at on the way stay flagged: what is known of them belongs to X.
  const auto step = static_cast<long double>(gamma);
  blend(gamma);
  for (Index k = 0; k < columns_; ++k) {
    q_[k] += static_cast<std::int64_t>(step * static_cast<long double>(sums_.flow[k]));
  }
  set_column_sums(q_);
  evaluate_plan(3 * changed_rows() > objective_.all_rows);
}

// T <- (1 - gamma) T + gamma X: one more layer, or lists when there are enough.
template <class Label>
void LabelStep<Label>::blend(double gamma) {
  if (plan_.layers() < Rows::most_layers) {
    plan_.add_layer(gamma, direction_);
    return;
  }
  blended_.reset();
  blended_.prepare_lists();
  for_each_block(places_, options_.threads, [&](Index, Index begin, Index end, int) {
    Shares shares;
    for (Index i = begin; i < end; ++i) {
      if (plan_.same_single(direction_, i)) {
        blended_.set_label(i, plan_.label(i));
        continue;
      }
      plan_.blend_row(i, gamma, direction_, shares);
      blended_.set_row(i, shares);
    }
  });
  blended_.settle_lists();
  std::swap(plan_, blended_);
}

template <class Label>
double LabelStep<Label>::gap() const {
  return std::max(0.0, -2 * objective_.alpha * sums_.slope);
}

template <class Label>
double LabelStep<Label>::rounding() const {
  return rounding_of_gap(objective_, square_form(q_), tt_, 0);
}

template <class Label>
Value LabelStep<Label>::value() const {
  double slope_part = 0;  // r'q
  for (std::size_t k = 0; k < objective_.column_slope.size(); ++k) {
    slope_part += objective_.column_slope[k] * weight_from_integer(q_[k]);
  }
  return {.quad = objective_.alpha * (objective_.kappa + square_form(q_) - 2 * tt_),
          .penalty = slope_part};
}

template <class Label>
Plan LabelStep<Label>::plan() const {
  Plan::Trusted parts;
  parts.weights.assign(objective_.weights.begin(), objective_.weights.end());
  parts.columns = columns_;
  std::int64_t spread = 0;
  for (Index i = 0; i < rows_ && spread == 0; ++i) spread = plan_.is_single(i) ? 0 : 1;
  if (exchange_.sum(spread) == 0) {
    parts.storage = Labels(std::vector<Label>(plan_.layer(0), plan_.layer(0) + rows_));
    return Plan(std::move(parts));
  }
  ShortRows rows;
  rows.offsets.reserve(rows_ + 1);
  rows.columns.reserve(rows_);
  rows.masses.reserve(rows_);
  rows.offsets.push_back(0);
  Shares shares;
  for (Index i = 0; i < rows_; ++i) {
    plan_.collect(i, shares);
    for (const auto& share : shares) {
      rows.columns.push_back(share.column);
      rows.masses.push_back(share.fraction * objective_.weights[i]);
    }
    rows.offsets.push_back(rows.columns.size());
  }
  parts.storage = std::move(rows);
  return Plan(std::move(parts));
}

template <class Label>
Vector LabelStep<Label>::target_weights() const {
  std::vector<std::int64_t> q(columns_, 0);
  for (Index i = 0; i < rows_; ++i) {
    plan_.for_each_share(i, [&](NodeId k, double fraction) {
      q[k] += weight_as_integer(objective_.weights[i] * fraction);
    });
  }
  exchange_.sum(q);
  Vector result(columns_);
  for (Index k = 0; k < columns_; ++k) result[k] = weight_from_integer(q[k]);
  return result;
}

// Rows on other ranks: copies of their part of a plan.

// After the rows here have been set.
template <class Label>
void LabelStep<Label>::start_copies() {
  std::vector<NodeId> listed;
  for (Index i = 0; i < rows_; ++i) {
    if (plan_.is_listed(i)) listed.push_back(static_cast<NodeId>(i));
  }
  exchange_.refresh_all(plan_.labels());
  if (exchange_.sum(static_cast<std::int64_t>(listed.size())) > 0) {
    plan_.prepare_lists();
    exchange_.refresh_parts(
        listed, [&](NodeId row, Ranks::Bytes& bytes) { write_row(plan_, row, bytes); },
        [&](NodeId place, std::span<const std::byte>& bytes) { read_row(plan_, place, bytes); });
    plan_.settle_lists();
  }
}

// The choices of neighbours on other ranks: unchanged where none has come.
template <class Label>
void LabelStep<Label>::refresh_copies(const Rows& plan, Rows& minimisers, bool lists,
                                      Changed& changed) {
  changed.copies.clear();
  if (exchange_.alone()) return;
  std::copy(plan.layer(0) + rows_, plan.layer(0) + places_, minimisers.labels().begin() + rows_);
  exchange_.refresh(minimisers.labels(), changed.rows, &changed.copies);
  if (!lists) return;
  std::vector<NodeId> listed;
  std::ranges::copy_if(changed.rows, std::back_inserter(listed),
                       [&](NodeId i) { return minimisers.is_listed(static_cast<Index>(i)); });
  minimisers.prepare_lists();
  exchange_.refresh_parts(
      listed, [&](NodeId row, Ranks::Bytes& bytes) { write_row(minimisers, row, bytes); },
      [&](NodeId place, std::span<const std::byte>& bytes) {
        read_row(minimisers, place, bytes);
        changed.copies.push_back(place);
      });
}

// A row for another rank: how many shares, then these.
template <class Label>
void LabelStep<Label>::write_row(const Rows& rows, NodeId row, Ranks::Bytes& bytes) {
  Shares shares;
  rows.collect(static_cast<Index>(row), shares);
  put(bytes, static_cast<std::uint32_t>(shares.size()));
  put_all(bytes, std::span<const typename Rows::Share>(shares));
}

template <class Label>
void LabelStep<Label>::read_row(Rows& rows, NodeId place, std::span<const std::byte>& bytes) {
  Shares shares(take<std::uint32_t>(bytes));
  for (auto& share : shares) share = take<typename Rows::Share>(bytes);
  rows.set_row(static_cast<Index>(place), shares);
}

// Copies do not know their neighbours here: these look for themselves, which takes less than to
// count.
template <class Label>
bool LabelStep<Label>::flag_neighbours_of_copies(const std::vector<NodeId>& copies) {
  if (copies.empty()) return false;
  if (16 * copies.size() > exchange_.copies()) return true;
  std::vector<bool> is_changed(places_, false);
  for (const NodeId place : copies) is_changed[place] = true;
  for_each_row(rows_, options_.threads, [&](Index i) {
    const auto neighbours = pass_.source.sparse_row(i).columns;
    if (std::ranges::any_of(neighbours, [&](NodeId j) { return is_changed[j]; })) flag_[i] = 1;
  });
  return false;
}

template class LabelStep<std::uint8_t>;
template class LabelStep<std::uint16_t>;
template class LabelStep<std::uint32_t>;

}  // namespace srgw::detail

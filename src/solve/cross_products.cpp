// SPDX-License-Identifier: MIT
#include "solve/cross_products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "kernels/products.hpp"
#include "structure/without_rows.hpp"

namespace srgw::detail {

void CrossProducts::prepare(const Objective& objective, Index stride, int threads) {
  objective_ = &objective;
  rows_ = objective.rows();
  columns_ = objective.columns();
  stride_ = stride;
  threads_ = threads;
  const bool whole = !objective.source->has_rows();
  const Matrix* target = objective.diagonal ? nullptr : &objective.cross;
  if (objective.asymmetric()) {
    terms_.resize(2);
    terms_[0].source = SourceRows(storage_of(*objective.source_transposed));  // C T R'
    terms_[0].target = &objective.cross_transposed;
    terms_[1].source = SourceRows(storage_of(*objective.source));  // C'T R
    terms_[1].target = target;
    terms_[0].factor = terms_[1].factor = 0.5;
  } else {
    terms_.resize(1);
    terms_[0].source = whole ? SourceRows() : SourceRows(storage_of(*objective.source));
    terms_[0].target = target;
    terms_[0].factor = 1;
  }
  z_.assign(stride, 0.0);
  used_.clear();
  is_used_.assign(columns_, 0);
  for (Term& term : terms_) pad_target(term);
  strategy_ = whole                                                   ? Strategy::whole
              : target == nullptr && !terms_[0].source.dense()        ? Strategy::entries
              : target != nullptr && few_neighbours(terms_[0].source) ? Strategy::rows
                                                                      : Strategy::columns;
  prepare_scaling(storage_of(*objective.source));
}

// With so few neighbours pushing rows of Y costs less than it costs to keep C X as well.
bool CrossProducts::few_neighbours(const SourceRows& source) const {
  constexpr std::uint64_t few = 3;
  return !source.dense() && source.offset(rows_) <= few * static_cast<std::uint64_t>(rows_);
}

void CrossProducts::pad_target(Term& term) const {
  if (term.target == nullptr) return;
  term.padded_target.assign(columns_ * stride_, 0.0);
  for (Index k = 0; k < columns_; ++k) {
    std::copy_n(term.target->data() + k * columns_, columns_,
                term.padded_target.data() + k * stride_);
  }
}

void CrossProducts::prepare_scaling(const StructureStorage& source) {
  mass_.assign(objective_->weights.begin(), objective_->weights.end());
  row_scale_.clear();
  mass_share_.clear();
  const auto* csr = std::get_if<CsrStorage>(&source.form);
  if (csr == nullptr) return;
  mass_share_.assign(csr->right.begin(), csr->right.end());
  for (Index j = 0; j < csr->right.size(); ++j) mass_[j] *= csr->right[j];
  if (csr->left.size() > 0 || csr->factor != 1) {
    row_scale_.assign(rows_, csr->factor);
    for (Index i = 0; i < csr->left.size(); ++i) row_scale_[i] *= csr->left[i];
  }
}

std::optional<CrossProducts::Counting> CrossProducts::counting() const {
  if (strategy_ != Strategy::entries || !terms_[0].source.unit()) return std::nullopt;
  constexpr std::uint64_t most_neighbours = std::numeric_limits<std::uint16_t>::max();
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  const SourceRows& source = terms_[0].source;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (Index j = 0; j < rows_; ++j) {
    const std::uint64_t neighbours = source.offset(j + 1) - source.offset(j);
    if (neighbours == 0) continue;
    if (neighbours > most_neighbours) return std::nullopt;
    smallest = std::min(smallest, mass_[j]);
    largest = std::max(largest, mass_[j]);
  }
  if (!(largest > 0) || largest - smallest > rounding * largest) return std::nullopt;
  return Counting{.source = source, .mass = largest};
}

// max_i (|C|h)_i max_kl |R_kl|
double CrossProducts::largest_product() {
  sum_.assign(rows_, 0.0);
  if (strategy_ == Strategy::whole) {
    // Kernels have no negative entries: |C|h = C h.
    multiply_whole(storage_of(*objective_->source), mass_.data(), 1, sum_.data(), threads_);
    return std::abs(*std::ranges::max_element(sum_, {}, [](double x) { return std::abs(x); })) *
           objective_->largest_cross;
  }
  for (const Term& term : terms_) {
    for (Index j = 0; j < rows_; ++j) {
      const double mass = term.factor * mass_[j];
      term.source.for_each(j, [&](Index i, double a) { sum_[i] += std::abs(a * mass); });
    }
  }
  double largest = 0;
  for (Index i = 0; i < rows_; ++i) {
    largest = std::max(largest, std::abs(row_scale(i) * sum_[i]));
  }
  return largest * objective_->largest_cross;
}

void CrossProducts::add_target_row(const Term& term, Index k, double amount, double* z) const {
  if (term.target == nullptr) {
    z[k] += term.factor * amount * objective_->cross_diagonal[k];
  } else {
    add_scaled(term.padded_target.data() + k * stride_, term.factor * amount, stride_, z);
  }
}

// Y_i += a_ij z for the entries of row j.
void CrossProducts::push(const Term& term, Index j, std::vector<double>& y) const {
  if (!term.source.dense()) {
    const auto entries = term.source.sparse_row(j);
    add_to_rows(entries.columns, entries.values, z_.data(), stride_, y.data());
    return;
  }
  const double* c = term.source.dense_row(j);
  for (Index i = 0; i < rows_; ++i) add_scaled(z_.data(), c[i], stride_, y.data() + i * stride_);
}

double CrossProducts::of_product(std::span<const double> shares, std::vector<double>& y) {
  std::fill(y.begin(), y.end(), 0.0);
  double form = 0;
  for (const Term& term : terms_) {
    // C (h r') R' = (C h)(R r)'
    std::fill(z_.begin(), z_.end(), 0.0);
    for (Index k = 0; k < columns_; ++k) add_target_row(term, k, shares[k], z_.data());
    sum_.assign(rows_, 0.0);
    if (strategy_ == Strategy::whole) {
      multiply_whole(storage_of(*objective_->source), mass_.data(), 1, sum_.data(), threads_);
    }
    for (Index j = 0; j < rows_ && strategy_ != Strategy::whole; ++j) {
      const double mass = mass_[j];
      term.source.for_each(j, [&](Index i, double a) { sum_[i] += a * mass; });
    }
    double h_c_h = 0;
    for (Index i = 0; i < rows_; ++i) {
      add_scaled(z_.data(), sum_[i], stride_, y.data() + i * stride_);
      h_c_h += objective_->weights[i] * row_scale(i) * sum_[i];
    }
    form += h_c_h * std::inner_product(shares.begin(), shares.end(), z_.begin(), 0.0);
  }
  return form;
}

void CrossProducts::add(Index j, std::span<const double> row, std::vector<double>& y) {
  const double h = objective_->weights[j];
  if (h == 0) return;
  const double scale = mass_[j] / h;
  for (const Term& term : terms_) {
    std::fill(z_.begin(), z_.end(), 0.0);
    for (Index k = 0; k < columns_; ++k) {
      if (row[k] != 0) add_target_row(term, k, scale * row[k], z_.data());
    }
    push(term, j, y);
  }
}

void CrossProducts::of_rows(std::span<const double> rows, Index row_stride,
                            std::vector<double>& y) {
  z_rows_.resize(rows_ * stride_);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Term& term = terms_[t];
    const TargetProduct target{
        .plan = rows.data(),
        .plan_stride = row_stride,
        .columns = columns_,
        .stride = stride_,
        .scale = mass_share_.empty() ? nullptr : mass_share_.data(),
        .factor = term.factor,
        .target = term.target != nullptr ? term.padded_target.data() : nullptr,
        .diagonal = objective_->cross_diagonal.data(),
        .z = z_rows_.data()};
    for_each_block(rows_, threads_, [&](Index, Index begin, Index end, int) {
      multiply_target(target, begin, end);
    });
    multiply_sources(t, y);
  }
}

// Y of z_rows_ = T R', what term t contributes.
void CrossProducts::multiply_sources(std::size_t t, std::vector<double>& y) {
  if (strategy_ == Strategy::whole) {
    multiply_whole(storage_of(*objective_->source), z_rows_.data(), stride_, y.data(), threads_);
    return;
  }
  // Rows of C gather what columns of C push: with two terms, those of the other one's source.
  const SourceProduct source{.source = terms_[terms_.size() - 1 - t].source,
                             .stride = stride_,
                             .z = z_rows_.data(),
                             .accumulate = t > 0,
                             .y = y.data()};
  for_each_block(rows_, threads_,
                 [&](Index, Index begin, Index end, int) { multiply_source(source, begin, end); });
}

void CrossProducts::of_flows(std::span<const TransportBasis::Flow> flows, std::vector<double>& y) {
  // One product remains, with C (n n m) or with R (n m m).
  if (strategy_ != Strategy::whole && terms_[0].source.dense() && columns_ < rows_) {
    used_.resize(columns_);
    std::iota(used_.begin(), used_.end(), NodeId{0});
    for (Term& term : terms_) sum_flow_columns(term, flows);
    multiply_columns(y);
    return;
  }
  z_rows_.resize(rows_ * stride_);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    multiply_flows(terms_[t], flows);
    multiply_sources(t, y);
  }
}

// (C X)' of a dense C.
void CrossProducts::sum_flow_columns(Term& term,
                                     std::span<const TransportBasis::Flow> flows) const {
  term.columns.assign(columns_ * rows_, 0.0);
  for (const auto& [j, k, mass] : flows) {
    add_scaled(term.source.dense_row(j), mass, rows_, term.columns.data() + k * rows_);
  }
}

// z_rows_ = X R'
void CrossProducts::multiply_flows(const Term& term, std::span<const TransportBasis::Flow> flows) {
  std::ranges::fill(z_rows_, 0.0);
  for (const auto& [j, k, mass] : flows) {
    const double amount = mass * (mass_share_.empty() ? 1.0 : mass_share_[j]);
    add_target_row(term, k, amount, z_rows_.data() + j * stride_);
  }
}

// Calls `visit(column, amount)` for the mass that row j takes from and gives to columns.
template <class Visit>
void CrossProducts::for_each_share(const Vertex* remove, const Vertex* add, Index j,
                                   const Visit& visit) const {
  const auto shares = [&](const Vertex& vertex, double mass) {
    const auto columns = vertex.columns_of(j);
    for (const NodeId k : columns) visit(k, mass / static_cast<double>(columns.size()));
  };
  if (remove != nullptr) shares(*remove, -mass_[j]);
  if (add != nullptr) shares(*add, mass_[j]);
}

void CrossProducts::of_vertex(const Vertex& vertex, std::vector<double>& y) {
  change(nullptr, vertex, all_rows(), y);
}

void CrossProducts::update(const Vertex& from, const Vertex& to, std::span<const NodeId> changed,
                           std::vector<double>& y) {
  change(&from, to, changed, y);
}

// Without `from` Y is made from scratch, and `changed` are all rows.
void CrossProducts::change(const Vertex* from, const Vertex& to, std::span<const NodeId> changed,
                           std::vector<double>& y) {
  if (strategy_ == Strategy::whole) {
    z_rows_.assign(rows_ * stride_, 0.0);
    for (Index j = 0; j < rows_; ++j) {
      for_each_share(nullptr, &to, j, [&](NodeId k, double amount) {
        add_target_row(terms_[0], k, amount, z_rows_.data() + j * stride_);
      });
    }
    multiply_sources(0, y);
    return;
  }
  if (strategy_ == Strategy::columns) {
    if (from == nullptr) {
      for (Term& term : terms_) term.columns.resize(columns_ * rows_);
      used_.clear();
      std::ranges::fill(is_used_, 0);
    }
    find_used_columns(to);
    change_columns(from, to, changed);
    if (!pushing_is_cheaper(changed)) {
      multiply_columns(y);
      return;
    }
  }
  if (from == nullptr) std::fill(y.begin(), y.end(), 0.0);
  if (strategy_ == Strategy::entries) {
    StopCounter stop;
    for (const NodeId j : changed) {
      stop.throw_if_stopped();
      for_each_share(from, &to, j, [&](NodeId k, double amount) {
        double* column = y.data() + k;
        const double value = amount * objective_->cross_diagonal[k];
        const Index stride = stride_;
        terms_[0].source.for_each(j, [=](Index i, double a) { column[i * stride] += a * value; });
      });
    }
  } else {
    push_rows(from, to, changed, y);
  }
}

// Each edge of a changed row costs an addition to a row of Y; a multiplication costs one for each
// row and column in use, but in registers.
bool CrossProducts::pushing_is_cheaper(std::span<const NodeId> changed) const {
  const SourceRows& source = terms_[0].source;
  if (source.dense()) return false;
  std::uint64_t edges = 0;
  for (const NodeId j : changed) {
    edges += source.offset(static_cast<Index>(j) + 1) - source.offset(j);
  }
  return 2 * edges + changed.size() < static_cast<std::uint64_t>(rows_) * used_.size();
}

void CrossProducts::push_rows(const Vertex* from, const Vertex& to, std::span<const NodeId> changed,
                              std::vector<double>& y) {
  const bool single = to.ties.rows.empty() && (from == nullptr || from->ties.rows.empty());
  for (const Term& term : terms_) {
    if (single && term.target != nullptr && can_push_moves(stride_)) {
      push_moves({.source = term.source,
                  .changed = changed,
                  .from = from != nullptr ? from->column.data() : nullptr,
                  .to = to.column.data(),
                  .mass = mass_.data(),
                  .factor = term.factor,
                  .target = term.padded_target.data(),
                  .stride = stride_,
                  .y = y.data()});
      continue;
    }
    StopCounter stop(64);
    for (const NodeId j : changed) {
      stop.throw_if_stopped();
      std::fill(z_.begin(), z_.end(), 0.0);
      for_each_share(from, &to, j,
                     [&](NodeId k, double amount) { add_target_row(term, k, amount, z_.data()); });
      push(term, j, y);
    }
  }
}

// Columns that come into use start from zero. Those that fall out of use are kept until the next
// rebuild: their products are zero up to rounding.
void CrossProducts::find_used_columns(const Vertex& vertex) {
  const auto use = [&](NodeId k) {
    if (is_used_[k] != 0) return;
    is_used_[k] = 1;
    used_.push_back(k);
    for (Term& term : terms_) {
      std::fill_n(term.columns.begin() + static_cast<Index>(k) * rows_, rows_, 0.0);
    }
  };
  for (const NodeId k : vertex.column) {
    if (k != tied) use(k);
  }
  for (const NodeId k : vertex.ties.columns) use(k);
}

std::span<const NodeId> CrossProducts::all_rows() {
  all_rows_.resize(rows_);
  std::iota(all_rows_.begin(), all_rows_.end(), NodeId{0});
  return all_rows_;
}

void CrossProducts::change_columns(const Vertex* from, const Vertex& to,
                                   std::span<const NodeId> changed) {
  for (Term& term : terms_) {
    if (term.source.dense()) {
      change_dense_columns(term, from, to, changed);
      continue;
    }
    for (const NodeId j : changed) {
      for_each_share(from, &to, j, [&](NodeId k, double amount) {
        double* column = term.columns.data() + static_cast<Index>(k) * rows_;
        term.source.for_each(j, [=](Index i, double a) { column[i] += a * amount; });
      });
    }
  }
}

// Each thread adds whole rows of C, but only its own range of them, so that the order of additions
// is the same for every number of threads.
void CrossProducts::change_dense_columns(Term& term, const Vertex* from, const Vertex& to,
                                         std::span<const NodeId> changed) {
  for_each_block(rows_, threads_, [&](Index, Index begin, Index end, int) {
    for (const NodeId j : changed) {
      for_each_share(from, &to, j, [&](NodeId k, double amount) {
        add_scaled(term.source.dense_row(j) + begin, amount, end - begin,
                   term.columns.data() + static_cast<Index>(k) * rows_ + begin);
      });
    }
  });
}

// Y_i = sum of the terms' factor sum_k columns_ki target_k
void CrossProducts::multiply_columns(std::vector<double>& y) {
  for_each_block(rows_, threads_, [this, &y](Index, Index begin, Index end, int) {
    constexpr Index work_between_polls = Index{1} << 26;
    const Index rows_between_polls =
        std::max(Index{4}, work_between_polls / (stride_ * std::max(Index{1}, std::ssize(used_))));
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const Term& term = terms_[t];
      if (term.target != nullptr) {
        const ColumnCombination sum{.rows = rows_,
                                    .stride = stride_,
                                    .used = used_,
                                    .columns = term.columns.data(),
                                    .target = term.padded_target.data(),
                                    .factor = term.factor,
                                    .accumulate = t > 0,
                                    .y = y.data()};
        for (Index i = begin; i < end; i += rows_between_polls) {
          throw_if_stopped();
          combine_columns(sum, i, std::min(end, i + rows_between_polls));
        }
        continue;
      }
      std::fill(y.begin() + begin * stride_, y.begin() + end * stride_, 0.0);
      for (const NodeId k : used_) {
        const double* column = term.columns.data() + static_cast<Index>(k) * rows_;
        const double scale = term.factor * objective_->cross_diagonal[k];
        for (Index i = begin; i < end; ++i) y[i * stride_ + k] = scale * column[i];
      }
    }
  });
}

double CrossProducts::vertex_form(const Vertex& vertex) const {
  // <X, C X R'> = sum_ij C_ij X_i R X_j'; both terms of Y have the same inner product with X.
  const SourceRows source(storage_of(*objective_->source));
  const auto target = [&](NodeId k, NodeId l) {
    if (objective_->diagonal) return k == l ? objective_->cross_diagonal[k] : 0.0;
    return objective_->cross(k, l);
  };
  double form = 0;
  for (Index i = 0; i < rows_; ++i) {
    const auto from = vertex.columns_of(i);
    double row = 0;
    source.for_each(i, [&](Index j, double a) {
      const auto to = vertex.columns_of(j);
      double pair = 0;
      for (const NodeId k : from) {
        for (const NodeId l : to) pair += target(k, l);
      }
      row += a * mass_[j] * pair / static_cast<double>(from.size() * to.size());
    });
    form += objective_->weights[i] * row_scale(i) * row;
  }
  return form;
}

}  // namespace srgw::detail

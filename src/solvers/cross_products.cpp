// SPDX-License-Identifier: MIT
#include "solvers/cross_products.hpp"

#include <algorithm>
#include <numeric>

#include "parallel.hpp"

namespace srgw::detail {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

void CrossProducts::prepare(const Objective& objective, Index stride, int threads) {
  objective_ = &objective;
  rows_ = objective.rows();
  columns_ = objective.columns();
  stride_ = stride;
  threads_ = threads;
  const Matrix* target = objective.diagonal ? nullptr : &objective.cross;
  if (objective.asymmetric()) {
    terms_.resize(2);
    terms_[0].source = SourceRows(objective.source_transposed->storage());  // C T R'
    terms_[0].target = &objective.cross_transposed;
    terms_[1].source = SourceRows(objective.source->storage());  // C'T R
    terms_[1].target = target;
    terms_[0].factor = terms_[1].factor = 0.5;
  } else {
    terms_.resize(1);
    terms_[0].source = SourceRows(objective.source->storage());
    terms_[0].target = target;
    terms_[0].factor = 1;
  }
  z_.assign(at(stride), 0.0);
  prepare_scaling(objective.source->storage());
}

void CrossProducts::prepare_scaling(const StructureStorage& source) {
  mass_.assign(objective_->weights.begin(), objective_->weights.end());
  row_scale_.clear();
  const auto* csr = std::get_if<CsrStorage>(&source.form);
  if (csr == nullptr) return;
  for (Index j = 0; j < csr->right.size(); ++j) mass_[at(j)] *= csr->right[j];
  if (csr->left.size() > 0 || csr->factor != 1) {
    row_scale_.assign(at(rows_), csr->factor);
    for (Index i = 0; i < csr->left.size(); ++i) row_scale_[at(i)] *= csr->left[i];
  }
}

void CrossProducts::add_target_row(const Term& term, Index k, double amount) {
  if (term.target == nullptr) {
    z_[at(k)] += term.factor * amount * objective_->cross_diagonal[k];
  } else {
    add_scaled(term.target->data() + k * columns_, term.factor * amount, columns_, z_.data());
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

// Calls `visit(column, amount)` for the mass that row j takes from and gives to columns.
template <class Visit>
void CrossProducts::for_each_share(const Vertex* remove, const Vertex* add, Index j,
                                   const Visit& visit) const {
  const auto shares = [&](const Vertex& vertex, double mass) {
    const auto columns = vertex.columns_of(j);
    for (const NodeId k : columns) visit(k, mass / static_cast<double>(columns.size()));
  };
  if (remove != nullptr) shares(*remove, -mass_[at(j)]);
  if (add != nullptr) shares(*add, mass_[at(j)]);
}

void CrossProducts::of_product(std::span<const double> shares, std::vector<double>& y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (const Term& term : terms_) {
    // C (h r') R' = (C h)(R r)'
    std::fill(z_.begin(), z_.end(), 0.0);
    for (Index k = 0; k < columns_; ++k) add_target_row(term, k, shares[at(k)]);
    sum_.assign(at(rows_), 0.0);
    for (Index j = 0; j < rows_; ++j) {
      const double mass = mass_[at(j)];
      term.source.for_each(j, [&](Index i, double a) { sum_[at(i)] += a * mass; });
    }
    for (Index i = 0; i < rows_; ++i) {
      add_scaled(z_.data(), sum_[at(i)], stride_, y.data() + i * stride_);
    }
  }
}

void CrossProducts::add(Index j, std::span<const double> row, std::vector<double>& y) {
  const double h = objective_->weights[at(j)];
  if (h == 0) return;
  const double scale = mass_[at(j)] / h;
  for (const Term& term : terms_) {
    std::fill(z_.begin(), z_.end(), 0.0);
    for (Index k = 0; k < columns_; ++k) {
      if (row[at(k)] != 0) add_target_row(term, k, scale * row[at(k)]);
    }
    push(term, j, y);
  }
}

// Y += what row j contributes to the vertex `add`, less what it did to `remove`; either may be
// absent.
void CrossProducts::push_vertex_row(const Vertex* remove, const Vertex* add, Index j,
                                    std::vector<double>& y) {
  for (const Term& term : terms_) {
    if (term.target == nullptr) {
      for_each_share(remove, add, j, [&](NodeId k, double amount) {
        double* column = y.data() + k;
        const double value = amount * term.factor * objective_->cross_diagonal[k];
        const Index stride = stride_;
        term.source.for_each(j, [=](Index i, double a) { column[i * stride] += a * value; });
      });
    } else {
      std::fill(z_.begin(), z_.end(), 0.0);
      for_each_share(remove, add, j,
                     [&](NodeId k, double amount) { add_target_row(term, k, amount); });
      push(term, j, y);
    }
  }
}

void CrossProducts::of_vertex(const Vertex& vertex, std::vector<double>& y) {
  if (dense_source()) {
    for (Term& term : terms_) term.columns.assign(at(columns_ * rows_), 0.0);
    change_columns(nullptr, vertex, all_rows());
    multiply_columns(y);
    return;
  }
  std::fill(y.begin(), y.end(), 0.0);
  for (Index j = 0; j < rows_; ++j) push_vertex_row(nullptr, &vertex, j, y);
}

void CrossProducts::update(const Vertex& from, const Vertex& to, std::span<const NodeId> changed,
                           std::vector<double>& y) {
  if (dense_source()) {
    change_columns(&from, to, changed);
    multiply_columns(y);
    return;
  }
  for (const NodeId j : changed) push_vertex_row(&from, &to, j, y);
}

std::span<const NodeId> CrossProducts::all_rows() {
  all_rows_.resize(at(rows_));
  std::iota(all_rows_.begin(), all_rows_.end(), NodeId{0});
  return all_rows_;
}

// Each thread adds whole rows of C, but only its own range of them, so that the order of additions
// is the same for every number of threads.
void CrossProducts::change_columns(const Vertex* from, const Vertex& to,
                                   std::span<const NodeId> changed) {
  for (Term& term : terms_) {
    parallel_for(block_count(rows_), threads_, [&](Index block, int) {
      const Index begin = block * block_rows;
      const Index length = std::min(block_rows, rows_ - begin);
      for (const NodeId j : changed) {
        for_each_share(from, &to, j, [&](NodeId k, double amount) {
          add_scaled(term.source.dense_row(j) + begin, amount, length,
                     term.columns.data() + static_cast<Index>(k) * rows_ + begin);
        });
      }
    });
  }
}

// Y_i = sum of the terms' factor sum_k columns_ki target_k
void CrossProducts::multiply_columns(std::vector<double>& y) {
  parallel_for(block_count(rows_), threads_, [&](Index block, int) {
    const Index end = std::min(rows_, (block + 1) * block_rows);
    std::fill(y.begin() + block * block_rows * stride_, y.begin() + end * stride_, 0.0);
    for (const Term& term : terms_) {
      for (Index i = block * block_rows; i < end; ++i) {
        double* row = y.data() + i * stride_;
        for (Index k = 0; k < columns_; ++k) {
          const double amount = term.factor * term.columns[at(k * rows_ + i)];
          if (term.target == nullptr) {
            row[k] += amount * objective_->cross_diagonal[k];
          } else if (amount != 0) {
            add_scaled(term.target->data() + k * columns_, amount, columns_, row);
          }
        }
      }
    }
  });
}

}  // namespace srgw::detail

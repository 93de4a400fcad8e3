// SPDX-License-Identifier: MIT
#include "srgw/structure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/overloaded.hpp"
#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "base/zeros.hpp"
#include "graph/csr_build.hpp"
#include "structure/entries.hpp"
#include "structure/plan_rows.hpp"
#include "structure/storage.hpp"

namespace srgw {

namespace {

using namespace detail;

/// op(C) in a product: C or C'.
enum class Op { plain, transpose };

template <class Visit>
void for_each_entry_of(Op op, const StructureStorage& storage, Visit visit) {
  if (op == Op::plain) {
    for_each_entry(storage, visit);
  } else {
    for_each_entry(storage, [&](Index i, Index j, double entry) { visit(j, i, entry); });
  }
}

/// h'(C o C)h
double sparse_square_form(const CsrStorage& form, VectorView h, int threads) {
  return with_rows(form.csr, [&](const auto& rows) {
    return sum_over_blocks(rows.size(), threads, 0.0, [&](Index begin, Index end) {
      double sum = 0;
      for (Index i = begin; i < end; ++i) {
        for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
          const auto j = Index{rows.columns[e]};
          const double entry = scaled_entry(form, i, j, rows.value(e));
          sum += h[i] * (entry * entry * h[j]);
        }
      }
      return sum;
    });
  });
}

/// op(C) X with Eigen's own loops.
template <class Result, class Operand>
Result multiply_dense(Op op, const Matrix& C, const Operand& X) {
  constexpr double long_work = 2e9;  // multiplications of about a second: polled after every panel
  constexpr Index panel_rows = 64;
  const Index n = C.rows();
  if (static_cast<double>(C.size()) * static_cast<double>(X.cols()) < long_work) {
    if (op == Op::plain) return C * X;
    return C.transpose() * X;
  }
  Result product(n, X.cols());
  for (Index begin = 0; begin < n; begin += panel_rows) {
    throw_if_stopped();
    const Index rows = std::min(panel_rows, n - begin);
    if (op == Op::plain) {
      product.middleRows(begin, rows).noalias() = C.middleRows(begin, rows) * X;
    } else {
      product.middleRows(begin, rows).noalias() = C.middleCols(begin, rows).transpose() * X;
    }
  }
  return product;
}

void check_size(const char* name, Index found, Index expected) {
  if (found != expected) {
    fail_argument("{} of size {}, expected {}, the size of the structure", name, found, expected);
  }
}

bool has_rows_stored(const StructureStorage& storage) {
  return std::visit([]<class Form>(const Form&) { return form_has_rows<Form>; }, storage.form);
}

Vector multiply(Op op, const StructureStorage& storage, VectorView x, int threads = 1) {
  check_size("a vector", x.size(), storage.size);
  Vector y = Vector::Zero(storage.size);
  if (!has_rows_stored(storage)) {  // and is symmetric
    multiply_whole(storage, x.data(), 1, y.data(), threads);
    return y;
  }
  if (const auto* dense = std::get_if<DenseStorage>(&storage.form)) {
    return multiply_dense<Vector>(op, dense->matrix, x);
  }
  for_each_entry_of(op, storage, [&](Index i, Index j, double entry) { y[i] += entry * x[j]; });
  return y;
}

/// (op(C) T)_ik = sum_j op(C)_ij T_jk, over stored entries and stored masses alone.
Matrix multiply_stored(Op op, const StructureStorage& storage, const Plan& plan) {
  Matrix product = zeros(storage.size, plan.columns());
  with_masses(plan, [&](const auto& masses) {
    for_each_entry_of(op, storage, [&](Index i, Index j, double entry) {
      masses(j, [&](Index k, double mass) { product(i, k) += entry * mass; });
    });
  });
  return product;
}

Matrix multiply(Op op, const StructureStorage& storage, const Plan& plan, int threads) {
  check_size("a plan", plan.rows(), storage.size);
  // C (h r') = (C h) r'
  if (const auto* product = std::get_if<ProductRows>(&plan.storage())) {
    return multiply(op, storage, plan.weights(), threads) * product->shares.transpose();
  }
  if (!has_rows_stored(storage)) {
    const Matrix T = plan.dense();
    Matrix Y = zeros(storage.size, T.cols());
    multiply_whole(storage, T.data(), T.cols(), Y.data(), threads);
    return Y;
  }
  const auto* C = std::get_if<DenseStorage>(&storage.form);
  const auto* T = std::get_if<Matrix>(&plan.storage());
  if (C && T) return multiply_dense<Matrix>(op, C->matrix, *T);
  return multiply_stored(op, storage, plan);
}

double stored_entry(const CsrStorage& form, Index row, Index column) {
  return with_rows(form.csr, [&](const auto& rows) {
    const auto begin = rows.columns.begin() + static_cast<std::ptrdiff_t>(rows.begin(row));
    const auto end = rows.columns.begin() + static_cast<std::ptrdiff_t>(rows.end(row));
    const auto found = std::lower_bound(begin, end, column);
    if (found == end || *found != column) return 0.0;
    const double a = rows.value(found - rows.columns.begin());
    return scaled_entry(form, row, column, a);
  });
}

}  // namespace

Index Structure::size() const { return storage_->size; }

bool Structure::symmetric() const { return storage_->symmetric; }

bool Structure::has_rows() const { return has_rows_stored(*storage_); }

double Structure::largest_entry() const { return storage_->largest_entry; }

Index Structure::entries() const {
  return std::visit(
      Overloaded{
          [](const DenseStorage& form) { return form.matrix.size(); },
          [](const CsrStorage& form) { return form.csr.entries(); },
          [&](const DiagonalStorage&) { return size(); },
          [](const LowRankStorage& form) { return form.factors.size(); },
          [](const ImplicitKernelStorage& form) { return form.walk.entries.entries(); },
      },
      storage_->form);
}

double Structure::error_bound() const {
  return std::visit(Overloaded{
                        [](const LowRankStorage& form) { return form.error; },
                        [](const ImplicitKernelStorage& form) { return detail::error_bound(form); },
                        [](const auto&) { return 0.0; },
                    },
                    storage_->form);
}

double Structure::at(Index row, Index column) const {
  if (std::min(row, column) < 0 || std::max(row, column) >= size()) {
    fail_argument("entry ({}, {}) asked of a structure of size {}, expected indices below it", row,
                  column, size());
  }
  return std::visit(Overloaded{
                        [&](const DenseStorage& form) { return form.matrix(row, column); },
                        [&](const CsrStorage& form) { return stored_entry(form, row, column); },
                        [&](const DiagonalStorage& form) {
                          return row == column ? diagonal_entry(form, row) : 0.0;
                        },
                        [&](const auto& form) {  // without rows
                          const Vector unit = Vector::Unit(size(), column);
                          return multiply(form, MatrixSpan(unit.data(), size(), 1), 1)(row, 0);
                        },
                    },
                    storage_->form);
}

Matrix Structure::product(const Plan& plan, int threads) const {
  return multiply(Op::plain, *storage_, plan, detail::resolve_threads(threads));
}

Matrix Structure::transposed_product(const Plan& plan, int threads) const {
  return multiply(Op::transpose, *storage_, plan, detail::resolve_threads(threads));
}

Vector Structure::product(VectorView x) const { return multiply(Op::plain, *storage_, x); }

Vector Structure::transposed_product(VectorView x) const {
  return multiply(Op::transpose, *storage_, x);
}

double Structure::square_form(VectorView weights, int threads) const {
  return square_form_estimate(weights, threads).value;
}

SquareForm Structure::square_form_estimate(VectorView weights, int threads) const {
  check_size("weights", weights.size(), size());
  threads = detail::resolve_threads(threads);
  if (largest_entry() > largest_entry_to_square) {
    fail_argument("the structure has an entry of size {}, expected at most {}: its square is used",
                  largest_entry(), largest_entry_to_square);
  }
  return std::visit(Overloaded{
                        [&](const DenseStorage& form) {
                          double sum = 0;
                          for (Index i = 0; i < size(); ++i) {
                            sum += weights[i] *
                                   form.matrix.row(i).cwiseAbs2().dot(weights.transpose());
                          }
                          return SquareForm{.value = sum};
                        },
                        [&](const LowRankStorage& form) {
                          return SquareForm{.value = detail::square_form(form, weights)};
                        },
                        [&](const ImplicitKernelStorage& form) {
                          return detail::square_form(form, weights, threads);
                        },
                        [&](const CsrStorage& form) {
                          return SquareForm{.value = sparse_square_form(form, weights, threads)};
                        },
                        [&](const DiagonalStorage& form) {
                          double sum = 0;
                          for_each_entry(form, size(), [&](Index i, Index, double entry) {
                            sum += weights[i] * (entry * entry * weights[i]);
                          });
                          return SquareForm{.value = sum};
                        },
                    },
                    storage_->form);
}

Structure Structure::transposed() const {
  if (symmetric()) return *this;
  return std::visit(
      Overloaded{
          [](const DenseStorage& form) { return dense(form.matrix.transpose(), false); },
          // (factor left_i a_ij right_j)' = factor right_i a_ji left_j
          [](const CsrStorage& form) {
            return scaled_csr(transpose(form.csr), form.right, form.left, form.factor, false);
          },
          [&](const auto&) { return *this; },  // symmetric
      },
      storage_->form);
}

Structure Structure::symmetrized() const {
  if (symmetric()) return *this;
  return std::visit(Overloaded{
                        [](const DenseStorage& form) {
                          return dense(form.matrix / 2 + form.matrix.transpose() / 2, true);
                        },
                        [](const CsrStorage& form) {
                          const auto mean = [&](const EntryPair& pair) {
                            const auto [entry, mirrored] = scaled_entries(form, pair);
                            return std::midpoint(entry, mirrored);
                          };
                          return csr(unite(form.csr, transpose(form.csr), mean), true);
                        },
                        [&](const auto&) { return *this; },  // symmetric
                    },
                    storage_->form);
}

Matrix Structure::dense() const {
  if (!has_rows()) check_size_without_rows(size());
  Matrix C = zeros(size(), size());
  for_each_entry(*storage_, [&](Index i, Index j, double entry) { C(i, j) = entry; });
  return C;
}

}  // namespace srgw

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/structure.hpp"
#include "structure/entries.hpp"
#include "structure/storage.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr double symmetry_tolerance = 1e-12;  // of the largest entry

/// The largest |C_ij|; throws when an entry is not finite.
double find_largest_entry(const StructureStorage& storage) {
  double largest = 0;
  const auto look = [&](Index row, Index column, double entry) {
    if (!std::isfinite(entry)) {
      fail_argument("entry ({}, {}) of the structure is {}, expected a finite number", row, column,
                    entry);
    }
    largest = std::max(largest, std::abs(entry));
  };
  // A constant diagonal is looked at once, however long it is.
  const auto* diagonal = std::get_if<DiagonalStorage>(&storage.form);
  const Index size = diagonal != nullptr && diagonal->entries.size() == 0 ? 1 : storage.size;
  std::visit([&](const auto& form) { for_each_entry(form, size, look); }, storage.form);
  return largest;
}

/// The largest |C_ij| of rows without values, whose largest entry is where the largest factor is:
/// rounding keeps the order of products.
double find_largest_entry_of_ones(const StructureStorage& storage, const CsrStorage& form) {
  double largest = 0;
  bool finite = true;
  with_rows(form.csr, [&](const auto& rows) {
    for (Index row = 0; row < rows.size(); ++row) {
      if (rows.begin(row) == rows.end(row)) continue;
      double right = form.right.size() == 0 ? 1.0 : 0.0;
      for (std::size_t e = rows.begin(row); form.right.size() != 0 && e < rows.end(row); ++e) {
        right = std::max(right, std::abs(form.right[rows.columns[e]]));
      }
      const double left = form.left.size() == 0 ? 1.0 : form.left[row];
      const double entry = std::abs(form.factor * (left * right));
      finite = finite && std::isfinite(entry);
      largest = std::max(largest, entry);
    }
  });
  return finite ? largest : find_largest_entry(storage);  // says where it is not
}

double largest_entry_of(const StructureStorage& storage) {
  const auto* rows = std::get_if<CsrStorage>(&storage.form);
  return rows != nullptr && !rows->csr.has_values() ? find_largest_entry_of_ones(storage, *rows)
                                                    : find_largest_entry(storage);
}

bool is_symmetric(const DenseStorage& form, double bound) {
  const Matrix& C = form.matrix;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (!(std::abs(C(i, j) - C(j, i)) <= bound)) return false;
    }
  }
  return true;
}

bool is_symmetric(const CsrStorage& form, double bound) {
  bool symmetric = true;
  for_each_pair(form.csr, transpose(form.csr), [&](const EntryPair& pair) {
    const auto [entry, mirrored] = scaled_entries(form, pair);
    symmetric = symmetric && std::abs(entry - mirrored) <= bound;
  });
  return symmetric;
}

bool is_symmetric(const DiagonalStorage&, double) { return true; }

/// A symmetric structure without rows.
template <class Form>
std::shared_ptr<const StructureStorage> make_whole_storage(Form form, Index size) {
  const double bound = largest_entry_bound(form);
  if (!std::isfinite(bound)) {
    fail_argument("entries of the structure are bounded by {}, expected a finite number", bound);
  }
  return std::make_shared<StructureStorage>(StructureStorage{
      .form = std::move(form), .size = size, .symmetric = true, .largest_entry = bound});
}

void check_scaling(const char* name, const Vector& scaling, Index size) {
  if (scaling.size() != 0 && scaling.size() != size) {
    fail_argument("{} has {} entries, expected {} or none", name, scaling.size(), size);
  }
  for (Index i = 0; i < scaling.size(); ++i) {
    if (!std::isfinite(scaling[i])) {
      fail_argument("{}[{}] is {}, expected a finite number", name, i, scaling[i]);
    }
  }
}

void check_factor(const char* name, double factor) {
  if (!std::isfinite(factor)) fail_argument("{} is {}, expected a finite number", name, factor);
}

template <class Form>
std::shared_ptr<const StructureStorage> make_storage(Form form, Index size,
                                                     std::optional<bool> symmetric) {
  auto storage = std::make_shared<StructureStorage>();
  storage->form = std::move(form);
  storage->size = size;
  storage->largest_entry = largest_entry_of(*storage);
  storage->symmetric = symmetric ? *symmetric
                                 : is_symmetric(std::get<Form>(storage->form),
                                                symmetry_tolerance * storage->largest_entry);
  return storage;
}

}  // namespace

Structure Structure::dense(Matrix matrix, std::optional<bool> symmetric) {
  const Index size = matrix.rows();
  if (matrix.cols() != size) {
    fail_argument("the structure is {} x {}, expected a square matrix", size, matrix.cols());
  }
  check_row_count(size);
  return Structure(make_storage(DenseStorage{std::move(matrix)}, size, symmetric));
}

Structure Structure::csr(Csr entries, std::optional<bool> symmetric) {
  return scaled_csr(std::move(entries), {}, {}, 1, symmetric);
}

Structure Structure::scaled_csr(Csr entries, Vector left, Vector right, double factor,
                                std::optional<bool> symmetric) {
  check(entries);
  const Index size = entries.rows();
  check_scaling("left", left, size);
  check_scaling("right", right, size);
  check_factor("factor", factor);
  return Structure(make_storage(
      CsrStorage{std::move(entries), std::move(left), std::move(right), factor}, size, symmetric));
}

Structure Structure::diagonal(Vector entries) {
  const Index size = entries.size();
  check_row_count(size);
  return Structure(make_storage(DiagonalStorage{std::move(entries), 1}, size, true));
}

Structure Structure::scaled_identity(Index size, double scale) {
  check_row_count(size);
  check_factor("scale", scale);
  return Structure(std::make_shared<StructureStorage>(StructureStorage{
      .form = DiagonalStorage{{}, scale}, .size = size, .largest_entry = std::abs(scale)}));
}

namespace {

/// Brings columns far from 1 to size 1 by powers of two, which the values take up: factors are
/// multiplied with each other before values are, and must not overflow alone. Columns without a
/// part in the matrix become 0.
void balance(Matrix& factors, Vector& values) {
  constexpr int ordinary = 100;
  for (Index j = 0; j < values.size(); ++j) {
    const double largest = factors.col(j).cwiseAbs().maxCoeff();
    if (largest == 0 || values[j] == 0) {
      factors.col(j).setZero();
      values[j] = 0;
      continue;
    }
    const int exponent = std::ilogb(largest);
    if (std::abs(exponent) <= ordinary) continue;
    for (double& factor : factors.col(j)) factor = std::ldexp(factor, -exponent);
    values[j] = std::ldexp(values[j], 2 * exponent);  // what overflows is refused with its bound
  }
}

}  // namespace

Structure Structure::low_rank(Matrix factors, Vector values, double error) {
  const Index size = factors.rows();
  check_row_count(size);
  if (factors.cols() == 0 || values.size() != factors.cols()) {
    fail_argument("{} x {} factors with {} values, expected one for each column, and at least one",
                  size, factors.cols(), values.size());
  }
  if (!factors.allFinite() || !values.allFinite()) {
    fail_argument("factors or values of a low rank that are not finite, expected finite numbers");
  }
  if (!(error >= 0 && std::isfinite(error))) {
    fail_argument("the error of a low rank is {}, expected a finite number that is not negative",
                  error);
  }
  balance(factors, values);
  return Structure(
      make_whole_storage(LowRankStorage{std::move(factors), std::move(values), error}, size));
}

Structure detail::implicit_structure(ImplicitKernelStorage kernel) {
  const Index size = kernel.walk.size();
  return StructureAccess::make(make_whole_storage(std::move(kernel), size));
}

}  // namespace srgw

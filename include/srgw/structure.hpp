// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "srgw/graph.hpp"
#include "srgw/plan.hpp"
#include "srgw/types.hpp"

namespace srgw {

namespace detail {
struct StructureStorage;
struct StructureAccess;  // src/structure/storage.hpp: only structures and kernels look inside
}  // namespace detail

/// h'(C o C)h and how far it may be off.
struct SquareForm {
  double value = 0;
  double error = 0;   ///< four standard errors of an estimate; 0 when exact
  bool exact = true;  ///< up to rounding and Structure::error_bound()
};

/// A square matrix C seen through its operations, whatever it is stored as. An immutable value,
/// cheap to copy.
class Structure {
 public:
  /// Throws when the matrix is empty, not square, or has an entry that is not finite. `symmetric`
  /// states what is known; without it the entries are compared (to 1e-12 of the largest one).
  static Structure dense(Matrix matrix, std::optional<bool> symmetric = {});
  static Structure csr(Csr entries, std::optional<bool> symmetric = {});
  /// C_ij = factor * left_i a_ij right_j, with nothing copied. An empty vector stands for ones.
  static Structure scaled_csr(Csr entries, Vector left, Vector right, double factor,
                              std::optional<bool> symmetric = {});
  static Structure diagonal(Vector entries);
  static Structure scaled_identity(Index size, double scale = 1);
  /// C = factors diag(values) factors' with factors n x r. `error` states how far it is, in the
  /// spectral norm, from the matrix that is meant.
  static Structure low_rank(Matrix factors, Vector values, double error = 0);

  [[nodiscard]] Index size() const;
  [[nodiscard]] bool symmetric() const;
  /// False: known through whole products only (low rank, implicit kernel).
  [[nodiscard]] bool has_rows() const;
  /// Numbers that are stored, and so the cost of a product with an assignment; of an implicit
  /// kernel those of its walk, and a product goes through them once for each degree of its series.
  [[nodiscard]] Index entries() const;
  /// The largest |C_ij|; without rows an upper bound.
  [[nodiscard]] double largest_entry() const;
  /// How far C is from the matrix that is meant, in the spectral norm and up to rounding: not 0
  /// only for implicit kernels (the rest of the series) and low ranks (the pairs left out).
  [[nodiscard]] double error_bound() const;
  /// One entry; slow for a sparse storage, and a whole product for an implicit kernel.
  [[nodiscard]] double at(Index row, Index column) const;

  /// C T and C' T (n x m). The slow, obvious path that the tests compare the kernels with; without
  /// rows it is the only path. `threads` as in Run; the result does not depend on them.
  [[nodiscard]] Matrix product(const Plan& plan, int threads = 0) const;
  [[nodiscard]] Matrix transposed_product(const Plan& plan, int threads = 0) const;
  /// C x and C' x.
  [[nodiscard]] Vector product(VectorView x) const;
  [[nodiscard]] Vector transposed_product(VectorView x) const;
  /// h'(C o C)h, the constant of the square loss. Throws when an entry is above 1e150.
  [[nodiscard]] double square_form(VectorView weights, int threads = 0) const;
  /// square_form() with its error: exact for all but implicit kernels of more than 5,000 nodes,
  /// which are estimated from 48 products with fixed random vectors. Weights must not be negative
  /// there.
  [[nodiscard]] SquareForm square_form_estimate(VectorView weights, int threads = 0) const;

  [[nodiscard]] Structure transposed() const;
  /// (C + C')/2; the value itself when symmetric.
  [[nodiscard]] Structure symmetrized() const;
  /// The n x n array. Throws a resource error when its size overflows, or is above 20,000 without
  /// rows.
  [[nodiscard]] Matrix dense() const;

 private:
  friend struct detail::StructureAccess;
  explicit Structure(std::shared_ptr<const detail::StructureStorage> storage)
      : storage_(std::move(storage)) {}
  std::shared_ptr<const detail::StructureStorage> storage_;
};

/// The result of a transform of a graph: a structure and the node weights that go with it.
struct Source {
  Structure structure;
  Vector weights;  ///< h (n): non-negative, sums to 1
};

}  // namespace srgw

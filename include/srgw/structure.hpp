// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "srgw/csr.hpp"
#include "srgw/plan.hpp"
#include "srgw/types.hpp"

namespace srgw {

namespace detail {
struct StructureStorage;  // src/structure/storage.hpp: only structures and kernels look inside
}

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

  [[nodiscard]] Index size() const;
  [[nodiscard]] bool symmetric() const;
  /// Entries that are stored, and so the cost of a product with an assignment.
  [[nodiscard]] Index entries() const;
  /// The largest |C_ij|.
  [[nodiscard]] double largest_entry() const;
  /// One entry; slow for a sparse storage.
  [[nodiscard]] double at(Index row, Index column) const;

  /// C T and C' T (n x m). The slow, obvious path that the tests compare the kernels with.
  [[nodiscard]] Matrix product(const Plan& plan) const;
  [[nodiscard]] Matrix transposed_product(const Plan& plan) const;
  /// C x and C' x.
  [[nodiscard]] Vector product(VectorView x) const;
  [[nodiscard]] Vector transposed_product(VectorView x) const;
  /// h'(C o C)h, the constant of the square loss. Throws when an entry is above 1e150.
  [[nodiscard]] double square_form(VectorView weights) const;

  [[nodiscard]] Structure transposed() const;
  /// (C + C')/2; the value itself when symmetric.
  [[nodiscard]] Structure symmetrized() const;
  /// The n x n array. Throws a resource error when its size overflows.
  [[nodiscard]] Matrix dense() const;

  [[nodiscard]] const detail::StructureStorage& storage() const { return *storage_; }

 private:
  explicit Structure(std::shared_ptr<const detail::StructureStorage> storage)
      : storage_(std::move(storage)) {}
  std::shared_ptr<const detail::StructureStorage> storage_;
};

/// What a transform makes of a graph: a structure and the node weights that go with it.
struct Source {
  Structure structure;
  Vector weights;  ///< h (n): non-negative, sums to 1
};

}  // namespace srgw

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "srgw/graph.hpp"
#include "srgw/structure.hpp"
#include "structure/chebyshev.hpp"

namespace srgw::detail {

/// With entries up to here, and costs up to their squares, no term of an objective overflows.
inline constexpr double largest_entry_to_square = 1e150;

struct DenseStorage {
  Matrix matrix;
};

/// C_ij = factor * left_i a_ij right_j; an empty vector stands for ones.
struct CsrStorage {
  Csr csr;
  Vector left, right;
  double factor = 1;
};

/// Diagonal matrix; an empty vector stands for a constant diagonal.
struct DiagonalStorage {
  Vector entries;
  double scale = 1;
};

/// C = factors diag(values) factors', known through products only.
struct LowRankStorage {
  Matrix factors;  ///< n x r
  Vector values;   ///< r
  double error = 0;
};

/// C = factor diag(outer) exp(-t(I - N)) diag(outer) with N a walk and the exponential a Chebyshev
/// series: known through products only. An empty outer stands for ones.
struct ImplicitKernelStorage {
  Walk walk;
  HeatSeries series;
  Vector outer;
  double factor = 1;
};

/// Whether inner loops could read rows of a storage.
template <class Form>
inline constexpr bool form_has_rows =
    !std::is_same_v<Form, LowRankStorage> && !std::is_same_v<Form, ImplicitKernelStorage>;

/// The list of storages. Only structures and kernels look inside.
struct StructureStorage {
  std::variant<DenseStorage, CsrStorage, DiagonalStorage, LowRankStorage, ImplicitKernelStorage>
      form;
  Index size = 0;
  bool symmetric = true;
  double largest_entry = 0;  ///< a bound where entries are not stored
};

struct StructureAccess {
  static const StructureStorage& storage(const Structure& structure) { return *structure.storage_; }
  static Structure make(std::shared_ptr<const StructureStorage> storage) {
    return Structure(std::move(storage));
  }
};
[[nodiscard]] inline const StructureStorage& storage_of(const Structure& structure) {
  return StructureAccess::storage(structure);
}

/// A kernel that is never formed.
[[nodiscard]] Structure implicit_structure(ImplicitKernelStorage kernel);

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <variant>

#include "srgw/csr.hpp"
#include "srgw/types.hpp"

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

/// The list of storages. Only structures and kernels look inside.
struct StructureStorage {
  std::variant<DenseStorage, CsrStorage, DiagonalStorage> form;
  Index size = 0;
  bool symmetric = true;
  double largest_entry = 0;
};

}  // namespace srgw::detail

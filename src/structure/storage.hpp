// SPDX-License-Identifier: MIT
#pragma once

#include <variant>

#include "srgw/csr.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

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

// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// N = diag(scale) A diag(scale) + (u v' + v u')/2, a symmetric matrix with spectrum in [-1, 1]: a
/// random walk seen in the right coordinates, and I - N its normalised Laplacian. An empty scale
/// stands for ones, empty u and v for zeros; they hold the jumps of a walk with teleports, which
/// would make a sparse matrix dense.
struct Walk {
  Csr entries;
  Vector scale;
  Vector u, v;

  [[nodiscard]] Index size() const { return entries.rows(); }
};

/// The n x n array of N.
[[nodiscard]] Matrix dense_walk(const Walk& walk);

}  // namespace srgw::detail

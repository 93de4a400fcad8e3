// SPDX-License-Identifier: MIT
#include "structure/walk.hpp"

#include "base/zeros.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

Matrix dense_walk(const Walk& walk) {
  Matrix N = zeros(walk.size(), walk.size());
  for_each_entry(walk.entries, [&](Index i, Index j, double a) {
    N(i, j) = walk.scale.size() == 0 ? a : walk.scale[i] * a * walk.scale[j];
  });
  if (walk.u.size() > 0) {
    N += 0.5 * (walk.u * walk.v.transpose() + walk.v * walk.u.transpose());
  }
  return N;
}

}  // namespace srgw::detail

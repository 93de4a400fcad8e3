// SPDX-License-Identifier: MIT
#include "structure/mirror_triangle.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace srgw::detail {

void mirror_triangle(Matrix& matrix, Triangle from, int threads) {
  constexpr Index tile = 64;  // of which both sides stay in the cache
  const Index n = matrix.rows();
  parallel_for((n + tile - 1) / tile, resolve_threads(threads), [&](Index item, int) {
    const Index end = std::min(n, (item + 1) * tile);
    for (Index first = 0; first < end; first += tile) {
      for (Index i = item * tile; i < end; ++i) {
        for (Index j = first; j < std::min(i, first + tile); ++j) {
          if (from == Triangle::lower) {
            matrix(j, i) = matrix(i, j);
          } else {
            matrix(i, j) = matrix(j, i);
          }
        }
      }
    }
  });
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "structure/whole_product.hpp"

#include "structure/chebyshev.hpp"
#include "structure/low_rank.hpp"

namespace srgw::detail {

void multiply_whole(const StructureStorage& storage, const double* x, Index columns, double* y,
                    int threads) {
  if (const auto* kernel = std::get_if<ImplicitKernelStorage>(&storage.form)) {
    apply(*kernel, x, columns, y, threads);
    return;
  }
  Eigen::Map<Matrix>(y, storage.size, columns) =
      multiply(std::get<LowRankStorage>(storage.form),
               Eigen::Map<const Matrix>(x, storage.size, columns), threads);
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

#include "structure/storage.hpp"

namespace srgw::detail {

/// Y = C X of a storage without rows; x and y are row-major n x columns arrays.
void multiply_whole(const StructureStorage& storage, const double* x, Index columns, double* y,
                    int threads);

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/types.hpp"

namespace srgw::detail {

enum class Triangle { lower, upper };

/// Copies one triangle of a square matrix to the other side of its diagonal.
void mirror_triangle(Matrix& matrix, Triangle from, int threads);

}  // namespace srgw::detail

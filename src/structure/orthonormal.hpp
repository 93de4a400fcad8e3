// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Entries 1 and -1; row i draws from stream (seed, i).
[[nodiscard]] Matrix random_signs(Index rows, Index columns, std::uint64_t seed, int threads);

/// An orthonormal basis of the columns, without directions that are rounding alone.
[[nodiscard]] Matrix orthonormal(const Matrix& Y);

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace srgw::detail {

/// 2^53: doubles hold every whole number up to this one, and JSON and .npy files pass on no more.
constexpr std::int64_t largest_exact_integer = std::int64_t{1} << 53;

}  // namespace srgw::detail

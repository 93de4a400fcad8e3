// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace srgw::detail {

/// The numbers of a dense vector or array as a span, row by row.
[[nodiscard]] auto span_of(auto&& dense) {
  return std::span(dense.data(), static_cast<std::size_t>(dense.size()));
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

namespace srgw::detail {

/// One function object from several, for std::visit.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

// Clang 14 does not deduce aggregates.
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace srgw::detail

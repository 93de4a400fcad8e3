// SPDX-License-Identifier: MIT
#pragma once

namespace srgw::detail {

/// One function object from several, for std::visit.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace srgw::detail

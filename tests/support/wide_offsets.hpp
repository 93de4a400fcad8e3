// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"

namespace srgw::test {

/// The same matrix with 64-bit offsets, which small matrices do not get by themselves.
inline Csr with_wide_offsets(Csr csr) {
  csr.offsets = std::visit(
      [](const auto& offsets) {
        return SharedArray(std::vector<std::uint64_t>(offsets.begin(), offsets.end()));
      },
      csr.offsets);
  return csr;
}

}  // namespace srgw::test

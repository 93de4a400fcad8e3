// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"

namespace srgw::detail {

/// Findings of one pass over a matrix, without a transposed copy.
struct Mirrors {
  bool complete = false;  ///< each stored entry has a stored mirror of equal weight
  Index self_loops = 0;   ///< counted only if complete
};
/// A matrix that is symmetric may be incomplete: a zero may be stored on one side alone.
[[nodiscard]] Mirrors find_mirrors(const Csr& csr, int threads);

}  // namespace srgw::detail

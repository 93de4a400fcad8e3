// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "srgw/types.hpp"
#include "structure/chebyshev.hpp"

namespace srgw::detail {

enum class Leading { largest, largest_absolute };

struct LeadingPairs {
  Vector values;   ///< the leading first
  Matrix vectors;  ///< orthonormal columns
};

/// Leading eigenpairs of a walk: from its dense matrix if that is small, else by restarted block
/// Krylov iteration from random vectors. `rounds` restarts at most; it ends earlier when residuals
/// are below `tolerance`. The same bits on any number of threads.
struct LeadingRules {
  Index wanted = 1;
  Leading which = Leading::largest_absolute;
  double tolerance = 1e-8;
  int rounds = 30;
  std::uint64_t seed = 0;
  int threads = 1;
};
[[nodiscard]] LeadingPairs leading_pairs(const Walk& walk, const LeadingRules& rules);

}  // namespace srgw::detail

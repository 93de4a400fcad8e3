// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Running means of gradients and of their squares.
struct AdamMoments {
  Atom first, second;
  std::int64_t steps = 0;

  AdamMoments() = default;
  AdamMoments(Index size, Index columns);
};

/// One step; entries of B stay at 0 or above where `clamp` says so. Entries that never had a
/// gradient do not move.
void adam_step(const AdamSteps& steps, const Atom& gradient, bool clamp, AdamMoments& moments,
               Atom& atom);

}  // namespace srgw::detail

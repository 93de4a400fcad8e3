// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "dictionary/model_parts.hpp"

namespace srgw::detail {

// What checkpoints of a dataset and of a stream have in common.

void describe_moments(auto& parts, auto& moments) {
  describe_atom(parts, "first_moment", moments.first);
  describe_atom(parts, "second_moment", moments.second);
  parts.value("steps", moments.steps);
}

void describe_sums(auto& parts, const std::string& name, auto& sums) {
  parts.array(name + "_cross", sums.cross);
  parts.array(name + "_uses", sums.uses);
  parts.array(name + "_features", sums.features);
  parts.array(name + "_masses", sums.masses);
  parts.numbers(name + "_numbers", sums.kappa, sums.squares, sums.extra, sums.value, sums.count,
                sums.symmetric);
}

}  // namespace srgw::detail

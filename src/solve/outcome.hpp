// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/run.hpp"

namespace srgw::detail {

/// Where a run of a method ended.
struct Outcome {
  Status status = Status::iteration_limit;
  int iterations = 0;
  double gap = 0;
  bool cut = false;         ///< stopped within a step: sums are those that were carried along
  bool unfinished = false;  ///< the step asks to go on from its plan in another form
};

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/samples.hpp"

namespace srgw::python {

/// Structures, weights and features of graphs, for several calls.
struct Samples {
  std::vector<Sample> all;
};

}  // namespace srgw::python

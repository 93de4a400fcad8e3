// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/samples.hpp"

namespace srgw::python {

/// Graphs as dictionaries see them, made once and used by any number of calls.
struct Samples {
  std::vector<Sample> all;
};

}  // namespace srgw::python

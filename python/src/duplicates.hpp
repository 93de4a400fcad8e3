// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "srgw/graph.hpp"

namespace srgw::python {

inline Duplicates duplicates_from(const std::string& word) {
  if (word == "refuse") return Duplicates::refuse;
  if (word == "sum") return Duplicates::sum;
  if (word == "max") return Duplicates::maximum;
  if (word == "first") return Duplicates::first;
  const std::string message = "duplicates is '" + word + "', expected refuse, sum, max or first";
  throw nanobind::value_error(message.c_str());
}

}  // namespace srgw::python

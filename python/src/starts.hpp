// SPDX-License-Identifier: MIT
//
// Plans that solvers start from, as Python gives them.
#pragma once

#include <string>
#include <variant>

#include "arrays.hpp"
#include "srgw/plan.hpp"

namespace srgw::python {

/// A name, an (n, m) array or the (n,) columns of the rows.
using StartGiven = std::variant<std::string, Array2, Array1<NodeId>>;

/// The plan of a start that is not a name.
inline Plan plan_from(const StartGiven& given, const VectorSpan& weights, Index columns) {
  if (const auto* rows = std::get_if<Array2>(&given)) return Plan::from_dense(weights, view(*rows));
  return Plan::from_labels(weights, span(std::get<Array1<NodeId>>(given)), columns);
}

}  // namespace srgw::python

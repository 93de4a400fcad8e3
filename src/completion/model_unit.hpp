// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "baselines/gdl/unmixer.hpp"
#include "dictionary/sample_scale.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// Calls work(model, graph, run) in the unit of the model, and brings its answer back.
template <class Model, class Work>
[[nodiscard]] Completion complete_in_unit(const Model& model, const PartialGraph& graph,
                                          const Run& run, const Work& work) {
  const int exponent = std::ilogb(model.unit);
  Model scaled = times_power_of_two(model, -exponent);
  PartialGraph part = graph;
  part.structure *= std::ldexp(1.0, -exponent);
  part.features *= std::ldexp(1.0, -exponent);
  Completion answer = work(scaled, part, with_values_times(run, 2 * exponent));
  answer.unit = model.unit;
  answer.structure *= model.unit;
  answer.features *= model.unit;
  answer.value = std::ldexp(answer.value, 2 * exponent);
  multiply(answer.values, 2 * exponent);
  for (Index e = 0; e < graph.free.size(); ++e) {
    if (graph.free.data()[e] == 0) answer.probabilities.data()[e] = graph.structure.data()[e];
  }
  return answer;
}

}  // namespace srgw::detail

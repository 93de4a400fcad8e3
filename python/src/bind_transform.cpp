// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/transform.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

nb::tuple source(const Graph& graph, const std::string& structure, int threads) {
  Source made = watched([&] { return make_source(graph, parse_structure(structure), threads); });
  return nb::make_tuple(std::move(made.structure), to_numpy(std::move(made.weights)));
}

}  // namespace

void bind_transform(nb::module_& module) {
  module.def("make_source", &source, "graph"_a, "structure"_a, "threads"_a,
             "By name: adjacency, heat:5, ...");
  module.def("fixes_weights", [](const std::string& structure) {
    return parse_structure(structure).row->fixes_weights;
  });
  module.def(
      "mass", [](const Array1<double>& weights) { return view(weights).sum(); }, "weights"_a);
  module.def("uniform_weights", [](Index nodes) { return to_numpy(uniform_weights(nodes)); });
  module.def("degree_weights", [](const Graph& graph) { return to_numpy(degree_weights(graph)); });
  module.def(
      "power_weights",
      [](const Graph& graph, double exponent) { return to_numpy(power_weights(graph, exponent)); },
      "graph"_a, "exponent"_a);
}

}  // namespace srgw::python

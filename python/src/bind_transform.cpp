// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/transform.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

// Structure and weights, made without the GIL.
template <class Make>
nb::tuple source(const Make& make) {
  std::optional<Source> made;
  {
    const nb::gil_scoped_release released;
    made.emplace(make());
  }
  return nb::make_tuple(std::move(made->structure), to_numpy(std::move(made->weights)));
}

template <auto Transform>
nb::tuple plain(const Graph& graph) {
  return source([&] { return Transform(graph); });
}

}  // namespace

void bind_transform(nb::module_& module) {
  module.def("adjacency", &plain<&adjacency>, "graph"_a);
  module.def("normalized_adjacency", &plain<&normalized_adjacency>, "graph"_a);
  module.def("modularity_structure", &plain<&modularity>, "graph"_a);
  module.def("laplacian", &plain<&laplacian>, "graph"_a);
  module.def("normalized_laplacian", &plain<&normalized_laplacian>, "graph"_a);
  module.def(
      "shortest_path",
      [](const Graph& graph, std::optional<double> unreachable, int threads) {
        return source([&] { return shortest_path(graph, unreachable, threads); });
      },
      "graph"_a, "unreachable"_a.none(), "threads"_a);
  module.def(
      "heat_kernel",
      [](const Graph& graph, double t, int threads) {
        return source([&] { return heat_kernel(graph, t, threads); });
      },
      "graph"_a, "t"_a, "threads"_a);
  module.def(
      "implicit_heat_kernel",
      [](const Graph& graph, double t, double tolerance, int threads) {
        return source([&] { return implicit_heat_kernel(graph, t, tolerance, threads); });
      },
      "graph"_a, "t"_a, "tolerance"_a, "threads"_a);
  module.def(
      "stability",
      [](const Graph& graph, double t, int threads) {
        return source([&] { return stability(graph, t, threads); });
      },
      "graph"_a, "t"_a, "threads"_a);
  module.def(
      "implicit_stability",
      [](const Graph& graph, double t, double tolerance) {
        return source([&] { return implicit_stability(graph, t, tolerance); });
      },
      "graph"_a, "t"_a, "tolerance"_a);
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

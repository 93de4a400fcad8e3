// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "duplicates.hpp"
#include "srgw/graph.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

Graph from_edges(Index nodes, const Array1<NodeId>& rows, const Array1<NodeId>& columns,
                 const std::optional<Array1<double>>& values, bool directed,
                 const std::string& duplicates) {
  if (rows.shape(0) != columns.shape(0) || (values && values->shape(0) != rows.shape(0))) {
    throw nb::value_error("edges have ends and weights of different lengths");
  }
  const Duplicates kind = duplicates_from(duplicates);
  std::vector<Entry> edges(rows.shape(0));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    edges[e] = {rows.data()[e], columns.data()[e], values ? values->data()[e] : 1.0};
  }
  return watched([&] { return Graph::from_edges(nodes, edges, directed, kind); });
}

// `directed` None: whether the matrix is symmetric.
template <class Offset>
Graph from_csr(const Array1<Offset>& indptr, const Array1<std::int32_t>& indices,
               const std::optional<Array1<double>>& data, std::optional<bool> directed) {
  Csr rows = csr_from_arrays(indptr, indices, data);
  return watched([&] {
    return directed ? Graph::from_adjacency(std::move(rows), *directed)
                    : Graph::from_matrix(std::move(rows));
  });
}

nb::tuple csr_arrays(const Graph& graph) {
  const Csr& csr = graph.adjacency();
  const nb::object offsets =
      std::visit([](const auto& array) { return nb::cast(to_numpy(array)); }, csr.offsets);
  const nb::object values = csr.has_values() ? nb::cast(to_numpy(csr.values)) : nb::none();
  return nb::make_tuple(offsets, to_numpy(csr.columns), values);
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<Graph>(module, "Graph", "Nodes and weighted edges.")
      .def_static("from_edges", &from_edges, "nodes"_a, "rows"_a, "columns"_a, "values"_a.none(),
                  "directed"_a, "duplicates"_a)
      .def_static("from_csr", &from_csr<std::int32_t>, "indptr"_a, "indices"_a, "data"_a.none(),
                  "directed"_a.none())
      .def_static("from_csr", &from_csr<std::int64_t>, "indptr"_a, "indices"_a, "data"_a.none(),
                  "directed"_a.none())
      .def_prop_ro("nodes", &Graph::nodes)
      .def_prop_ro("edges", &Graph::edges)
      .def_prop_ro("directed", &Graph::directed)
      .def_prop_ro("weighted", &Graph::weighted)
      .def("csr", &csr_arrays, "(indptr, indices, data or None), not copied.")
      .def("degrees", [](const Graph& self) { return to_numpy(self.degrees()); })
      .def("undirected",
           [](const Graph& self) { return watched([&] { return self.undirected(); }); });
}

}  // namespace srgw::python

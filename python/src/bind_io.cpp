// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "duplicates.hpp"
#include "srgw/io.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

// None: node i is called i.
nb::object names_to_python(const NodeNames& names) {
  if (names.are_indices()) return nb::none();
  nb::list list;
  for (Index i = 0; i < names.size(); ++i) {
    if (names.are_numbers()) {
      list.append(names.number(i));
    } else {
      list.append(names[i]);
    }
  }
  return list;
}

NodeNames names_from_python(nb::handle names, Index nodes) {
  if (names.is_none()) return NodeNames::numbered(nodes);
  std::vector<std::int64_t> numbers;
  if (nb::try_cast(names, numbers)) return NodeNames(std::move(numbers));
  return NodeNames(nb::cast<std::vector<std::string>>(names));
}

nb::dict attributes_to_python(std::vector<io::Attribute> attributes) {
  nb::dict result;
  for (io::Attribute& attribute : attributes) {
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          if constexpr (std::is_same_v<T, std::string>) {
            result[attribute.name.c_str()] = nb::cast(values);
          } else {
            result[attribute.name.c_str()] = nb::cast(to_numpy(std::move(values)));
          }
        },
        attribute.values);
  }
  return result;
}

std::vector<io::Attribute> attributes_from_python(const nb::dict& given) {
  std::vector<io::Attribute> result;
  for (const auto& [key, values] : given) {
    io::Attribute attribute{.name = nb::cast<std::string>(key), .values = {}};
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
    if (nb::try_cast(values, integers)) {
      attribute.values = std::move(integers);
    } else if (nb::try_cast(values, numbers)) {
      attribute.values = std::move(numbers);
    } else {
      attribute.values = nb::cast<std::vector<std::string>>(values);
    }
    result.push_back(std::move(attribute));
  }
  return result;
}

nb::tuple read_graph(const std::string& path, std::optional<std::string> format, bool directed,
                     bool symmetrize, const std::string& duplicates, std::optional<Index> nodes,
                     int index_base, std::optional<std::string> weight_attribute, int threads) {
  const io::ReadOptions options{.format = std::move(format),
                                .directed = directed,
                                .symmetrize = symmetrize,
                                .duplicates = duplicates_from(duplicates),
                                .nodes = nodes,
                                .index_base = index_base,
                                .weight_attribute = std::move(weight_attribute),
                                .threads = threads};
  io::NamedGraph read = watched([&] { return io::read_graph(path, options); });
  return nb::make_tuple(std::move(read.graph), names_to_python(read.names),
                        attributes_to_python(std::move(read.node_attributes)),
                        attributes_to_python(std::move(read.edge_attributes)));
}

void write_graph(const Graph& graph, nb::handle names, const nb::dict& node_attributes,
                 const std::string& path, std::optional<std::string> format) {
  const io::NamedGraph named{.graph = graph,
                             .names = names_from_python(names, graph.nodes()),
                             .node_attributes = attributes_from_python(node_attributes),
                             .edge_attributes = {}};
  watched([&] { io::write_graph(named, path, {.format = std::move(format)}); });
}

// Absent lists are None.
nb::dict read_dataset(const std::string& path) {
  Dataset dataset = watched([&] { return io::read_dataset(path); });
  nb::dict result;
  result["name"] = dataset.name;
  nb::list graphs;
  for (Graph& graph : dataset.graphs) graphs.append(nb::cast(std::move(graph)));
  result["graphs"] = graphs;
  result["names"] = nb::cast(dataset.names);
  result["labels"] = dataset.labels.empty() ? nb::none() : nb::cast(to_numpy(dataset.labels));
  result["classes"] = nb::cast(dataset.classes);
  nb::list labels;
  for (auto& nodes : dataset.node_labels) labels.append(to_numpy(std::move(nodes)));
  result["node_labels"] = labels;
  nb::list features;
  for (Matrix& nodes : dataset.node_features) features.append(to_numpy(std::move(nodes)));
  result["node_features"] = features;
  nb::list edge_labels;
  for (auto& entries : dataset.edge_labels) edge_labels.append(to_numpy(std::move(entries)));
  result["edge_labels"] = edge_labels;
  return result;
}

nb::list formats() {
  nb::list result;
  for (const io::FormatInfo& format : io::formats()) {
    nb::list endings;
    for (const std::string_view ending : format.extensions) endings.append(std::string(ending));
    result.append(
        nb::make_tuple(std::string(format.name), endings, std::string(format.description)));
  }
  return result;
}

}  // namespace

void bind_io(nb::module_& module) {
  module.def("read_graph", &read_graph, "path"_a, "format"_a.none(), "directed"_a, "symmetrize"_a,
             "duplicates"_a, "nodes"_a.none(), "index_base"_a, "weight_attribute"_a.none(),
             "threads"_a, "(graph, names or None, node attributes, edge attributes)");
  module.def("write_graph", &write_graph, "graph"_a, "names"_a.none(), "node_attributes"_a,
             "path"_a, "format"_a.none());
  module.def("read_dataset", &read_dataset, "path"_a);
  module.def("formats", &formats, "(name, endings, description) of each graph format.");
}

}  // namespace srgw::python

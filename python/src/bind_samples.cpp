// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "samples.hpp"
#include "srgw/dictionary.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

using NodeLabels = std::optional<std::vector<Array1<std::int64_t>>>;
using NodeRows = std::optional<std::vector<Array2>>;

Dataset dataset_of(const std::vector<const Graph*>& graphs, const NodeLabels& node_labels,
                   const NodeRows& node_features) {
  Dataset dataset;
  for (const Graph* graph : graphs) dataset.graphs.push_back(*graph);
  if (node_labels) {
    for (const auto& labels : *node_labels) {
      const auto values = span(labels);
      dataset.node_labels.emplace_back(values.begin(), values.end());
    }
  }
  if (node_features) {
    for (const auto& rows : *node_features) dataset.node_features.emplace_back(view(rows));
  }
  return dataset;
}

FeatureMap fitted(const std::vector<const Graph*>& graphs, const NodeLabels& node_labels,
                  const NodeRows& node_features, const std::string& take,
                  const std::string& standardise) {
  const Dataset dataset = dataset_of(graphs, node_labels, node_features);
  const FeatureOptions options{
      .take = from_name<NodeFeatures>(take, "features"),
      .standardisation = from_name<Standardisation>(standardise, "standardise")};
  return watched([&] { return fit_features(dataset, options); });
}

/// Graphs with structures and weights that Python has made.
Samples samples_of_graphs(const std::vector<const Graph*>& graphs, const NodeLabels& node_labels,
                          const NodeRows& node_features, const FeatureMap& map,
                          const std::vector<const Structure*>& structures,
                          const std::vector<Array1<double>>& weights) {
  const Dataset dataset = dataset_of(graphs, node_labels, node_features);
  const Transform transform = [&](const Graph& graph) -> Source {
    const std::ptrdiff_t g = &graph - dataset.graphs.data();
    return {.structure = *structures[g], .weights = view(weights[g])};
  };
  return {watched([&] { return make_samples(dataset, map, transform); })};
}

nb::list feature_rows(const FeatureMap& map, const std::vector<const Graph*>& graphs,
                      const NodeLabels& node_labels, const NodeRows& node_rows) {
  const Dataset dataset = dataset_of(graphs, node_labels, node_rows);
  check(dataset);
  nb::list rows;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    rows.append(to_numpy(node_features(map, dataset, g)));
  }
  return rows;
}

Samples samples_of(const std::vector<const Structure*>& structures,
                   const std::vector<Array1<double>>& weights, const NodeRows& features) {
  Samples samples;
  for (std::size_t s = 0; s < structures.size(); ++s) {
    Sample sample{.source = {.structure = *structures[s], .weights = view(weights[s])}};
    if (features) sample.features = view((*features)[s]);
    samples.all.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace

void bind_samples(nb::module_& module) {
  nb::class_<FeatureMap>(module, "FeatureMap", "How labels and attributes become features.")
      .def(nb::init<>())
      .def_static("fit", &fitted, "graphs"_a, "node_labels"_a.none(), "node_features"_a.none(),
                  "take"_a, "standardise"_a)
      .def_prop_ro("columns", &FeatureMap::columns)
      .def_prop_ro("take", [](const FeatureMap& self) { return std::string(name(self.take)); })
      .def_ro("warnings", &FeatureMap::warnings);
  nb::class_<Samples>(module, "Samples", "Structures, weights and features of graphs.")
      .def("__len__", [](const Samples& self) { return self.all.size(); });
  module.def(
      "drowned_term",
      [](const Samples& samples, Index columns, double alpha) {
        if (columns == 0) return std::string();
        return watched([&] { return drowned_term(fused_terms(samples.all, columns), alpha); });
      },
      "samples"_a, "columns"_a, "alpha"_a,
      "A warning if structures or features hardly count, else empty.");
  module.def(
      "balanced_alpha_of_samples",
      [](const Samples& samples, Index columns) {
        if (columns == 0) return Projection{}.alpha;
        return watched([&] { return fused_terms(samples.all, columns).balanced_alpha(); });
      },
      "samples"_a, "columns"_a, "The weight of the structure that balances both terms.");
  module.def("samples_of_graphs", &samples_of_graphs, "graphs"_a, "node_labels"_a.none(),
             "node_features"_a.none(), "features"_a, "structures"_a, "weights"_a);
  module.def("node_features", &feature_rows, "features"_a, "graphs"_a, "node_labels"_a.none(),
             "node_features"_a.none(), "The features of each graph as the map makes them.");
  module.def(
      "unknown_labels",
      [](const FeatureMap& map, const std::vector<const Graph*>& graphs, const NodeLabels& labels,
         const NodeRows& rows) { return unknown_labels(map, dataset_of(graphs, labels, rows)); },
      "features"_a, "graphs"_a, "node_labels"_a.none(), "node_features"_a.none(),
      "A sentence about labels that the map does not know, or empty.");
  module.def("make_samples", &samples_of, "structures"_a, "weights"_a, "features"_a.none());
}

}  // namespace srgw::python

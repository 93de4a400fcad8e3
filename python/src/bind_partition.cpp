// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/partition.hpp"
#include "starts.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

PartitionStart start_from(const StartGiven& given) {
  if (const auto* name = std::get_if<std::string>(&given)) return start_from_name(*name);
  if (const auto* plan = std::get_if<Array2>(&given)) return Matrix(view(*plan));
  const auto labels = span(std::get<Array1<NodeId>>(given));
  return Assignment(labels.begin(), labels.end());
}

/// Options by name or as arrays.
PartitionOptions options_from(std::optional<Index> clusters, const std::string& problem,
                              const std::string& structure,
                              const std::variant<std::string, Array1<double>>& weights,
                              const std::variant<std::string, const Structure*>& target,
                              const std::string& loss, double entropy, double sparsity,
                              const std::optional<StartGiven>& start, std::optional<int> starts,
                              bool select, const std::string& criterion, const Method& method) {
  PartitionOptions options{.clusters = clusters,
                           .problem = from_name<PartitionProblem>(problem, "method"),
                           .structure = parse_partition_structure(structure),
                           .loss = from_name<Loss>(loss, "loss"),
                           .entropy = entropy,
                           .sparsity = sparsity,
                           .starts = starts,
                           .method = method,
                           .criterion = from_name<PartitionCriterion>(criterion, "criterion")};
  if (const auto* values = std::get_if<Array1<double>>(&weights)) {
    options.weights = {.kind = PartitionWeights::Kind::given, .values = view(*values)};
  } else {
    options.weights = parse_partition_weights(std::get<std::string>(weights));
  }
  if (const auto* given = std::get_if<const Structure*>(&target)) {
    options.target = {.kind = PartitionTarget::Kind::given, .structure = **given};
  } else {
    options.target = parse_partition_target(std::get<std::string>(target));
  }
  if (start) options.start = start_from(*start);
  if (select) options.select.emplace();
  return options;
}

Partition partition_of(const Graph& graph, PartitionOptions options,
                       const std::optional<Array2>& features, double alpha,
                       const RunGiven& given_run) {
  if (features) options.features = PartitionFeatures{view(*features), alpha};
  return watched(given_run, [&](const Run& run) { return partition(graph, options, run); });
}

}  // namespace

void bind_partition(nb::module_& module) {
  nb::class_<Partition>(module, "Partition", "Clusters of the nodes of a graph.")
      .def_prop_ro("labels", array_of(&Partition::labels), nb::rv_policy::automatic)
      .def_ro("clusters", &Partition::clusters, "Number of clusters that are not empty.")
      .def_ro("sizes", &Partition::sizes, "Nodes of each cluster.")
      .def_ro("unconnected", &Partition::unconnected, "Nodes in none, with the label len(sizes).")
      .def_ro("significant", &Partition::significant)
      .def_ro("symmetrized", &Partition::symmetrized)
      .def_ro("modularity", &Partition::modularity)
      .def_ro("resolution", &Partition::resolution)
      .def_ro("solution", &Partition::solution)
      .def_prop_ro("target", array_of(&Partition::target), nb::rv_policy::automatic)
      .def_prop_ro("target_features", array_of(&Partition::target_features),
                   nb::rv_policy::automatic)
      .def_prop_ro(
          "path",
          [](const Partition& self) {
            nb::list path;
            for (const auto& [sparsity, clusters, value, modularity] : self.path) {
              path.append(nb::make_tuple(sparsity, clusters, value, modularity));
            }
            return path;
          },
          "(sparsity, clusters, value, modularity) of each step.")
      .def_prop_ro(
          "lengths",
          [](const Partition& self) {
            nb::list lengths;
            for (const auto& [resolution, clusters, length, modularity] : self.lengths) {
              lengths.append(nb::make_tuple(resolution, clusters, length, modularity));
            }
            return lengths;
          },
          "(resolution, clusters, description length, modularity) of each resolution tried.")
      .def_ro("structure", &Partition::structure, "Its name, and its number.")
      .def_ro("reasons", &Partition::reasons);
  module.def("start_names", [] {
    nb::list names;
    for (const StartName& row : start_names()) names.append(std::string(row.name));
    return names;
  });
  nb::class_<PartitionOptions>(module, "PartitionOptions", "Options of partition().");
  module.def("partition_options", &options_from, "clusters"_a.none(), "method"_a, "structure"_a,
             "weights"_a, "target"_a, "loss"_a, "entropy"_a, "sparsity"_a, "start"_a.none(),
             "starts"_a.none(), "select"_a, "criterion"_a, "solver"_a,
             "None and auto: chosen by partition().");
  module.def("partition", &partition_of, "graph"_a, "options"_a, "features"_a.none(), "alpha"_a,
             "run"_a);
}

}  // namespace srgw::python

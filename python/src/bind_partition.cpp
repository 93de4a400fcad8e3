// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
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
                              bool select, const std::string& criterion, const std::string& effort,
                              const Method& method) {
  PartitionOptions options{.clusters = clusters,
                           .problem = from_name<PartitionProblem>(problem, "method"),
                           .structure = parse_partition_structure(structure),
                           .loss = from_name<Loss>(loss, "loss"),
                           .entropy = entropy,
                           .sparsity = sparsity,
                           .starts = starts,
                           .method = method,
                           .criterion = from_name<PartitionCriterion>(criterion, "criterion"),
                           .effort = from_name<PartitionEffort>(effort, "effort")};
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

/// Adds what is known about the clusters before the search.
void constrain(PartitionOptions& options, const std::optional<Array1<std::int64_t>>& previous,
               double keep, const std::optional<Array1<std::int64_t>>& fixed,
               std::optional<Index> min_size, std::optional<Index> max_size) {
  const auto ids = [](const std::optional<Array1<std::int64_t>>& given) {
    std::optional<std::vector<std::int64_t>> result;
    if (given) result.emplace(span(*given).begin(), span(*given).end());
    return result;
  };
  options.previous = ids(previous);
  options.keep = keep;
  options.fixed = ids(fixed);
  options.min_size = min_size;
  options.max_size = max_size;
}

Partition partition_of(const Graph& graph, PartitionOptions options,
                       const std::optional<Array2>& features, double alpha,
                       const RunGiven& given_run) {
  if (features) options.features = PartitionFeatures{view(*features), alpha};
  return watched(given_run, [&](const Run& run) { return partition(graph, options, run); });
}

Partition partition_of_layers(const std::vector<const Graph*>& graphs,
                              const std::vector<double>& weights, const PartitionOptions& options,
                              const RunGiven& given_run) {
  std::vector<PartitionLayer> layers;
  for (std::size_t l = 0; l < graphs.size(); ++l) layers.push_back({*graphs[l], weights[l]});
  return watched(given_run, [&](const Run& run) { return partition(layers, options, run); });
}

Graph sum_of(const std::vector<const Graph*>& graphs, const std::vector<double>& weights) {
  std::vector<PartitionLayer> layers;
  for (std::size_t l = 0; l < graphs.size(); ++l) layers.push_back({*graphs[l], weights[l]});
  return sum_of_layers(layers);
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
      .def_prop_ro(
          "criterion",
          [](const Partition& self) -> std::optional<std::string> {
            if (!self.criterion) return std::nullopt;
            return std::string(name(*self.criterion));
          },
          "What decided a free number of clusters, or None.")
      .def_prop_ro(
          "layers",
          [](const Partition& self) {
            nb::list layers;
            for (const auto& [weight, edges, modularity] : self.layers) {
              layers.append(nb::make_tuple(weight, edges, modularity));
            }
            return layers;
          },
          "(weight, edges, modularity) of each of several layers.")
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
      .def_ro("ids", &Partition::ids, "Ids of the clusters with previous or fixed labels.")
      .def_prop_ro("node_ids", [](const Partition& self) { return self.node_ids(); })
      .def_prop_ro(
          "update",
          [](const Partition& self)
              -> std::optional<std::tuple<Index, Index, Index, double, double, bool>> {
            if (!self.update) return std::nullopt;
            const PartitionUpdate& update = *self.update;
            return std::tuple(update.known, update.added, update.moved, update.share(), update.ami,
                              update.covers_half());
          },
          "(known, added, moved, share moved, AMI, whether half of the nodes are known), or None.")
      .def_prop_ro(
          "costs",
          [](const Partition& self) {
            nb::dict costs;
            for (const auto& [constraint, with, without] : self.costs) {
              costs[constraint.c_str()] = nb::make_tuple(with, without);
            }
            return costs;
          },
          "Modularity at the resolution with and without each constraint.")
      .def_prop_ro(
          "cuts",
          [](const Partition& self) {
            nb::list cuts;
            for (const auto& [components, edges, weight, relative, exact] : self.cuts) {
              cuts.append(nb::make_tuple(components, edges, weight, relative, exact));
            }
            return cuts;
          },
          "(components, edges, cut, relative cut, exact) of each cluster.")
      .def_prop_ro(
          "hierarchy",
          [](const Partition& self) {
            nb::list levels;
            for (const PartitionLevel& level : self.hierarchy) {
              levels.append(nb::make_tuple(level.resolution, level.clusters, level.modularity,
                                           array_of(&PartitionLevel::labels)(level),
                                           array_of(&PartitionLevel::parents)(level),
                                           level.is_result));
            }
            return levels;
          },
          "(resolution, clusters, modularity, labels, parents, is_result) of each level.")
      .def_ro("structure", &Partition::structure, "Its name, and its number.")
      .def_ro("reasons", &Partition::reasons);
  module.def("start_names", [] {
    nb::list names;
    for (const StartName& row : start_names()) names.append(std::string(row.name));
    return names;
  });
  nb::class_<PartitionOptions>(module, "PartitionOptions", "Options of partition().")
      .def_rw("test_significance", &PartitionOptions::test_significance);
  module.def("partition_options", &options_from, "clusters"_a.none(), "method"_a, "structure"_a,
             "weights"_a, "target"_a, "loss"_a, "entropy"_a, "sparsity"_a, "start"_a.none(),
             "starts"_a.none(), "select"_a, "criterion"_a, "effort"_a, "solver"_a,
             "None and auto: chosen by partition().");
  module.def("constrain_partition", &constrain, "options"_a, "previous"_a.none(), "keep"_a,
             "fixed"_a.none(), "min_size"_a.none(), "max_size"_a.none());
  module.def(
      "set_connectivity",
      [](PartitionOptions& options, std::optional<bool> split_disconnected, bool cuts,
         double min_cut, bool levels) {
        options.split_disconnected = split_disconnected;
        options.cuts = cuts;
        options.min_cut = min_cut;
        options.levels = levels;
      },
      "options"_a, "split_disconnected"_a.none(), "cuts"_a, "min_cut"_a, "levels"_a);
  module.def("partition", &partition_of, "graph"_a, "options"_a, "features"_a.none(), "alpha"_a,
             "run"_a);
  module.def("partition_layers", &partition_of_layers, "graphs"_a, "weights"_a, "options"_a,
             "run"_a, "One partition of several graphs on the same nodes.");
  module.def("sum_of_layers", &sum_of, "graphs"_a, "weights"_a);
}

}  // namespace srgw::python

// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/partition.hpp"
#include "srgw/transform.hpp"
#include "starts.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

// A word such as heat, and its number.
using Choice = std::pair<std::string, std::optional<double>>;

using Structures = PartitionStructure::Kind;
using WeightsKind = PartitionWeights::Kind;
using Targets = PartitionTarget::Kind;
constexpr std::array structure_words{
    Word{"auto", Structures::automatic},
    Word{"adjacency", Structures::adjacency},
    Word{"modularity", Structures::modularity},
    Word{"stability", Structures::stability},
    Word{"heat", Structures::heat},
};
constexpr std::array other_structures{
    Word{"normalized-adjacency", &normalized_adjacency},
    Word{"laplacian", &laplacian},
    Word{"normalized-laplacian", &normalized_laplacian},
};
constexpr std::array weight_words{
    Word{"auto", WeightsKind::automatic},
    Word{"uniform", WeightsKind::uniform},
    Word{"degree", WeightsKind::degree},
    Word{"power", WeightsKind::power},
};
constexpr std::array target_words{
    Word{"auto", Targets::automatic},
    Word{"scaled-identity", Targets::scaled_identity},
    Word{"learned", Targets::learned},
};

[[noreturn]] void refuse(const std::string& word) {
  throw nb::value_error((word + " is no word of partition()").c_str());
}

PartitionStructure structure_from(const Choice& given) {
  const auto& [word, number] = given;
  if (const auto kind = find(structure_words, word)) return {*kind, number.value_or(1)};
  if (const auto transform = find(other_structures, word)) {
    return {.kind = Structures::other,
            .make = [=](const Graph& graph, int) { return (*transform)(graph); }};
  }
  if (word != "shortest-path") refuse(word);
  return {.kind = Structures::other, .make = [distance = number](const Graph& graph, int threads) {
            return shortest_path(graph, distance, threads);
          }};
}

PartitionWeights weights_from(const std::variant<Choice, Array1<double>>& given) {
  if (const auto* values = std::get_if<Array1<double>>(&given)) {
    return {.kind = WeightsKind::given, .values = view(*values)};
  }
  const auto& [word, number] = std::get<Choice>(given);
  const auto kind = find(weight_words, word);
  if (!kind) refuse(word);
  return {*kind, number.value_or(1)};
}

PartitionTarget target_from(const std::variant<Choice, const Structure*>& given) {
  if (const auto* structure = std::get_if<const Structure*>(&given)) {
    return {.kind = Targets::given, .structure = **structure};
  }
  const auto& [word, number] = std::get<Choice>(given);
  const auto kind = find(target_words, word);
  if (!kind) refuse(word);
  return {*kind, number.value_or(1)};
}

PartitionStart start_from(const StartGiven& given) {
  if (const auto* name = std::get_if<std::string>(&given)) return start_from_name(*name);
  if (const auto* plan = std::get_if<Array2>(&given)) return Matrix(view(*plan));
  const auto labels = span(std::get<Array1<NodeId>>(given));
  return Assignment(labels.begin(), labels.end());
}

Partition partition_of(const Graph& graph, std::optional<Index> clusters, const Choice& structure,
                       const std::variant<Choice, Array1<double>>& weights,
                       const std::variant<Choice, const Structure*>& target,
                       const std::optional<Array2>& features, double alpha, double sparsity,
                       const std::optional<StartGiven>& start, int starts, const Method& method,
                       int threads, std::uint64_t seed, std::optional<double> time_limit,
                       nb::object callback) {
  PartitionOptions options{.clusters = clusters,
                           .structure = structure_from(structure),
                           .weights = weights_from(weights),
                           .target = target_from(target),
                           .sparsity = sparsity,
                           .starts = starts,
                           .method = method};
  if (features) options.features = PartitionFeatures{view(*features), alpha};
  if (start) options.start = start_from(*start);
  Watch watch(std::move(callback));
  const Run run = watch.run_with(threads, seed, time_limit, false);
  Partition found;
  watch.run_beside([&] { found = partition(graph, options, run); });
  return found;
}

}  // namespace

void bind_partition(nb::module_& module) {
  nb::class_<Partition>(module, "Partition", "Clusters of the nodes of a graph.")
      .def_prop_ro(
          "labels", [](const Partition& self) { return to_numpy(self.labels); },
          nb::rv_policy::automatic)
      .def_ro("clusters", &Partition::clusters, "That are not empty.")
      .def_ro("sizes", &Partition::sizes, "Nodes of each cluster.")
      .def_ro("unconnected", &Partition::unconnected, "Nodes in none, with the label len(sizes).")
      .def_ro("significant", &Partition::significant)
      .def_ro("symmetrized", &Partition::symmetrized)
      .def_ro("modularity", &Partition::modularity)
      .def_ro("resolution", &Partition::resolution)
      .def_ro("solution", &Partition::solution)
      .def_prop_ro(
          "target", [](const Partition& self) { return to_numpy(self.target); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "target_features", [](const Partition& self) { return to_numpy(self.target_features); },
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
      .def_ro("reasons", &Partition::reasons);
  module.def("partition", &partition_of, "graph"_a, "clusters"_a.none(), "structure"_a, "weights"_a,
             "target"_a, "features"_a.none(), "alpha"_a, "sparsity"_a, "start"_a.none(), "starts"_a,
             "method"_a, "threads"_a, "seed"_a, "time_limit"_a.none(), "callback"_a.none(),
             "Structures, weights and targets are (word, number or None), or given.");
}

}  // namespace srgw::python

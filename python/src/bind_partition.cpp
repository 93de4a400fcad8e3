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
#include "starts.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

template <class Kind>
struct Word {
  const char* word;
  Kind kind;
};
constexpr std::array structure_words{
    Word{"auto", PartitionStructure::Kind::automatic},
    Word{"adjacency", PartitionStructure::Kind::adjacency},
    Word{"modularity", PartitionStructure::Kind::modularity},
    Word{"stability", PartitionStructure::Kind::stability},
    Word{"heat", PartitionStructure::Kind::heat},
};
constexpr std::array weight_words{
    Word{"auto", PartitionWeights::Kind::automatic},
    Word{"uniform", PartitionWeights::Kind::uniform},
    Word{"degree", PartitionWeights::Kind::degree},
    Word{"power", PartitionWeights::Kind::power},
};
constexpr std::array target_words{
    Word{"auto", PartitionTarget::Kind::automatic},
    Word{"scaled-identity", PartitionTarget::Kind::scaled_identity},
    Word{"learned", PartitionTarget::Kind::learned},
};

// A word such as heat, and its number.
using Choice = std::pair<std::string, double>;

template <class Kind, std::size_t Count>
Kind kind_of(const std::array<Word<Kind>, Count>& words, const std::string& word) {
  for (const auto& entry : words) {
    if (word == entry.word) return entry.kind;
  }
  throw nb::value_error((word + " is no word of partition()").c_str());
}

PartitionStructure structure_from(const nb::object& given) {
  if (nb::isinstance<Structure>(given)) {
    return {.kind = PartitionStructure::Kind::given, .structure = nb::cast<Structure>(given)};
  }
  const auto [word, number] = nb::cast<Choice>(given);
  return {.kind = kind_of(structure_words, word), .time = number};
}

PartitionWeights weights_from(const nb::object& given) {
  if (Array1<double> values; nb::try_cast(given, values)) {
    return {.kind = PartitionWeights::Kind::given, .values = view(values)};
  }
  const auto [word, number] = nb::cast<Choice>(given);
  return {.kind = kind_of(weight_words, word), .exponent = number};
}

PartitionTarget target_from(const nb::object& given) {
  if (nb::isinstance<Structure>(given)) {
    return {.kind = PartitionTarget::Kind::given, .structure = nb::cast<Structure>(given)};
  }
  const auto [word, number] = nb::cast<Choice>(given);
  return {.kind = kind_of(target_words, word), .scale = number};
}

Partition partition_of(const Graph& graph, std::optional<Index> clusters,
                       const nb::object& structure, const nb::object& weights,
                       const nb::object& target, const std::optional<Array2>& features,
                       double alpha, double sparsity, const std::optional<StartGiven>& start,
                       int starts, const Method& method, int threads, std::uint64_t seed,
                       std::optional<double> time_limit, nb::object callback) {
  PartitionOptions options{.clusters = clusters,
                           .structure = structure_from(structure),
                           .weights = weights_from(weights),
                           .target = target_from(target),
                           .sparsity = sparsity,
                           .starts = starts,
                           .method = method};
  if (features) options.features = PartitionFeatures{view(*features), alpha};
  if (start) {
    if (const auto* name = std::get_if<std::string>(&*start)) {
      options.start = start_from_name(*name);
    } else {
      options.plan = plan_from(*start, options.weights.values, clusters.value_or(0));
    }
  }
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
      .def_ro("unconnected", &Partition::unconnected, "Nodes with the label `clusters`.")
      .def_ro("significant", &Partition::significant)
      .def_ro("symmetrized", &Partition::symmetrized)
      .def_ro("modularity", &Partition::modularity)
      .def_ro("resolution", &Partition::resolution)
      .def_ro("solution", &Partition::solution, "Its rows are `nodes`.")
      .def_prop_ro(
          "nodes", [](const Partition& self) { return to_numpy(self.nodes); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "target", [](const Partition& self) { return to_numpy(self.target); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "target_features", [](const Partition& self) { return to_numpy(self.target_features); },
          nb::rv_policy::automatic)
      .def_ro("reasons", &Partition::reasons);
  module.def("partition", &partition_of, "graph"_a, "clusters"_a.none(), "structure"_a, "weights"_a,
             "target"_a, "features"_a.none(), "alpha"_a, "sparsity"_a, "start"_a.none(), "starts"_a,
             "method"_a, "threads"_a, "seed"_a, "time_limit"_a.none(), "callback"_a.none(),
             "Structures, weights and targets are (word, number), or given. A start that is no "
             "name needs given weights.");
}

}  // namespace srgw::python

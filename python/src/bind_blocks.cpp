// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/blocks.hpp"
#include "srgw/draw.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

Output1<std::int64_t> labels_of(const Assignment& labels) {
  return to_numpy(std::vector<std::int64_t>(labels.begin(), labels.end()));
}

nb::dict coarsen_graph(const Graph& graph, const std::optional<Index>& nodes, double ratio,
                       const std::string& structure, const std::optional<Array1<double>>& weights,
                       const std::optional<Array2>& features,
                       const std::optional<Index>& eigenvalues, const RunGiven& given) {
  CoarsenOptions options{.nodes = nodes,
                         .ratio = ratio,
                         .structure = parse_structure(structure).row->kind,
                         .eigenvalues = eigenvalues};
  if (weights) options.weights.emplace(view(*weights));
  if (features) options.features.emplace(view(*features));
  Coarsening found = watched(given, [&](const Run& run) { return coarsen(graph, options, run); });
  nb::dict result;
  result["labels"] = labels_of(found.labels);
  result["sizes"] = to_numpy(std::vector<std::int64_t>(found.sizes.begin(), found.sizes.end()));
  result["weights"] = to_numpy(std::move(found.weights));
  result["graph"] = std::move(found.graph);
  result["means"] = Graph::from_matrix(std::move(found.means));
  result["features"] = to_numpy(std::move(found.features));
  result["value"] = found.value;
  result["start_value"] = found.start_value;
  result["eigenvalues"] = to_numpy(std::move(found.eigenvalues));
  result["lifted_eigenvalues"] = to_numpy(std::move(found.lifted_eigenvalues));
  result["spectral_error"] = found.spectral_error;
  result["status"] = std::string(name(found.status));
  return result;
}

std::vector<std::pair<Index, double>> trials_of(const BlockModel& model) {
  std::vector<std::pair<Index, double>> trials;
  for (const BlockTrial& trial : model.trials) trials.emplace_back(trial.blocks, trial.length);
  return trials;
}

std::vector<nb::object> labels_of_graphs(const Graphon& graphon) {
  std::vector<nb::object> labels;
  for (const Assignment& own : graphon.labels) labels.push_back(nb::cast(labels_of(own)));
  return labels;
}

void bind_graphon(nb::module_& module) {
  nb::class_<Graphon>(module, "FittedGraphon")
      .def_prop_ro("values", array_of(&Graphon::values), nb::rv_policy::automatic)
      .def_prop_ro("standard_errors", array_of(&Graphon::standard_errors), nb::rv_policy::automatic)
      .def_prop_ro("pairs", array_of(&Graphon::pairs), nb::rv_policy::automatic)
      .def_prop_ro("widths", array_of(&Graphon::widths), nb::rv_policy::automatic)
      .def_prop_ro("labels", &labels_of_graphs)
      .def_ro("sample_values", &Graphon::sample_values)
      .def_ro("value", &Graphon::value)
      .def_ro("weighted", &Graphon::weighted)
      .def_prop_ro("status",
                   [](const Graphon& graphon) { return std::string(name(graphon.status)); })
      .def("save", [](const Graphon& graphon,
                      const std::string& path) { watched([&] { save(graphon, path); }); })
      .def_static("load", [](const std::string& path) {
        return watched([&] { return load_graphon(path); });
      });
  module.def(
      "fit_graphon",
      [](const std::vector<const Graph*>& given, const std::optional<Index>& steps,
         const RunGiven& run_given) {
        std::vector<Graph> graphs;
        for (const Graph* graph : given) graphs.push_back(*graph);
        return watched(run_given,
                       [&](const Run& run) { return fit_graphon(graphs, {.steps = steps}, run); });
      },
      "graphs"_a, "steps"_a.none(), "run"_a);
  module.def(
      "sample_graphon",
      [](const Graphon& graphon, Index nodes, std::uint64_t seed) {
        return watched([&] { return sample(graphon, nodes, seed).graph; });
      },
      "graphon"_a, "nodes"_a, "seed"_a);
  module.def(
      "graphon_svg",
      [](const Graphon& graphon, const std::string& title, const std::string& subtitle) {
        const std::vector<Index> sizes = graphon.sizes();
        return svg(draw_block_matrix({.values = graphon.values,
                                      .sizes = sizes,
                                      .widths = &graphon.widths,
                                      .title = title,
                                      .subtitle = subtitle}));
      },
      "graphon"_a, "title"_a, "subtitle"_a);
}

}  // namespace

void bind_blocks(nb::module_& module) {
  module.def("coarsen", &coarsen_graph, "graph"_a, "nodes"_a.none(), "ratio"_a, "structure"_a,
             "weights"_a.none(), "features"_a.none(), "eigenvalues"_a.none(), "run"_a);
  nb::class_<BlockModel>(module, "FittedBlocks")
      .def_prop_ro(
          "labels", [](const BlockModel& model) { return labels_of(model.labels); },
          nb::rv_policy::automatic)
      .def_ro("sizes", &BlockModel::sizes)
      .def_prop_ro("edges", array_of(&BlockModel::edges), nb::rv_policy::automatic)
      .def_prop_ro("pairs", array_of(&BlockModel::pairs), nb::rv_policy::automatic)
      .def_prop_ro("probabilities", array_of(&BlockModel::probabilities), nb::rv_policy::automatic)
      .def_prop_ro("standard_errors", array_of(&BlockModel::standard_errors),
                   nb::rv_policy::automatic)
      .def_ro("length", &BlockModel::length)
      .def_ro("one_length", &BlockModel::one_length)
      .def_prop_ro("trials", &trials_of)
      .def_ro("held_out_likelihood", &BlockModel::held_out_likelihood)
      .def_ro("held_out_likelihood_one", &BlockModel::held_out_likelihood_one)
      .def_ro("directed", &BlockModel::directed)
      .def_ro("counts", &BlockModel::counts)
      .def_prop_ro("propensities", array_of(&BlockModel::propensities), nb::rv_policy::automatic)
      .def_prop_ro("in_propensities", array_of(&BlockModel::in_propensities),
                   nb::rv_policy::automatic)
      .def_prop_ro("status",
                   [](const BlockModel& model) { return std::string(name(model.status)); });
  module.def(
      "fit_block_model",
      [](const Graph& graph, const std::optional<Index>& blocks, Index most_blocks,
         bool degree_corrected, double held_out, int starts, const RunGiven& given) {
        const BlockModelOptions options{.blocks = blocks,
                                        .most_blocks = most_blocks,
                                        .degree_corrected = degree_corrected,
                                        .held_out = held_out,
                                        .starts = starts};
        return watched(given, [&](const Run& run) { return fit_block_model(graph, options, run); });
      },
      "graph"_a, "blocks"_a.none(), "most_blocks"_a, "degree_corrected"_a, "held_out"_a, "starts"_a,
      "run"_a);
  module.def(
      "sample_blocks",
      [](const BlockModel& model, std::uint64_t seed) {
        return watched([&] { return sample(model, seed); });
      },
      "model"_a, "seed"_a);
  module.def(
      "block_matrix_svg",
      [](const BlockModel& model, const std::string& title, const std::string& subtitle) {
        return svg(draw_block_matrix({.values = model.probabilities,
                                      .sizes = model.sizes,
                                      .errors = &model.standard_errors,
                                      .title = title,
                                      .subtitle = subtitle}));
      },
      "model"_a, "title"_a, "subtitle"_a);
  bind_graphon(module);
}

}  // namespace srgw::python

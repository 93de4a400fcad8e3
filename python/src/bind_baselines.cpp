// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "models.hpp"
#include "samples.hpp"
#include "srgw/baselines.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

void set_origin(AtomModel& model, const FeatureMap& features, const std::string& structure,
                const std::string& weights) {
  model.features = features;
  model.structure = structure;
  model.node_weights = weights;
}

nb::tuple unmixed_graph(const LinearDictionary& dictionary, const Samples& graphs) {
  const Unmixed found = watched([&] { return unmix(dictionary, graphs.all.at(0)); });
  Atom model = mixture(dictionary, found.shares);
  return nb::make_tuple(to_numpy(Vector(found.shares)), to_numpy(std::move(model.structure)),
                        to_numpy(std::move(model.features)), to_numpy(found.plan.dense()),
                        found.value, found.turns, found.status == Status::converged);
}

LinearDictionary dictionary_of(const nb::list& atoms, const Array1<double>& weights,
                               const nb::dict& unmixing) {
  // First: GCC 12 frees atoms twice where a later member of an aggregate throws.
  const auto options = options_from<Unmixing>(unmixing);
  LinearDictionary dictionary{{.atoms = atoms_from(atoms)}, Vector(view(weights)), options};
  const Index columns = dictionary.columns();
  if (columns > 0) dictionary.features = {.take = NodeFeatures::attributes, .attributes = columns};
  check(dictionary);
  return dictionary;
}

template <class How, class Scheme>
nb::tuple learned(const Samples& graphs, Index atoms, Index size, const nb::dict& given_how,
                  const nb::dict& given_scheme, const FeatureMap& features,
                  const std::string& structure, const std::string& weights,
                  const RunGiven& given_run) {
  const auto how = options_from<How>(given_how);
  const auto scheme = options_from<Scheme>(given_scheme);
  auto found = watched(
      given_run, [&](const Run& run) { return learn(graphs.all, how, atoms, size, scheme, run); });
  set_origin(found.model, features, structure, weights);
  return nb::make_tuple(std::move(found.model), to_numpy(std::move(found.embedding.coordinates)),
                        to_numpy(Vector(found.embedding.values.col(0))),
                        to_numpy(std::move(found.losses)), std::string(name(found.status)));
}

nb::tuple clustered(const Samples& graphs, const nb::dict& options, const FeatureMap& features,
                    const std::string& structure, const std::string& weights,
                    const RunGiven& given_run) {
  const auto how = options_from<GraphKMeansOptions>(options);
  GraphClusters found =
      watched(given_run, [&](const Run& run) { return learn(graphs.all, how, run); });
  set_origin(found.model, features, structure, weights);
  return nb::make_tuple(
      std::move(found.model),
      to_numpy(std::vector<std::int64_t>(found.labels.begin(), found.labels.end())),
      to_numpy(std::move(found.embedding.coordinates)), found.inertia,
      to_numpy(std::move(found.losses)), std::string(name(found.status)));
}

/// A model with load() and embed(), which gives (coordinates, values).
template <class Model>
nb::class_<Model> bind_baseline(nb::module_& module, const char* name, const char* doc) {
  return bind_model<Model>(module, name, doc)
      .def_static("load", [](const std::string& path) { return load<Model>(path); })
      .def(
          "embed",
          [](const Model& self, const Samples& graphs, int threads) {
            Embedding found =
                watched([&] { return embed(self, graphs.all, {.threads = threads}); });
            return nb::make_tuple(to_numpy(std::move(found.coordinates)),
                                  to_numpy(Vector(found.values.col(0))));
          },
          "graphs"_a, "threads"_a);
}

void bind_mixtures(nb::module_& module) {
  bind_baseline<LinearDictionary>(module, "LinearDictionary", "Graphs as mixtures of atoms.")
      .def("metric_rows", [](const LinearDictionary& self, const Array2& shares) {
        return to_numpy(metric_rows(self, view(shares)));
      });
  module.def("linear_dictionary", &dictionary_of, "atoms"_a, "weights"_a, "unmixing"_a);
  module.def("unmix_one", &unmixed_graph, "dictionary"_a, "graphs"_a);
  module.def("learn_linear", &learned<Unmixing, LinearScheme>, "graphs"_a, "atoms"_a, "size"_a,
             "unmixing"_a, "scheme"_a, "features"_a, "structure"_a, "weights"_a, "run"_a);
  nb::class_<LinearLearning>(module, "LinearLearning", "Atoms that learn a batch at a time.")
      .def(
          "__init__",
          [](LinearLearning* self, const Samples& graphs, const LinearDictionary& dictionary,
             const nb::dict& scheme, int threads) {
            new (self) LinearLearning(graphs.all, dictionary, options_from<LinearScheme>(scheme),
                                      {.threads = threads});
          },
          "graphs"_a, "dictionary"_a, "scheme"_a, "threads"_a, nb::keep_alive<1, 2>())
      .def(
          "step",
          [](LinearLearning& self, const Array1<std::int64_t>& batch) {
            const std::vector<std::size_t> graphs(batch.data(), batch.data() + batch.shape(0));
            return watched([&] { return self.step(graphs); });
          },
          "batch"_a, "The sum of the values of the graphs before the step.")
      .def_prop_ro("dictionary", [](const LinearLearning& self) { return self.dictionary(); });
}

}  // namespace

void bind_baselines(nb::module_& module) {
  bind_mixtures(module);
  bind_baseline<Factorization>(module, "Factorization", "Graphs as barycenters of atoms.");
  module.def("learn_factorization", &learned<Factoring, FactorScheme>, "graphs"_a, "atoms"_a,
             "size"_a, "factoring"_a, "scheme"_a, "features"_a, "structure"_a, "weights"_a,
             "run"_a);
  bind_baseline<GraphCentres>(module, "GraphCentres", "Centres of clusters of graphs.");
  module.def("cluster_graphs", &clustered, "graphs"_a, "options"_a, "features"_a, "structure"_a,
             "weights"_a, "run"_a);
}

}  // namespace srgw::python

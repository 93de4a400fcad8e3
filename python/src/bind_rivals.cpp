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
#include "srgw/factorization.hpp"
#include "srgw/graph_kmeans.hpp"
#include "srgw/linear_dictionary.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

template <class Model>
void set_origin(Model& model, const FeatureMap& features, const std::string& structure,
                const std::string& weights) {
  model.features = features;
  model.structure = structure;
  model.node_weights = weights;
}

nb::tuple unmixed_of(const LinearDictionary& dictionary, const Samples& graphs, int threads) {
  UnmixedSet found;
  {
    const nb::gil_scoped_release released;
    found = unmix(dictionary, graphs.all, {.threads = threads});
  }
  return nb::make_tuple(to_numpy(std::move(found.shares)), to_numpy(std::move(found.values)));
}

nb::tuple unmixed_graph(const LinearDictionary& dictionary, const Samples& graphs) {
  const Unmixed found = unmix(dictionary, graphs.all.at(0));
  Atom model = mixture(dictionary, found.shares);
  return nb::make_tuple(to_numpy(Vector(found.shares)), to_numpy(std::move(model.structure)),
                        to_numpy(std::move(model.features)), to_numpy(found.plan.dense()),
                        found.value, found.turns, found.status == Status::converged);
}

LinearDictionary dictionary_of(const nb::list& atoms, const Array1<double>& weights,
                               const nb::dict& unmixing) {
  LinearDictionary dictionary{.atoms = atoms_from(atoms),
                              .weights = Vector(view(weights)),
                              .unmixing = options_from<Unmixing>(unmixing)};
  const Index columns = dictionary.columns();
  if (columns > 0) dictionary.features = {.take = NodeFeatures::attributes, .attributes = columns};
  check(dictionary);
  return dictionary;
}

nb::tuple learned_linear(const Samples& graphs, Index atoms, Index size, const nb::dict& unmixing,
                         const nb::dict& scheme, const FeatureMap& features,
                         const std::string& structure, const std::string& weights, int threads,
                         std::uint64_t seed, std::optional<double> time_limit,
                         nb::object callback) {
  const auto how = options_from<Unmixing>(unmixing);
  const auto steps = options_from<LinearScheme>(scheme);
  Watch watch(std::move(callback));
  const Run run = watch.run_with(threads, seed, time_limit, false);
  LearnedLinear found;
  watch.run_here([&] { found = learn_linear(graphs.all, atoms, size, how, steps, run); });
  set_origin(found.dictionary, features, structure, weights);
  return nb::make_tuple(std::move(found.dictionary), to_numpy(std::move(found.unmixed.shares)),
                        to_numpy(std::move(found.unmixed.values)),
                        to_numpy(std::move(found.losses)), std::string(name(found.status)));
}

nb::tuple learned_factors(const Samples& graphs, Index atoms, Index size, const nb::dict& factoring,
                          const nb::dict& scheme, const FeatureMap& features,
                          const std::string& structure, const std::string& weights, int threads,
                          std::uint64_t seed, std::optional<double> time_limit,
                          nb::object callback) {
  const auto how = options_from<Factoring>(factoring);
  const auto steps = options_from<FactorScheme>(scheme);
  Watch watch(std::move(callback));
  const Run run = watch.run_with(threads, seed, time_limit, false);
  LearnedFactorization found;
  watch.run_here([&] { found = learn_factorization(graphs.all, atoms, size, how, steps, run); });
  set_origin(found.model, features, structure, weights);
  return nb::make_tuple(std::move(found.model), to_numpy(std::move(found.factored.shares)),
                        to_numpy(std::move(found.factored.values)),
                        to_numpy(std::move(found.losses)), std::string(name(found.status)));
}

nb::tuple clustered(const Samples& graphs, const nb::dict& options, const FeatureMap& features,
                    const std::string& structure, const std::string& weights, int threads,
                    std::uint64_t seed, std::optional<double> time_limit, nb::object callback) {
  const auto how = options_from<GraphKMeans>(options);
  Watch watch(std::move(callback));
  const Run run = watch.run_with(threads, seed, time_limit, false);
  GraphClusters found;
  watch.run_here([&] { found = cluster_graphs(graphs.all, how, run); });
  set_origin(found.centres, features, structure, weights);
  return nb::make_tuple(
      std::move(found.centres),
      to_numpy(std::vector<std::int64_t>(found.labels.begin(), found.labels.end())),
      to_numpy(std::move(found.values)), found.inertia, to_numpy(std::move(found.losses)),
      std::string(name(found.status)));
}

void bind_mixtures(nb::module_& module) {
  bind_model<LinearDictionary>(module, "LinearDictionary", "Graphs as mixtures of atoms.")
      .def_static("load", [](const std::string& path) { return load_linear_dictionary(path); })
      .def("metric_rows", [](const LinearDictionary& self, const Array2& shares) {
        return to_numpy(metric_rows(self, view(shares)));
      });
  module.def("linear_dictionary", &dictionary_of, "atoms"_a, "weights"_a, "unmixing"_a);
  module.def("unmix", &unmixed_of, "dictionary"_a, "graphs"_a, "threads"_a);
  module.def("unmix_one", &unmixed_graph, "dictionary"_a, "graphs"_a);
  module.def("learn_linear", &learned_linear, "graphs"_a, "atoms"_a, "size"_a, "unmixing"_a,
             "scheme"_a, "features"_a, "structure"_a, "weights"_a, "threads"_a, "seed"_a,
             "time_limit"_a.none(), "callback"_a.none());
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
            const nb::gil_scoped_release released;
            return self.step(graphs);
          },
          "batch"_a, "The sum of the values of the graphs before the step.")
      .def_prop_ro("dictionary", [](const LinearLearning& self) { return self.dictionary(); });
}

}  // namespace

void bind_rivals(nb::module_& module) {
  bind_mixtures(module);
  bind_model<Factorization>(module, "Factorization", "Graphs as barycenters of atoms.")
      .def_static("load", [](const std::string& path) { return load_factorization(path); });
  module.def("learn_factorization", &learned_factors, "graphs"_a, "atoms"_a, "size"_a,
             "factoring"_a, "scheme"_a, "features"_a, "structure"_a, "weights"_a, "threads"_a,
             "seed"_a, "time_limit"_a.none(), "callback"_a.none());
  module.def(
      "factor",
      [](const Factorization& model, const Samples& graphs, int threads) {
        Factored found;
        {
          const nb::gil_scoped_release released;
          found = factor(model, graphs.all, {.threads = threads});
        }
        return nb::make_tuple(to_numpy(std::move(found.shares)), to_numpy(std::move(found.values)));
      },
      "model"_a, "graphs"_a, "threads"_a);
  bind_model<GraphCentres>(module, "GraphCentres", "Centres of clusters of graphs.")
      .def_static("load", [](const std::string& path) { return load_graph_centres(path); });
  module.def("cluster_graphs", &clustered, "graphs"_a, "options"_a, "features"_a, "structure"_a,
             "weights"_a, "threads"_a, "seed"_a, "time_limit"_a.none(), "callback"_a.none());
  module.def(
      "divergences",
      [](const GraphCentres& centres, const Samples& graphs, int threads) {
        Matrix values;
        {
          const nb::gil_scoped_release released;
          values = divergences(centres, graphs.all, {.threads = threads});
        }
        return to_numpy(std::move(values));
      },
      "centres"_a, "graphs"_a, "threads"_a);
}

}  // namespace srgw::python

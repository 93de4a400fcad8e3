// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "models.hpp"
#include "samples.hpp"
#include "srgw/dictionary.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

Projection projection_of(double alpha, double sparsity, const Method& method) {
  return {.alpha = alpha, .sparsity = sparsity, .method = method};
}

Dictionary dictionary_from(const nb::list& atoms, double alpha, double sparsity,
                           const Method& method, const FeatureMap& features, std::string structure,
                           std::string node_weights, double unit, std::uint64_t graphs) {
  Dictionary dictionary{{.atoms = atoms_from(atoms),
                         .features = features,
                         .structure = std::move(structure),
                         .node_weights = std::move(node_weights),
                         .unit = unit},
                        projection_of(alpha, sparsity, method),
                        graphs};
  check(dictionary);
  return dictionary;
}

/// How graphs are described, for the file of the dictionary.
Dictionary with_description(const Dictionary& dictionary, const std::vector<std::string>& words,
                            int random_starts) {
  Dictionary described = dictionary;
  described.random_starts = random_starts;
  described.coordinates.clear();
  for (const std::string& word : words) {
    described.coordinates.push_back(from_name<Coordinate>(word, "coordinate"));
  }
  return described;
}

/// Epsilon (0: conditional gradient), iterations and tolerance.
nb::tuple method_words(const Dictionary& dictionary) {
  const Method& method = dictionary.projection.method;
  if (const auto* mirror = std::get_if<MirrorDescent>(&method)) {
    return nb::make_tuple(mirror->epsilon, mirror->max_iterations, mirror->tolerance);
  }
  const auto& exact = std::get<ConditionalGradient>(method);
  return nb::make_tuple(0.0, exact.max_iterations, exact.tolerance);
}

std::vector<std::string> coordinate_words(const Dictionary& dictionary) {
  std::vector<std::string> words;
  for (const Coordinate coordinate : dictionary.coordinates) words.emplace_back(name(coordinate));
  return words;
}

Learned learned_from(const Samples& samples, Index size, double alpha, double sparsity,
                     const Method& method, const Learner& learner, const RunGiven& given_run) {
  return watched(given_run, [&](const Run& run) {
    const StopScope limits(run);
    Learning learning(samples.all, size, projection_of(alpha, sparsity, method), learner, run);
    return finish(learning, run);
  });
}

std::vector<Coordinate> coordinates_of(const std::vector<std::string>& words) {
  std::vector<Coordinate> coordinates;
  for (const std::string& word : words) {
    coordinates.push_back(from_name<Coordinate>(word, "coordinate"));
  }
  return coordinates;
}

nb::tuple embedding_of(const Dictionary& dictionary, const Samples& samples,
                       const std::vector<std::string>& coordinates, int random_starts, int threads,
                       std::uint64_t seed) {
  const EmbedOptions options{.coordinates = coordinates_of(coordinates),
                             .random_starts = random_starts};
  Embedding embedding = watched(
      [&] { return embed(dictionary, samples.all, options, {.threads = threads, .seed = seed}); });
  return nb::make_tuple(to_numpy(std::move(embedding.coordinates)),
                        to_numpy(std::move(embedding.values)));
}

OnlineDictionary online(Index size, double alpha, double sparsity, const Method& method,
                        const std::variant<OnlineAverages, AdamSteps>& update,
                        const std::string& start, int threads, std::uint64_t seed) {
  const OnlineOptions options{.update = update, .start = from_name<AtomStart>(start, "atom_start")};
  return OnlineDictionary(size, projection_of(alpha, sparsity, method), options,
                          {.threads = threads, .seed = seed});
}

void bind_learned(nb::module_& module) {
  nb::class_<Learned>(module, "Learned", "An atom, and the graphs that it was learned from.")
      .def_prop_ro("atom", [](const Learned& self) { return to_python(self.atom); })
      .def_ro("unit", &Learned::unit)
      .def_ro("loss", &Learned::loss)
      .def_prop_ro("embedding", array_of(&Learned::embedding), nb::rv_policy::automatic)
      .def_prop_ro("values", array_of(&Learned::values), nb::rv_policy::automatic)
      .def_ro("losses", &Learned::losses)
      .def_ro("epochs", &Learned::epochs)
      .def_ro("passes", &Learned::passes)
      .def_prop_ro("status", &status_of<Learned>);
}

void bind_online(nb::module_& module) {
  nb::class_<OnlineDictionary>(module, "OnlineDictionary", "An atom that follows a stream.")
      .def(
          "take",
          [](OnlineDictionary& self, const Samples& samples, const Learned& learned) {
            watched([&] { self.take(samples.all, learned); });
          },
          "samples"_a, "learned"_a, "Goes on from what was learned from these samples.")
      .def(
          "take_atom",
          [](OnlineDictionary& self, const nb::tuple& atom, double unit, std::uint64_t graphs) {
            self.take(atom_from(atom), unit, graphs);
          },
          "atom"_a, "unit"_a, "graphs"_a, "Goes on from an atom whose graphs are not known.")
      .def(
          "partial_fit",
          [](OnlineDictionary& self, const Samples& batch) {
            return watched([&] { return self.partial_fit(batch.all); });
          },
          "batch"_a, "The mean value of the batch on the atom before.")
      .def_prop_ro("atom", [](const OnlineDictionary& self) { return to_python(self.atom()); })
      .def_prop_ro("unit", &OnlineDictionary::unit)
      .def_prop_ro("graphs", &OnlineDictionary::graphs)
      .def(
          "save",
          [](const OnlineDictionary& self, const std::string& path) {
            self.checkpoint().write(path);
          },
          "path"_a)
      .def(
          "resume",
          [](OnlineDictionary& self, const std::string& path) {
            self.resume(io::Archive::read(path, {}, 2));
          },
          "path"_a);
  module.def("online_dictionary", &online, "size"_a, "alpha"_a, "sparsity"_a, "method"_a,
             "update"_a, "start"_a, "threads"_a, "seed"_a);
}

}  // namespace

void bind_dictionary(nb::module_& module) {
  bind_options<ClosedForm>(module, "ClosedForm", "Plans and the best atom for them take turns.");
  bind_options<AdamScheme>(module, "AdamScheme", "The scheme of the paper.");
  bind_options<AdamSteps>(module, "AdamSteps", "How Adam moves.");
  bind_options<OnlineAverages>(module, "OnlineAverages", "Sums that forget.");
  bind_learned(module);
  bind_online(module);
  bind_model<Dictionary>(module, "Dictionary", "Atoms, and how graphs are projected on them.")
      .def_prop_ro("alpha", [](const Dictionary& self) { return self.projection.alpha; })
      .def_prop_ro("sparsity", [](const Dictionary& self) { return self.projection.sparsity; })
      .def_prop_ro("method", &method_words, "(epsilon, max_iter, tol); epsilon 0: exact.")
      .def_prop_ro("coordinates", &coordinate_words)
      .def_ro("random_starts", &Dictionary::random_starts)
      .def_ro("graphs", &Dictionary::graphs)
      .def_ro("unit", &Dictionary::unit)
      .def("described", &with_description, "coordinates"_a, "random_starts"_a);
  module.def("make_dictionary", &dictionary_from, "atoms"_a, "alpha"_a, "sparsity"_a, "method"_a,
             "features"_a, "structure"_a, "node_weights"_a, "unit"_a = 1.0, "graphs"_a = 0);
  module.def("learn", &learned_from, "samples"_a, "size"_a, "alpha"_a, "sparsity"_a, "method"_a,
             "learner"_a, "run"_a);
  module.def("embed", &embedding_of, "dictionary"_a, "samples"_a, "coordinates"_a,
             "random_starts"_a, "threads"_a, "seed"_a, "(coordinates, values)");
  module.def(
      "embedding_blocks",
      [](const Dictionary& dictionary, const std::vector<std::string>& coordinates) {
        return embedding_blocks(dictionary, {.coordinates = coordinates_of(coordinates)});
      },
      "dictionary"_a, "coordinates"_a);
}

}  // namespace srgw::python

// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "models.hpp"
#include "samples.hpp"
#include "srgw/completion.hpp"
#include "srgw/types.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;
using MaskArray = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

[[noreturn]] void refuse(const std::string& text) { throw Error(Error::Kind::argument, text); }

/// A dictionary with its completion model.
struct CompletionSource {
  Dictionary dictionary;
  std::optional<CompletionModel> model;
};

CompletionSource loaded(const std::string& path) {
  const io::Archive archive = io::Archive::read(path, "dictionary", 1);
  CompletionSource source{.dictionary = from_archive<Dictionary>(archive), .model = {}};
  source.model = completion_from(archive);  // it may throw: see dictionary_of()
  return source;
}

void save_source(const CompletionSource& source, const std::string& path) {
  io::Archive archive = to_archive(source.dictionary);
  if (source.model) add_completion(*source.model, archive);
  archive.write(path);
}

CompletionModel learn_completion_of(const Dictionary& dictionary, const Samples& samples,
                                    double rate, int threads, std::uint64_t seed) {
  return watched([&] {
    return learn_completion(dictionary, samples.all, {.rate = rate},
                            {.threads = threads, .seed = seed});
  });
}

void set_free(const std::optional<MaskArray>& given, const char* name, Mask& free) {
  if (!given) return;
  const auto rows = static_cast<Index>(given->shape(0)),
             columns = static_cast<Index>(given->shape(1));
  if (rows > free.rows() || columns > free.cols()) {
    refuse(std::string(name) + " is larger than the graph");
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (given->data()[i * columns + j]) free(i, j) = 1;
    }
  }
}

struct Options {
  std::string method, start;
  double learning_rate = 0;
  std::optional<int> max_iterations, draws;
};

CompletionMethod method_of(const Options& options) {
  const auto set = [&](auto scheme) {
    scheme.start = from_name<CompletionStart>(options.start, "start");
    scheme.max_iterations = options.max_iterations.value_or(scheme.max_iterations);
    return scheme;
  };
  if (options.method == "alternate") return set(Alternation{});
  if (options.method != "adam") {
    refuse("method is '" + options.method + "', expected learned, alternate or adam");
  }
  ProjectedAdam scheme = set(ProjectedAdam{});
  scheme.steps.learning_rate = options.learning_rate;
  return scheme;
}

Completion completed(const CompletionSource& source, const PartialGraph& graph,
                     const Options& options, const Run& run) {
  if (options.method != "learned") {
    return complete(source.dictionary, graph, method_of(options), run);
  }
  if (!source.model) {
    refuse(
        "the model was not trained for completion: train it with for_completion, or use "
        "method='alternate'");
  }
  LearnedCompletionOptions method;
  method.draws = options.draws.value_or(method.draws);
  return complete(source.dictionary, *source.model, graph, method, run);
}

Completion completed(const LinearDictionary& source, const PartialGraph& graph,
                     const Options& options, const Run& run) {
  if (options.method == "learned") {
    refuse("method is 'learned', expected alternate or adam for a model of GDL");
  }
  return complete(source, graph, method_of(options), run);
}

template <class Source>
Completion complete_graph(const Source& source, const Array2& seen,
                          const std::optional<Array2>& features, Index nodes,
                          const std::optional<MaskArray>& mask,
                          const std::optional<MaskArray>& feature_mask, const std::string& method,
                          const std::string& start, double learning_rate,
                          std::optional<int> max_iterations, std::optional<int> draws, int threads,
                          std::uint64_t seed) {
  PartialGraph graph =
      features ? half_seen(view(seen), view(*features), nodes) : half_seen(view(seen), nodes);
  set_free(mask, "mask", graph.free);
  set_free(feature_mask, "feature_mask", graph.free_features);
  const Options options{method, start, learning_rate, max_iterations, draws};
  return watched(
      [&] { return completed(source, graph, options, {.threads = threads, .seed = seed}); });
}

template <class Source>
void def_complete(nb::module_& module) {
  module.def("complete", &complete_graph<Source>, "source"_a, "seen"_a, "features"_a.none(),
             "nodes"_a, "mask"_a.none(), "feature_mask"_a.none(), "method"_a, "start"_a,
             "learning_rate"_a, "max_iterations"_a.none(), "draws"_a.none(), "threads"_a, "seed"_a);
}

}  // namespace

void bind_completion(nb::module_& module) {
  nb::class_<CompletionModel>(module, "CompletionModel",
                              "Predicts hidden nodes; learned from training graphs.");
  module.def("learn_completion", &learn_completion_of, "dictionary"_a, "samples"_a, "rate"_a,
             "threads"_a, "seed"_a);
  nb::class_<CompletionSource>(module, "CompletionSource",
                               "A dictionary with its completion model.")
      .def_static("load", &loaded, "path"_a)
      .def_static(
          "of",
          [](const Dictionary& dictionary, const std::optional<CompletionModel>& model) {
            return CompletionSource{dictionary, model};
          },
          "dictionary"_a, "model"_a.none())
      .def("save", &save_source, "path"_a)
      .def_ro("dictionary", &CompletionSource::dictionary)
      .def_ro("model", &CompletionSource::model)
      .def_prop_ro("columns",
                   [](const CompletionSource& self) { return self.dictionary.columns(); });
  nb::class_<Completion>(module, "Completion", "A completed graph.")
      .def_prop_ro("structure", array_of(&Completion::structure), nb::rv_policy::automatic)
      .def_prop_ro("features", array_of(&Completion::features), nb::rv_policy::automatic)
      .def_prop_ro("probabilities", array_of(&Completion::probabilities), nb::rv_policy::automatic)
      .def_ro("unit", &Completion::unit)
      .def_ro("value", &Completion::value)
      .def_ro("iterations", &Completion::iterations)
      .def_ro("values", &Completion::values)
      .def_prop_ro("status", &status_of<Completion>);
  def_complete<CompletionSource>(module);
  def_complete<LinearDictionary>(module);
}

}  // namespace srgw::python

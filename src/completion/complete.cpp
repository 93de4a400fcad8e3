// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "completion/loops.hpp"
#include "srgw/completion.hpp"

namespace srgw {

namespace detail {

void check_kind(Index columns, const PartialGraph& graph) {
  const Index found = graph.features.cols();
  if (found > 0 && columns == 0) {
    fail_argument("the graph has {} feature columns, but the model has no features", found);
  }
  if (found != columns) {
    fail_argument("the graph has {} feature columns, expected {} as the model has", found, columns);
  }
}

namespace {

/// The graph as a search may start, at the product plan: where a stop leaves no time for more, nor
/// to draw noise.
Completion start_of(Fitting& model, const PartialGraph& graph, const Run& run) {
  const FilledGraph filled = filled_start(graph, CompletionStart::degrees, run.seed);
  return {
      .structure = filled.structure,
      .features = filled.features,
      .value = model.product_value(
          {{Structure::dense(filled.structure), uniform_weights(graph.size())}, filled.features})};
}

/// The best of the models, for which `next(a)` is called; what is found when the run is stopped.
template <class Next>
Completion best_of(std::size_t models, const Next& next, const PartialGraph& graph,
                   const CompletionMethod& method, const Run& run) {
  Completion best, one;
  const auto keep = [&](std::size_t a) {
    one.atom = a;
    if (best.structure.size() == 0 || one.value < best.value) best = std::move(one);
  };
  std::size_t a = 0;
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    for (; a < models; ++a) {
      one = nothing_yet();
      std::visit([&](const auto& scheme) { complete_with(next(a), graph, scheme, run, one); },
                 method);
      keep(a);
    }
  });
  if (!stopped) return best;
  const StopShield shield;
  if (std::isfinite(one.value) && one.structure.size() > 0) keep(a);
  if (best.structure.size() == 0) best = start_of(next(0), graph, run);
  best.status = *stopped;
  return best;
}

template <class Model>
void check_all(const Model& model, const PartialGraph& graph, const CompletionMethod& method) {
  check(model);
  check(graph);
  check_kind(model.columns(), graph);
  std::visit([](const auto& scheme) { check_fields(scheme); }, method);
}

void set_probabilities(const PartialGraph& graph, Completion& answer) {
  answer.probabilities = answer.structure;
  for (Index e = 0; e < answer.structure.size(); ++e) {
    double& p = answer.probabilities.data()[e];
    if (graph.free.data()[e] != 0) p = std::clamp(p, 0.0, 1.0);
  }
}

}  // namespace

}  // namespace detail

Completion complete(const Dictionary& dictionary, const PartialGraph& graph,
                    const CompletionMethod& method, const Run& run) {
  detail::check_all(dictionary, graph, method);
  std::unique_ptr<detail::AtomFitting> model;
  Completion best = detail::best_of(
      dictionary.atoms.size(),
      [&](std::size_t a) -> detail::Fitting& {
        model = std::make_unique<detail::AtomFitting>(dictionary.atoms[a], dictionary.projection);
        return *model;
      },
      graph, method, run);
  detail::set_probabilities(graph, best);
  return best;
}

Completion complete(const LinearDictionary& dictionary, const PartialGraph& graph,
                    const CompletionMethod& method, const Run& run) {
  detail::check_all(dictionary, graph, method);
  detail::MixtureFitting model(dictionary);
  Completion answer = detail::best_of(
      1, [&](std::size_t) -> detail::Fitting& { return model; }, graph, method, run);
  detail::set_probabilities(graph, answer);
  return answer;
}

}  // namespace srgw

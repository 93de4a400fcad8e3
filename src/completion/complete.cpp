// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/message.hpp"
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

Completion by_method(Fitting& model, const PartialGraph& graph, const CompletionMethod& method,
                     const Run& run) {
  return std::visit([&](const auto& scheme) { return completed(model, graph, scheme, run); },
                    method);
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
  Completion best;
  for (std::size_t a = 0; a < dictionary.atoms.size(); ++a) {
    detail::AtomFitting model(dictionary.atoms[a], dictionary.projection);
    Completion one = detail::by_method(model, graph, method, run);
    one.atom = a;
    if (a == 0 || one.value < best.value) best = std::move(one);
  }
  detail::set_probabilities(graph, best);
  return best;
}

Completion complete(const LinearDictionary& dictionary, const PartialGraph& graph,
                    const CompletionMethod& method, const Run& run) {
  detail::check_all(dictionary, graph, method);
  detail::MixtureFitting model(dictionary);
  Completion answer = detail::by_method(model, graph, method, run);
  detail::set_probabilities(graph, answer);
  return answer;
}

}  // namespace srgw

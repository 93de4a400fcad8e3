// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "completion/loops.hpp"
#include "message.hpp"
#include "srgw/completion.hpp"

namespace srgw {

namespace detail {

void check_kind(const Dictionary& dictionary, const PartialGraph& graph) {
  const Index found = graph.features.cols(), expected = dictionary.columns();
  if (found > 0 && expected == 0) {
    fail_argument("the graph has {} feature columns, but the model has no features", found);
  }
  if (found != expected) {
    fail_argument("the graph has {} feature columns, expected {} as the model has", found,
                  expected);
  }
}

}  // namespace detail

Completion complete(const Dictionary& dictionary, const PartialGraph& graph,
                    const CompletionMethod& method, const Run& run) {
  check(dictionary);
  check(graph);
  detail::check_kind(dictionary, graph);
  std::visit([](const auto& scheme) { check_fields(scheme); }, method);
  Completion best;
  for (std::size_t a = 0; a < dictionary.atoms.size(); ++a) {
    Completion one = std::visit(
        [&](const auto& scheme) {
          return detail::completed(dictionary.atoms[a], dictionary.projection, graph, scheme, run);
        },
        method);
    one.atom = a;
    if (a == 0 || one.value < best.value) best = std::move(one);
  }
  best.probabilities = best.structure;
  for (Index e = 0; e < best.structure.size(); ++e) {
    double& p = best.probabilities.data()[e];
    if (graph.free.data()[e] != 0) p = std::clamp(p, 0.0, 1.0);
  }
  return best;
}

}  // namespace srgw

// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/metrics.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;
using LabelArray = Array1<NodeId>;

// The overloads that take labels; others take tables of counts.
using Agreement = double (*)(std::span<const NodeId>, std::span<const NodeId>);
using Normalized = double (*)(std::span<const NodeId>, std::span<const NodeId>,
                              metrics::Normaliser);

template <Agreement Metric>
double agreement(const LabelArray& a, const LabelArray& b) {
  return watched([&] { return Metric(span(a), span(b)); });
}

template <Normalized Metric>
double normalized(const LabelArray& a, const LabelArray& b, bool maximum) {
  return watched([&] {
    return Metric(span(a), span(b),
                  maximum ? metrics::Normaliser::maximum : metrics::Normaliser::arithmetic);
  });
}

}  // namespace

void bind_metrics(nb::module_& module) {
  module.def("rand_index", &agreement<&metrics::rand_index>, "a"_a, "b"_a);
  module.def("adjusted_rand_index", &agreement<&metrics::adjusted_rand_index>, "a"_a, "b"_a);
  module.def("mutual_information", &agreement<&metrics::mutual_information>, "a"_a, "b"_a);
  module.def("normalized_mutual_information", &normalized<&metrics::normalized_mutual_information>,
             "a"_a, "b"_a, "maximum"_a);
  module.def("adjusted_mutual_information", &normalized<&metrics::adjusted_mutual_information>,
             "a"_a, "b"_a, "maximum"_a);
  module.def(
      "modularity",
      [](const Graph& graph, const LabelArray& labels, double resolution) {
        return watched([&] { return metrics::modularity(graph, span(labels), resolution); });
      },
      "graph"_a, "labels"_a, "resolution"_a);
}

}  // namespace srgw::python

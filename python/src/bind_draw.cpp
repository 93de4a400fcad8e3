// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/draw.hpp"
#include "srgw/report.hpp"
#include "srgw/version.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;
using Names = std::optional<std::vector<std::string>>;

NodeNames names_from(const Names& names, const Graph& graph) {
  return names ? NodeNames(*names) : NodeNames::numbered(graph.nodes());
}

Matrix layout_of(const Graph& graph, const std::optional<Array1<NodeId>>& blocks) {
  LayoutOptions options;
  if (blocks) options.blocks = span(*blocks);
  return watched([&] { return layout(graph, options); });
}

std::string partition_svg(const Graph& graph, const Names& names, const Partition& found,
                          const std::string& title, const std::string& subtitle) {
  return watched([&] {
    return svg(draw_partition({.graph = graph,
                               .names = names_from(names, graph),
                               .labels = found.labels,
                               .clusters = std::ssize(found.sizes),
                               .plan = &found.solution.plan,
                               .title = title,
                               .subtitle = subtitle}));
  });
}

void save_partition_report(const Graph& graph, const Names& names, const Partition& found,
                           const std::string& what, const std::string& command, std::uint64_t seed,
                           const std::string& path) {
  watched([&] {
    save(partition_report({.graph = graph,
                           .names = names_from(names, graph),
                           .partition = found,
                           .file = what,
                           .origin = {.program = "srgw " SRGW_VERSION " (Python)",
                                      .command = command,
                                      .seed = seed}}),
         path);
  });
}

}  // namespace

void bind_draw(nb::module_& module) {
  module.def(
      "layout",
      [](const Graph& graph, const std::optional<Array1<NodeId>>& blocks) {
        return to_numpy(layout_of(graph, blocks));
      },
      "graph"_a, "blocks"_a.none(), "Where nodes are drawn: n x 2, in units of an edge.");
  module.def("partition_svg", &partition_svg, "graph"_a, "names"_a.none(), "partition"_a, "title"_a,
             "subtitle"_a);
  module.def("save_partition_report", &save_partition_report, "graph"_a, "names"_a.none(),
             "partition"_a, "what"_a, "command"_a, "seed"_a, "path"_a);
}

}  // namespace srgw::python

// SPDX-License-Identifier: MIT
#include "cli/partition_input.hpp"

#include "cli/options.hpp"

namespace srgw::cli {

void add_partition_input(CLI::App& app, PartitionInput& input) {
  Options options(app, "Clusters");
  options.argument("GRAPH", input.graph, "Graph file, or - for an edge list on stdin");
  options.text("-k,--clusters", input.clusters, "Q",
               "Maximum number of clusters; auto: found by the search");
  options.text("--target", input.target, "NAME",
               "auto (the search chooses the scale; without the search identity), identity, "
               "scaled-identity:SCALE (modularity at resolution SCALE), learned (blocks of any "
               "kind) or a graph file");
  options.file("--truth", input.truth, "True labels to compare with; every labelled node exists");
  options.choice("--method", input.method,
                 "gwl: balanced, onto the diagonal of interpolated weights; specgwl: gwl with the "
                 "heat kernel");
  options.choice("--select", input.select, {"none", "modularity"},
                 "modularity: choose by modularity what is not given of the time (--structure heat "
                 "or stability), the scale of the target, --weights power and --epsilon");
  options.text("--compare", input.compared, "[NAME=]FILE",
               "Labels from another tool, shown next to the result; repeatable");
  add_solving(app, input.solving, {.structure = "auto", .start = "auto"});
  app.footer(
      "By default a search finds the clusters by modularity, at a resolution chosen for the "
      "graph.\n"
      "--structure, --target, --start, --loss, --method, --select, --weights other than degree, "
      "and\n"
      "--sparsity with a fixed number of clusters replace the search by a solve, by default from "
      "3\n"
      "spectral starts. A solve needs -k with a number.\n"
      "Example: srgw partition graph.txt -k 4 -o communities.tsv");
}

}  // namespace srgw::cli

// SPDX-License-Identifier: MIT
#include "cli/partition_input.hpp"

namespace srgw::cli {

void add_partition_input(CLI::App& app, PartitionInput& input) {
  const std::string group = "Clusters";
  app.add_option("GRAPH", input.graph, "Graph file, or - for an edge list on standard input")
      ->type_name("")
      ->required();
  app.add_option("-k,--clusters", input.clusters,
                 "Number of clusters; auto: the search finds it")
      ->type_name("Q")
      ->capture_default_str()
      ->group(group);
  app.add_option("--target", input.target,
                 "auto (the search chooses the scale; without the search identity), identity, "
                 "scaled-identity:SCALE (modularity at resolution SCALE), learned (blocks of any "
                 "kind) or a graph file")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  app.add_option("--truth", input.truth, "Labels to compare with; they also tell which nodes exist")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--method", input.method,
                 "srgw; gwl: balanced, onto the diagonal of interpolated weights; specgwl: the "
                 "same with the heat kernel")
      ->type_name("NAME")
      ->check(silent(CLI::IsMember({"srgw", "gwl", "specgwl"})))
      ->capture_default_str()
      ->group(group);
  app.add_option("--select", input.select,
                 "modularity: it chooses what is not given of time (--structure heat or "
                 "stability), scale of the target, --weights power and --epsilon")
      ->type_name("none|modularity")
      ->check(silent(CLI::IsMember({"none", "modularity"})))
      ->capture_default_str()
      ->group(group);
  app.add_option("--compare", input.compared,
                 "Labels that something else has found, to be shown beside the result; repeatable")
      ->type_name("[NAME=]FILE")
      ->group(group);
  add_solving(app, input.solving, {.structure = "auto", .start = "auto"});
  app.footer(
      "By default a search finds the clusters: modularity, at a resolution that the graph\n"
      "chooses. --structure, --target, --start, --loss, --method, --select, other --weights than\n"
      "degree, and --sparsity with a number of clusters replace it by a solve, from 3 spectral\n"
      "starts by default; these need -k with a number.\n"
      "Example: srgw partition graph.txt -k 4 -o communities.tsv");
}

}  // namespace srgw::cli

// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/clusters.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/feature_targets.hpp"
#include "cli/partition_input.hpp"
#include "cli/partition_result.hpp"
#include "cli/partition_search.hpp"
#include "cli/result.hpp"
#include "srgw/components.hpp"

namespace srgw::cli {

namespace {

constexpr Defaults defaults{.structure = "modularity", .start = "spectral", .starts = 3};

struct Args {
  PartitionInput input;
  std::string labels_file;
  bool estimate_only = false;
};

/// A solution and the nodes that it is about.
struct Answer {
  Solution solution;
  Selection selection;
  std::optional<Partition> found = {};  ///< where the library's search made it
};

/// Solves for the nodes that are to be clustered.
Solution solve_for(const PartitionData& data, const Selection& selection, const Solving& solving,
                   const Setup& setup) {
  const NodeNames& names = data.read.names;
  const Graph& graph = data.read.graph;
  const Source source =
      make_source(selection.keeps_all() ? graph : induced_subgraph(graph, selection.kept),
                  setup.structure, setup.weights,
                  rows_of(read_weights(setup.weights, names), selection), solving.common.threads);
  auto start = read_start(setup.start, names);
  keep_rows(start, selection);
  if (solving.features.empty()) {
    const Matrix no_cost;
    const Problem problem = make_problem(source, data.target.structure, no_cost, solving, setup);
    return run_solver(problem, start, solving, setup);
  }
  const Matrix features = rows_of(io::read_features(solving.features, names), selection);
  return solve_with_features(source, data.target.structure, features, start, solving, setup);
}

void check_labels_file(std::string file) {
  check_folder_of(file);
  if (file.ends_with(".gz")) file.resize(file.size() - 3);
  if (file.empty() || file == "-" || file.starts_with("/dev/")) return;
  for (const char* ending : {".tsv", ".txt", ".csv", ".npy", ".json"}) {
    if (file.ends_with(ending)) return;
  }
  fail_usage("-o {}, expected a file that ends in .tsv, .csv, .npy or .json", file);
}

Answer answer_for(const PartitionData& data, const PartitionInput& input, const Setup& setup) {
  if (asks_for_search(input, setup)) {
    Searched searched = search_partition(data, input, setup);
    Solution solution = std::move(searched.found.solution);
    return {std::move(solution), std::move(searched.selection), std::move(searched.found)};
  }
  Selection selection = select_nodes(data.read.graph, data.target.structure.size());
  Solution solution = solve_for(data, selection, input.solving, setup);
  return {std::move(solution), std::move(selection)};
}

void check_number_is_free(const PartitionInput& input, const Setup& setup) {
  if (input.clusters != "auto" || (asks_for_search(input, setup) && input.target.empty())) return;
  fail_usage(
      "-k auto with options of one's own, expected a number or none of --structure, --weights, "
      "--target, --start, --starts, --sparsity, --epsilon and --loss: only the default search "
      "finds the number");
}

int run(const Args& args, const std::string& command_line) {
  const Solving& solving = args.input.solving;
  const Setup setup = set_up(solving, defaults);
  const bool labels_to_stdout = args.labels_file == "-";
  if (labels_to_stdout && solving.common.json) fail_usage("-o - with --json, expected one of them");
  check_labels_file(args.labels_file);
  check_number_is_free(args.input, setup);
  const PartitionData data = read_partition(args.input, setup);
  Timing timing{.read = seconds_so_far()};

  const Index columns = data.target.structure.size();
  const Workload work = workload(data.read.graph, columns, data.identity, solving, setup);
  if (args.estimate_only) return print_estimate(work, solving.common);
  check_memory(estimate(work), work, setup.max_memory);
  if (select_nodes(data.read.graph, 1).kept.empty()) {
    fail_input("{}: no edge between two nodes, expected some", args.input.graph);
  }
  auto [solution, selection, found] = answer_for(data, args.input, setup);
  const Clusters clusters = finish_clusters(solution, selection, data.identity);
  timing.solve = seconds_so_far() - timing.read;

  PartitionResult result = partition_result(
      data, selection, clusters, setup, found ? std::optional(found->significant) : std::nullopt);
  if (found) {
    result.resolution = found->resolution;
    result.reasons = std::move(found->reasons);
  }
  if (!result.significant && (columns > 1 || !data.clusters)) {
    note(solving.common, "no communities: no split is better than none");
  }
  auto json = solution_json(solution, timing, setup);
  add_to_json(json, result, args.labels_file);
  if (!args.labels_file.empty()) {
    io::write_labels(
        {.names = data.read.names, .labels = {result.labels.begin(), result.labels.end()}},
        args.labels_file);
  }
  write_plan(solution.plan, data.read.names, solving);
  save_result(solution, data.read.names, result.labels, json, {command_line, data.files}, timing,
              solving, setup);
  if (solving.common.json) {
    print_json(json);
  } else if (!labels_to_stdout) {
    print_partition(result);
    print_solution(solution, timing);
  }
  return exit_code(solution, solving);
}

Action add(CLI::App& app, bool estimate_only) {
  auto args = std::make_shared<Args>();
  args->estimate_only = estimate_only;
  add_partition_input(app, args->input, defaults);
  app.add_option("-o,--output", args->labels_file,
                 "Write the labels: .tsv, .csv, .npy, .json, or - for standard output")
      ->type_name("FILE")
      ->group("Clusters");
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace

Action add_partition(CLI::App& app) {
  app.footer("Example: srgw partition graph.txt -k 4 -o communities.tsv");
  return add(app, false);
}

Action add_partition_estimate(CLI::App& app) {
  app.footer("Example: srgw estimate partition graph.txt -k 4 --structure heat:5");
  return add(app, true);
}

}  // namespace srgw::cli

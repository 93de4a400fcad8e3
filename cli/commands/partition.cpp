// SPDX-License-Identifier: MIT
#include <algorithm>
#include <future>
#include <memory>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/options.hpp"
#include "cli/partition_options.hpp"
#include "cli/partition_ranks.hpp"
#include "cli/partition_result.hpp"
#include "cli/picture.hpp"
#include "cli/rank_model.hpp"
#include "cli/result.hpp"
#include "cli/stopping.hpp"

namespace srgw::cli {

namespace {

struct Args {
  PartitionInput input;
  std::string labels_file;
  Shown shown;
  bool estimate_only = false;
  std::shared_ptr<const EstimateArgs> estimate = {};
};

void check_labels_file(std::string file) {
  check_folder_of(file);
  if (file.ends_with(".gz")) file.resize(file.size() - 3);
  if (file.empty() || file == "-" || file.starts_with("/dev/")) return;
  for (const char* ending : {".tsv", ".txt", ".csv", ".npy", ".json"}) {
    if (file.ends_with(ending)) return;
  }
  fail_usage("-o {}, expected a file that ends in .tsv, .csv, .npy or .json", file);
}

/// Sets what the options of `partition` determine; balanced problems need dense plans.
void fit(Workload& work, const PartitionJob& job) {
  work.hard_start = work.hard_start && job.request.problem == PartitionProblem::srgw;
  work.starts = job.resolved.options.starts.value_or(3);
  work.searches = job.resolved.searches;
}

Workload workload_of(const PartitionData& data, const PartitionJob& job) {
  Workload work =
      workload(data.read.graph, data.columns, !data.target, job.input.solving, job.setup);
  fit(work, job);
  return work;
}

/// --picture and --report.
void show(const Args& args, const PartitionData& data, const Partition& found,
          const nlohmann::ordered_json& agreed, const std::vector<ComparedPartition>& beside,
          const nlohmann::ordered_json& json, std::future<ReportOrigin>& origin) {
  const DrawnGraph drawn{args.input.graph, data.read.graph, data.read.names};
  const Common& common = args.input.solving.common;
  write_picture(args.shown.picture, common, [&] {
    Picture picture = partition_picture(drawn, found.labels, found.solution.plan, json);
    if (found.hierarchy.empty()) return picture;
    const std::vector<Picture> both{
        std::move(picture), draw_hierarchy({.levels = hierarchy_levels(found), .title = "Levels"})};
    return stack_pictures(both);
  });
  std::vector<ReportFact> agreement;
  for (const auto& [key, value] : agreed.items()) {
    agreement.push_back({key, fmt::format("{:.4f}", value.get<double>())});
  }
  write_report(args.shown.report, common, [&] {
    return partition_report(
        {.graph = data.read.graph,
         .names = data.read.names,
         .partition = found,
         .file = short_name(args.input.graph),
         .agreement = agreement,
         .ami = agreed.contains("ami") ? std::optional(agreed["ami"].get<double>()) : std::nullopt,
         .compared = beside,
         .previous = previous_for_report(found, data.constraints),
         .origin = origin.get()});
  });
}

/// The work of ranks on a graph with so many nodes.
RankWork rank_work(const PartitionJob& job, Index nodes) {
  check_for_ranks(job);
  const PartitionOptions& options = job.resolved.options;
  return {.columns = std::min(options.clusters.value_or(RankWork{}.columns), nodes),
          .searches = job.setup.start.start == Start::split_merge,
          .free = !options.clusters,
          .starts = options.starts.value_or(1),
          .threads = job.input.solving.common.threads};
}

/// The estimate for a graph of which only nodes and edges are known.
int estimate_unread(const Args& args, const PartitionJob& job) {
  const EstimateArgs& given = *args.estimate;
  const Solving& solving = args.input.solving;
  const auto nodes = given.nodes ? given.nodes : solving.reading.nodes;
  if (!given.edges || !nodes) {
    fail_usage("{}, expected GRAPH, or --nodes and --edges",
               given.edges ? "--edges without --nodes" : "no graph");
  }
  Common common = solving.common;
  common.json = common.json || given.json;
  if (given.ranks > 1) {
    return print_rank_estimate(cut_over_ranks(*nodes, *given.edges, given.weighted, given.ranks),
                               rank_work(job, *nodes), common);
  }
  if (is_target_file(args.input.target)) {
    fail_usage("--target {} without a graph, expected a name", args.input.target);
  }
  const Graph none = Graph::from_edges(1, std::span<const Entry>());  // its size is set below
  Workload work =
      workload(none, std::min(job.request.clusters.value_or(1), *nodes), true, solving, job.setup);
  work.nodes = *nodes;
  work.entries = 2 * *given.edges;
  work.weighted = given.weighted;
  fit(work, job);
  return print_estimate(work, common);
}

int run(const Args& args, const std::string& command_line) {
  const Solving& solving = args.input.solving;
  const bool several = args.estimate_only ? args.estimate->ranks > 1 : ranks() != nullptr;
  const PartitionJob job = plan_partition(args.input, several);
  const Setup& setup = job.setup;
  const bool labels_to_stdout = args.labels_file == "-";
  if (labels_to_stdout && solving.common.json) fail_usage("-o - with --json, expected one of them");
  check_labels_file(args.labels_file);
  check(args.shown);
  if (ranks() != nullptr && !args.estimate_only) {
    return partition_on_ranks(job, args.labels_file, args.shown, *ranks());
  }
  if (args.estimate_only && args.input.graph.empty()) return estimate_unread(args, job);
  if (args.estimate_only && args.estimate->edges) {
    fail_usage("--edges with the graph {}, expected one of them", args.input.graph);
  }
  const PartitionData data = read_partition(job);
  Timing timing{.read = seconds_so_far()};

  if (args.estimate_only && several) {
    return print_rank_estimate(cut_over_ranks(data.read.graph, args.estimate->ranks),
                               rank_work(job, data.read.graph.nodes()), solving.common);
  }
  const Workload work = workload_of(data, job);
  if (args.estimate_only) return print_estimate(work, solving.common);
  check_memory(estimate(work), work, setup.max_memory);
  const PartitionOptions options = partition_options(job, data);
  std::future<ReportOrigin> origin;  // hashes the files meanwhile
  if (!args.shown.report.empty()) {
    origin = std::async(std::launch::async, report_origin, command_line, solving.seed, data.files);
  }
  Partition found = find_partition(job, [&](Run& run) {
    run.trace = !args.shown.report.empty();
    return data.layers.empty() ? partition(data.read.graph, options, run)
                               : partition(data.layers, options, run);
  });
  if (data.layers.empty()) found.symmetrized = data.read.symmetrized;
  timing.solve = seconds_so_far() - timing.read;

  note_communities(found, solving.common);
  note_update(found, args.input.previous, solving.common);
  auto json = solution_json(found.solution, timing, setup);
  const auto agreed = agreement(data, found.labels);
  add_to_json(json, found, agreed, args.labels_file);
  add_update(json, found, data.constraints);
  const auto beside = compared(data, found.labels);
  add_compared(json, beside);
  begin_writing();
  if (!args.labels_file.empty()) {
    io::NodeLabels labels = labels_to_write(found, data.constraints, data.read.names);
    for (const PartitionLevel& level : found.hierarchy) labels.levels.push_back(level.labels);
    io::write_labels(labels, args.labels_file);
  }
  write_plan(found.solution.plan, data.read.names, solving);
  save_result(found.solution, data.read.names, found.labels, json, {command_line, data.files},
              timing, solving, setup, {.source = &data.read.graph});
  show(args, data, found, agreed, beside, json, origin);
  if (solving.common.json) {
    print_json(json);
  } else if (!labels_to_stdout) {
    print_partition(found, agreed);
    print_update(found, data.constraints);
    print_compared(beside);
    print_solution(found.solution, timing);
  }
  return exit_code(found.solution, solving);
}

Action add(CLI::App& app, std::shared_ptr<const EstimateArgs> estimate) {
  auto args = std::make_shared<Args>();
  const bool estimate_only = estimate != nullptr;
  args->estimate_only = estimate_only;
  args->estimate = std::move(estimate);
  add_partition_input(app, args->input);
  if (estimate_only) app.get_option("GRAPH")->required(false);
  Options(app, "Clusters")
      .file("-o,--output", args->labels_file,
            "Write the labels: .tsv, .csv, .npy, .json, or - for stdout");
  if (!estimate_only) add_shown(app, args->shown);
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace

Action add_partition(CLI::App& app) { return add(app, nullptr); }

Action add_partition_estimate(CLI::App& app, std::shared_ptr<const EstimateArgs> args) {
  Action action = add(app, std::move(args));
  app.footer("Example: srgw estimate partition graph.txt -k 4 --structure heat:5");
  return action;
}

}  // namespace srgw::cli

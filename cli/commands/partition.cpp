// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/partition_input.hpp"
#include "cli/partition_options.hpp"
#include "cli/partition_result.hpp"
#include "cli/result.hpp"

namespace srgw::cli {

namespace {

constexpr Defaults defaults{.structure = "modularity", .start = "spectral", .starts = 3};

struct Args {
  PartitionInput input;
  std::string labels_file;
  bool estimate_only = false;
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

/// What the run takes; with a target of its own masses plans are arrays.
Workload workload_of(const PartitionData& data, const PartitionInput& input, const Setup& setup) {
  Workload work =
      workload(data.read.graph, data.target.structure.size(), data.identity, input.solving, setup);
  work.hard_start = work.hard_start && input.method == "srgw";
  return work;
}

/// Errors about the graph name its file.
Partition find(const PartitionData& data, const PartitionInput& input,
               const PartitionOptions& options, const Setup& setup) {
  Partition found;
  try {
    watched(input.solving, setup,
            [&](const Run& run) { found = partition(data.read.graph, options, run); });
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", input.graph, error.what()));
  }
  found.symmetrized = data.read.symmetrized;
  note_start(found.solution, input.solving);
  return found;
}

int run(Args args, const std::string& command_line) {
  complete(args.input);
  const Solving& solving = args.input.solving;
  Setup setup = set_up(solving, defaults);
  const bool labels_to_stdout = args.labels_file == "-";
  if (labels_to_stdout && solving.common.json) fail_usage("-o - with --json, expected one of them");
  check_labels_file(args.labels_file);
  check_number_is_free(args.input, setup);
  const PartitionData data = read_partition(args.input, setup);
  Timing timing{.read = seconds_so_far()};

  const Workload work = workload_of(data, args.input, setup);
  if (args.estimate_only) return print_estimate(work, solving.common);
  check_memory(estimate(work), work, setup.max_memory);
  const PartitionOptions options = partition_options(data, args.input, setup);
  setup.starts = options.starts;
  const Partition found = find(data, args.input, options, setup);
  timing.solve = seconds_so_far() - timing.read;

  if (!found.significant) note(solving.common, "no communities: no split is better than none");
  auto json = solution_json(found.solution, timing, setup);
  const auto agreed = agreement(data, found.labels);
  add_to_json(json, found, agreed, args.labels_file);
  if (!args.labels_file.empty()) {
    io::write_labels(
        {.names = data.read.names, .labels = {found.labels.begin(), found.labels.end()}},
        args.labels_file);
  }
  write_plan(found.solution.plan, data.read.names, solving);
  save_result(found.solution, data.read.names, found.labels, json, {command_line, data.files},
              timing, solving, setup);
  if (solving.common.json) {
    print_json(json);
  } else if (!labels_to_stdout) {
    print_partition(found, agreed);
    print_solution(found.solution, timing);
  }
  return exit_code(found.solution, solving);
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

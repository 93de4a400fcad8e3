// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/reading.hpp"
#include "cli/standard_output.hpp"
#include "cli/stopping.hpp"
#include "srgw/blocks.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

struct GraphonArgs {
  std::string dataset, steps = "auto", output, values, sample, labels, picture;
  std::optional<std::string> to;
  std::optional<Index> sample_nodes;
  std::uint64_t seed = 0;
  Reading reading;
  Common common;
};

void check_arguments(const GraphonArgs& args) {
  if (!args.output.empty() && !args.output.ends_with(".npz")) {
    fail_usage("--output {}, expected a file that ends in .npz", args.output);
  }
  if (!args.values.empty() && !args.values.ends_with(".npy")) {
    fail_usage("--values {}, expected a file that ends in .npy", args.values);
  }
  if (!args.labels.empty() && !args.labels.ends_with(".npy")) {
    fail_usage("--labels {}, expected a file that ends in .npy", args.labels);
  }
  if (args.sample_nodes && args.sample.empty()) {
    fail_usage("--sample-nodes without --sample, expected both");
  }
  for (const std::string& file : {args.output, args.values, args.sample, args.labels}) {
    check_folder_of(file);
  }
  check(Shown{.picture = args.picture, .report = ""});
  check_dataset_path(args.dataset);
}

/// Rows of graph, node and step.
void write_steps(const Graphon& found, const std::string& file) {
  Index nodes = 0;
  for (const Assignment& labels : found.labels) nodes += std::ssize(labels);
  Matrix rows(nodes, 3);
  Index row = 0;
  for (std::size_t s = 0; s < found.labels.size(); ++s) {
    for (std::size_t i = 0; i < found.labels[s].size(); ++i) {
      rows.row(row++) << static_cast<double>(s), static_cast<double>(i),
          static_cast<double>(found.labels[s][i]);
    }
  }
  io::write_matrix(rows, file);
}

void write_files(const GraphonArgs& args, const Graphon& found, Index mean_nodes) {
  // Drawn first: a graphon that cannot be sampled leaves no files.
  const Index nodes = args.sample_nodes.value_or(mean_nodes);
  std::optional<Graph> drawn;
  if (!args.sample.empty()) drawn = sample(found, nodes, args.seed).graph;
  if (!args.output.empty()) save(found, args.output);
  if (!args.values.empty()) io::write_matrix(found.values, args.values);
  if (!args.labels.empty()) write_steps(found, args.labels);
  if (!drawn) return;
  io::write_graph({.graph = std::move(*drawn), .names = NodeNames::numbered(nodes)}, args.sample,
                  {.format = args.to});
}

Picture picture_of(const GraphonArgs& args, const Graphon& found) {
  const std::vector<Index> sizes = found.sizes();
  return draw_block_matrix(
      {.values = found.values,
       .sizes = sizes,
       .widths = &found.widths,
       .title = short_name(args.dataset),
       .subtitle = fmt::format("graphon of {} graphs, {} steps, value {:.6g}", found.labels.size(),
                               found.steps(), found.value)});
}

int run(const GraphonArgs& args) {
  const GraphonOptions options{.steps = auto_or_count(args.steps, "--steps")};
  check_arguments(args);
  const bool stdout_taken = takes_stdout({{"--sample", args.sample}}, args.common);
  set_task("reading " + args.dataset);
  const Dataset dataset =
      io::read_dataset(args.dataset, read_options(args.reading, args.common.threads));
  const double read_seconds = seconds_so_far();
  set_task("estimating a graphon of " + args.dataset);
  const Graphon found = [&] {
    const Watched watch(args.common, args.seed, {});
    return fit_graphon(dataset.graphs, options, watch.run());
  }();
  const double seconds = seconds_so_far() - read_seconds;
  Index nodes = 0;
  for (const Graph& graph : dataset.graphs) nodes += graph.nodes();
  begin_writing();
  write_files(args, found, nodes / std::ssize(dataset.graphs));
  write_picture(args.picture, args.common, [&] { return picture_of(args, found); });
  const double density = found.widths.dot(found.values * found.widths);
  if (args.common.json) {
    nlohmann::ordered_json json{
        {"graphs", dataset.graphs.size()},
        {"nodes", nodes},
        {"steps", found.steps()},
        {"value", found.value},
        {"density", density},
        {"widths", std::vector<double>(found.widths.begin(), found.widths.end())},
        {"sample_values", found.sample_values},
        {"weighted", found.weighted},
        {"status", name(found.status)},
        {"seconds", seconds},
        {"read_seconds", read_seconds}};
    print_json(json);
  } else if (!stdout_taken) {
    fmt::print("graphs        {}, {} nodes\n", dataset.graphs.size(), nodes);
    fmt::print("steps         {}, widths {:.3g} to {:.3g}\n", found.steps(),
               found.widths.minCoeff(), found.widths.maxCoeff());
    fmt::print("density       {:.6g}, values {:.3g} to {:.3g}\n", density, found.values.minCoeff(),
               found.values.maxCoeff());
    fmt::print("value         {:.10g}\n", found.value);
    fmt::print("seconds       {:.2f}\n", seconds);
  }
  return exit_code(args.common, found.status, false, "more time may lower the value");
}

}  // namespace

Action add_graphon(CLI::App& app) {
  auto args = std::make_shared<GraphonArgs>();
  app.footer("Example: srgw graphon graphs/ -o graphon.npz --picture graphon.svg");
  Options options(app), output(app, "Output");
  options.argument("DATASET", args->dataset, "Folder of graphs, TUDataset folder or packed .npz");
  options.text("-k,--steps", args->steps, "N",
               "Most steps; auto: half the root of the mean number of nodes");
  options.file("-o,--output", args->output, "Write the graphon as .npz");
  output.file("--values", args->values, "Write the values of the steps as .npy");
  output.file("--labels", args->labels, "Write rows of graph, node and step, from 0, as .npy");
  output.file("--sample", args->sample, "Write a graph drawn from the graphon");
  output.number("--sample-nodes", args->sample_nodes,
                "Nodes of that graph. Default: the mean of the graphs", 1);
  output.text("--picture", args->picture, "FILE.svg", "Draw the step function");
  add_format_of_output(app, args->to);
  add_reading(app, args->reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

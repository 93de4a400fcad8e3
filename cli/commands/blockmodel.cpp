// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/agreement.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
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

struct BlockModelArgs {
  std::string graph, blocks = "auto", output, truth, sample, picture, probabilities;
  std::optional<std::string> to;
  BlockModelOptions options;
  std::uint64_t seed = 0;
  Reading reading;
  Common common;
};

std::vector<std::vector<double>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<double>> rows;
  for (Index r = 0; r < matrix.rows(); ++r) {
    rows.emplace_back(matrix.row(r).begin(), matrix.row(r).end());
  }
  return rows;
}

nlohmann::ordered_json to_json(const BlockModel& found) {
  nlohmann::ordered_json json{{"blocks", found.blocks()},
                              {"sizes", found.sizes},
                              {"probabilities", rows_of(found.probabilities)},
                              {"standard_errors", rows_of(found.standard_errors)},
                              {"edges", rows_of(found.edges)},
                              {"description_length", found.length},
                              {"description_length_one", found.one_length},
                              {"held_out_log_likelihood", nullptr},
                              {"held_out_log_likelihood_one", nullptr},
                              {"held_out_pairs", found.held_out_pairs},
                              {"directed", found.directed},
                              {"counts", found.counts},
                              {"degree_corrected", found.degree_corrected},
                              {"status", name(found.status)}};
  if (found.held_out_likelihood) {
    json["held_out_log_likelihood"] = *found.held_out_likelihood;
    json["held_out_log_likelihood_one"] = *found.held_out_likelihood_one;
  }
  json["trials"] = nlohmann::ordered_json::array();
  for (const BlockTrial& trial : found.trials) {
    json["trials"].push_back({{"blocks", trial.blocks}, {"description_length", trial.length}});
  }
  return json;
}

void print_model(const BlockModel& found) {
  constexpr Index shown = 12;
  const Index count = std::min(shown, found.blocks());
  std::string sizes;
  for (Index k = 0; k < count; ++k) sizes += fmt::format(" {}", found.sizes[k]);
  const char* more = found.blocks() > shown ? " ..." : "";
  fmt::print("blocks        {}, sizes{}{}\n", found.blocks(), sizes, more);
  fmt::print("length        {:.6g} nats, of one block {:.6g}\n", found.length, found.one_length);
  if (found.held_out_likelihood) {
    fmt::print("held out      {} pairs, mean log-likelihood {:.6g}, of one block {:.6g}\n",
               found.held_out_pairs, *found.held_out_likelihood, *found.held_out_likelihood_one);
  }
  fmt::print("{}\n", found.counts ? "mean counts (standard errors)"
                                  : "probabilities of edges (standard errors)");
  for (Index r = 0; r < count; ++r) {
    for (Index s = 0; s < count; ++s) {
      fmt::print("  {:.3g} ({:.1g})", found.probabilities(r, s), found.standard_errors(r, s));
    }
    fmt::print("{}\n", more);
  }
}

void write_files(const BlockModelArgs& args, const BlockModel& found, const NodeNames& names) {
  // Drawn first: a model that cannot be sampled leaves no files.
  std::optional<Graph> drawn;
  if (!args.sample.empty()) drawn = sample(found, args.seed);
  if (!args.output.empty()) io::write_labels(found.labels, args.output, names);
  if (!args.probabilities.empty()) io::write_matrix(found.probabilities, args.probabilities);
  if (drawn) {
    io::write_graph({.graph = std::move(*drawn), .names = names}, args.sample, {.format = args.to});
  }
}

int run(const BlockModelArgs& args) {
  BlockModelOptions options = args.options;
  options.blocks = auto_or_count(args.blocks, "--blocks");
  const bool stdout_taken =
      takes_stdout({{"-o", args.output}, {"--sample", args.sample}}, args.common);
  if (!args.probabilities.empty() && !args.probabilities.ends_with(".npy")) {
    fail_usage("--probabilities {}, expected a file that ends in .npy", args.probabilities);
  }
  for (const std::string& file : {args.output, args.sample, args.probabilities}) {
    check_folder_of(file);
  }
  check(Shown{.picture = args.picture, .report = ""});
  set_task("reading " + args.graph);
  const io::NamedGraph read =
      io::read_graph(args.graph, read_options(args.reading, args.common.threads));
  std::optional<Assignment> truth;
  if (!args.truth.empty()) truth = compact(read_labels_of(args.truth, read.names).labels);
  const double read_seconds = seconds_so_far();
  set_task("fitting a block model to " + args.graph);
  const BlockModel found = [&] {
    const Watched watch(args.common, args.seed, {});
    return fit_block_model(read.graph, options, watch.run());
  }();
  const double seconds = seconds_so_far() - read_seconds;
  begin_writing();
  write_files(args, found, read.names);
  write_picture(args.picture, args.common, [&] {
    return draw_block_matrix(
        {.values = found.probabilities,
         .sizes = found.sizes,
         .errors = &found.standard_errors,
         .title = short_name(args.graph),
         .subtitle = fmt::format("{} nodes, {} blocks, description length {:.6g} nats",
                                 read.graph.nodes(), found.blocks(), found.length)});
  });
  nlohmann::ordered_json json = to_json(found);
  if (truth) add_agreement(json, *truth, found.labels);
  json["seconds"] = seconds;
  json["read_seconds"] = read_seconds;
  if (args.common.json) {
    print_json(json);
  } else if (!stdout_taken) {
    print_model(found);
    for (const char* key : {"ami", "ari", "ri", "nmi"}) {
      if (json.contains(key)) fmt::print("{:<13} {:.4f}\n", key, json[key].get<double>());
    }
    fmt::print("seconds       {:.2f}\n", seconds);
  }
  return exit_code(args.common, found.status, false, "more time may find a shorter description");
}

}  // namespace

Action add_blockmodel(CLI::App& app) {
  auto args = std::make_shared<BlockModelArgs>();
  app.footer("Example: srgw blockmodel graph.txt -o blocks.tsv --picture blocks.svg");
  Options options(app), output(app, "Output");
  options.argument("GRAPH", args->graph, "Graph file, or - for stdin; weights are counts");
  options.text("-k,--blocks", args->blocks, "N",
               "Number of blocks; auto: that with the shortest description");
  options.number("--most-blocks", args->options.most_blocks, "Most blocks of -k auto; 0: no limit");
  options.flag("--degree-corrected", args->options.degree_corrected,
               "Let nodes of one block have any degrees");
  options.number("--held-out", args->options.held_out,
                 "Share of the pairs to leave out of a second fit, whose log-likelihood is printed",
                 0, 0.99);
  options.number("--starts", args->options.starts, "Independent searches, at least 2", 1, 1000);
  options.file("-o,--output", args->output,
               "Write the block of each node: .tsv, .csv, .npy, .json");
  output.file("--truth", args->truth, "True labels, to print the agreement");
  output.file("--probabilities", args->probabilities, "Write the block probabilities as .npy");
  output.file("--sample", args->sample, "Write a graph drawn from the model");
  output.text("--picture", args->picture, "FILE.svg", "Draw the block matrix");
  add_format_of_output(app, args->to);
  add_reading(app, args->reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

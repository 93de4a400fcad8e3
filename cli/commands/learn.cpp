// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/learning.hpp"
#include "cli/solving.hpp"
#include "srgw/completion_model.hpp"

namespace srgw::cli {

namespace {

struct Args {
  Common common;
  DatasetInput input;
  LearningOptions learning;
  std::string output, embedding;
  std::optional<double> for_completion;
};

/// The model, and what was learned about hidden nodes where that was asked for.
io::Archive archive_of(const Args& args, const Dictionary& model, const DatasetSamples& data) {
  io::Archive archive = to_archive(model);
  if (!args.for_completion) return archive;
  const CompletionModel completion =
      learn_completion(model, data.samples, {.rate = *args.for_completion},
                       {.threads = args.common.threads, .seed = args.learning.seed});
  add_completion(completion, archive);
  return archive;
}

Matrix joined_embeddings(const std::vector<Learned>& learned) {
  Matrix rows(learned.front().embedding.rows(), 0);
  for (const Learned& one : learned) {
    const Index columns = rows.cols();
    rows.conservativeResize(Eigen::NoChange, columns + one.embedding.cols());
    rows.rightCols(one.embedding.cols()) = one.embedding;
  }
  return rows;
}

void print(const Args& args, const LearnedModel& result, std::size_t graphs) {
  const Learned& last = result.learned.back();
  if (args.common.json) {
    print_json({{"loss", last.loss},
                {"loss_curve", last.losses},
                {"epochs", last.epochs},
                {"status", name(result.status())},
                {"graphs", graphs},
                {"m", last.atom.size()},
                {"features", last.atom.features.cols()},
                {"atoms", result.model.atoms.size()},
                {"seconds", seconds_so_far()},
                {"model_file", args.output}});
    return;
  }
  fmt::print("loss          {:.10g}\n", last.loss);
  fmt::print("status        {} after {} epochs of {} graphs\n", name(result.status()), last.epochs,
             graphs);
  fmt::print("written       {}\n", args.output);
}

int run(const Args& args) {
  if (!args.output.ends_with(".npz")) {
    fail_usage("--output {}, expected a file that ends in .npz", args.output);
  }
  if (args.for_completion && args.input.structure != "adjacency") {
    fail_usage("--for-completion with --structure {}, expected adjacency", args.input.structure);
  }
  check_folder_of(args.output);
  if (!args.embedding.empty()) check_rows_file(args.embedding);
  const DatasetSamples data = read_samples(args.input, args.common);
  const LearnedModel result = learn_model(data, args.input, args.learning, args.common);
  archive_of(args, result.model, data).write(args.output);
  if (!args.embedding.empty()) write_rows(joined_embeddings(result.learned), args.embedding);
  print(args, result, data.samples.size());
  return result.status() == Status::interrupted ? exit_interrupted : exit_fine;
}

}  // namespace

Action add_learn(CLI::App& app) {
  auto args = std::make_shared<Args>();
  app.footer("Example: srgw learn MUTAG/ -m 20 -o mutag.npz");
  add_dataset_path(app, args->input);
  app.add_option("-o,--output", args->output, "The model")->type_name("FILE.npz")->required();
  app.add_option("--embedding", args->embedding,
                 "Target weights of the graphs it was learned from: .npy, .csv or .tsv")
      ->type_name("FILE");
  app.add_option("--for-completion", args->for_completion,
                 "Also learn to complete graphs of which this share of nodes is hidden")
      ->type_name("RATE")
      ->check(silent(CLI::Range(1e-9, 0.9)));
  add_learning(app, args->learning);
  app.get_option("--size")->required();
  add_checkpoint(app, args->learning);
  add_dataset_problem(app, args->input);
  add_reading(app, args->input.reading);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/baselines.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/learning.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/stopping.hpp"
#include "srgw/clustering.hpp"
#include "srgw/completion.hpp"

namespace srgw::cli {

namespace {

struct LearnArgs {
  Common common;
  DatasetInput input;
  LearningOptions learning;
  BaselineOptions baseline;
  std::string output, embedding;
  Shown shown;
  std::vector<std::size_t> drawn_graphs;
  std::optional<double> for_completion;
};

enum class Completing { none, done, stopped };

/// Writes the model, then again with the completion model if requested; if that is stopped, the
/// first file stays.
Completing write_model(const LearnArgs& args, const LearnedModel& result,
                       const DatasetSamples& data) {
  if (!is_first_rank()) return Completing::none;
  begin_writing();
  io::Archive archive = to_archive(result.model);
  archive.write(args.output);
  if (!args.for_completion) return Completing::none;
  if (was_signalled() || result.status() == Status::time_limit) return Completing::stopped;
  const CompletionTraining training{.rate = *args.for_completion};
  constexpr int passes = 2;  // one forest, and three with half as many trees
  const int trees = passes * (training.rounds + 3 * ((training.rounds + 1) / 2));
  const Watched watch(args.common, args.learning.seed,
                      {.iterations = trees, .unit = ProgressBar::Unit::tree});
  try {
    add_completion(learn_completion(result.model, data.samples, training, watch.run()), archive);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::stopped) throw;
    return Completing::stopped;
  }
  archive.write(args.output);
  return Completing::done;
}

/// The first atom, with a row for each graph that was chosen.
void show(const LearnArgs& args, const DatasetSamples& data, const LearnedModel& result,
          const std::string& command_line) {
  if (args.shown.picture.empty() && args.shown.report.empty()) return;
  const Learned& learned = result.learned.front();
  const Dataset& dataset = data.dataset;
  std::vector<std::size_t> chosen = args.drawn_graphs;
  if (chosen.empty()) chosen = typical_graphs(dataset, 4);
  write_report(args.shown.report, args.common, [&] {
    return dictionary_report(
        {.dataset = dataset,
         .file = short_name(args.input.path),
         .learned = learned,
         .drawn = chosen,
         .origin = report_origin(command_line, args.learning.seed, {args.input.path})});
  });
  std::vector<AtomRow> rows;
  for (const std::size_t g : chosen) {
    const std::string kind =
        dataset.labels.empty() ? "" : fmt::format(" (class {})", dataset.labels[g]);
    rows.push_back({dataset.graphs[g], learned.plans[g], fmt::format("graph {}{}", g, kind)});
  }
  const Vector weights = learned.embedding.colwise().mean();
  write_picture(args.shown.picture, args.common, [&] {
    return draw_atom({.structure = learned.atom.structure,
                      .weights = weights,
                      .rows = rows,
                      .title = fmt::format("Atom of {} nodes, learned from {}", learned.atom.size(),
                                           short_name(args.input.path)),
                      .subtitle = fmt::format("{} graphs, loss {:.6g}, {} epochs",
                                              data.samples.size(), learned.loss, learned.epochs)});
  });
}

/// Result of learning one atom.
nlohmann::ordered_json atom_json(const Learned& learned) {
  return {{"loss", learned.loss},           {"loss_curve", learned.losses},
          {"epochs", learned.epochs},       {"passes", learned.passes},
          {"starts", learned.starts},       {"jumps", learned.jumps},
          {"status", name(learned.status)}, {"graphs_of_pass", learned.graphs_of_pass}};
}

std::string passes_text(const Learned& learned, std::size_t graphs) {
  if (learned.passes == 0) {
    return fmt::format("{} of {} graphs, before the end of the first epoch", learned.graphs_of_pass,
                       graphs);
  }
  std::string text = fmt::format("{} epochs of {} graphs", learned.epochs, graphs);
  if (learned.passes > learned.epochs) {
    text += fmt::format("; {} passes in all, of {} start{} and {} jumps", learned.passes,
                        learned.starts, learned.starts == 1 ? "" : "s", learned.jumps);
  }
  if (learned.graphs_of_pass > 0) {
    text += fmt::format("; {} graphs of the next pass", learned.graphs_of_pass);
  }
  return text;
}

void print(const LearnArgs& args, const LearnedModel& result, std::size_t graphs) {
  const Learned& first = result.learned.front();
  if (args.common.json) {
    nlohmann::ordered_json json{{"loss", result.loss()},
                                {"status", name(result.status())},
                                {"graphs", graphs},
                                {"m", first.atom.size()},
                                {"features", first.atom.features.cols()},
                                {"alpha", result.model.projection.alpha},
                                {"atoms", result.model.atoms.size()}};
    if (result.learned.size() == 1) {
      json.update(atom_json(first));
    } else {
      for (const Learned& one : result.learned) json["learned"].push_back(atom_json(one));
    }
    json["seconds"] = seconds_so_far();
    json["model_file"] = args.output;
    print_json(json);
    return;
  }
  fmt::print("loss          {:.10g}\n", result.loss());
  for (const Learned& one : result.learned) {
    if (result.learned.size() > 1) fmt::print("loss of atom  {:.10g}\n", one.loss);
    fmt::print("status        {} after {}\n", name(one.status), passes_text(one, graphs));
  }
  fmt::print("written       {}\n", args.output);
}

int run_baseline(const LearnArgs& args, const DatasetSamples& data) {
  const AnyLearned learned =
      learn_baseline(data, args.input, args.baseline, args.learning, args.common);
  return std::visit(
      [&](const auto& result) {
        begin_writing();
        save(result.model, args.output);
        const Matrix& shares = result.embedding.coordinates;
        if (!args.embedding.empty()) write_rows(shares, args.embedding, data.dataset.names);
        if (args.common.json) {
          print_json({{"model", args.baseline.model},
                      {"loss", result.embedding.mean_value},
                      {"loss_curve", result.losses},
                      {"epochs", result.epochs},
                      {"status", name(result.status)},
                      {"graphs", data.samples.size()},
                      {"m", args.learning.size},
                      {"atoms", shares.cols()},
                      {"seconds", seconds_so_far()},
                      {"model_file", args.output}});
        } else {
          fmt::print("loss          {:.10g}\n", result.embedding.mean_value);
          fmt::print("status        {} after {} epochs of {} graphs\n", name(result.status),
                     result.epochs, data.samples.size());
          fmt::print("written       {}\n", args.output);
        }
        return exit_code(result.status, args.learning, args.common);
      },
      learned);
}

/// Refuses options that fit no dataset.
void check_usage(const LearnArgs& args) {
  const std::string& model = args.baseline.model;
  if (args.learning.size == 0 && model != "gwf") {
    fail_usage("--size is required: the nodes of an atom");
  }
  if (is_baseline(args.baseline)) refuse_on_ranks("--model " + model);
  if (args.for_completion) refuse_on_ranks("--for-completion");
  if (!args.shown.picture.empty()) refuse_on_ranks("--picture");
  if (!args.shown.report.empty()) refuse_on_ranks("--report");
  if (!args.output.ends_with(".npz")) {
    fail_usage("--output {}, expected a file that ends in .npz", args.output);
  }
  if (args.for_completion && args.input.structure != "adjacency") {
    fail_usage("--for-completion with --structure {}, expected adjacency", args.input.structure);
  }
  if (!is_baseline(args.baseline)) {
    if (args.baseline.regularisation != 0) fail_usage("--regularisation requires --model gdl");
    return;
  }
  if (args.for_completion) fail_usage("--for-completion with --model {}, expected srgw", model);
  if (!args.shown.picture.empty() || !args.shown.report.empty()) {
    fail_usage("--picture and --report with --model {}, expected srgw", model);
  }
}

int run(const LearnArgs& args, const std::string& command_line) {
  check_usage(args);
  check_folder_of(args.output);
  check(args.shown);
  if (!args.embedding.empty()) check_rows_file(args.embedding);
  const DatasetSamples data = read_samples(args.input, args.common, ranks());
  if (is_baseline(args.baseline)) return run_baseline(args, data);
  for (const std::size_t g : args.drawn_graphs) {
    if (g >= data.share.total) {
      fail_input("--picture-graphs {}, but {} has {} graphs, numbered from 0", g, args.input.path,
                 data.share.total);
    }
  }
  const LearnedModel result = learn_model(data, args.input, args.learning, args.common);
  const bool cut = write_model(args, result, data) == Completing::stopped;
  if (cut) note(args.common, "stopped: {} has the atoms, but cannot complete graphs", args.output);
  if (!args.embedding.empty()) {
    write_rows(join_embeddings(result.learned), data, ranks(), args.embedding);
  }
  if (const Learned& last = result.learned.back(); last.passes == 0) {
    note(args.common, "no epoch was complete: {}",
         last.graphs_of_pass == 0 ? "the atom is the start, no graph was learned from"
                                  : fmt::format("the atom was learned from {} of {} graphs",
                                                last.graphs_of_pass, data.share.total));
  }
  show(args, data, result, command_line);
  print(args, result, data.share.total);
  if (cut) return was_signalled() ? exit_interrupted : exit_resource;
  const int code = exit_code(result.status(), args.learning, args.common);
  return code == exit_fine && result.lacks_checkpoint ? exit_bad_input : code;
}

}  // namespace

Action add_learn(CLI::App& app) {
  auto args = std::make_shared<LearnArgs>();
  app.footer("Example: srgw learn MUTAG/ -m 20 -o mutag.npz");
  add_dataset_path(app, args->input);
  Options options(app);
  options.text("-o,--output", args->output, "FILE.npz", "The model")->required();
  options.file("--embedding", args->embedding,
               "Write the target weights of the training graphs: .npy, .csv or .tsv");
  add_shown(app, args->shown);
  Options(app, "Output")
      .text("--picture-graphs", args->drawn_graphs, "N,...",
            "Numbers of the graphs to draw, from 0. Default: one of each class")
      ->delimiter(',')
      ->check(check_number(0, 1e15, true));
  options
      .number("--for-completion", args->for_completion,
              "Also learn to complete graphs of which this share of nodes is hidden", 1e-9, 0.9)
      ->type_name("RATE");
  add_learning(app, args->learning);
  app.get_option("--size")->description(
      "Number of nodes of an atom (required, except with --model gwf)");
  add_baselines(app, args->baseline);
  add_checkpoint(app, args->learning);
  add_dataset_problem(app, args->input);
  add_reading(app, args->input.reading);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace srgw::cli

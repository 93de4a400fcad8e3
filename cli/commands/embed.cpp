// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/picture.hpp"
#include "cli/solving.hpp"
#include "srgw/embedding.hpp"

namespace srgw::cli {

namespace {

struct Args {
  Common common;
  DatasetInput input;
  std::string model, output, coordinates = "weights";
  Shown shown;
  int random_starts = 0;
  std::uint64_t seed = 0;
};

void show(const Args& args, const Dataset& dataset, const Embedding& embedding,
          const std::string& command_line) {
  if (!args.shown.report.empty()) {
    write_report(embedding_report({.dataset = dataset,
                                   .file = short_name(args.input.path),
                                   .model = short_name(args.model),
                                   .embedding = embedding,
                                   .origin = report_origin(command_line, args.seed, {args.model})}),
                 args.shown.report, args.common);
  }
  if (args.shown.picture.empty()) return;
  std::vector<std::string> classes;
  for (const std::int64_t label : dataset.labels) classes.push_back(fmt::format("{}", label));
  save(draw_embedding(
           {.rows = embedding.coordinates,
            .classes = classes,
            .title = fmt::format("{} on {}", short_name(args.input.path), short_name(args.model)),
            .subtitle = fmt::format("{} graphs as {} numbers each ({}), mean value {:.4g}",
                                    embedding.coordinates.rows(), embedding.coordinates.cols(),
                                    args.coordinates, embedding.mean_value)}),
       args.shown.picture);
}

int run(const Args& args, const std::string& command_line) {
  check_rows_file(args.output);
  check(args.shown);
  const EmbedOptions options{.coordinates = coordinates_from_text(args.coordinates),
                             .random_starts = args.random_starts};
  const Dictionary model = load_dictionary(args.model);
  const DatasetSamples data = read_samples(args.input, model, args.common);
  const Embedding embedding =
      embed(model, data.samples, options, {.threads = args.common.threads, .seed = args.seed});
  write_rows(embedding.coordinates, args.output);
  show(args, data.dataset, embedding, command_line);
  if (args.common.json) {
    print_json({{"graphs", data.samples.size()},
                {"columns", embedding.coordinates.cols()},
                {"mean_value", embedding.mean_value},
                {"seconds", seconds_so_far()}});
    return exit_fine;
  }
  fmt::print("mean value    {:.10g}\n", embedding.mean_value);
  fmt::print("written       {} ({} x {})\n", args.output, embedding.coordinates.rows(),
             embedding.coordinates.cols());
  return exit_fine;
}

}  // namespace

Action add_embed(CLI::App& app) {
  auto args = std::make_shared<Args>();
  app.footer("Example: srgw embed mutag.npz MUTAG/ --coordinates sqrt,value -o points.npy");
  app.add_option("MODEL", args->model, "What learn has written")->type_name("")->required();
  add_dataset_path(app, args->input);
  app.add_option("-o,--output", args->output, "A row for each graph: .npy, .csv or .tsv")
      ->type_name("FILE")
      ->required();
  app.add_option("--coordinates", args->coordinates, coordinates_help())
      ->type_name("WORD,...")
      ->capture_default_str();
  app.add_option("--random-starts", args->random_starts, "Tried besides the product start")
      ->type_name("N")
      ->check(silent(CLI::Range(0, 1000000)))
      ->capture_default_str();
  add_shown(app, args->shown);
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_common(app, args->common);
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace srgw::cli

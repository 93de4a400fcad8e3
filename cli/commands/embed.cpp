// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/rivals.hpp"
#include "cli/solving.hpp"
#include "srgw/embedding.hpp"

namespace srgw::cli {

namespace {

struct Args {
  Common common;
  DatasetInput input;
  std::string model, output, coordinates = "weights";
  int random_starts = 0;
  std::uint64_t seed = 0;
};

void finish(const Args& args, const Matrix& rows, double mean_value, double seconds) {
  write_rows(rows, args.output);
  if (args.common.json) {
    print_json({{"graphs", rows.rows()},
                {"columns", rows.cols()},
                {"mean_value", mean_value},
                {"embedding_seconds", seconds},
                {"seconds", seconds_so_far()}});
    return;
  }
  fmt::print("mean value    {:.10g}\n", mean_value);
  fmt::print("written       {} ({} x {})\n", args.output, rows.rows(), rows.cols());
}

int run(const Args& args) {
  check_rows_file(args.output);
  if (const std::optional<RivalModel> rival = load_rival(args.model)) {
    const DatasetSamples data = read_samples(args.input, data_words(*rival), args.common);
    const double begin = seconds_so_far();
    const RivalRows found = embed_rival(*rival, data.samples, args.coordinates, args.common);
    finish(args, found.rows, found.mean_value, seconds_so_far() - begin);
    return exit_fine;
  }
  const EmbedOptions options{.coordinates = coordinates_from_text(args.coordinates),
                             .random_starts = args.random_starts};
  const Dictionary model = load_dictionary(args.model);
  const DatasetSamples data = read_samples(args.input, model, args.common);
  const double begin = seconds_so_far();
  const Embedding embedding =
      embed(model, data.samples, options, {.threads = args.common.threads, .seed = args.seed});
  finish(args, embedding.coordinates, embedding.mean_value, seconds_so_far() - begin);
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
  app.add_option("--coordinates", args->coordinates,
                 coordinates_help() + "; of gdl models weights or metric, of gwf weights")
      ->type_name("WORD,...")
      ->capture_default_str();
  app.add_option("--random-starts", args->random_starts, "Tried besides the product start")
      ->type_name("N")
      ->check(silent(CLI::Range(0, 1000000)))
      ->capture_default_str();
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

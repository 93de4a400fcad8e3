// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/solving.hpp"
#include "srgw/embedding.hpp"
#include "srgw/streams.hpp"

namespace srgw::cli {

namespace {

struct Args {
  Common common;
  DatasetInput input;
  std::string model, output, coordinates = "weights";
  int random_starts = 0;
  std::uint64_t seed = 0;
};

/// Graphs that are in memory at a time.
constexpr std::size_t part_size = 8192;

int run(const Args& args) {
  check_rows_file(args.output);
  EmbedOptions options{.coordinates = coordinates_from_text(args.coordinates),
                       .random_starts = args.random_starts};
  const Dictionary model = load_dictionary(args.model);
  const Transform transform = transform_of(model);
  io::DatasetReader reader(args.input.path, read_options(args.input.reading, args.common.threads));
  const auto graphs = static_cast<Index>(reader.graphs());
  const Index columns = embedding_columns(model, options);
  io::RowsWriter writer(args.output, graphs, columns);
  double sum = 0;
  for (Index done = 0; done < graphs;) {
    const Dataset part = reader.next(part_size);
    options.first = part.first;
    const auto samples = make_samples(part, model.features, transform, args.common.threads);
    const Embedding embedding =
        embed(model, samples, options, {.threads = args.common.threads, .seed = args.seed});
    writer.append(embedding.coordinates);
    sum += embedding.values.sum();
    done += embedding.values.rows();
  }
  writer.finish();
  const double mean_value = sum / static_cast<double>(graphs * std::ssize(model.atoms));
  if (args.common.json) {
    print_json({{"graphs", graphs},
                {"columns", columns},
                {"mean_value", mean_value},
                {"seconds", seconds_so_far()}});
    return exit_fine;
  }
  fmt::print("mean value    {:.10g}\n", mean_value);
  fmt::print("written       {} ({} x {})\n", args.output, graphs, columns);
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
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

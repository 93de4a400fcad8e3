// SPDX-License-Identifier: MIT
#include <functional>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/rivals.hpp"
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

/// What is written of some graphs, and the mean of their values.
struct Part {
  Matrix rows;
  double mean_value = 0;
};
using EmbedPart = std::function<Part(const std::vector<Sample>& samples, std::size_t first)>;

int embed_parts(const Args& args, const Dictionary& words, const EmbedPart& embed_part) {
  const Transform transform = transform_of(words);
  io::DatasetReader reader(args.input.path, read_options(args.input.reading, args.common.threads));
  const auto graphs = static_cast<Index>(reader.graphs());
  if (graphs == 0) fail_input("{}: no graphs, expected at least one", args.input.path);
  std::optional<io::RowsWriter> writer;
  Index done = 0, columns = 0;
  double sum = 0, seconds = 0;
  while (done < graphs) {
    const Dataset part = reader.next(part_size);
    const auto samples = make_samples(part, words.features, transform, args.common.threads);
    const double begin = seconds_so_far();
    const auto [rows, mean_value] = embed_part(samples, part.first);
    seconds += seconds_so_far() - begin;
    columns = rows.cols();
    if (!writer) writer.emplace(args.output, graphs, columns);
    writer->append(rows);
    sum += mean_value * static_cast<double>(rows.rows());
    done += rows.rows();
  }
  writer->finish();
  const double mean_value = sum / static_cast<double>(graphs);
  if (args.common.json) {
    print_json({{"graphs", graphs},
                {"columns", columns},
                {"mean_value", mean_value},
                {"embedding_seconds", seconds},
                {"seconds", seconds_so_far()}});
    return exit_fine;
  }
  fmt::print("mean value    {:.10g}\n", mean_value);
  fmt::print("written       {} ({} x {})\n", args.output, graphs, columns);
  return exit_fine;
}

int run(const Args& args) {
  check_rows_file(args.output);
  if (const std::optional<RivalModel> rival = load_rival(args.model)) {
    return embed_parts(args, data_words(*rival), [&](const auto& samples, std::size_t) {
      RivalRows found = embed_rival(*rival, samples, args.coordinates, args.common);
      return Part{std::move(found.rows), found.mean_value};
    });
  }
  EmbedOptions options{.coordinates = coordinates_from_text(args.coordinates),
                       .random_starts = args.random_starts};
  const Dictionary model = load_dictionary(args.model);
  return embed_parts(args, model, [&](const auto& samples, std::size_t first) {
    options.first = first;
    Embedding found =
        embed(model, samples, options, {.threads = args.common.threads, .seed = args.seed});
    return Part{std::move(found.coordinates), found.mean_value};
  });
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

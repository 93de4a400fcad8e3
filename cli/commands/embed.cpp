// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "cli/baselines.hpp"
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/stopping.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

struct EmbedArgs {
  Common common;
  DatasetInput input;
  std::string model, output, coordinates = "weights", search = "rows";
  Shown shown;
  int random_starts = 0;
  std::uint64_t seed = 0;
};

/// Graphs in memory at a time, unless all are drawn.
constexpr std::size_t part_size = 8192;

using EmbedPart = std::function<Embedding(const std::vector<Sample>& samples, std::size_t first)>;

void show(const EmbedArgs& args, const Dataset& dataset, const Embedding& embedding,
          const std::string& command_line) {
  write_report(args.shown.report, args.common, [&] {
    return embedding_report({.dataset = dataset,
                             .file = short_name(args.input.path),
                             .model = short_name(args.model),
                             .embedding = embedding,
                             .origin = report_origin(command_line, args.seed, {args.model})});
  });
  std::vector<std::string> classes;
  for (const std::int64_t label : dataset.labels) classes.push_back(fmt::format("{}", label));
  write_picture(args.shown.picture, args.common, [&] {
    return draw_embedding(
        {.rows = embedding.coordinates,
         .classes = classes,
         .title = fmt::format("{} on {}", short_name(args.input.path), short_name(args.model)),
         .subtitle = fmt::format("{} graphs as {} numbers each ({}), mean value {:.4g}",
                                 embedding.coordinates.rows(), embedding.coordinates.cols(),
                                 args.coordinates, embedding.mean_value)});
  });
}

int embed_parts(const EmbedArgs& args, const AtomModel& model, const EmbedPart& embed_part,
                const std::string& command_line) {
  const Transform transform = transform_of(model);
  check_dataset_path(args.input.path);
  io::DatasetReader reader(args.input.path, read_options(args.input.reading, args.common.threads));
  const auto graphs = static_cast<Index>(reader.graphs());
  if (graphs == 0) fail_input("{}: no graphs, expected at least one", args.input.path);
  const bool shown = !args.shown.picture.empty() || !args.shown.report.empty();
  const io::Share own = io::share_of(reader, ranks());
  reader.skip_to(own.begin);
  std::optional<io::RowsWriter> writer;
  Index columns = 0;
  std::vector<double> values;
  double seconds = 0;
  // A rank without graphs still needs the number of columns.
  for (std::size_t done = own.begin; done < own.end || !writer;) {
    const std::size_t left = own.end - done;
    const Dataset part = reader.next(shown ? left : std::min(left, part_size));
    note_unknown_labels(model.features, part, args.common);
    const auto samples = make_samples(part, model.features, transform, args.common.threads);
    const double begin = seconds_so_far();
    const Embedding found = embed_part(samples, part.first);
    seconds += seconds_so_far() - begin;
    columns = found.coordinates.cols();
    if (!writer) writer.emplace(args.output, graphs, columns, own, ranks());
    writer->append(found.coordinates, part.names);
    for (const double value : found.values.reshaped()) values.push_back(value);
    done += samples.size();
    if (shown) show(args, part, found, command_line);
  }
  writer->finish();
  const double sum = sum_over_ranks(ranks(), values);
  Index count = std::ssize(values);
  if (ranks() != nullptr) ranks()->sum(std::span(&count, 1));
  const double mean_value = sum / static_cast<double>(count);
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

EmbedPart embedder_of(const EmbedArgs& args, const Dictionary& model) {
  const EmbedOptions given{
      .coordinates = coordinates_from_text(args.coordinates),
      .search = args.search == "rows" ? EmbedSearch::rows : EmbedSearch::method,
      .random_starts = args.random_starts};
  return [&, given](const std::vector<Sample>& samples, std::size_t first) {
    EmbedOptions options = given;
    options.first = first;
    return embed(model, samples, options, Watched(args.common, args.seed, {}).run());
  };
}

template <class Baseline>
EmbedPart embedder_of(const EmbedArgs& args, const Baseline& model) {
  return [&](const std::vector<Sample>& samples, std::size_t) {
    return embed_baseline(model, samples, args.coordinates, args.common);
  };
}

int run(const EmbedArgs& args, const std::string& command_line) {
  check_rows_file(args.output);
  check(args.shown);
  if (!args.shown.picture.empty()) refuse_on_ranks("--picture");
  if (!args.shown.report.empty()) refuse_on_ranks("--report");
  const AnyModel any = load_model(args.model);
  return std::visit(
      [&](const auto& model) {
        return embed_parts(args, model, embedder_of(args, model), command_line);
      },
      any);
}

}  // namespace

Action add_embed(CLI::App& app) {
  auto args = std::make_shared<EmbedArgs>();
  app.footer("Example: srgw embed mutag.npz MUTAG/ --coordinates sqrt,value -o points.npy");
  Options options(app);
  options.argument("MODEL", args->model, "Model file written by `srgw learn`");
  add_dataset_path(app, args->input);
  options.file("-o,--output", args->output, "A row for each graph: .npy, .csv or .tsv")->required();
  options.text("--coordinates", args->coordinates, "NAME,...",
               coordinates_help() + "; gdl models: weights or metric; gwf models: weights");
  options.choice(
      "--search", args->search, {"rows", "method"},
      "rows: fast descent on rows of the plan where that applies; method: the solver of the "
      "model from the product plan, as in the paper");
  add_random_starts(app, args->random_starts);
  add_shown(app, args->shown);
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace srgw::cli

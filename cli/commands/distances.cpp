// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/coordinates_word.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/options.hpp"
#include "cli/solving.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::cli {

namespace {

struct DistancesArgs {
  Common common;
  DatasetInput input;
  std::string targets, output;
  double alpha = Projection{}.alpha, sparsity = 0;
  int random_starts = 0;
  std::uint64_t seed = 0;
  MethodFlags flags;
};

/// The graphs of a dataset as targets.
std::vector<Atom> atoms_of(const std::vector<Sample>& samples) {
  std::vector<Atom> atoms;
  for (const Sample& sample : samples) {
    atoms.push_back({sample.source.structure.dense(), sample.features});
  }
  return atoms;
}

int run(const DistancesArgs& args) {
  check_rows_file(args.output);
  Dictionary targets{
      {.structure = args.input.structure, .node_weights = args.input.weights},
      {.alpha = args.alpha, .sparsity = args.sparsity, .method = method_from_flags(args.flags)}};
  // Ranks take consecutive rows of the result; each has all targets.
  const DatasetSamples data = read_samples(args.input, args.common, ranks());
  targets.features = data.features;
  if (args.targets.empty() && ranks() == nullptr) {
    targets.atoms = atoms_of(data.samples);
  } else {
    DatasetInput other = args.input;
    if (!args.targets.empty()) other.path = args.targets;
    targets.atoms = atoms_of(read_samples(other, targets, args.common).samples);
  }
  // A limit or a signal is an error: there is no partial matrix.
  set_task("computing distances");
  const EmbedOptions options{.random_starts = args.random_starts, .first = data.share.begin};
  const Matrix found = distances(targets, data.samples, options,
                                 {.threads = args.common.threads, .seed = args.seed});
  const double sum =
      sum_over_ranks(ranks(), {found.data(), static_cast<std::size_t>(found.size())});
  const auto count = static_cast<double>(data.share.total * targets.atoms.size());
  const double mean_value = count > 0 ? sum / count : 0.0;
  begin_writing();
  write_rows(found, data, ranks(), args.output);
  if (args.common.json) {
    print_json({{"graphs", data.share.total},
                {"targets", targets.atoms.size()},
                {"mean_value", mean_value},
                {"seconds", seconds_so_far()}});
  } else {
    fmt::print("mean value    {:.10g}\n", mean_value);
    fmt::print("written       {} ({} x {})\n", args.output, data.share.total, found.cols());
  }
  return exit_fine;
}

}  // namespace

Action add_distances(CLI::App& app) {
  auto args = std::make_shared<DistancesArgs>();
  app.footer("Example: srgw distances graphs/ -o divergences.npy");
  add_dataset_path(app, args->input);
  Options options(app);
  options.argument("DATASET2", args->targets, "Target graphs. Default: those of DATASET")
      ->required(false);
  options
      .file("-o,--output", args->output,
            "Divergence from each graph (row) to each target (column): .npy, .csv or .tsv")
      ->required();
  add_alpha(app, args->alpha);
  add_sparsity(app, args->sparsity);
  add_random_starts(app, args->random_starts);
  add_dataset_problem(app, args->input);
  add_method_flags(app, args->flags);
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

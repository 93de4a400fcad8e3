// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/method_flags.hpp"
#include "cli/stopping.hpp"
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

/// Graphs that have as many nodes as a target may be the same graph: they are solved from the
/// automatic start, too, which finds that out.
void try_equal_sizes(const Dictionary& targets, const std::vector<Sample>& samples,
                     const DistancesArgs& args, Matrix& values) {
  const Projection& projection = targets.projection;
  for (Index k = 0; k < values.cols(); ++k) {
    const Atom& atom = targets.atoms[k];
    const Structure target = Structure::dense(atom.structure);
    std::vector<Problem> problems;
    std::vector<Index> rows;
    std::vector<Matrix> costs;
    costs.reserve(samples.size());
    for (Index i = 0; i < values.rows(); ++i) {
      const Sample& sample = samples[i];
      if (sample.source.structure.size() != target.size()) continue;
      Problem problem{.source = sample.source.structure,
                      .weights = sample.source.weights,
                      .target = target,
                      .sparsity = projection.sparsity,
                      .entropy = projection.entropy};
      if (atom.features.size() > 0) {
        costs.push_back(squared_distances(sample.features, atom.features));
        problem.features.emplace(FusedTerm{.cost = costs.back(), .alpha = projection.alpha});
      }
      problems.push_back(std::move(problem));
      rows.push_back(i);
    }
    const auto solutions = solve_all(problems, projection.method, Start::automatic, 1,
                                     {.threads = args.common.threads, .seed = args.seed});
    for (std::size_t p = 0; p < rows.size(); ++p) {
      values(rows[p], k) = std::min(values(rows[p], k), solutions[p].value);
    }
  }
}

int run(const DistancesArgs& args) {
  check_rows_file(args.output);
  Dictionary targets{
      {.structure = args.input.structure, .node_weights = args.input.weights},
      {.alpha = args.alpha, .sparsity = args.sparsity, .method = method_from_flags(args.flags)}};
  const DatasetSamples data = read_samples(args.input, args.common);
  targets.features = data.features;
  if (args.targets.empty()) {
    targets.atoms = atoms_of(data.samples);
  } else {
    DatasetInput other = args.input;
    other.path = args.targets;
    targets.atoms = atoms_of(read_samples(other, targets, args.common).samples);
  }
  // A limit or a signal is an error here: a matrix with holes would be taken for a whole one.
  set_task("computing distances");
  Embedding found =
      embed(targets, data.samples, {.coordinates = {}, .random_starts = args.random_starts},
            {.threads = args.common.threads, .seed = args.seed});
  try_equal_sizes(targets, data.samples, args, found.values);
  found.mean_value = found.values.size() > 0 ? found.values.mean() : 0.0;
  begin_writing();
  write_rows(found.values, args.output);
  if (args.common.json) {
    print_json({{"graphs", data.samples.size()},
                {"targets", targets.atoms.size()},
                {"mean_value", found.mean_value},
                {"seconds", seconds_so_far()}});
  } else {
    fmt::print("mean value    {:.10g}\n", found.mean_value);
    fmt::print("written       {} ({} x {})\n", args.output, found.values.rows(),
               found.values.cols());
  }
  return exit_fine;
}

}  // namespace

Action add_distances(CLI::App& app) {
  auto args = std::make_shared<DistancesArgs>();
  app.footer("Example: srgw distances graphs/ -o divergences.npy");
  add_dataset_path(app, args->input);
  app.add_option("DATASET2", args->targets, "Targets; by default the graphs of DATASET")
      ->type_name("");
  app.add_option("-o,--output", args->output,
                 "Divergence from each graph (row) to each target (column): .npy, .csv or .tsv")
      ->type_name("FILE")
      ->required();
  app.add_option("--alpha", args->alpha, "Weight of the structure against the features")
      ->type_name("X")
      ->check(silent(CLI::Range(0.0, 1.0)))
      ->capture_default_str()
      ->group("Problem");
  app.add_option("--sparsity", args->sparsity, "Weight of the penalty on target weights")
      ->type_name("X")
      ->check(silent(CLI::NonNegativeNumber))
      ->capture_default_str()
      ->group("Problem");
  app.add_option("--random-starts", args->random_starts, "Tried besides the product start")
      ->type_name("N")
      ->check(silent(CLI::Range(0, 1000000)))
      ->capture_default_str();
  add_dataset_problem(app, args->input);
  add_method_flags(app, args->flags);
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

// SPDX-License-Identifier: MIT
#include "srgw/barycenter.hpp"

#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/solving.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

constexpr int barycenter_version = 1;

struct BarycenterArgs {
  Common common;
  std::uint64_t seed = 0;
  DatasetInput input;
  std::string output, divergence, start = "product";
  Index size = 0;
  double alpha = 0.5;
  Loss loss = Loss::square;
  int turns = BarycenterLoop{}.max_iterations;
  double turn_tolerance = BarycenterLoop{}.tolerance;
  MethodFlags flags;
};

/// Reads the graphs, with features if the divergence has them.
DatasetSamples read_graphs(const BarycenterArgs& args) {
  DatasetInput input = args.input;
  const bool plain = !args.divergence.empty() && !args.divergence.ends_with("fgw");
  if (plain) input.features.take = NodeFeatures::none;
  DatasetSamples data = read_samples(input, args.common);
  if (args.divergence.ends_with("fgw") && data.features.columns() == 0) {
    fail_input("{}: the graphs have no node features, which --divergence {} needs", input.path,
               args.divergence);
  }
  return data;
}

void write(const BarycenterArgs& args, const Barycenter& answer) {
  begin_writing();
  if (args.output.ends_with(".npy")) {
    io::write_matrix(answer.structure, args.output);
    return;
  }
  io::Archive archive("barycenter", barycenter_version);
  archive.add("structure", answer.structure);
  if (answer.features.size() > 0) archive.add("features", answer.features);
  Matrix weights(static_cast<Index>(answer.plans.size()), answer.structure.rows());
  for (Index s = 0; s < weights.rows(); ++s) {
    weights.row(s) = answer.plans[s].target_weights().transpose();
  }
  archive.add("target_weights", weights);
  archive.add("values", answer.values);
  archive.write(args.output);
}

void print(const BarycenterArgs& args, const Barycenter& answer) {
  if (args.common.json) {
    print_json({{"value", answer.value},
                {"iterations", answer.iterations},
                {"status", name(answer.status)},
                {"converged", answer.status == Status::converged},
                {"samples", answer.plans.size()},
                {"m", answer.structure.rows()}});
    return;
  }
  fmt::print("value         {:.10g}\n", answer.value);
  fmt::print("status        {} after {} turns\n", name(answer.status), answer.iterations);
  fmt::print("written       {}\n", args.output);
}

int run(const BarycenterArgs& args) {
  const StartWord start = start_from_text(args.start);
  if (!start.start)
    fail_usage("--start {}, expected a name: a file is for a single graph", args.start);
  if (!args.output.ends_with(".npy") && !args.output.ends_with(".npz")) {
    fail_usage("--output {}, expected a file that ends in .npy or .npz", args.output);
  }
  const Method method = method_from_flags(args.flags);

  const DatasetSamples data = read_graphs(args);
  std::vector<BarycenterSample> samples;
  for (const Sample& sample : data.samples) {
    std::optional<MatrixSpan> features;
    if (sample.features.cols() > 0) features.emplace(sample.features);
    samples.push_back({.structure = sample.source.structure,
                       .weights = sample.source.weights,
                       .features = features});
  }
  const Vector uniform = Vector::Constant(args.size, 1.0 / static_cast<double>(args.size));
  BarycenterProblem problem{
      .samples = samples, .size = args.size, .alpha = args.alpha, .loss = args.loss};
  const bool balanced = !args.divergence.empty() && !args.divergence.starts_with("sr");
  if (balanced) problem.target_weights.emplace(uniform);

  const Watched watch(args.common, args.seed, {.iterations = args.turns});
  const Barycenter answer = barycenter(
      problem, method,
      {.max_iterations = args.turns, .tolerance = args.turn_tolerance, .start = *start.start},
      watch.run());
  write(args, answer);
  print(args, answer);
  return exit_code(args.common, answer.status, false, "more time may lower the value");
}

}  // namespace

Action add_barycenter(CLI::App& app) {
  auto args = std::make_shared<BarycenterArgs>();
  app.footer("Example: srgw barycenter graphs/ -m 12 --divergence gw -o mean.npy");
  add_dataset_path(app, args->input);
  Options options(app), method(app, "Method");
  options.number("-m,--size", args->size, "Nodes of the barycenter", 1, 100000)
      ->default_str("")
      ->required();
  options.file("-o,--output", args->output, "Structure as .npy, or the whole result as .npz")
      ->required();
  add_divergence(app, args->divergence);
  add_dataset_problem(app, args->input);
  add_alpha(app, args->alpha);
  add_loss(app, args->loss);
  method.number("--turns", args->turns,
                "Maximum number of turns, each of which updates the plans and the barycenter", 1);
  method.number("--turn-tolerance", args->turn_tolerance,
                "Relative change of the value from turn to turn at which to stop");
  add_start(app, args->start);
  add_method_flags(app, args->flags);
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

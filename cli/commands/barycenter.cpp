// SPDX-License-Identifier: MIT
#include "srgw/barycenter.hpp"

#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/dataset_input.hpp"
#include "cli/exit_code.hpp"
#include "cli/method_flags.hpp"
#include "cli/start_word.hpp"
#include "cli/stopping.hpp"
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
  std::string loss = "square";
  int turns = BarycenterLoop{}.max_iterations;
  double turn_tolerance = BarycenterLoop{}.tolerance;
  MethodFlags flags;
};

/// The graphs with the features that the divergence asks for.
DatasetSamples read_graphs(const BarycenterArgs& args) {
  DatasetInput input = args.input;
  const bool plain = !args.divergence.empty() && !args.divergence.ends_with("fgw");
  if (plain) input.features = "none";
  DatasetSamples data = read_samples(input, args.common);
  if (args.divergence.ends_with("fgw") && data.features.columns() == 0) {
    fail_input("{}: no features of nodes, but divergence {} needs them", input.path,
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
  if (!start.start) fail_usage("--start {}, expected a name: there are many graphs", args.start);
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
  BarycenterProblem problem{.samples = samples,
                            .size = args.size,
                            .alpha = args.alpha,
                            .loss = args.loss == "kl" ? Loss::kl : Loss::square};
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
  app.add_option("-m,--size", args->size, "Nodes of the barycenter")
      ->type_name("N")
      ->check(silent(CLI::Range(Index{1}, Index{100000})))
      ->required();
  app.add_option("-o,--output", args->output, "Structure as .npy, or all of the answer as .npz")
      ->type_name("FILE")
      ->required();
  const std::string group = "Problem";
  app.add_option("--divergence", args->divergence,
                 "gw and fgw have uniform target weights; by default srfgw with features of nodes, "
                 "else srgw")
      ->type_name("srgw|srfgw|gw|fgw")
      ->check(silent(CLI::IsMember({"srgw", "srfgw", "gw", "fgw"})))
      ->group(group);
  add_dataset_problem(app, args->input);
  app.add_option("--alpha", args->alpha, "Weight of the structure against the features")
      ->type_name("X")
      ->check(silent(CLI::Range(0.0, 1.0)))
      ->capture_default_str()
      ->group(group);
  app.add_option("--loss", args->loss, "What a pair of entries costs")
      ->type_name("square|kl")
      ->check(silent(CLI::IsMember({"square", "kl"})))
      ->capture_default_str()
      ->group(group);
  app.add_option("--turns", args->turns, "Turns of plans and barycenter at most")
      ->type_name("N")
      ->check(silent(CLI::Range(1, 1000000000)))
      ->capture_default_str()
      ->group("Method");
  app.add_option("--turn-tolerance", args->turn_tolerance,
                 "On the relative change of the value from turn to turn")
      ->type_name("X")
      ->check(silent(CLI::NonNegativeNumber))
      ->capture_default_str()
      ->group("Method");
  app.add_option("--start", args->start, start_help())
      ->type_name("WORD")
      ->capture_default_str()
      ->group("Method");
  add_method_flags(app, args->flags);
  add_reading(app, args->input.reading);
  add_seed(app, args->seed);
  add_progress(app, args->common);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

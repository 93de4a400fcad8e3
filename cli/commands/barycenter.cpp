// SPDX-License-Identifier: MIT
#include "srgw/barycenter.hpp"

#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/method_flags.hpp"
#include "cli/reading.hpp"
#include "cli/solving.hpp"
#include "cli/start_word.hpp"
#include "cli/structure_word.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

constexpr int barycenter_version = 1;

struct BarycenterArgs {
  Common common;
  std::uint64_t seed = 0;
  std::string dataset, output, divergence, structure = "adjacency", weights, start = "product";
  Index size = 0;
  double alpha = 0.5;
  std::string loss = "square";
  std::optional<double> time_limit;
  int turns = BarycenterLoop{}.max_iterations;
  double turn_tolerance = BarycenterLoop{}.tolerance;
  Reading reading;
  MethodFlags flags;
};

/// What the divergence says: whether features count, and whether target weights are given.
struct Kind {
  bool fused = false, balanced = false;
};

Kind kind_of(const BarycenterArgs& args, const Dataset& dataset) {
  const bool has_features = !dataset.node_features.empty();
  if (args.divergence.empty()) return {.fused = has_features, .balanced = false};
  const Kind kind{.fused = args.divergence.ends_with("fgw"),
                  .balanced = !args.divergence.starts_with("sr")};
  if (kind.fused && !has_features) {
    fail_input("{}: no features of nodes, but divergence {} needs them", args.dataset,
               args.divergence);
  }
  return kind;
}

void write(const BarycenterArgs& args, const Barycenter& answer) {
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
  const StructureWord structure = structure_from_text(args.structure);
  const WeightsWord weights = weights_from_text(args.weights, structure);
  if (weights.is_file)
    fail_usage("--weights {}, expected uniform, degree or power:b", weights.text);
  const StartWord start = start_from_text(args.start);
  if (!start.start) fail_usage("--start {}, expected a name: there are many graphs", args.start);
  if (!args.output.ends_with(".npy") && !args.output.ends_with(".npz")) {
    fail_usage("--output {}, expected a file that ends in .npy or .npz", args.output);
  }
  const Method method = method_from_flags(args.flags);

  const Dataset dataset =
      io::read_dataset(args.dataset, read_options(args.reading, args.common.threads));
  const Kind kind = kind_of(args, dataset);
  std::vector<Source> sources;
  for (const Graph& graph : dataset.graphs) {
    sources.push_back(make_source(graph, structure, weights, {}, args.common.threads));
  }
  std::vector<BarycenterSample> samples;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    samples.push_back({.structure = sources[s].structure,
                       .weights = sources[s].weights,
                       .features = kind.fused ? std::optional<MatrixSpan>(dataset.node_features[s])
                                              : std::nullopt});
  }
  const Vector uniform = Vector::Constant(args.size, 1.0 / static_cast<double>(args.size));
  BarycenterProblem problem{.samples = samples,
                            .size = args.size,
                            .alpha = args.alpha,
                            .loss = args.loss == "kl" ? Loss::kl : Loss::square};
  if (kind.balanced) problem.target_weights.emplace(uniform);

  const InterruptGuard guard;
  Run how{
      .threads = args.common.threads, .seed = args.seed, .time_limit = time_left(args.time_limit)};
  how.observer = [](const Progress&) { return !InterruptGuard::interrupted(); };
  const Barycenter answer = barycenter(
      problem, method,
      {.max_iterations = args.turns, .tolerance = args.turn_tolerance, .start = *start.start}, how);
  write(args, answer);
  print(args, answer);
  if (answer.status == Status::time_limit) {
    note(args.common, "the time limit was reached after {} turns", answer.iterations);
  }
  return answer.status == Status::interrupted ? exit_interrupted : exit_fine;
}

}  // namespace

Action add_barycenter(CLI::App& app) {
  auto args = std::make_shared<BarycenterArgs>();
  app.footer("Example: srgw barycenter graphs/ -m 12 --divergence gw -o mean.npy");
  app.add_option("DATASET", args->dataset, "Folder of graphs, TUDataset folder or packed .npz")
      ->type_name("")
      ->required();
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
  app.add_option("--structure", args->structure, "Matrix of a graph, as for solve")
      ->type_name("WORD")
      ->capture_default_str()
      ->group(group);
  app.add_option("--weights", args->weights, "Weights of the nodes: uniform, degree or power:b")
      ->type_name("WORD")
      ->group(group);
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
  app.add_option("--time-limit", args->time_limit,
                 "Seconds after which the best so far is returned")
      ->type_name("S")
      ->check(number_from(0, false))
      ->group("Running");
  add_method_flags(app, args->flags);
  add_reading(app, args->reading);
  add_seed(app, args->seed);
  add_common(app, args->common);
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli

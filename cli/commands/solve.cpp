// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "cli/plan_constraints.hpp"
#include "cli/result.hpp"
#include "cli/stopping.hpp"
#include "cli/target_word.hpp"

namespace srgw::cli {

namespace {

constexpr Defaults solve_defaults{
    .structure = "adjacency", .start = "auto", .may_be_balanced = true};

/// The setup with structure, weights and starts.
Setup set_up_solve(const Solving& solving) {
  Setup setup = set_up(solving);
  setup.structure = structure_from_text(solving.structure);
  setup.weights = weights_from_text(solving.weights, setup.structure);
  setup.start = start_from_text(solving.start);
  setup.starts = solving.starts.value_or(1);
  if (!setup.start.start && setup.starts > 1) {
    fail_usage("--starts {} from one file, expected 1", setup.starts);
  }
  return setup;
}

struct SolveArgs {
  std::string source, target, target_features;
  PlanConstraints constraints;
  Solving solving;
  Shown shown;
  bool estimate_only = false;
};

void show(const SolveArgs& args, const io::NamedGraph& read, const Target& target,
          const Solution& solution, const nlohmann::ordered_json& json, const Origin& origin) {
  if (args.shown.picture.empty() && args.shown.report.empty()) return;
  const Graph identity = Graph::from_edges(solution.plan.columns(), {});
  const MatchingPicture picture = matching_picture(
      {args.source, read.graph, read.names},
      {args.target, target.graph ? *target.graph : identity, target.names}, solution.plan, json);
  const Common& common = args.solving.common;
  write_picture(args.shown.picture, common, [&] { return draw_matching(picture); });
  write_report(args.shown.report, common, [&] {
    return matching_report(
        {.picture = picture,
         .solution = solution,
         .origin = report_origin(origin.command_line, args.solving.seed, origin.inputs)});
  });
}

int run(const SolveArgs& args, const std::string& command_line) {
  const Solving& solving = args.solving;
  const int threads = solving.common.threads;
  const Setup setup = set_up_solve(solving);
  const TargetWord target_word = target_from_text(args.target);
  const WeightsWord target_weights = weights_from_text(solving.target_weights, setup.structure);
  if (solving.features.empty() != args.target_features.empty()) {
    fail_usage("--features and --target-features, expected both or none");
  }

  check(args.constraints, solving);
  check(args.shown);

  const io::ReadOptions options = read_options(solving.reading, threads);
  const io::NamedGraph read = io::read_graph(args.source, options);
  const Target target = make_target(target_word, setup.structure, target_weights, options, threads);
  Timing timing{.read = seconds_so_far()};
  Workload work =
      workload(read.graph, target.structure.size(), target_word.is_identity(), solving, setup);
  args.constraints.count(work);
  if (args.estimate_only) return print_estimate(work, solving.common);
  check_memory(estimate(work), work, setup.max_memory);

  set_task("computing the structure of " + args.source);
  const Source source = make_source(read.graph, setup.structure, setup.weights,
                                    read_weights(setup.weights, read.names), threads);
  Matrix cost;
  if (!solving.features.empty()) {
    cost = squared_distances(io::read_features(solving.features, read.names),
                             io::read_features(args.target_features, target.names));
  }
  Problem problem = make_problem(source, target.structure, cost, solving, setup);
  add_plan_constraints(args.constraints,
                       {.sources = read.names,
                        .targets = target.names,
                        .structure = setup.structure,
                        .options = options,
                        .threads = threads},
                       problem);
  if (setup.balances_alpha) problem.features->alpha = fused_terms(problem).balanced_alpha();
  if (solving.balanced()) problem.target_weights.emplace(target.weights);
  const auto start = read_start(setup.start, read.names);
  const Solution solution = run_solver(problem, start, solving, setup, !args.shown.report.empty());
  timing.solve = seconds_so_far() - timing.read;

  begin_writing();
  write_plan(solution.plan, read.names, solving);
  auto json = solution_json(solution, timing, setup);
  if (problem.features) json["alpha"] = problem.alpha();
  json["divergence"] = solving.divergence.empty() ? "srgw" : solving.divergence;
  std::vector<std::string> inputs{args.source};
  if (!target_word.is_identity()) inputs.push_back(target_word.file);
  for (const std::string& file : args.constraints.files()) inputs.push_back(file);
  save_result(solution, read.names, {}, json, {command_line, inputs}, timing, solving, setup,
              {&read.graph, target.graph ? &*target.graph : nullptr, &target.names});
  show(args, read, target, solution, json, {command_line, inputs});
  if (solving.common.json) {
    print_json(json);
  } else {
    print_solution(solution, timing);
    if (setup.balances_alpha) fmt::print("alpha         {:.6g}\n", problem.alpha());
  }
  return exit_code(solution, solving);
}

Action add(CLI::App& app, bool estimate_only) {
  auto args = std::make_shared<SolveArgs>();
  args->estimate_only = estimate_only;
  Options options(app);
  options.argument("SOURCE", args->source, "Graph file, or - for an edge list on stdin");
  options.argument("TARGET", args->target,
                   "Graph file, identity:SIZE or scaled-identity:SIZE:SCALE");
  Options(app, "Problem")
      .file("--target-features", args->target_features,
            "Features of the target nodes, .csv or .npy");
  add_plan_constraints(app, args->constraints);
  add_solving(app, args->solving, solve_defaults);
  Options(app, "Method")
      .choice("--method", args->solving.method,
              "auto: row descent if it applies, else conditional gradient; mirror descent with "
              "--epsilon above 0");
  if (!estimate_only) add_shown(app, args->shown);
  return [args](const std::string& command_line) { return run(*args, command_line); };
}

}  // namespace

Action add_solve(CLI::App& app) {
  app.footer("Example: srgw solve graph.txt identity:4 --structure modularity --start spectral");
  return add(app, false);
}

Action add_solve_estimate(CLI::App& app) {
  app.footer("Example: srgw estimate solve graph.txt identity:4 --structure heat:5");
  return add(app, true);
}

}  // namespace srgw::cli

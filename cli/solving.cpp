// SPDX-License-Identifier: MIT
#include "cli/solving.hpp"

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

int max_iterations(const Method& method) {
  return std::visit([](const auto& options) { return options.max_iterations; }, method);
}

bool is_table(std::string file) {
  if (file.ends_with(".gz")) file.resize(file.size() - 3);
  return file.ends_with(".npy") || file.ends_with(".csv") || file.ends_with(".tsv");
}

void check_divergence(const Solving& solving) {
  const bool fused = !solving.features.empty();
  const std::string& divergence = solving.divergence;
  if (solving.balanced() && !solving.may_be_balanced) {
    fail_usage("--divergence {} fixes the sizes of the clusters, expected srgw or srfgw",
               divergence);
  }
  if (!solving.target_weights.empty() && !solving.balanced()) {
    fail_usage("--target-weights with {0}, expected gw or fgw: {0} solves for the target weights",
               fused ? "srfgw" : "srgw");
  }
  if (solving.sparsity > 0 && solving.balanced()) {
    fail_usage("--sparsity with {}, expected srgw or srfgw: the target weights are fixed",
               divergence);
  }
  if ((divergence == "srgw" || divergence == "gw") && fused) {
    fail_usage("--divergence {0} with --features, expected {1} or no features", divergence,
               divergence == "gw" ? "fgw" : "srfgw");
  }
  if ((divergence == "srfgw" || divergence == "fgw") && !fused) {
    fail_usage("--divergence {} without --features, expected a file of features", divergence);
  }
  if (!solving.alpha.empty() && !fused) {
    fail_usage("--alpha without --features, expected both");
  }
}

}  // namespace

Setup set_up(const Solving& solving) {
  check_divergence(solving);
  Setup setup;
  setup.method = method_from_flags(solving.flags, solving.method);
  if (solving.method == MethodName::conditional_gradient &&
      std::holds_alternative<MirrorDescent>(setup.method)) {
    fail_usage("--method conditional-gradient with --epsilon above 0, expected --epsilon 0");
  }
  setup.balances_alpha = solving.alpha == "balanced";
  setup.alpha = solving.features.empty() ? 1 : to_number(solving.alpha).value_or(0.5);
  setup.loss = solving.loss;
  if (solving.entropic_mode == "entropic") {
    const auto* mirror = std::get_if<MirrorDescent>(&setup.method);
    if (mirror == nullptr) fail_usage("--entropic-mode entropic needs --epsilon above 0");
    setup.entropy = mirror->epsilon;
  }
  if (!solving.plan_file.empty() && !is_table(solving.plan_file)) {
    fail_usage("--plan {}, expected a file that ends in .npy, .csv or .tsv", solving.plan_file);
  }
  if (!solving.save.empty() && !solving.save.ends_with(".npz")) {
    fail_usage("--save {}, expected a file that ends in .npz", solving.save);
  }
  check_folder_of(solving.plan_file);
  check_folder_of(solving.save);
  if (!solving.max_memory.empty()) setup.max_memory = size_from_text(solving.max_memory);
  return setup;
}

Workload workload(const Graph& graph, Index columns, bool diagonal_target, const Solving& solving,
                  const Setup& setup) {
  return {
      .nodes = graph.nodes(),
      .entries = graph.adjacency().entries(),
      .weighted = graph.weighted(),
      .columns = columns,
      .storage = storage_of(setup.structure),
      .time = setup.structure.number.value_or(0),
      .diagonal_target = diagonal_target,
      .hard_start = setup.start.is_hard() && !solving.balanced(),
      .well_scaled =
          setup.structure.row->fixes_weights && setup.start.start != Start::random_labels,
      .features = !solving.features.empty(),
      .mirror = std::holds_alternative<MirrorDescent>(setup.method),
      .starts = setup.starts,
      .threads = solving.common.threads,
  };
}

Problem make_problem(const Source& source, const Structure& target, const Matrix& cost,
                     const Solving& solving, const Setup& setup) {
  if (solving.symmetric == "yes" && !(source.structure.symmetric() && target.symmetric())) {
    fail_input("--symmetric yes, but the {} is not symmetric",
               source.structure.symmetric() ? "target" : "source");
  }
  Problem problem{.source = source.structure,
                  .weights = source.weights,
                  .target = target,
                  .loss = setup.loss,
                  .sparsity = solving.sparsity,
                  .entropy = setup.entropy};
  if (cost.size() > 0) problem.features.emplace(FusedTerm{.cost = cost, .alpha = setup.alpha});
  return problem;
}

Watched watched(const Solving& solving, const Setup& setup) {
  return {solving.common,
          solving.seed,
          {.iterations = max_iterations(setup.method), .starts = setup.starts}};
}

void note_start(const Solution& solution, const Solving& solving) {
  if (solution.softened_start) {
    detail_note(solving.common,
                "the start was softened, because mirror descent cannot leave zeros");
  }
  if (solution.left_symmetric_start) {
    detail_note(
        solving.common,
        "the start is the same for all nodes and led nowhere by symmetry; another start was used");
  }
}

Solution run_solver(const Problem& problem, const std::optional<StartFile>& file,
                    const Solving& solving, const Setup& setup, bool trace) {
  const Watched watch = watched(solving, setup);
  Run run = watch.run();
  run.trace = trace;
  Solution solution = file ? solve(problem, setup.method, start_plan(*file, problem), run)
                           : solve(problem, setup.method, *setup.start.start, setup.starts, run);
  note_start(solution, solving);
  return solution;
}

Matrix squared_distances(const Matrix& x, const Matrix& y) {
  if (x.cols() != y.cols()) {
    fail_input(
        "{} features for nodes of the source and {} for those of the target, expected as "
        "many",
        x.cols(), y.cols());
  }
  Matrix result(x.rows(), y.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < y.rows(); ++k) result(i, k) = (x.row(i) - y.row(k)).squaredNorm();
  }
  return result;
}

int exit_code(const Solution& solution, const Solving& solving) {
  const std::string hint =
      fmt::format("the gap is {:.1e} at value {:.6g}", solution.gap, solution.value);
  if (solution.status == Status::iteration_limit && !solving.strict) {
    note(solving.common, "not converged (iteration_limit): {}", hint);
  }
  return exit_code(solving.common, solution.status, solving.strict, hint);
}

}  // namespace srgw::cli

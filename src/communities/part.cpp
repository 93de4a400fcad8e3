// SPDX-License-Identifier: MIT
#include "communities/part.hpp"

#include "base/message.hpp"
#include "base/overloaded.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/distributed_graph.hpp"
#include "srgw/graph.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

using Target = PartitionTarget::Kind;

std::vector<NodeId> clustered_nodes(const Graph& graph, Index most) {
  const Vector degrees = graph.degrees();
  const std::span<const double> volumes(degrees.data(), degrees.size());
  return rows_where(clustered_rows(distribute(graph), volumes, most));
}

void keep_rows(PartitionStart& start, const std::vector<NodeId>& nodes) {
  std::visit(Overloaded{[](Start) {},
                        [&](Assignment& labels) {
                          Assignment kept;
                          for (const NodeId node : nodes) kept.push_back(labels[node]);
                          labels = std::move(kept);
                        },
                        [&](Matrix& plan) { plan = rows_of(plan, nodes); }},
             start);
}

/// A plan with the same shares in each row.
Plan scaled_to(const Vector& weights, const Matrix& rows, Index columns) {
  if (rows.cols() != columns) {
    fail_argument("a plan with {} columns to start from, expected {}", rows.cols(), columns);
  }
  Matrix plan = rows;
  for (Index i = 0; i < plan.rows(); ++i) {
    const double sum = plan.row(i).sum();
    if (!(sum > 0))
      fail_argument("row {} of the plan to start from sums to {}, expected more", i, sum);
    plan.row(i) *= weights[i] / sum;
  }
  return Plan::from_dense(weights, std::move(plan));
}

Structure first_target(const PartitionOptions& options, const Source& source, Index columns) {
  if (options.target.kind == Target::given) return *options.target.structure;
  if (options.target.kind == Target::interpolated) {
    return Structure::diagonal(interpolated_weights(source.weights, columns));
  }
  return Structure::scaled_identity(columns, options.target.scale);
}

Alternation alternation_of(const Source& source, const PartitionOptions& options, Index columns) {
  Alternation problem{.source = source,
                      .target = first_target(options, source, columns),
                      .learns_target = options.target.kind == Target::learned,
                      .features = options.features ? &*options.features : nullptr,
                      .loss = options.loss,
                      .sparsity = options.sparsity,
                      .entropy = options.entropy};
  if (options.target.kind == Target::interpolated) {
    problem.target_weights = interpolated_weights(source.weights, columns);
  }
  return problem;
}

/// Plan and target in turn from several first plans; the best until it is stopped.
void find_best_alternation(const Alternation& problem, const PartitionOptions& options,
                           bool chooses_start, const Run& run, std::optional<Alternated>& best) {
  const Start named = std::get<Start>(*options.start);
  const int threads = resolve_threads(run.threads);
  const Problem first = problem_of(problem, problem.target);
  std::vector<double> values;
  const auto attempt = [&](const Plan& start) {
    Alternated trial = alternate(problem, start, options.method, run);
    values.push_back(trial.solution.value);
    const Status status = trial.solution.status;
    if (!best || trial.solution.value < best->solution.value) {
      trial.solution.best_start = static_cast<int>(values.size()) - 1;
      best = std::move(trial);
    }
    best->solution.start_values = values;
    pass_on_stop(status);
  };
  for (int s = 0; s < *options.starts; ++s) {
    const std::uint64_t seed = run.seed + static_cast<std::uint64_t>(s);
    attempt(initial_plan(first, named, seed, threads));
    if (!chooses_start) continue;
    if (problem.features != nullptr) {
      attempt(plan_by_features(problem.source.weights, problem.features->rows,
                               problem.target.size(), seed, threads));
    } else if (named != Start::kmeans) {
      attempt(initial_plan(first, Start::kmeans, seed, threads));
    }
  }
}

/// The best of several starts. If it is stopped before there is one, the connected components are
/// the clusters; where even their value takes long, it throws.
Alternated solve_from_starts(const Alternation& problem, const Part& part,
                             const PartitionOptions& options, const Run& run) {
  std::optional<Alternated> best;
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    if (problem.learns())
      return find_best_alternation(problem, options, part.chooses_start, run, best);
    best = {.solution = solve(problem_of(problem, problem.target), options.method,
                              std::get<Start>(*options.start), *options.starts, run),
            .target = problem.target,
            .target_features = {}};
  });
  if (!best) {
    if (!problem.source.structure.has_rows()) throw Stopped(*stopped);
    const Plan components = Plan::from_labels(
        problem.source.weights, connected_components(part.graph).labels, part.columns);
    best = evaluate(problem, components, options.method, run.threads);
  }
  if (stopped) best->solution.status = *stopped;
  return *std::move(best);
}

}  // namespace

Matrix rows_of(const Matrix& values, const std::vector<NodeId>& nodes) {
  Matrix result(static_cast<Index>(nodes.size()), values.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    result.row(static_cast<Index>(i)) = values.row(nodes[i]);
  }
  return result;
}

Part part_of(const Graph& graph, const ResolvedPartition& resolved, Index columns) {
  Part part{clustered_nodes(graph, columns), graph, resolved.options, columns,
            resolved.chooses_start};
  if (static_cast<Index>(part.nodes.size()) == graph.nodes()) return part;
  part.graph = induced_subgraph(graph, part.nodes);
  if (part.options.features) {
    part.options.features->rows = rows_of(part.options.features->rows, part.nodes);
  }
  if (part.options.weights.values.size() > 0) {
    part.options.weights.values = rows_of(Matrix(part.options.weights.values), part.nodes).col(0);
  }
  keep_rows(*part.options.start, part.nodes);
  return part;
}

Alternated solve_part(const Part& part, const Source& source, const PartitionOptions& options,
                      const Run& run) {
  const Alternation problem = alternation_of(source, options, part.columns);
  if (const auto* labels = std::get_if<Assignment>(&*options.start)) {
    return alternate(problem, Plan::from_labels(source.weights, *labels, part.columns),
                     options.method, run);
  }
  if (const auto* rows = std::get_if<Matrix>(&*options.start)) {
    return alternate(problem, scaled_to(source.weights, *rows, part.columns), options.method, run);
  }
  return solve_from_starts(problem, part, options, run);
}

}  // namespace srgw::detail

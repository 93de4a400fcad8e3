// SPDX-License-Identifier: MIT
#include "dictionary/projector.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace srgw::detail {

Projector::Projector(const Projection& projection, int threads, bool rows)
    : projection_(projection), workers_(threads) {
  if (rows) rows_.emplace(projection, threads);
}

void Projector::set_atom(const Atom& atom) {
  structure_ = atom.structure;
  for (Worker& worker : workers_) worker.target.reset();
  features_transposed_ = atom.features.transpose();
  if (rows_) rows_->set_atom(atom);
}

Projector::Worker& Projector::worker(int number) {
  Worker& own = workers_[number];
  if (!own.solver) own.solver.emplace(projection_.method, Run{.threads = 1});
  if (!own.target) own.target = Structure::dense(structure_);
  return own;
}

// M_ik = |F_i - X_k|^2, all k at once.
Problem Projector::problem(const Sample& sample, const Structure& target,
                           std::vector<double>& cost) const {
  Problem problem{.source = sample.source.structure,
                  .weights = sample.source.weights,
                  .target = target,
                  .sparsity = projection_.sparsity,
                  .entropy = projection_.entropy};
  const Index columns = features_transposed_.rows();
  if (columns == 0) return problem;
  const Index n = sample.features.rows(), m = target.size();
  cost.resize(n * m);
  for (Index i = 0; i < n; ++i) {
    double* row = cost.data() + i * m;
    const double* f = sample.features.data() + i * columns;
    if (i > 0 && std::equal(f, f + columns, f - columns)) {  // often, where features are labels
      std::copy_n(row - m, m, row);
      continue;
    }
    std::fill_n(row, m, 0.0);
    for (Index c = 0; c < columns; ++c) {
      const double* x = features_transposed_.data() + c * m;
      for (Index k = 0; k < m; ++k) row[k] += (f[c] - x[k]) * (f[c] - x[k]);
    }
  }
  problem.features.emplace(FusedTerm{MatrixSpan(cost.data(), n, m), projection_.alpha});
  return problem;
}

const Solution& Projector::solve(int number, const Sample& sample, const Plan* start) {
  Worker& own = worker(number);
  const Problem view = problem(sample, *own.target, own.cost);
  return start != nullptr ? own.solver->solve(view, *start) : own.solver->solve(view);
}

const RowDescent* Projector::descend(int worker, const Sample& sample) {
  return rows_ && rows_->project(worker, sample) ? &rows_->descent(worker) : nullptr;
}

// Without the parts of the value, of which there are only those of the problem itself.
Solution Projector::solution_of(const RowDescent& descent, const Sample& sample) {
  const Vector& h = sample.source.weights;
  const Vector& q = descent.target_weights();
  Solution solution;
  solution.plan = descent.labels().empty() ? Plan::from_dense(h, descent.plan())
                                           : Plan::from_labels(h, descent.labels(), q.size());
  solution.target_weights = q;
  solution.value = descent.value();
  solution.gap = descent.gap();
  solution.status = Status::converged;
  return solution;
}

Solution Projector::best(int number, const Sample& sample, const Tries& tries) {
  Worker& own = worker(number);
  const Problem view = problem(sample, *own.target, own.cost);
  std::optional<Solution> best;
  const auto keep = [&](const Solution& solution) {
    if (!best || solution.value < best->value) best = solution;
  };
  if (tries.warm != nullptr) keep(own.solver->solve(view, *tries.warm));
  const RowDescent* rows = tries.rows ? descend(number, sample) : nullptr;
  if (rows != nullptr && !(best && best->value <= rows->value())) {
    best = solution_of(*rows, sample);
  }
  if (rows == nullptr && (tries.product || (tries.warm == nullptr && tries.random == 0))) {
    keep(own.solver->solve(view));
  }
  for (int r = 0; r < tries.random; ++r) {
    const std::uint64_t seed = Random(tries.seed, tries.item)() + static_cast<std::uint64_t>(r);
    keep(own.solver->solve(view, initial_plan(view, Start::random_labels, seed)));
  }
  return std::move(*best);
}

Vector Projector::node_losses(const Sample& sample, const Plan& plan) const {
  std::vector<double> cost;
  const Structure target = Structure::dense(structure_);
  Problem view = problem(sample, target, cost);
  view.sparsity = 0;
  // E(T) = <G, T>/2 and the linear part is <L, T>: both by rows.
  const Matrix T = plan.dense();
  Matrix terms = gradient(view, plan);
  if (view.features) terms += (1 - view.alpha()) * view.features->cost;
  return 0.5 * terms.cwiseProduct(T).rowwise().sum();
}

}  // namespace srgw::detail

// SPDX-License-Identifier: MIT
#include "dictionary/projector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "solve/method.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

constexpr Index most_entries = Index{1} << 18;  // of n x m arrays that stay in the cache
constexpr Index most_units = 64;
constexpr double largest_cost = 1e300;

// Solver refuses the other problems, with its own messages.
bool is_distribution(const Vector& h) {
  double sum = 0;
  for (const double mass : h) {
    if (!(mass >= 0)) return false;
    sum += mass;
  }
  return std::abs(sum - 1) <= 1e-8;
}

// c where the row is `one` times e_c: features that are labels. By bits and without a branch but
// for each block, since which label comes next is nothing to expect.
std::optional<Index> unit_of(const double* row, Index columns, double number) {
  const auto one = std::bit_cast<std::uint64_t>(number);
  constexpr Index block = 8;
  Index unit = 0, ones = 0, others = 0;
  for (Index begin = 0; begin < columns && others == 0; begin += block) {
    const Index end = std::min(begin + block, columns);
    for (Index c = begin; c < end; ++c) {
      const auto bits = std::bit_cast<std::uint64_t>(row[c]);
      unit = bits == one ? c : unit;
      ones += bits == one ? 1 : 0;
      others += bits != one && bits != 0 ? 1 : 0;
    }
  }
  return ones == 1 && others == 0 ? std::optional(unit) : std::nullopt;
}

double sum_of(const double* row, Index columns) { return std::accumulate(row, row + columns, 0.0); }

}  // namespace

Projector::Projector(const Projection& projection, int threads, bool rows)
    : projection_(projection),
      workers_(threads),
      allow_rows_(rows && conditional_gradient_of(projection.method) != nullptr &&
                  projection.sparsity == 0 && projection.entropy == 0) {}

void Projector::set_atom(const Atom& atom) {
  structure_ = atom.structure;
  for (Worker& worker : workers_) worker.target.reset();
  features_transposed_ = atom.features.transpose();
  if (allow_rows_) prepare_descents();
}

Projector::Worker& Projector::worker(int number) {
  Worker& own = workers_[number];
  if (!own.solver) own.solver.emplace(projection_.method, Run{.threads = 1});
  if (!own.target) own.target = Structure::dense(structure_);
  return own;
}

// M_ik = |F_i - X_k|^2, all k at once.
void Projector::write_cost(const double* features, double* row) const {
  const Index m = structure_.rows();
  std::fill_n(row, m, 0.0);
  for (Index c = 0; c < features_transposed_.rows(); ++c) {
    const double* x = features_transposed_.data() + c * m;
    for (Index k = 0; k < m; ++k) row[k] += (features[c] - x[k]) * (features[c] - x[k]);
  }
}

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
    write_cost(f, row);
  }
  problem.features.emplace(FusedTerm{MatrixSpan(cost.data(), n, m), projection_.alpha});
  return problem;
}

const Solution& Projector::solve(int number, const Sample& sample, const Plan* start) {
  Worker& own = worker(number);
  const Problem view = problem(sample, *own.target, own.cost);
  return start != nullptr ? own.solver->solve(view, *start) : own.solver->solve(view);
}

void Projector::prepare_descents() {
  const Index d = features_transposed_.rows(), m = structure_.rows();
  const double alpha = d > 0 ? projection_.alpha : 1.0;
  by_rows_ = alpha > 0 && structure_.cwiseAbs().maxCoeff() <= largest_entry_to_square;
  if (!by_rows_) return;
  for (Worker& worker : workers_) worker.descent.set_target(structure_, alpha);
  stride_ = workers_.front().descent.stride();
  unit_costs_.clear();
  if (d > most_units) return;
  unit_costs_.resize(d * stride_);
  unit_sums_.resize(d);
  const Matrix units = one_ * Matrix::Identity(d, d);
  for (Index c = 0; c < d; ++c) {
    double* row = unit_costs_.data() + c * stride_;
    by_rows_ = by_rows_ && write_padded_cost(units.data() + c * d, row);
    unit_sums_[c] = sum_of(row, m);
  }
}

// False: not all are numbers that a solver takes.
bool Projector::write_padded_cost(const double* features, double* row) const {
  const Index m = structure_.rows();
  write_cost(features, row);
  std::fill(row + m, row + stride_, 0.0);
  return *std::max_element(row, row + m) <= largest_cost;
}

bool Projector::fill_padded_cost(const Matrix& features, Worker& worker) const {
  const Index n = features.rows(), d = features.cols();
  worker.padded_cost.resize(n * stride_);
  worker.cost_rows.resize(n);
  worker.cost_sums.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double* f = features.data() + i * d;
    if (const auto unit = unit_costs_.empty() ? std::nullopt : unit_of(f, d, one_)) {
      worker.cost_rows[i] = unit_costs_.data() + *unit * stride_;
      worker.cost_sums[i] = unit_sums_[*unit];
      continue;
    }
    double* row = worker.padded_cost.data() + i * stride_;
    if (!write_padded_cost(f, row)) return false;
    worker.cost_rows[i] = row;
    worker.cost_sums[i] = sum_of(row, structure_.rows());
  }
  return true;
}

bool Projector::descent_serves(const Sample& sample) const {
  const auto& [structure, h] = sample.source;
  return by_rows_ && structure.size() <= most_entries / structure_.rows() &&
         RowDescent::serves(structure) && structure.largest_entry() <= largest_entry_to_square &&
         is_distribution(h);
}

const RowDescent* Projector::descend(int number, const Sample& sample) {
  Worker& own = workers_[number];
  const bool attributed = features_transposed_.rows() > 0;
  if (!descent_serves(sample) || (attributed && !fill_padded_cost(sample.features, own))) {
    return nullptr;
  }
  RowDescent::Graph graph{.structure = sample.source.structure, .weights = sample.source.weights};
  if (attributed) {
    graph.linear = own.cost_rows;
    graph.linear_sums = own.cost_sums;
  }
  own.descent.solve(graph, conditional_gradient_of(projection_.method)->tolerance);
  return &own.descent;
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

double Projector::value(int number, const Sample& sample, const Plan& plan) {
  Worker& own = worker(number);
  return srgw::value(problem(sample, *own.target, own.cost), plan).total();
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

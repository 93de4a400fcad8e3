// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "dictionary/templates_problems.hpp"
#include "solve/problem_loss.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/plan.hpp"
#include "structure/entries.hpp"

namespace srgw {

namespace {

constexpr double guard = 1e-15;  // inside logarithms, as derivatives() has it
constexpr Index block_graphs = 64;

/// A plan as inner loops read it: labels, or else an array.
struct ReadPlan {
  explicit ReadPlan(const Plan& plan) : weights(plan.weights()), columns(plan.columns()) {
    if (plan.is_assignment()) {
      labels = plan.labels();
    } else {
      dense = plan.dense();
    }
  }
  [[nodiscard]] bool hard() const { return !labels.empty(); }
  [[nodiscard]] Vector target_weights() const {
    if (!hard()) return dense.colwise().sum().transpose();
    Vector q = Vector::Zero(columns);
    for (std::size_t i = 0; i < labels.size(); ++i) q[labels[i]] += weights[static_cast<Index>(i)];
    return q;
  }
  /// T X
  [[nodiscard]] Matrix times(const Matrix& X) const {
    if (!hard()) return dense * X;
    Matrix result(weights.size(), X.cols());
    for (Index i = 0; i < result.rows(); ++i) {
      result.row(i) = weights[i] * X.row(labels[i]);
    }
    return result;
  }
  /// T'X
  [[nodiscard]] Matrix transposed_times(const Matrix& X) const {
    if (!hard()) return dense.transpose() * X;
    Matrix result = Matrix::Zero(columns, X.cols());
    for (Index i = 0; i < X.rows(); ++i) {
      result.row(labels[i]) += weights[i] * X.row(i);
    }
    return result;
  }
  /// <M, T>
  [[nodiscard]] double inner(const Matrix& M) const {
    if (!hard()) return dense.cwiseProduct(M).sum();
    double sum = 0;
    for (Index i = 0; i < M.rows(); ++i) {
      sum += weights[i] * M(i, labels[i]);
    }
    return sum;
  }

  VectorSpan weights;
  Index columns;
  Assignment labels;
  Matrix dense;
};

/// T'C T
Matrix quotient(const Structure& C, const ReadPlan& T) {
  Matrix sums = Matrix::Zero(T.columns, T.columns);
  if (T.hard()) {
    detail::for_each_entry(C, [&](Index i, Index j, double entry) {
      sums(T.labels[i], T.labels[j]) += entry * T.weights[i] * T.weights[j];
    });
    return sums;
  }
  Matrix product = Matrix::Zero(T.dense.rows(), T.columns);
  detail::for_each_entry(
      C, [&](Index i, Index j, double entry) { product.row(i) += entry * T.dense.row(j); });
  return T.dense.transpose() * product;
}

/// The derivative of -2 <T, C T R'> in C_ij is -2 (T R T')_ij: R as it is here.
Matrix cross_of(Loss loss, const Matrix& B) {
  if (loss == Loss::square) return B;
  return 0.5 * (B.array() + guard).log().matrix();
}

double slope_of_constant(Loss loss, double entry) {
  return loss == Loss::square ? 2 * entry : std::log(entry + guard);
}

struct Potentials {
  Vector rows, columns;
};

/// Derivatives in h and hbar: the multipliers of the constraints on rows and columns of the plan.
Potentials potentials(const Problem& problem, const Plan& plan) {
  Matrix G = gradient(problem, plan);
  const double entropy = problem.entropy;
  if (!problem.balanced()) {
    Potentials found{G.rowwise().minCoeff(), Vector::Zero(G.cols())};
    if (entropy == 0) return found;
    // T_ik = h_i exp(-G_ik/eps) / sum: the multiplier is eps log h_i - eps log sum_k exp(-G_ik/eps)
    for (Index i = 0; i < G.rows(); ++i) {
      const double sum = ((found.rows[i] - G.row(i).array()) / entropy).exp().sum();
      const double h = std::max(problem.weights[i], std::numeric_limits<double>::min());
      found.rows[i] += entropy * (std::log(h) - std::log(sum));
    }
    return found;
  }
  const Vector h = problem.weights, hbar = *problem.target_weights;
  if (entropy > 0) {
    const Matrix T = plan.dense();
    if (T.minCoeff() > 0) {
      // G_ik + eps log T_ik = u_i + v_k at the solution
      G += entropy * T.array().log().matrix();
      Potentials found{G * hbar, G.transpose() * h};
      found.columns.array() -= found.columns.dot(hbar);
      return found;
    }
  }
  Transport found = transport(G, h, hbar);
  return {std::move(found.row_potentials), std::move(found.column_potentials)};
}

void centre(Vector& values) { values.array() -= values.mean(); }

class Differentiator {
 public:
  Differentiator(std::span<const Sample> graphs, std::span<const Template> templates,
                 const TemplateOptions& options, const TemplateMatches& matches, MatrixView factors,
                 const TemplateParts& parts)
      : graphs_(graphs),
        templates_(templates),
        options_(options),
        matches_(matches),
        factors_(factors),
        parts_(parts),
        offsets_(detail::node_offsets(graphs)) {}

  TemplateGradients run(int threads);

 private:
  /// What the pairs of a block of graphs and a template add up to.
  struct Sums {
    Matrix structure, features;
    Vector weights;
    double alpha = 0;
  };

  void prepare();
  void of_graph(Index g);
  void of_entries(Index g, const ReadPlan& T, double factor, const Matrix& R);
  void of_block(Index block, Index k);
  void of_pair(Index g, Index k, Sums& sums);
  [[nodiscard]] const Template& target(Index k) const { return templates_[k]; }
  [[nodiscard]] const Structure& structure(Index g) const { return graphs_[g].source.structure; }
  [[nodiscard]] bool fused(Index k) const {
    return target(k).cost.has_value() || target(k).features.cols() > 0;
  }
  [[nodiscard]] double alpha(Index k) const { return fused(k) ? target(k).alpha : 1.0; }

  std::span<const Sample> graphs_;
  std::span<const Template> templates_;
  const TemplateOptions& options_;
  const TemplateMatches& matches_;
  MatrixView factors_;
  TemplateParts parts_;
  std::vector<Index> offsets_;
  std::vector<std::size_t> entry_offsets_;
  std::vector<detail::TemplateProblems> problems_;
  std::vector<Matrix> crosses_;
  std::vector<Structure> targets_;
  std::vector<Sums> sums_;  // blocks x K
  TemplateGradients result_;
};

void Differentiator::prepare() {
  const Index nodes = offsets_.back(), graphs = std::ssize(graphs_), count = std::ssize(templates_);
  if (factors_.rows() != graphs || factors_.cols() != count || matches_.values.rows() != graphs ||
      matches_.values.cols() != count || std::ssize(matches_.plans) != graphs * count) {
    detail::fail_argument(
        "{} x {} factors, {} x {} values and {} plans, expected {} x {} and a plan for each",
        factors_.rows(), factors_.cols(), matches_.values.rows(), matches_.values.cols(),
        matches_.plans.size(), graphs, count);
  }
  const Index width = graphs == 0 ? 0 : graphs_.front().features.cols();
  entry_offsets_.assign(1, 0);
  for (Index g = 0; g < graphs; ++g) {
    entry_offsets_.push_back(entry_offsets_.back() + structure(g).entries());
  }
  if (parts_.entries) result_.entries.assign(entry_offsets_.back(), 0.0);
  if (parts_.weights) result_.weights = Vector::Zero(nodes);
  if (parts_.features) result_.features = Matrix::Zero(nodes, width);
  if (parts_.alpha) result_.alpha = Vector::Zero(count);
  for (const Template& t : templates_) {
    const Index m = t.structure.rows();
    problems_.emplace_back(graphs_, t, offsets_, options_);
    crosses_.push_back(cross_of(options_.loss, t.structure));
    targets_.push_back(Structure::dense(t.structure));
    if (parts_.structures) result_.structures.emplace_back(Matrix::Zero(m, m));
    if (parts_.template_features) {
      result_.template_features.emplace_back(Matrix::Zero(t.features.rows(), t.features.cols()));
    }
    if (parts_.template_weights) result_.template_weights.emplace_back(Vector::Zero(m));
    if (parts_.costs) result_.costs.emplace_back(Matrix::Zero(t.cost ? nodes : 0, t.cost ? m : 0));
  }
}

TemplateGradients Differentiator::run(int threads) {
  prepare();
  const Index graphs = std::ssize(graphs_), count = std::ssize(templates_);
  if (parts_.entries || parts_.features || parts_.costs || parts_.weights) {
    detail::parallel_for(graphs, threads, [&](Index g, int) { of_graph(g); });
  }
  if (!parts_.structures && !parts_.template_features && !parts_.template_weights &&
      !parts_.alpha) {
    return std::move(result_);
  }
  // Blocks of graphs are always the same, so that sums do not depend on the number of threads.
  const Index blocks = (graphs + block_graphs - 1) / block_graphs;
  sums_.resize(blocks * count);
  detail::parallel_for(blocks * count, threads,
                       [&](Index item, int) { of_block(item / count, item % count); });
  for (Index item = 0; item < blocks * count; ++item) {
    const Sums& sums = sums_[item];
    const Index k = item % count;
    if (parts_.structures) result_.structures[k] += sums.structure;
    if (parts_.template_features) result_.template_features[k] += sums.features;
    if (parts_.template_weights) result_.template_weights[k] += sums.weights;
    if (parts_.alpha) result_.alpha[item % count] += sums.alpha;
  }
  return std::move(result_);
}

// alpha (f'(C) o hh' - 2 T R T'), (1 - alpha) 2 (h_i x_i - (T Y)_i), (1 - alpha) T
void Differentiator::of_graph(Index g) {
  const Index first = offsets_[g];
  const Sample& graph = graphs_[g];
  const Vector& h = graph.source.weights;
  double constant = 0;
  for (Index k = 0; k < std::ssize(templates_); ++k) {
    const double factor = factors_(g, k);
    if (factor == 0) continue;
    const Plan& plan = matches_.plan(g, k);
    const ReadPlan T(plan);
    const double share = factor * alpha(k);
    constant += share;
    if (parts_.entries) of_entries(g, T, share, crosses_[k]);
    const double linear = factor * (1 - alpha(k));
    if (parts_.features && target(k).features.cols() > 0) {
      result_.features.middleRows(first, h.size()) +=
          2 * linear * (h.asDiagonal() * graph.features - T.times(target(k).features));
    }
    if (parts_.costs && target(k).cost) {
      result_.costs[k].middleRows(first, h.size()) = linear * plan.dense();
    }
    if (parts_.weights) {
      Vector rows = potentials(problems_[k].problem(g), plan).rows;
      centre(rows);
      result_.weights.segment(first, h.size()) += factor * rows;
    }
  }
  if (!parts_.entries || constant == 0) return;
  double* slope = result_.entries.data() + entry_offsets_[g];
  detail::for_each_entry(graph.source.structure, [&](Index i, Index j, double entry) {
    *slope++ += constant * slope_of_constant(options_.loss, entry) * h[i] * h[j];
  });
}

void Differentiator::of_entries(Index g, const ReadPlan& T, double factor, const Matrix& R) {
  double* slope = result_.entries.data() + entry_offsets_[g];
  if (T.hard()) {
    detail::for_each_entry(structure(g), [&](Index i, Index j, double) {
      *slope++ -= 2 * factor * T.weights[i] * T.weights[j] * R(T.labels[i], T.labels[j]);
    });
    return;
  }
  const Matrix TR = T.dense * R;
  detail::for_each_entry(structure(g), [&](Index i, Index j, double) {
    *slope++ -= 2 * factor * TR.row(i).dot(T.dense.row(j));
  });
}

void Differentiator::of_block(Index block, Index k) {
  const Template& t = target(k);
  const Index m = t.structure.rows();
  Sums& sums = sums_[block * std::ssize(templates_) + k];
  if (parts_.structures) sums.structure = Matrix::Zero(m, m);
  if (parts_.template_features) {
    sums.features = Matrix::Zero(t.features.rows(), t.features.cols());
  }
  if (parts_.template_weights) sums.weights = Vector::Zero(m);
  const Index end = std::min(std::ssize(graphs_), (block + 1) * block_graphs);
  for (Index g = block * block_graphs; g < end; ++g) {
    detail::throw_if_stopped();
    if (factors_(g, k) != 0) of_pair(g, k, sums);
  }
}

// square loss: alpha 2 (B o qq' - T'C T); KL: alpha (qq' - T'C T / B)
void Differentiator::of_pair(Index g, Index k, Sums& sums) {
  const double factor = factors_(g, k), share = factor * alpha(k);
  const Template& t = target(k);
  const Sample& graph = graphs_[g];
  const Plan& plan = matches_.plan(g, k);
  const ReadPlan T(plan);
  const Vector q = T.target_weights();
  const detail::TemplateProblems& problems = problems_[k];
  Matrix inside;
  if (parts_.structures || (parts_.alpha && fused(k))) inside = quotient(structure(g), T);
  if (parts_.structures && share != 0) {
    const Matrix qq = q * q.transpose();
    if (options_.loss == Loss::square) {
      sums.structure += 2 * share * (t.structure.cwiseProduct(qq) - inside);
    } else {
      sums.structure +=
          share * (qq.array() - inside.array() / (t.structure.array() + guard)).matrix();
    }
  }
  if (parts_.template_features && t.features.cols() > 0) {
    sums.features += 2 * factor * (1 - t.alpha) *
                     (q.asDiagonal() * t.features - T.transposed_times(graph.features));
  }
  if (parts_.alpha && fused(k)) {
    const Structure& B = targets_[k];
    const double structure_term =
        detail::source_constant(options_.loss, structure(g), graph.source.weights).value +
        detail::target_form(options_.loss, B, q) -
        2 * inside.cwiseProduct(detail::cross_target(options_.loss, B).dense()).sum();
    sums.alpha += factor * (std::max(0.0, structure_term) - T.inner(problems.cost(g)));
  }
  if (parts_.template_weights && t.weights) {
    Potentials found = potentials(problems.problem(g), plan);
    centre(found.columns);
    sums.weights += factor * found.columns;
  }
}

}  // namespace

TemplateGradients template_gradients(std::span<const Sample> graphs,
                                     std::span<const Template> templates,
                                     const TemplateOptions& options, const TemplateMatches& matches,
                                     MatrixView factors, const TemplateParts& parts,
                                     const Run& run) {
  const StopScope scope(run);
  Differentiator differentiator(graphs, templates, options, matches, factors, parts);
  return differentiator.run(detail::resolve_threads(run.threads));
}

}  // namespace srgw

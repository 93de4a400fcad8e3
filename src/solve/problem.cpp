// SPDX-License-Identifier: MIT
#include "srgw/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/masses.hpp"
#include "base/message.hpp"
#include "solve/problem_loss.hpp"
#include "structure/entries.hpp"
#include "structure/plan_rows.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

constexpr double mass_tolerance = 1e-8;

constexpr double largest_entry = detail::largest_entry_to_square;
constexpr double largest_cost = 1e300;  // its square
constexpr double least_kl_entry = 1e-15;

void check_entries(const char* name, const Structure& structure) {
  if (!(structure.largest_entry() <= largest_entry)) {
    fail_argument("{} has an entry of size {}, expected at most {}, or squares overflow", name,
                  structure.largest_entry(), largest_entry);
  }
}

void check_weights(const char* name, VectorView weights, Index size, const char* reason) {
  const double sum = detail::sum_of_masses(name, weights, size, reason);
  if (!(std::abs(sum - 1) <= mass_tolerance)) fail_argument("{} sum to {}, expected 1", name, sum);
}

void check_target_weights(const Problem& problem) {
  check_weights("target weights", *problem.target_weights, problem.columns(),
                ", one for each target node");
  if (problem.sparsity != 0) {
    fail_argument("sparsity is {} with target weights given, expected 0: it chooses target weights",
                  problem.sparsity);
  }
}

void check_features(const FusedTerm& features, Index rows, Index columns) {
  const auto& [cost, alpha] = features;
  if (!(alpha >= 0 && alpha <= 1)) {
    fail_argument("alpha is {}, expected a number in [0, 1]", alpha);
  }
  if (cost.rows() != rows || cost.cols() != columns) {
    fail_argument("cost is {} x {}, expected {} x {}", cost.rows(), cost.cols(), rows, columns);
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < columns; ++k) {
      if (!(std::abs(cost(i, k)) <= largest_cost)) {
        fail_argument("cost({}, {}) is {}, expected a number of size at most {}", i, k, cost(i, k),
                      largest_cost);
      }
    }
  }
}

double inner(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

/// (1 - alpha) M, or zeros.
Matrix linear_cost(const Problem& problem) {
  if (!problem.features) return Matrix::Zero(problem.rows(), problem.columns());
  return (1 - problem.alpha()) * problem.features->cost;
}

/// P Cbar': each row of P is multiplied by Cbar.
Matrix times_transposed(Matrix P, const Structure& Cbar) {
  for (Index i = 0; i < P.rows(); ++i) P.row(i) = Cbar.product(Vector(P.row(i))).transpose();
  return P;
}

/// P Cbar.
Matrix times(Matrix P, const Structure& Cbar) {
  for (Index i = 0; i < P.rows(); ++i) {
    P.row(i) = Cbar.transposed_product(Vector(P.row(i))).transpose();
  }
  return P;
}

/// The relations of a problem, the first with its own weight.
std::vector<Relation> relations_of(const Problem& problem) {
  std::vector<Relation> relations{{problem.source, problem.target, problem.relation_weight}};
  relations.insert(relations.end(), problem.relations.begin(), problem.relations.end());
  return relations;
}

/// The gradient without [f(C)h + f(C)'h]_i, which is constant along a row: where rows move mass but
/// do not gain any, it has no say, and its rounding would only hide small differences.
Matrix reduced_gradient(const Problem& problem, const Plan& plan) {
  Matrix G = Matrix::Zero(problem.rows(), problem.columns());
  for (const auto& [C, Cbar, weight] : relations_of(problem)) {
    const Structure R = detail::cross_target(problem.loss, Cbar);
    const Vector column_part =
        detail::target_form_gradient(problem.loss, Cbar, plan.target_weights());
    G -= 2 * weight * (times_transposed(C.product(plan), R) + times(C.transposed_product(plan), R));
    G.rowwise() += weight * column_part.transpose();
  }
  return problem.alpha() * G + linear_cost(problem);
}

/// E(T). For the square loss it is a sum of squares, for KL of divergences: what is below zero is
/// rounding.
double structure_term(const Problem& problem, const Plan& plan) {
  const VectorSpan p = problem.partial() ? plan.weights() : problem.weights;
  const Matrix T = plan.dense();
  double sum = 0;
  for (const auto& [C, Cbar, weight] : relations_of(problem)) {
    const Structure R = detail::cross_target(problem.loss, Cbar);
    const double cross = inner(T, times_transposed(C.product(plan), R));
    sum +=
        weight * std::max(0.0, detail::source_constant(problem.loss, C, p).value +
                                   detail::target_form(problem.loss, Cbar, plan.target_weights()) -
                                   2 * cross);
  }
  return sum;
}

double entropy_of(const Matrix& T) {
  double sum = 0;
  for (const double t : T.reshaped()) sum += t > 0 ? t * (std::log(t) - 1) : 0.0;
  return sum;
}

void check_non_negative(const char* name, const Structure& structure) {
  detail::for_each_entry(structure, [&](Index i, Index j, double entry) {
    if (entry < 0) {
      fail_argument("{}({}, {}) is {}, expected entries >= 0 for the KL loss", name, i, j, entry);
    }
  });
}

void check_weight(const char* name, double weight) {
  if (!(weight >= 0 && weight <= largest_cost)) {
    fail_argument("{} is {}, expected a number from 0 to {}", name, weight, largest_cost);
  }
}

void check_allowed(const Problem& problem) {
  const AllowedPairs& allowed = problem.allowed;
  if (allowed.everything()) return;
  if (allowed.rows() != problem.rows() || allowed.columns() != problem.columns()) {
    fail_argument("forbidden pairs and anchors are for a {} x {} plan, expected {} x {}",
                  allowed.rows(), allowed.columns(), problem.rows(), problem.columns());
  }
  if (problem.balanced()) {
    fail_argument(
        "forbidden pairs or anchors with target weights given, expected a semi-relaxed problem: "
        "between given weights there may be no plan without these pairs");
  }
}

void check_share(const Problem& problem) {
  if (!(problem.share > 0 && problem.share <= 1)) {
    fail_argument("share is {}, expected a number above 0 and at most 1", problem.share);
  }
  if (problem.partial() && problem.balanced()) {
    fail_argument(
        "share is {} with target weights given, expected 1: solve_partial() matches a part of both "
        "sides",
        problem.share);
  }
  if (problem.partial() && !problem.source.has_rows()) {
    fail_argument("share is {} with a source that is not formed, expected 1 or a formed one",
                  problem.share);
  }
}

void check_relations(const Problem& problem) {
  const auto check_weight_of = [](std::string_view name, double weight) {
    if (!(weight >= 0 && weight <= largest_cost)) {
      fail_argument("the weight of {} is {}, expected a number from 0 to {}", name, weight,
                    largest_cost);
    }
  };
  check_weight_of("source and target", problem.relation_weight);
  for (std::size_t r = 0; r < problem.relations.size(); ++r) {
    const auto& [C, Cbar, weight] = problem.relations[r];
    const std::string name = fmt::format("relation {}", r + 1);
    check_weight_of(name, weight);
    if (C.size() != problem.rows() || Cbar.size() != problem.columns()) {
      fail_argument("{} is between {} and {} nodes, expected {} and {}, those of source and target",
                    name, C.size(), Cbar.size(), problem.rows(), problem.columns());
    }
    check_entries((name + ", source").c_str(), C);
    check_entries((name + ", target").c_str(), Cbar);
  }
}

void check_general(const Problem& problem) {
  check_share(problem);
  check_relations(problem);
  const bool several = !problem.relations.empty() || problem.relation_weight != 1;
  const char* what = problem.partial() ? "a share below 1" : "several relations";
  if (!problem.partial() && !several) return;
  if (problem.balanced()) {
    fail_argument("several relations with target weights given, expected a semi-relaxed problem");
  }
  if (problem.sparsity != 0) {
    fail_argument("sparsity is {} with {}, expected 0", problem.sparsity, what);
  }
  if (problem.entropy != 0) {
    fail_argument("entropy is {} with {}, expected 0", problem.entropy, what);
  }
}

void refuse_general(const char* what, const Problem& problem) {
  if (!problem.partial() && problem.relations.empty() && problem.relation_weight == 1) return;
  fail_argument(
      "{} of a partial problem or of several relations, expected one relation and share 1", what);
}

void check_both(const Problem& problem, const Plan& plan) {
  check(problem);
  check(problem, plan);
}

}  // namespace

void check(const Problem& problem) {
  check_entries("source", problem.source);
  check_entries("target", problem.target);
  check_weights("weights", problem.weights, problem.rows(), ", one for each source node");
  if (problem.balanced()) check_target_weights(problem);
  check_allowed(problem);
  check_general(problem);
  if (problem.features) check_features(*problem.features, problem.rows(), problem.columns());
  check_weight("sparsity", problem.sparsity);
  check_weight("entropy", problem.entropy);
  if (problem.loss == Loss::kl) {
    check_non_negative("source", problem.source);
    check_non_negative("target", problem.target);
    for (const Relation& relation : problem.relations) {
      check_non_negative("source of a relation", relation.source);
      check_non_negative("target of a relation", relation.target);
    }
    const double largest = std::max(problem.source.largest_entry(), problem.target.largest_entry());
    if (problem.alpha() > 0 && largest > 0 && largest < least_kl_entry) {
      fail_argument(
          "the largest entry is {}, expected at least {} for the KL loss, whose logarithms tell no "
          "entries below 1e-18 from 0: multiply both structures by a power of two",
          largest, least_kl_entry);
    }
  }
}

void check(const Problem& problem, const Plan& plan) {
  if (plan.rows() != problem.rows() || plan.columns() != problem.columns()) {
    fail_argument("plan is {} x {}, expected {} x {}", plan.rows(), plan.columns(), problem.rows(),
                  problem.columns());
  }
  const double mean = 1.0 / static_cast<double>(plan.rows());
  double sum = 0;
  for (Index i = 0; problem.partial() && i < plan.rows(); ++i) {
    const double mass = plan.weights()[i];
    sum += mass;
    if (mass <= problem.weights[i] + detail::row_sum_tolerance(problem.weights[i], mean)) continue;
    fail_argument("row {} of the plan sums to {}, expected at most its weight {}", i, mass,
                  problem.weights[i]);
  }
  if (problem.partial() && !(std::abs(sum - problem.share) <= mass_tolerance)) {
    fail_argument("the plan sums to {}, expected the share {}", sum, problem.share);
  }
  for (Index i = 0; !problem.partial() && i < plan.rows(); ++i) {
    const double tolerance = detail::row_sum_tolerance(problem.weights[i], mean);
    if (!(std::abs(plan.weights()[i] - problem.weights[i]) <= tolerance)) {
      fail_argument("row {} of the plan sums to {}, expected its weight {}", i, plan.weights()[i],
                    problem.weights[i]);
    }
  }
  if (!problem.allowed.everything()) {
    detail::for_each_mass(plan, [&](Index i, Index k, double mass) {
      if (mass > 0 && !problem.allowed.allows(i, k)) {
        fail_argument("the plan has mass {} on the pair ({}, {}), which is forbidden", mass, i, k);
      }
    });
  }
  if (!problem.balanced()) return;
  const Vector q = plan.target_weights();
  for (Index k = 0; k < q.size(); ++k) {
    const double expected = (*problem.target_weights)[k];
    if (!(std::abs(q[k] - expected) <= mass_tolerance)) {
      fail_argument("column {} of the plan sums to {}, expected its weight {}", k, q[k], expected);
    }
  }
}

double FusedTerms::balanced_alpha() const {
  return structure > 0 && features > 0 ? features / (structure + features) : 0.5;
}

// With the mean mu of C, which is the best node: h'f(C)h - mu^2, and h'f(C)h + mu - mu log mu.
FusedTerms fused_terms(const Problem& problem) {
  check(problem);
  if (!problem.features) fail_argument("a problem without features, expected a cost of features");
  const VectorSpan& h = problem.weights;
  const auto constant = [&](const Structure& C) {
    return detail::source_constant(problem.loss, C, h).value;
  };
  const auto structure_cost = [&](const Structure& C) {
    const double mean = h.dot(C.product(Vector(h)));
    if (problem.loss == Loss::square) return constant(C) - mean * mean;
    return constant(C) + mean - (mean > 0 ? mean * std::log(mean) : 0.0);
  };
  double structure = problem.relation_weight * structure_cost(problem.source);
  for (const Relation& relation : problem.relations) {
    structure += relation.weight * structure_cost(relation.source);
  }
  const double features = (problem.features->cost.transpose() * h).minCoeff();
  if (!std::isfinite(features)) {
    fail_argument("the cost of features overflows, expected smaller numbers");
  }
  return {.structure = std::max(0.0, structure), .features = std::max(0.0, features)};
}

Value value(const Problem& problem, const Plan& plan) {
  check_both(problem, plan);
  const Matrix T = plan.dense();
  return {.quad = problem.alpha() * structure_term(problem, plan),
          .linear = inner(linear_cost(problem), T),
          .penalty = detail::penalty(problem.sparsity, plan.target_weights()),
          .entropy = problem.entropy == 0 ? 0.0 : problem.entropy * entropy_of(T)};
}

Matrix gradient(const Problem& problem, const Plan& plan) {
  check_both(problem, plan);
  Matrix G = reduced_gradient(problem, plan);
  const VectorSpan p = problem.partial() ? plan.weights() : problem.weights;
  for (const auto& [C, Cbar, weight] : relations_of(problem)) {
    G.colwise() += problem.alpha() * weight * detail::source_constant_gradient(problem.loss, C, p);
  }
  if (problem.sparsity > 0) {
    G.rowwise() += detail::penalty_gradient(problem.sparsity, plan.target_weights()).transpose();
  }
  return G;
}

double Line::step() const {
  if (a > 0) return std::clamp(-b / a / 2, 0.0, 1.0);
  return a + b < 0 ? 1 : 0;
}

Line line(const Problem& problem, const Plan& from, const Plan& to) {
  check_both(problem, from);
  check(problem, to);
  refuse_general("the line", problem);
  const Structure& C = problem.source;
  const Structure R = detail::cross_target(problem.loss, problem.target);
  const Matrix D = to.dense() - from.dense();
  const Matrix CD = C.product(to) - C.product(from);
  const Vector dq = to.target_weights() - from.target_weights();
  const double form = detail::target_form(problem.loss, problem.target, dq);
  return {.a = problem.alpha() * (form - 2 * inner(D, times_transposed(CD, R))),
          .b = inner(reduced_gradient(problem, from), D)};
}

// square: dE/dC = 2 C o hh' - 2 T Cbar T',        dE/dCbar = 2 Cbar o qq' - 2 T'C T
// KL:     dE/dC = log(C) o hh' - T log(Cbar) T',   dE/dCbar = qq' - (T'C T) / Cbar
Derivatives derivatives(const Problem& problem, const Plan& plan) {
  check_both(problem, plan);
  refuse_general("derivatives", problem);
  constexpr double guard = 1e-15;  // POT's, of the matrix derivatives
  const Matrix T = plan.dense();
  const Vector q = plan.target_weights();
  const double alpha = problem.alpha();
  Derivatives result;
  const Matrix C = problem.source.dense();
  const Matrix Cbar = problem.target.dense();
  const Matrix hh = problem.weights * problem.weights.transpose();
  const Matrix qq = q * q.transpose();
  const Matrix TCT = T.transpose() * problem.source.product(plan);
  if (problem.loss == Loss::square) {
    result.source = 2 * alpha * (C.cwiseProduct(hh) - T * Cbar * T.transpose());
    result.target = 2 * alpha * (Cbar.cwiseProduct(qq) - TCT);
  } else {
    const Matrix log_C = (C.array() + guard).log();
    const Matrix log_Cbar = (Cbar.array() + guard).log();
    result.source = alpha * (log_C.cwiseProduct(hh) - T * log_Cbar * T.transpose());
    result.target = alpha * (qq.array() - TCT.array() / (Cbar.array() + guard)).matrix();
  }
  if (problem.features) {
    result.cost = (1 - alpha) * T;
    result.alpha = structure_term(problem, plan) - inner(problem.features->cost, T);
  }
  return result;
}

}  // namespace srgw

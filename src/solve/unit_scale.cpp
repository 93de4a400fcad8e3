// SPDX-License-Identifier: MIT
#include "solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/message.hpp"
#include "base/overloaded.hpp"
#include "graph/csr_build.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

// The values themselves where there are no other factors: plain rows stay plain.
CsrStorage times_power_of_two(const CsrStorage& form, int exponent) {
  CsrStorage result = form;
  if (form.left.size() > 0 || form.right.size() > 0 || form.factor != 1) {
    result.factor = std::ldexp(form.factor, exponent);
    return result;
  }
  result.csr =
      map_values(form.csr, [&](Index, Index, double value) { return std::ldexp(value, exponent); });
  return result;
}

}  // namespace

int unit_exponent(double largest_structure, double largest_feature, double alpha) {
  const bool by_structure = largest_structure > 0 && (alpha > 0 || largest_feature == 0);
  const double largest = by_structure ? largest_structure : largest_feature;
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) > most_exponent) {
    fail_argument(
        "the largest number of the graphs is {}, and values, which are squares of such numbers, "
        "{}flow; expected 2^-{} to 2^{}: multiply structures and features by a power of two",
        largest, exponent > 0 ? "over" : "under", most_exponent, most_exponent);
  }
  return exponent;
}

double largest_entry(MatrixView matrix) {
  return matrix.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0.0;
}

int if_extreme(int exponent) {
  constexpr int ordinary = 100;
  return std::abs(exponent) <= ordinary ? 0 : exponent;
}

Structure times_power_of_two(const Structure& structure, int exponent) {
  if (exponent == 0) return structure;
  const double factor = std::ldexp(1.0, exponent);
  return std::visit(
      Overloaded{
          [&](const DenseStorage& form) {
            return Structure::dense(form.matrix * factor, structure.symmetric());
          },
          [&](const CsrStorage& form) {
            CsrStorage scaled = times_power_of_two(form, exponent);
            return Structure::scaled_csr(std::move(scaled.csr), std::move(scaled.left),
                                         std::move(scaled.right), scaled.factor,
                                         structure.symmetric());
          },
          [&](const DiagonalStorage& form) {
            return form.entries.size() == 0
                       ? Structure::scaled_identity(structure.size(), form.scale * factor)
                       : Structure::diagonal(form.entries * (form.scale * factor));
          },
          [&](const LowRankStorage& form) {
            return Structure::low_rank(form.factors, form.values * factor, form.error * factor);
          },
          [&](const ImplicitKernelStorage& form) {
            ImplicitKernelStorage scaled = form;
            scaled.factor *= factor;
            return implicit_structure(std::move(scaled));
          },
      },
      storage_of(structure).form);
}

Method times_power_of_two(const Method& method, int exponent) {
  Method scaled = method;
  const auto scale = [exponent](double& number) {
    number = std::min(std::ldexp(number, exponent), 1e300);
  };
  if (auto* mirror = std::get_if<MirrorDescent>(&scaled)) {
    if (mirror->relative || !(mirror->epsilon > 0)) return scaled;
    mirror->epsilon = std::clamp(std::ldexp(mirror->epsilon, exponent), 1e-300, 1e300);
    scale(mirror->anneal_from);
  } else if (auto* exact = std::get_if<ConditionalGradient>(&scaled)) {
    scale(exact->absolute_tolerance);
  } else {
    scale(std::get<Automatic>(scaled).absolute_tolerance);
  }
  return scaled;
}

void multiply(std::vector<double>& values, int exponent) {
  for (double& value : values) value = std::ldexp(value, exponent);
}

Run with_values_times(const Run& run, int exponent) {
  Run scaled = run;
  if (!run.observer) return scaled;
  scaled.observer = [observer = run.observer, exponent](Progress progress) {
    progress.value = std::ldexp(progress.value, exponent);
    progress.gap = std::ldexp(progress.gap, exponent);
    return observer(progress);
  };
  return scaled;
}

namespace {

/// x 2^exponent, refused where a number other than 0 would become 0 or infinite.
double checked_ldexp(double x, int exponent) {
  const double result = std::ldexp(x, exponent);
  if (x != 0 && !std::isnormal(result)) {
    fail_argument(
        "the value is {} * 2^{}, expected one that a floating-point number can hold: multiply both "
        "structures by a power of two to bring their entries near 1",
        x, exponent);
  }
  return result;
}

void bring_back(Solution& solution, int exponent) {
  for (double* part : {&solution.value_quad, &solution.value_linear, &solution.value_penalty,
                       &solution.value_entropy}) {
    *part = checked_ldexp(*part, exponent);
  }
  solution.value =
      solution.value_quad + solution.value_linear + solution.value_penalty + solution.value_entropy;
  solution.value_error = std::ldexp(solution.value_error, exponent);
  solution.gap = std::ldexp(solution.gap, exponent);
  multiply(solution.start_values, exponent);
  const auto bring_trace_back = [&](std::vector<Progress>& trace) {
    for (Progress& progress : trace) {
      progress.value = std::ldexp(progress.value, exponent);
      progress.gap = std::ldexp(progress.gap, exponent);
    }
  };
  bring_trace_back(solution.trace);
  for (auto& trace : solution.start_traces) bring_trace_back(trace);
}

}  // namespace

namespace {

double largest_of_structures(const Problem& problem) {
  double largest = std::max(problem.source.largest_entry(), problem.target.largest_entry());
  for (const Relation& relation : problem.relations) {
    largest = std::max({largest, relation.source.largest_entry(), relation.target.largest_entry()});
  }
  return largest;
}

/// The exponent of what alpha leaves out: its size plays no part, so it is brought to 1.
int free_exponent(double largest) { return largest > 0 ? std::max(std::ilogb(largest), -1022) : 0; }

int exponent_of_structures(const Problem& problem, int exponent) {
  return problem.alpha() > 0 ? exponent : free_exponent(largest_of_structures(problem));
}

}  // namespace

int scale_exponent(const Problem& problem) {
  if (problem.loss != Loss::square) return 0;  // its logarithms know no scale
  double cost = std::max(problem.sparsity, problem.entropy);
  if (problem.features && problem.alpha() < 1) {
    cost = std::max(cost, largest_entry(problem.features->cost));
  }
  const double structure = problem.alpha() > 0 ? largest_of_structures(problem) : 0;
  const double largest = std::max(structure, std::sqrt(cost));
  if (!(largest > 0)) return 0;
  return if_extreme(std::max(std::ilogb(largest), -1022));  // 2^1022 is a number
}

ScaledProblem::ScaledProblem(const Problem& problem, int exponent)
    : problem_{
          .source = times_power_of_two(problem.source, -exponent_of_structures(problem, exponent)),
          .weights = problem.weights,
          .target = times_power_of_two(problem.target, -exponent_of_structures(problem, exponent)),
          .target_weights = problem.target_weights,
          .loss = problem.loss,
          .sparsity = std::ldexp(problem.sparsity, -2 * exponent),
          .entropy = std::ldexp(problem.entropy, -2 * exponent),
          .allowed = problem.allowed,
          .share = problem.share,
          .relation_weight = problem.relation_weight} {
  for (const Relation& relation : problem.relations) {
    const int by = -exponent_of_structures(problem, exponent);
    problem_.relations.push_back({times_power_of_two(relation.source, by),
                                  times_power_of_two(relation.target, by), relation.weight});
  }
  if (!problem.features) return;
  const double largest = largest_entry(problem.features->cost);
  const int twice = problem.alpha() < 1 ? 2 * exponent : free_exponent(largest);
  // In two steps: the factor may be no number.
  cost_ = std::ldexp(1.0, -(twice / 2)) *
          (std::ldexp(1.0, -(twice - twice / 2)) * problem.features->cost);
  problem_.features.emplace(FusedTerm{cost_, problem.features->alpha});
}

Solution solve_at_unit_scale(const Problem& problem, int exponent, const Method& method,
                             const Run& run, const SolveScaled& solve) {
  const ScaledProblem scaled(problem, exponent);
  Solution solution = solve(scaled.problem(), times_power_of_two(method, -2 * exponent),
                            with_values_times(run, 2 * exponent));
  bring_back(solution, 2 * exponent);
  return solution;
}

}  // namespace srgw::detail

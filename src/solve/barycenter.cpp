// SPDX-License-Identifier: MIT
#include "srgw/barycenter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "solve/closed_form.hpp"
#include "solve/product_solution.hpp"
#include "solve/unit_scale.hpp"
#include "solve/watch.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::Random;

constexpr double log_guard = 1e-16;  // of the geometric mean, as in POT

bool has_features(const BarycenterProblem& problem) {
  return problem.samples.front().features.has_value();
}

/// E compares B with C_s: the barycenter is the source of the problems that are solved.
bool barycenter_is_source(const BarycenterProblem& problem) {
  return problem.loss == Loss::kl && problem.target_weights.has_value();
}

void check_samples(const BarycenterProblem& problem) {
  if (problem.samples.empty()) fail_argument("there are no samples, expected at least one");
  double shares = 0;
  const auto& first = problem.samples.front().features;
  for (std::size_t s = 0; s < problem.samples.size(); ++s) {
    const auto& [structure, weights, features, share] = problem.samples[s];
    if (!(share >= 0 && std::isfinite(share))) {
      fail_argument("share of sample {} is {}, expected a finite number >= 0", s, share);
    }
    shares += share;
    if (features.has_value() != first.has_value()) {
      fail_argument("sample {} {} features, expected all samples to have them or none", s,
                    features ? "has" : "has no");
    }
    if (!features) continue;
    if (features->rows() != structure.size() || features->cols() != first->cols()) {
      fail_argument("features of sample {} are {} x {}, expected {} x {}", s, features->rows(),
                    features->cols(), structure.size(), first->cols());
    }
    if (!features->allFinite()) fail_argument("features of sample {} are not all finite", s);
  }
  if (!(shares > 0)) fail_argument("shares of the samples sum to {}, expected above 0", shares);
}

void check_given(const char* name, const std::optional<MatrixSpan>& given, bool fixed, Index rows,
                 Index columns) {
  if (!given) {
    if (fixed) fail_argument("{} are to stay as given, but none are given", name);
    return;
  }
  if (given->rows() != rows || given->cols() != columns || !given->allFinite()) {
    fail_argument("{} given are {} x {}, expected {} x {} finite numbers", name, given->rows(),
                  given->cols(), rows, columns);
  }
}

void check(const BarycenterProblem& problem) {
  if (problem.size < 1) fail_argument("size is {}, expected at least 1", problem.size);
  check_samples(problem);
  check_given("structure entries", problem.structure, problem.fixed_structure, problem.size,
              problem.size);
  if (has_features(problem)) {
    check_given("features", problem.features, problem.fixed_features, problem.size,
                problem.samples.front().features->cols());
  }
  if (!problem.plans.empty() && problem.plans.size() != problem.samples.size()) {
    fail_argument("{} plans to start from, expected {}, one for each sample", problem.plans.size(),
                  problem.samples.size());
  }
  for (std::size_t s = 0; s < problem.plans.size(); ++s) {
    const Plan& plan = problem.plans[s];
    if (plan.rows() != problem.samples[s].structure.size() || plan.columns() != problem.size) {
      fail_argument("the plan of sample {} to start from is {} x {}, expected {} x {}", s,
                    plan.rows(), plan.columns(), problem.samples[s].structure.size(), problem.size);
    }
  }
}

std::vector<double> scale_shares(std::span<const BarycenterSample> samples) {
  double sum = 0;
  for (const BarycenterSample& sample : samples) sum += sample.share;
  std::vector<double> shares;
  for (const BarycenterSample& sample : samples) shares.push_back(sample.share / sum);
  return shares;
}

// Squared distances of random points in the plane, at most 1.
Matrix random_structure(Index size, std::uint64_t seed) {
  Random random(seed, 0);
  Matrix points(size, 2);
  for (double& coordinate : points.reshaped()) coordinate = random.normal();
  Matrix result(size, size);
  for (Index k = 0; k < size; ++k) {
    result.row(k) = (points.rowwise() - points.row(k)).rowwise().squaredNorm().transpose();
  }
  const double largest = result.maxCoeff();
  return largest > 0 ? Matrix(result / largest) : result;
}

Matrix random_features(const BarycenterProblem& problem, std::uint64_t seed) {
  Random random(seed, 1);
  Matrix result(problem.size, problem.samples.front().features->cols());
  for (Index k = 0; k < problem.size; ++k) {
    const auto& sample = problem.samples[random.below(problem.samples.size())];
    const auto row = random.below(static_cast<std::uint64_t>(sample.structure.size()));
    result.row(k) = sample.features->row(static_cast<Index>(row));
  }
  return result;
}

Matrix first_structure(const BarycenterProblem& problem, std::uint64_t seed) {
  if (problem.structure) return *problem.structure;
  Matrix random = random_structure(problem.size, seed);
  if (problem.plans.empty()) return random;
  return barycenter_structure(problem.samples, problem.plans, random,
                              barycenter_is_source(problem));
}

Matrix first_features(const BarycenterProblem& problem, std::uint64_t seed) {
  if (problem.features) return *problem.features;
  Matrix random = random_features(problem, seed);
  return problem.plans.empty() ? random
                               : barycenter_features(problem.samples, problem.plans, random);
}

/// The problem of one sample, and its plan.
class PlanStep {
 public:
  PlanStep(const BarycenterProblem& problem, const Method& method, const BarycenterLoop& loop,
           const Run& run)
      : problem_(problem), method_(method), loop_(loop), run_(run) {}

  /// From `former` unless it is empty. Not at all where why_not says so: the product then.
  [[nodiscard]] Solution solve(std::size_t s, const Structure& B, const Matrix& X,
                               const Plan& former, std::optional<Status> why_not = {}) const {
    const Run run{.threads = 1, .seed = Random(run_.seed, s)()};
    Solution solution = with_problem(s, B, X, [&](const Problem& view) {
      if (why_not) return detail::product_solution(view, *why_not, 1);
      if (former.rows() > 0) return srgw::solve(view, method_, turn(former, view.weights), run);
      if (loop_.own_start) {
        return srgw::solve(view, method_, loop_.own_start(view, run.seed), run);
      }
      return srgw::solve(view, method_, loop_.start, 1, run);
    });
    solution.plan = turn(solution.plan, problem_.samples[s].weights);
    return solution;
  }

  [[nodiscard]] double value(std::size_t s, const Structure& B, const Matrix& X,
                             const Plan& plan) const {
    return with_problem(s, B, X, [&](const Problem& view) {
      return srgw::value(view, turn(plan, view.weights)).total();
    });
  }

 private:
  /// Where E compares B with C_s, the rows of the problem are those of B.
  template <class Visit>
  std::invoke_result_t<Visit, const Problem&> with_problem(std::size_t s, const Structure& B,
                                                           const Matrix& X,
                                                           const Visit& visit) const {
    const BarycenterSample& sample = problem_.samples[s];
    const bool from_b = barycenter_is_source(problem_);
    Problem view{.source = from_b ? B : sample.structure,
                 .weights = from_b ? *problem_.target_weights : sample.weights,
                 .target = from_b ? sample.structure : B,
                 .target_weights = from_b ? std::optional(sample.weights) : problem_.target_weights,
                 .loss = problem_.loss,
                 .entropy = problem_.entropy};
    Matrix cost;
    if (sample.features) {
      cost = detail::squared_distances(*sample.features, X);
      if (from_b) cost.transposeInPlace();
      view.features.emplace(FusedTerm{cost, problem_.alpha});
    }
    return visit(view);
  }

  /// Between the plan of a sample and that of its problem.
  [[nodiscard]] Plan turn(const Plan& plan, const VectorSpan& weights) const {
    if (!barycenter_is_source(problem_)) return plan;
    return Plan::from_dense(weights, plan.dense().transpose());
  }

  const BarycenterProblem& problem_;
  const Method& method_;
  const BarycenterLoop& loop_;
  const Run& run_;
};

/// B and X follow the plans; how far they went is noted.
void follow_plans(const BarycenterProblem& problem, Barycenter& state) {
  double structure_change = 0, feature_change = 0;
  if (!problem.fixed_structure) {
    Matrix B = barycenter_structure(problem.samples, state.plans, state.structure,
                                    barycenter_is_source(problem));
    structure_change = (B - state.structure).norm();
    state.structure = std::move(B);
  }
  if (has_features(problem) && !problem.fixed_features) {
    Matrix X = barycenter_features(problem.samples, state.plans, state.features);
    feature_change = (X - state.features).norm();
    state.features = std::move(X);
  }
  state.structure_changes.push_back(structure_change);
  state.feature_changes.push_back(feature_change);
}

/// The turn with the lowest value so far, and the barycenter that follows its plans.
class BestTurn {
 public:
  void see(const Barycenter& state) {
    if (state.value >= value_) return;
    value_ = state.value;
    structure_ = state.structure;
    features_ = state.features;
    plans_ = state.plans;
  }
  void restore(Barycenter& state) {
    if (state.values.empty() || !(value_ < state.values.back())) return;
    state.structure = std::move(structure_);
    state.features = std::move(features_);
    state.plans = std::move(plans_);
  }

 private:
  double value_ = std::numeric_limits<double>::infinity();
  Matrix structure_, features_;
  std::vector<Plan> plans_;
};

bool stands_still(const Barycenter& state, const BarycenterLoop& loop) {
  if (loop.stopping == BarycenterStopping::change) {
    return state.structure_changes.back() <= loop.tolerance &&
           state.feature_changes.back() <= loop.tolerance;
  }
  if (state.iterations < 2) return false;
  const double value = state.values.back();
  return std::abs(state.values[state.values.size() - 2] - value) <=
         loop.tolerance * std::abs(value);
}

/// 0 for the KL loss, which has guards in its logarithms.
int exponent_of(const BarycenterProblem& problem) {
  if (problem.loss != Loss::square) return 0;
  double structure = 0, features = 0;
  for (const BarycenterSample& sample : problem.samples) {
    structure = std::max(structure, sample.structure.largest_entry());
    if (sample.features) features = std::max(features, detail::largest_entry(*sample.features));
  }
  return detail::unit_exponent(structure, features, problem.alpha);
}

/// The barycenter of structures and features times 2^-exponent, brought back.
Barycenter barycenter_at_unit_scale(const BarycenterProblem& problem, int exponent,
                                    const Method& method, const BarycenterLoop& loop,
                                    const Run& run) {
  const double factor = std::ldexp(1.0, -exponent), back = std::ldexp(1.0, exponent);
  std::vector<BarycenterSample> samples(problem.samples.begin(), problem.samples.end());
  std::vector<Matrix> features(samples.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    samples[s].structure = detail::times_power_of_two(samples[s].structure, -exponent);
    if (!samples[s].features) continue;
    features[s] = factor * *samples[s].features;
    samples[s].features.emplace(features[s]);
  }
  BarycenterProblem scaled = problem;
  scaled.samples = samples;
  scaled.entropy = std::ldexp(problem.entropy, -2 * exponent);
  Matrix structure, first_features;
  if (problem.structure) {
    structure = factor * *problem.structure;
    scaled.structure.emplace(structure);
  }
  if (problem.features) {
    first_features = factor * *problem.features;
    scaled.features.emplace(first_features);
  }
  BarycenterLoop scaled_loop = loop;
  if (loop.stopping == BarycenterStopping::change) scaled_loop.tolerance *= factor;
  Barycenter result = barycenter(scaled, detail::times_power_of_two(method, -2 * exponent),
                                 scaled_loop, detail::with_values_times(run, 2 * exponent));
  result.structure *= back;
  result.features *= back;
  detail::multiply(result.sample_values, 2 * exponent);
  detail::multiply(result.values, 2 * exponent);
  result.value = std::ldexp(result.value, 2 * exponent);
  detail::multiply(result.structure_changes, exponent);
  detail::multiply(result.feature_changes, exponent);
  return result;
}

}  // namespace

Matrix barycenter_structure(std::span<const BarycenterSample> samples, std::span<const Plan> plans,
                            MatrixView former, bool geometric) {
  const Index m = former.rows();
  const std::vector<double> shares = scale_shares(samples);
  Matrix sum = Matrix::Zero(m, m), uses = Matrix::Zero(m, m);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Matrix T = plans[s].dense();
    const Vector q = plans[s].target_weights();
    if (geometric) {
      const Matrix logarithms = samples[s].structure.dense().array().max(log_guard).log();
      sum += shares[s] * (T.transpose() * logarithms * T);
    } else {
      sum += shares[s] * (T.transpose() * samples[s].structure.product(plans[s]));
    }
    uses += shares[s] * q * q.transpose();
  }
  Matrix result = former;
  for (Index e = 0; e < result.size(); ++e) {
    double& entry = result.data()[e];
    if (!(uses.data()[e] > std::numeric_limits<double>::min())) continue;
    entry = sum.data()[e] / uses.data()[e];
    if (geometric) entry = std::exp(entry);
  }
  return result;
}

Matrix barycenter_features(std::span<const BarycenterSample> samples, std::span<const Plan> plans,
                           MatrixView former) {
  const std::vector<double> shares = scale_shares(samples);
  Matrix sum = Matrix::Zero(former.rows(), former.cols());
  Vector uses = Vector::Zero(former.rows());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    sum += shares[s] * (plans[s].dense().transpose() * *samples[s].features);
    uses += shares[s] * plans[s].target_weights();
  }
  Matrix result = former;
  for (Index k = 0; k < result.rows(); ++k) {
    if (uses[k] > std::numeric_limits<double>::min()) result.row(k) = sum.row(k) / uses[k];
  }
  return result;
}

Barycenter barycenter(const BarycenterProblem& problem, const Method& method,
                      const BarycenterLoop& loop, const Run& run) {
  check(problem);
  check_fields(loop);
  if (const int exponent = exponent_of(problem); exponent != 0) {
    return barycenter_at_unit_scale(problem, exponent, method, loop, run);
  }
  const std::vector<double> shares = scale_shares(problem.samples);
  const bool fused = has_features(problem);
  Barycenter result;
  result.structure = first_structure(problem, run.seed);
  if (fused) result.features = first_features(problem, run.seed);
  result.plans.assign(problem.plans.begin(), problem.plans.end());
  result.plans.resize(problem.samples.size());
  result.sample_values.resize(problem.samples.size());

  const PlanStep step(problem, method, loop, run);
  const int threads = detail::resolve_threads(run.threads);
  const auto mean_value = [&] {
    return std::inner_product(shares.begin(), shares.end(), result.sample_values.begin(), 0.0);
  };
  const auto accept = [&](std::vector<Solution>& solutions) {
    for (std::size_t s = 0; s < solutions.size(); ++s) {
      result.plans[s] = std::move(solutions[s].plan);
      result.sample_values[s] = solutions[s].value;
    }
    result.value = mean_value();
  };
  const bool moves = !problem.fixed_structure || (fused && !problem.fixed_features);
  // Plans, and the barycenter that they were solved for: what a run that is stopped returns.
  Matrix last_structure = result.structure, last_features = result.features;
  BestTurn best;  // turns from new plans may raise the value
  const auto take_turns = [&](StopScope& scope) {
    detail::Watch watch(run, &scope);
    std::vector<Progress> trace;
    while (result.iterations < loop.max_iterations) {
      const Structure B = Structure::dense(result.structure);
      std::vector<Solution> solutions(problem.samples.size());
      detail::parallel_for(std::ssize(solutions), threads, [&](Index s, int) {
        const bool warm = loop.warm_plans || result.iterations == 0;
        solutions[s] = step.solve(s, B, result.features, warm ? result.plans[s] : Plan());
      });
      last_structure = result.structure;
      last_features = result.features;
      accept(solutions);
      result.values.push_back(result.value);
      if (run.trace) result.plan_trace.push_back(result.plans);
      ++result.iterations;
      follow_plans(problem, result);
      if (!loop.warm_plans) best.see(result);
      const auto stop =
          watch.report({.iteration = result.iterations, .value = result.value}, trace);
      if (stop || !moves || stands_still(result, loop)) {
        result.status = stop.value_or(Status::converged);
        break;
      }
    }
    best.restore(result);
    const Structure B = Structure::dense(result.structure);
    std::vector<double> values(problem.samples.size());
    detail::parallel_for(std::ssize(values), threads, [&](Index s, int) {
      values[s] = step.value(s, B, result.features, result.plans[s]);
    });
    result.sample_values = std::move(values);
    result.value = mean_value();
  };
  if (const auto why = detail::run_until_stopped(run, take_turns)) {
    const detail::StopShield shield;
    result.status = *why;
    result.structure = std::move(last_structure);
    result.features = std::move(last_features);
    if (result.iterations > 0) return result;
    const Structure B = Structure::dense(result.structure);
    std::vector<Solution> solutions;
    for (std::size_t s = 0; s < problem.samples.size(); ++s) {
      solutions.push_back(step.solve(s, B, result.features, Plan(), why));
    }
    accept(solutions);
  }
  return result;
}

}  // namespace srgw

// SPDX-License-Identifier: MIT
//
// Random problems x methods x storages x starts at random scales. A call returns a plan of the
// problem with the value that the definition gives, or it refuses its arguments in words.
// SRGW_FUZZ_RUNS is the number of cases, SRGW_FUZZ_SEED where they are drawn from, and
// SRGW_FUZZ_CASE runs one of them alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "srgw/solve.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using namespace srgw::test;
using detail::Random;

// Its range has room for squares of all doubles.
using Wide = long double;

template <class T, std::size_t size>
T pick(Random& random, const T (&choices)[size]) {
  return choices[random.below(size)];
}

bool chance(Random& random, double probability) { return random.uniform() < probability; }

/// Mostly 1, otherwise a power of two from 2^-900 to 2^900.
double random_scale(Random& random) {
  if (chance(random, 0.6)) return 1;
  return std::ldexp(1.0, static_cast<int>(random.below(1801)) - 900);
}

/// Normal, or small integers so that there are ties, or zeros and ones.
Matrix random_entries(Index rows, Index columns, bool positive, Random& random) {
  Matrix matrix = random_matrix(rows, columns, random, pick(random, {1.0, 1.0, 0.3}));
  const double kind = random.uniform();
  if (kind < 0.3) matrix = matrix.array().round();
  if (kind < 0.1) matrix = (matrix.array() != 0).cast<double>();
  return positive ? Matrix(matrix.cwiseAbs()) : matrix;
}

enum class Kind { dense, csr, scaled_csr, diagonal, scaled_identity, low_rank, implicit };
constexpr Kind kinds[] = {Kind::dense,           Kind::csr,      Kind::scaled_csr, Kind::diagonal,
                          Kind::scaled_identity, Kind::low_rank, Kind::implicit};
constexpr const char* kind_names[] = {"dense",           "csr",      "scaled csr", "diagonal",
                                      "scaled identity", "low rank", "implicit"};

Structure random_structure(Index size, Kind kind, bool positive, Random& random) {
  const double scale = random_scale(random);
  Matrix entries = scale * random_entries(size, size, positive, random);
  if (chance(random, 0.6)) entries = (entries + entries.transpose().eval()) / 2;
  switch (kind) {
    case Kind::dense: return Structure::dense(entries);
    case Kind::csr: return Structure::csr(to_csr(entries));
    case Kind::scaled_csr: {
      const Vector left = random_entries(size, 1, positive, random);
      return Structure::scaled_csr(to_csr(entries), left,
                                   chance(random, 0.5) ? left : Vector(left.reverse()), 0.7);
    }
    case Kind::diagonal: return Structure::diagonal(entries.diagonal());
    case Kind::scaled_identity: return Structure::scaled_identity(size, entries(0, 0));
    case Kind::low_rank:
      return Structure::low_rank(entries.leftCols(std::min<Index>(size, 2)),
                                 random_entries(std::min<Index>(size, 2), 1, positive, random));
    case Kind::implicit: break;
  }
  const Graph graph = random_graph({.nodes = size, .weighted = true, .seed = random()});
  return implicit_heat_kernel(graph, 10 * random.uniform()).structure;
}

/// Sums to 1; may have zeros, tiny entries, or all mass on one node.
Vector random_masses(Index size, Random& random) {
  if (chance(random, 0.3)) return Vector::Constant(size, 1.0 / static_cast<double>(size));
  Vector weights = random_weights(size, chance(random, 0.5), random);
  if (chance(random, 0.1)) weights = Vector::Unit(size, static_cast<Index>(random.below(size)));
  if (chance(random, 0.1)) {
    for (double& weight : weights) weight *= pick(random, {1.0, 1e-12, 1e-300, 5e-324});
    weights[0] += 1;
  }
  return weights / weights.sum();
}

struct Case {
  Kind source_kind, target_kind;
  OwnedProblem owned;
  Vector target_weights;
  Problem problem;
  Method method;
  std::optional<Plan> plan = {};
  Start start = Start::product;
  int count = 1;
  Run run = {};
};

Majorisation random_majorisation(Random& random) {
  return {.max_rounds = static_cast<int>(1 + random.below(5)), .warm = chance(random, 0.5)};
}

Method random_method(Random& random) {
  const int iterations = pick(random, {1, 2, 10, 60});
  const double tolerance = pick(random, {0.0, 1e-12, 1e-5, 0.1});
  if (chance(random, 0.5)) {
    return ConditionalGradient{
        .max_iterations = iterations,
        .tolerance = tolerance,
        .absolute_tolerance = pick(random, {0.0, 1e-9}),
        .stopping = pick(random, {Stopping::gap, Stopping::change, Stopping::change_of_former}),
        .ties = pick(random, {Ties::share, Ties::first}),
        .polish_sweeps = pick(random, {0, 1, 20}),
        .majorisation = random_majorisation(random)};
  }
  return MirrorDescent{
      .epsilon = std::pow(10.0, pick(random, {-300, -30, -6, -2, -1, 0, 1, 6, 30, 300})),
      .relative = chance(random, 0.3),
      .anneal_from = pick(random, {0.0, 0.0, 1.0, 1e10}),
      .anneal_iterations = pick(random, {1, 5}),
      .max_iterations = iterations,
      .tolerance = tolerance,
      .test_interval = pick(random, {1, 10}),
      .value_tolerance = pick(random, {0.0, 1e-6}),
      .scaling_iterations = pick(random, {1, 20, 300}),
      .scaling_tolerance = pick(random, {0.0, 1e-9}),
      .alternating = chance(random, 0.2),
      .majorisation = random_majorisation(random)};
}

Case random_case(std::uint64_t seed, std::uint64_t number) {
  Random random(seed, number);
  const auto rows = static_cast<Index>(1 + random.below(8));
  const auto columns = static_cast<Index>(1 + random.below(5));
  const bool kl = chance(random, 0.2);
  const Kind source_kind = pick(random, kinds), target_kind = pick(random, kinds);
  Matrix cost = random_scale(random) * random_entries(rows, columns, false, random);
  const std::optional<double> alpha =
      pick<std::optional<double>>(random, {std::nullopt, 0.0, 0.3, 1.0});
  Case made{.source_kind = source_kind,
            .target_kind = target_kind,
            .owned = {.source = random_structure(rows, source_kind, kl, random),
                      .target = random_structure(columns, target_kind, kl, random),
                      .weights = random_masses(rows, random),
                      .cost = std::move(cost),
                      .alpha = alpha},
            .target_weights = random_masses(columns, random),
            .problem = {Structure::scaled_identity(1), VectorSpan(nullptr, 0),
                        Structure::scaled_identity(1)},
            .method = random_method(random)};
  made.start =
      pick(random, {Start::product, Start::product_literal, Start::random, Start::random_product,
                    Start::random_labels, Start::kmeans, Start::spectral, Start::fluid,
                    Start::kmeans_aligned, Start::spectral_aligned, Start::fluid_aligned,
                    Start::split_merge, Start::multilevel});
  if (chance(random, 0.3)) {
    made.plan = random_plan(made.owned.weights, columns, pick(random, all_plan_storages), random());
  }
  made.count = pick(random, {1, 1, 3});
  made.run = {.threads = pick(random, {1, 2}), .seed = random(), .trace = chance(random, 0.2)};
  if (chance(random, 0.05)) made.run.time_limit = 0;
  if (chance(random, 0.05)) made.run.observer = [](const Progress& p) { return p.iteration < 2; };
  return made;
}

/// A few forbidden pairs and anchors, which may leave a row nothing.
AllowedPairs random_pairs(Index rows, Index columns, Random& random) {
  std::vector<NodePair> forbidden, anchors;
  for (Index i = 0; i < rows; ++i) {
    const auto kept = static_cast<Index>(random.below(static_cast<std::uint64_t>(columns)));
    for (Index k = 0; k < columns; ++k) {
      if ((k != kept || chance(random, 0.01)) && chance(random, 0.4)) forbidden.push_back({i, k});
    }
    if (chance(random, 0.2)) anchors.push_back({i, kept});
  }
  return {rows, columns, forbidden, anchors};
}

void constrain(Case& made, Random& random) {
  Problem& problem = made.problem;
  const Index rows = problem.rows(), columns = problem.columns();
  if (chance(random, 0.2)) {
    problem.allowed = random_pairs(rows, columns, random);
    if (made.plan) made.plan = problem.allowed.project(*made.plan);
  }
  if (chance(random, 0.1)) problem.share = pick(random, {1e-9, 0.3, 0.999, 1.0, 2.0});
  if (chance(random, 0.1)) {
    const bool positive = problem.loss == Loss::kl;
    problem.relations.push_back({random_structure(rows, pick(random, kinds), positive, random),
                                 random_structure(columns, pick(random, kinds), positive, random),
                                 pick(random, {0.0, 0.5, 1e9})});
  }
}

void finish(Case& made, Random& random) {
  made.problem = made.owned.problem();
  if (chance(random, 0.3)) made.problem.target_weights.emplace(made.target_weights);
  if (made.owned.source.dense().minCoeff() >= 0 && made.owned.target.dense().minCoeff() >= 0 &&
      chance(random, 0.3)) {
    made.problem.loss = Loss::kl;
  }
  if (chance(random, 0.2)) made.problem.sparsity = pick(random, {1e-3, 1.0, 1e100, 1e-300});
  if (chance(random, 0.2)) made.problem.entropy = pick(random, {1e-3, 1.0, 1e100, 1e-300});
  constrain(made, random);
}

std::string describe(const Case& c, std::uint64_t number) {
  std::ostringstream out;
  out << "case " << number << ": " << c.problem.rows() << " x " << c.problem.columns() << ", "
      << kind_names[static_cast<int>(c.source_kind)] << " to "
      << kind_names[static_cast<int>(c.target_kind)] << ", largest entries "
      << c.problem.source.largest_entry() << " and " << c.problem.target.largest_entry()
      << (c.problem.balanced() ? ", balanced" : "")
      << (c.problem.loss == Loss::kl ? ", kl" : ", square") << ", alpha " << c.problem.alpha()
      << ", largest cost "
      << (c.problem.features ? c.problem.features->cost.cwiseAbs().maxCoeff() : 0) << ", sparsity "
      << c.problem.sparsity << ", entropy " << c.problem.entropy
      << (c.problem.allowed.everything() ? "" : ", forbidden pairs") << ", share "
      << c.problem.share << ", relations " << c.problem.relations.size() << ", start "
      << (c.plan ? "a plan" : name(c.start)) << ", count " << c.count;
  if (const auto* mirror = std::get_if<MirrorDescent>(&c.method)) {
    out << ", mirror descent, epsilon " << mirror->epsilon << (mirror->relative ? " relative" : "")
        << (mirror->alternating ? " alternating" : "") << ", anneal " << mirror->anneal_from
        << ", iterations " << mirror->max_iterations;
  } else {
    const auto& gradient = std::get<ConditionalGradient>(c.method);
    out << ", conditional gradient, iterations " << gradient.max_iterations << ", stopping "
        << static_cast<int>(gradient.stopping) << ", polish " << gradient.polish_sweeps;
  }
  return out.str();
}

/// The parts of the objective, and the size of the numbers that cancel in them.
struct Definition {
  Wide quad = 0, linear = 0, penalty = 0, entropy = 0, size = 0;
};

void add_relation(const Problem& problem, const Relation& relation, const Matrix& T,
                  Definition& d) {
  const Matrix C = relation.source.dense(), B = relation.target.dense();
  const Wide alpha = problem.alpha() * Wide{relation.weight}, guard = 1e-18L;
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      for (Index j = 0; j < T.rows(); ++j) {
        for (Index l = 0; l < T.cols(); ++l) {
          const Wide a = C(i, j), b = B(k, l), share = alpha * Wide{T(i, k)} * Wide{T(j, l)};
          if (share == 0) continue;
          if (problem.loss == Loss::square) {
            d.quad += (a - b) * (a - b) * share;
            d.size += (a * a + b * b) * share;
          } else {
            const Wide log_a = std::log(a + guard), log_b = std::log(b + guard);
            d.quad += (a * (log_a - log_b) - a + b) * share;
            d.size += (a * (std::abs(log_a) + std::abs(log_b) + 1) + b) * share;
          }
        }
      }
    }
  }
  const Wide largest = std::max(C.cwiseAbs().maxCoeff(), B.cwiseAbs().maxCoeff());
  d.size += 1e-7L * alpha * largest * largest;
}

Definition definition(const Problem& problem, const Matrix& T) {
  const Matrix C = problem.source.dense(), B = problem.target.dense();
  const Vector q = T.colwise().sum();
  const Wide alpha = problem.alpha();
  Definition d;
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index k = 0; k < T.cols(); ++k) {
      const Wide mass = T(i, k);
      if (problem.features) {
        const Wide cost = (1 - alpha) * problem.features->cost(i, k) * mass;
        d.linear += cost;
        d.size += std::abs(cost);
      }
      if (problem.entropy > 0 && mass > 0) {
        const Wide part = problem.entropy * mass * (std::log(mass) - 1);
        d.entropy += part;
        d.size += std::abs(part);
      }
    }
  }
  add_relation(problem, {problem.source, problem.target, 1}, T, d);
  for (const Relation& relation : problem.relations) add_relation(problem, relation, T, d);
  for (const double mass : q) d.penalty += problem.sparsity * std::sqrt(Wide{mass} + 1e-15L);
  // The divergence, which is not negative, but the logarithms of entries near 1e-18 are not exact.
  if (problem.loss == Loss::kl) d.quad = std::max<Wide>(d.quad, 0);
  // Masses too small for a plan may still be in its value, and so may numbers that are lost beside
  // the largest ones: with the factor of expect_near(), a rounding error of these.
  const Wide largest = std::max(C.cwiseAbs().maxCoeff(), B.cwiseAbs().maxCoeff());
  const Wide cost = problem.features ? problem.features->cost.cwiseAbs().maxCoeff() : 0.0;
  d.size += d.penalty + 1e-7L * (alpha * largest * largest + (1 - alpha) * cost);
  return d;
}

void expect_near(Wide found, Wide expected, Wide size, const char* what) {
  // Below the normal numbers there is no relative precision.
  const Wide error = 1e-9L * size + 1e-298L;
  EXPECT_LE(std::abs(found - expected), error)
      << what << ' ' << static_cast<double>(found) << ", expected " << static_cast<double>(expected)
      << ", size " << static_cast<double>(size);
}

void check_solution(const Problem& problem, const Method& method, const Solution& solution) {
  const Matrix T = solution.plan.dense();
  ASSERT_EQ(T.rows(), problem.rows());
  ASSERT_EQ(T.cols(), problem.columns());
  ASSERT_TRUE(T.allFinite());
  EXPECT_GE(T.minCoeff(), 0);
  if (problem.partial()) {
    EXPECT_LE((T.rowwise().sum() - problem.weights).maxCoeff(), 1e-12);
    EXPECT_NEAR(T.sum(), problem.share, 1e-12);
  } else {
    EXPECT_LE((T.rowwise().sum() - problem.weights).cwiseAbs().maxCoeff(), 1e-12);
  }
  for (Index i = 0; i < T.rows(); ++i) {
    problem.allowed.for_each_forbidden(i, [&](Index k) { EXPECT_EQ(T(i, k), 0); });
  }
  const Vector q = T.colwise().sum();
  EXPECT_LE((q - solution.target_weights).cwiseAbs().maxCoeff(), 1e-12);
  if (problem.balanced()) {
    EXPECT_LE((q - *problem.target_weights).cwiseAbs().maxCoeff(), 1e-9);
  }
  for (const double number : {solution.value, solution.value_quad, solution.value_linear,
                              solution.value_penalty, solution.value_entropy, solution.gap}) {
    EXPECT_TRUE(std::isfinite(number));
  }
  EXPECT_GE(solution.gap, 0);
  const Definition d = definition(problem, T);
  const Wide size = d.size + Wide{solution.value_error} * 1e9L;
  expect_near(solution.value_quad, d.quad, size, "quad");
  expect_near(solution.value_linear, d.linear, size, "linear");
  expect_near(solution.value_penalty, d.penalty, size, "penalty");
  expect_near(solution.value_entropy, d.entropy, size, "entropy");
  expect_near(solution.value, d.quad + d.linear + d.penalty + d.entropy, size, "value");
  const int most = std::visit([](const auto& m) { return m.max_iterations; }, method);
  EXPECT_LE(solution.iterations, most * solution.rounds);
  for (const double start_value : solution.start_values) {
    EXPECT_TRUE(std::isfinite(start_value));
    EXPECT_GE(start_value, solution.value - static_cast<double>(1e-9L * size + 1e-298L));
  }
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Slices, so that ctest runs them at the same time.
class ApiFuzz : public testing::TestWithParam<std::uint64_t> {
 protected:
  static constexpr std::uint64_t slices = 8;
  static std::uint64_t refused, solved;

  static void run_case(std::uint64_t number) {
    const std::uint64_t seed = from_environment("SRGW_FUZZ_SEED", 1);
    std::optional<Case> made;
    try {
      made = random_case(seed, number);
      Random random(seed + 1, number);
      finish(*made, random);
    } catch (const Error& error) {
      check_refusal(error);
      return;
    }
    SCOPED_TRACE(describe(*made, number));
    if (std::getenv("SRGW_FUZZ_CASE") != nullptr) std::cout << describe(*made, number) << std::endl;
    try {
      if (made->plan) {
        check_solution(made->problem, made->method,
                       solve(made->problem, made->method, *made->plan, made->run));
      } else if (number % 4 == 0) {
        const std::vector<Problem> problems(3, made->problem);
        const auto all = solve_all(problems, made->method, made->start, made->count, made->run);
        for (const Solution& one : all) check_solution(made->problem, made->method, one);
      } else {
        check_solution(made->problem, made->method,
                       solve(made->problem, made->method, made->start, made->count, made->run));
      }
      ++solved;
    } catch (const Error& error) {
      // Structures without rows have no plan whose value is cheap.
      const bool may_stop = made->run.time_limit || made->run.observer;
      if (may_stop && error.kind() == Error::Kind::stopped) return;
      check_refusal(error);
    }
  }

  static void check_refusal(const Error& error) {
    ++refused;
    EXPECT_EQ(error.kind(), Error::Kind::argument) << error.what();
    EXPECT_NE(std::string(error.what()), "");
  }
};

std::uint64_t ApiFuzz::refused = 0;
std::uint64_t ApiFuzz::solved = 0;

TEST_P(ApiFuzz, SolvesOrRefusesRandomProblems) {
  if (std::getenv("SRGW_FUZZ_CASE") != nullptr) {
    if (GetParam() == 0) run_case(from_environment("SRGW_FUZZ_CASE", 0));
    return;
  }
  const std::uint64_t runs = from_environment("SRGW_FUZZ_RUNS", 4000);
  for (std::uint64_t number = GetParam(); number < runs; number += slices) {
    run_case(number);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(2 * solved, refused);  // otherwise little was tested
}

INSTANTIATE_TEST_SUITE_P(Slices, ApiFuzz, testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace srgw

// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/problem.hpp"
#include "srgw/solve.hpp"
#include "starts.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

struct Terms {
  Loss loss = Loss::square;
  double sparsity = 0;
  double entropy = 0;
};

Terms terms(bool kl, double sparsity, double entropy) {
  return {.loss = kl ? Loss::kl : Loss::square, .sparsity = sparsity, .entropy = entropy};
}

using Weights = Array1<double>;

AllowedPairs allowed_of(Index rows, Index columns, const Array1<std::int64_t>& forbidden_rows,
                        const Array1<std::int64_t>& forbidden_columns,
                        const Array1<std::int64_t>& anchored_rows,
                        const Array1<std::int64_t>& anchors) {
  const auto pairs = [](const Array1<std::int64_t>& first, const Array1<std::int64_t>& second) {
    std::vector<NodePair> result(first.shape(0));
    for (std::size_t p = 0; p < result.size(); ++p) {
      result[p] = {.row = first.data()[p], .column = second.data()[p]};
    }
    return result;
  };
  return {rows, columns, pairs(forbidden_rows, forbidden_columns), pairs(anchored_rows, anchors)};
}

/// What restricts or adds to a problem: (allowed pairs or None, share, further relations, weight of
/// the first).
using Further =
    std::tuple<const AllowedPairs*, double,
               std::vector<std::tuple<const Structure*, const Structure*, double>>, double>;

void add_further(const Further& further, Problem& problem) {
  const auto& [allowed, share, relations, weight] = further;
  if (allowed != nullptr) problem.allowed = *allowed;
  problem.share = share;
  problem.relation_weight = weight;
  for (const auto& [source, target, relation_weight] : relations) {
    problem.relations.push_back({*source, *target, relation_weight});
  }
}

Problem problem_of(const Structure& source, const Weights& weights, const Structure& target,
                   const std::optional<Weights>& target_weights, const std::optional<Array2>& cost,
                   double alpha, const Terms& terms) {
  Problem problem{.source = source,
                  .weights = view(weights),
                  .target = target,
                  .loss = terms.loss,
                  .sparsity = terms.sparsity,
                  .entropy = terms.entropy};
  if (target_weights) problem.target_weights.emplace(view(*target_weights));
  if (cost) problem.features.emplace(FusedTerm{.cost = view(*cost), .alpha = alpha});
  return problem;
}

/// Rows of partial problems sum to less than their weights.
Plan start_of(const StartGiven& start, const Problem& problem) {
  const Index columns = problem.columns();
  if (!problem.partial()) return plan_from(start, problem.weights, columns);
  const auto* array = std::get_if<Array2>(&start);
  if (array == nullptr) return plan_from(start, problem.weights, columns);
  const Matrix masses = view(*array);
  return Plan::from_dense(masses.rowwise().sum(), masses);
}

Solution solve_partially(const Structure& source, const Weights& weights, const Structure& target,
                         const Weights& target_weights, const std::optional<Array2>& cost,
                         double alpha, bool kl, double mass,
                         const std::variant<ConditionalGradient, EntropicPartial>& method,
                         const std::optional<Array2>& start, bool trace,
                         const RunGiven& given_run) {
  PartialProblem problem{.source = source,
                         .weights = view(weights),
                         .target = target,
                         .target_weights = view(target_weights),
                         .mass = mass,
                         .loss = kl ? Loss::kl : Loss::square};
  if (cost) problem.features.emplace(FusedTerm{.cost = view(*cost), .alpha = alpha});
  std::optional<Matrix> masses;
  if (start) masses = view(*start);
  return watched(
      given_run,
      [&](const Run& run) {
        return std::visit(
            [&](const auto& options) { return solve_partial(problem, options, masses, run); },
            method);
      },
      trace);
}

/// The weight of the structure that balances both terms.
double balanced_alpha(const Structure& source, const Weights& weights, const Structure& target,
                      const Array2& cost, bool kl) {
  Problem problem = problem_of(source, weights, target, {}, cost, 0.5, terms(kl, 0, 0));
  return watched([&] { return fused_terms(problem).balanced_alpha(); });
}

Solution solve_one(const Structure& source, const Weights& weights, const Structure& target,
                   const std::optional<Weights>& target_weights, const std::optional<Array2>& cost,
                   double alpha, bool kl, double sparsity, double entropy, const Method& method,
                   const StartGiven& start, int count, bool trace, const RunGiven& given_run,
                   const std::optional<Further>& further) {
  Problem problem = problem_of(source, weights, target, target_weights, cost, alpha,
                               terms(kl, sparsity, entropy));
  if (further) add_further(*further, problem);
  const auto work = [&](const Run& run) {
    if (const auto* name = std::get_if<std::string>(&start)) {
      return solve(problem, method, start_from_name(*name), count, run);
    }
    check(problem);
    const Plan plan = start_of(start, problem);
    return solve(problem, method, plan, run);
  };
  return watched(given_run, work, trace);
}

std::vector<Solution> solve_many(const std::vector<const Structure*>& sources,
                                 const std::vector<Array1<double>>& weights,
                                 const std::vector<const Structure*>& targets,
                                 const std::optional<std::vector<Array2>>& costs, double alpha,
                                 bool kl, double sparsity, double entropy, const Method& method,
                                 const std::string& start, int count, const RunGiven& given_run) {
  std::vector<Problem> problems;
  problems.reserve(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::optional<Array2> cost = costs ? std::optional((*costs)[i]) : std::nullopt;
    problems.push_back(problem_of(*sources[i], weights[i], *targets[i], {}, cost, alpha,
                                  terms(kl, sparsity, entropy)));
  }
  const Start kind = start_from_name(start);
  return watched(given_run,
                 [&](const Run& run) { return solve_all(problems, method, kind, count, run); });
}

nb::tuple short_rows(const Plan& plan) {
  ShortRows rows = plan.short_rows();
  return nb::make_tuple(to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.columns)),
                        to_numpy(std::move(rows.masses)));
}

Output1<double> trace_of(const Solution& solution, double Progress::*member) {
  std::vector<double> values;
  values.reserve(solution.trace.size());
  for (const Progress& progress : solution.trace) values.push_back(progress.*member);
  return to_numpy(std::move(values));
}

/// For pickles: all but the traces of several starts. Tuples are in the order of the fields.
nb::tuple state_of(const Solution& self) {
  const auto trace = [](const std::vector<Progress>& steps) {
    nb::list list;
    for (const Progress& p : steps) {
      list.append(nb::make_tuple(p.start, p.iteration, p.value, p.gap, p.step, p.change));
    }
    return list;
  };
  const nb::object labels =
      self.plan.is_assignment() ? nb::cast(to_numpy(self.plan.labels())) : nb::none();
  const nb::object rows = labels.is_none() ? nb::object(short_rows(self.plan)) : nb::none();
  return nb::make_tuple(to_numpy(Vector(self.plan.weights())), self.plan.columns(), labels, rows,
                        to_numpy(Vector(self.target_weights)), self.value, self.value_quad,
                        self.value_linear, self.value_penalty, self.value_entropy, self.value_error,
                        self.gap, self.iterations, self.rounds, static_cast<int>(self.status),
                        self.left_symmetric_start, self.softened_start, self.best_start,
                        self.start_values, trace(self.trace));
}

void set_state(Solution& self, const nb::tuple& state) {
  std::size_t next = 0;
  const auto read = [&](auto& value) {
    value = nb::cast<std::remove_cvref_t<decltype(value)>>(state[next++]);
  };
  new (&self) Solution;
  const Vector weights = view(nb::cast<Array1<double>>(state[next++]));
  Index columns = 0;
  read(columns);
  const nb::object labels = state[next++], rows = state[next++];
  if (!labels.is_none()) {
    const auto given = span(nb::cast<Array1<NodeId>>(labels));
    self.plan = Plan::from_labels(weights, given, columns);
  } else {
    const auto list = [](const auto& array) {
      return std::vector(array.data(), array.data() + array.shape(0));
    };
    ShortRows sparse{list(nb::cast<Array1<std::uint64_t>>(rows[0])),
                     list(nb::cast<Array1<NodeId>>(rows[1])),
                     list(nb::cast<Array1<double>>(rows[2]))};
    self.plan = Plan::from_rows(weights, std::move(sparse), columns);
  }
  self.target_weights = view(nb::cast<Array1<double>>(state[next++]));
  for (double* value : {&self.value, &self.value_quad, &self.value_linear, &self.value_penalty,
                        &self.value_entropy, &self.value_error, &self.gap}) {
    read(*value);
  }
  read(self.iterations);
  read(self.rounds);
  const int status = nb::cast<int>(state[next++]);
  if (status < 0 || status > static_cast<int>(Status::interrupted)) {
    throw nb::value_error("the pickle has an unknown status");
  }
  self.status = static_cast<Status>(status);
  read(self.left_symmetric_start);
  read(self.softened_start);
  read(self.best_start);
  read(self.start_values);
  for (const nb::handle step : nb::cast<nb::list>(state[next])) {
    self.trace.push_back({.start = nb::cast<int>(step[0]),
                          .iteration = nb::cast<int>(step[1]),
                          .value = nb::cast<double>(step[2]),
                          .gap = nb::cast<double>(step[3]),
                          .step = nb::cast<double>(step[4]),
                          .change = nb::cast<double>(step[5])});
  }
}

/// As a scipy.sparse.csr_array.
nb::object sparse_plan(const Solution& self) {
  const nb::object numpy = nb::module_::import_("numpy").attr("int64");
  const nb::tuple rows = short_rows(self.plan);
  return nb::module_::import_("scipy.sparse")
      .attr("csr_array")(
          nb::make_tuple(rows[2], rows[1].attr("astype")(numpy), rows[0].attr("astype")(numpy)),
          "shape"_a = nb::make_tuple(self.plan.rows(), self.plan.columns()));
}

void bind_solution(nb::module_& module) {
  nb::class_<Solution>(module, "Solution", "Result of a solver; see docs/solve.md.")
      .def_ro("value", &Solution::value, "The squared divergence: the sum of the parts.")
      .def_ro("value_quad", &Solution::value_quad)
      .def_ro("value_linear", &Solution::value_linear)
      .def_ro("value_penalty", &Solution::value_penalty)
      .def_ro("value_entropy", &Solution::value_entropy)
      .def_ro("value_error", &Solution::value_error)
      .def_ro("gap", &Solution::gap, "Frank-Wolfe gap at the plan; 0 at a stationary point.")
      .def_ro("n_iter", &Solution::iterations)
      .def_ro("rounds", &Solution::rounds)
      .def_ro("best_start", &Solution::best_start)
      .def_ro("left_symmetric_start", &Solution::left_symmetric_start)
      .def_ro("softened_start", &Solution::softened_start)
      .def_prop_ro("status", &status_of<Solution>)
      .def_prop_ro("converged", &has_converged<Solution>)
      .def_prop_ro("shape",
                   [](const Solution& self) {
                     return nb::make_tuple(self.plan.rows(), self.plan.columns());
                   })
      .def_prop_ro("start_values", array_of(&Solution::start_values), nb::rv_policy::automatic,
                   "Final value of each start.")
      .def_prop_ro("target_weights", array_of(&Solution::target_weights), nb::rv_policy::automatic,
                   "Column sums of the plan, (m,).")
      .def_prop_ro(
          "plan", [](const Solution& self) { return to_numpy(self.plan.dense()); },
          nb::rv_policy::automatic, "The (n, m) plan; a new array at each access.")
      .def_prop_ro("is_assignment", [](const Solution& self) { return self.plan.is_assignment(); })
      .def(
          "labels", [](const Solution& self) { return to_numpy(self.plan.labels()); },
          "The column with the most mass in each row, (n,).")
      .def("__getstate__", &state_of)
      .def("__setstate__", &set_state)
      .def("sparse_plan", &sparse_plan, "The plan as a scipy.sparse.csr_array.")
      .def(
          "plan_rows", [](const Solution& self) { return short_rows(self.plan); },
          "The plan as (indptr, indices, data).")
      .def(
          "trace_values", [](const Solution& self) { return trace_of(self, &Progress::value); },
          "Objective at the start and after each step.")
      .def(
          "trace_changes", [](const Solution& self) { return trace_of(self, &Progress::change); },
          "Length ``|T' - T|`` of each step of mirror descent; 0 at the start.");
  nb::class_<Progress>(module, "Progress", "Argument of callbacks, after each iteration.")
      .def_ro("start", &Progress::start, "Number of the start.")
      .def_ro("iteration", &Progress::iteration, "Steps so far; 0 reports the starting plan.")
      .def_ro("value", &Progress::value, "Objective at the current plan.")
      .def_ro("gap", &Progress::gap, "Frank-Wolfe gap at the plan before the step.")
      .def_ro("step", &Progress::step, "Length of the step just taken, in [0, 1].")
      .def_ro("change", &Progress::change, "Length ``|T' - T|`` of the step; mirror descent only.");
}

nb::tuple named_plan(const Structure& source, const Array1<double>& weights,
                     const Structure& target, const std::string& start, std::uint64_t seed,
                     int threads) {
  const Problem problem{.source = source, .weights = view(weights), .target = target};
  const Start kind = start_from_name(start);
  const Plan plan = watched([&] { return initial_plan(problem, kind, seed, threads); });
  if (plan.is_assignment()) return nb::make_tuple(to_numpy(plan.labels()), nb::none());
  return nb::make_tuple(nb::none(), to_numpy(plan.dense()));
}

Output2 gradient_at(const Structure& source, const Weights& weights, const Structure& target,
                    const std::optional<Weights>& target_weights, const std::optional<Array2>& cost,
                    double alpha, bool kl, const Array2& plan) {
  const Problem problem =
      problem_of(source, weights, target, target_weights, cost, alpha, terms(kl, 0, 0));
  check(problem);
  return to_numpy(
      watched([&] { return gradient(problem, Plan::from_dense(problem.weights, view(plan))); }));
}

nb::tuple derivatives_at(const Structure& source, const Array1<double>& weights,
                         const Structure& target, const std::optional<Array2>& cost, double alpha,
                         bool kl, const Array2& plan) {
  const Problem problem = problem_of(source, weights, target, {}, cost, alpha, terms(kl, 0, 0));
  check(problem);
  Derivatives found =
      watched([&] { return derivatives(problem, Plan::from_dense(problem.weights, view(plan))); });
  return nb::make_tuple(to_numpy(std::move(found.source)), to_numpy(std::move(found.target)),
                        to_numpy(std::move(found.cost)), found.alpha);
}

}  // namespace

void bind_solve(nb::module_& module) {
  bind_options<Automatic>(module, "Automatic", "Options, see docs/solve.md.");
  bind_options<ConditionalGradient>(module, "ConditionalGradient", "Options, see docs/solve.md.");
  bind_options<MirrorDescent>(module, "MirrorDescent", "Options, see docs/solve.md.");
  bind_solution(module);
  nb::class_<EntropicPartial>(module, "EntropicPartial", "Options of soft partial plans.")
      .def(
          "__init__",
          [](EntropicPartial* self, double entropy, int max_iterations, double tolerance) {
            new (self) EntropicPartial{
                .entropy = entropy, .max_iterations = max_iterations, .tolerance = tolerance};
          },
          "entropy"_a, "max_iterations"_a, "tolerance"_a);
  nb::class_<AllowedPairs>(module, "AllowedPairs", "The columns that each row of a plan may use.")
      .def(
          "__init__",
          [](AllowedPairs* self, Index rows, Index columns, const Array1<std::int64_t>& first,
             const Array1<std::int64_t>& second, const Array1<std::int64_t>& anchored,
             const Array1<std::int64_t>& anchors) {
            new (self) AllowedPairs(allowed_of(rows, columns, first, second, anchored, anchors));
          },
          "rows"_a, "columns"_a, "forbidden_rows"_a, "forbidden_columns"_a, "anchored_rows"_a,
          "anchors"_a)
      .def(
          "project",
          [](const AllowedPairs& self, const Array2& plan) {
            const Matrix masses = view(plan);
            const Vector sums = masses.rowwise().sum();
            return to_numpy(self.project(Plan::from_dense(sums, masses)).dense());
          },
          "plan"_a, "The plan with the mass of each row on allowed columns.");
  module.def("solve", &solve_one, "source"_a, "weights"_a, "target"_a, "target_weights"_a.none(),
             "cost"_a.none(), "alpha"_a, "kl"_a, "sparsity"_a, "entropy"_a, "method"_a, "start"_a,
             "count"_a, "trace"_a, "run"_a, "further"_a = nb::none());
  module.def("solve_partial", &solve_partially, "source"_a, "weights"_a, "target"_a,
             "target_weights"_a, "cost"_a.none(), "alpha"_a, "kl"_a, "mass"_a, "method"_a,
             "start"_a.none(), "trace"_a, "run"_a);
  module.def("balanced_alpha", &balanced_alpha, "source"_a, "weights"_a, "target"_a, "cost"_a,
             "kl"_a, "The weight of the structure that balances both terms.");
  module.def("solve_all", &solve_many, "sources"_a, "weights"_a, "targets"_a, "costs"_a.none(),
             "alpha"_a, "kl"_a, "sparsity"_a, "entropy"_a, "method"_a, "start"_a, "count"_a,
             "run"_a);
  module.def("initial_plan", &named_plan, "source"_a, "weights"_a, "target"_a, "start"_a, "seed"_a,
             "threads"_a, "(labels, None) where each row has one column, else (None, plan).");
  module.def("gradient", &gradient_at, "source"_a, "weights"_a, "target"_a,
             "target_weights"_a.none(), "cost"_a.none(), "alpha"_a, "kl"_a, "plan"_a,
             "The (n, m) gradient of the objective at a plan.");
  module.def("derivatives", &derivatives_at, "source"_a, "weights"_a, "target"_a, "cost"_a.none(),
             "alpha"_a, "kl"_a, "plan"_a,
             "Derivatives of the value in C1, C2, M and alpha with the plan held fixed.");
}

}  // namespace srgw::python

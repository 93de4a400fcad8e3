// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/barycenter.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

// Each row on its cheapest column, in equal shares on all that tie.
Matrix cheapest_columns(const Problem& problem) {
  const MatrixSpan& cost = problem.features->cost;
  Matrix plan(cost.rows(), cost.cols());
  for (Index i = 0; i < cost.rows(); ++i) {
    plan.row(i) = (cost.row(i).array() == cost.row(i).minCoeff()).cast<double>();
    plan.row(i) *= problem.weights[i] / plan.row(i).sum();
  }
  return plan;
}

// A start with one of POT's names: `soft` averages it with the product of its marginals, and
// `blended` follows the features: alpha T + (1 - alpha) T_M.
PlanStart start_like_pot(Start start, bool soft, bool blended) {
  if (!soft && !blended) return {};
  return [=](const Problem& problem, std::uint64_t seed) {
    Matrix T = initial_plan(problem, start, seed).dense();
    if (soft) T = ((T + problem.weights * T.colwise().sum()) / 2).eval();
    if (blended && problem.features) {
      T = problem.alpha() * T + (1 - problem.alpha()) * cheapest_columns(problem);
    }
    return Plan::from_dense(problem.weights, T);
  };
}

std::optional<MatrixSpan> optional_view(const std::optional<Array2>& array) {
  return array ? std::optional(view(*array)) : std::nullopt;
}

Barycenter barycenter_of(
    const std::vector<const Structure*>& structures, const std::vector<Array1<double>>& weights,
    const std::optional<std::vector<Array2>>& features, const Array1<double>& shares, Index size,
    const std::optional<Array1<double>>& target_weights, double alpha, bool kl, double entropy,
    const std::optional<Array2>& first_structure, const std::optional<Array2>& first_features,
    bool fixed_structure, bool fixed_features, const Method& method, int max_iterations,
    double tolerance, bool stop_on_change, bool warm_plans, const std::string& start, bool soft,
    bool blended, bool trace, const RunGiven& given_run) {
  std::vector<BarycenterSample> samples;
  for (std::size_t s = 0; s < structures.size(); ++s) {
    samples.push_back({.structure = *structures[s],
                       .weights = view(weights[s]),
                       .features = features ? std::optional(view((*features)[s])) : std::nullopt,
                       .share = shares.data()[s]});
  }
  BarycenterProblem problem{.samples = samples,
                            .size = size,
                            .alpha = alpha,
                            .loss = kl ? Loss::kl : Loss::square,
                            .entropy = entropy,
                            .structure = optional_view(first_structure),
                            .features = optional_view(first_features),
                            .fixed_structure = fixed_structure,
                            .fixed_features = fixed_features};
  if (target_weights) problem.target_weights.emplace(view(*target_weights));
  const Start kind = start_from_name(start);
  const BarycenterLoop loop{
      .max_iterations = max_iterations,
      .tolerance = tolerance,
      .stopping = stop_on_change ? BarycenterStopping::change : BarycenterStopping::value,
      .warm_plans = warm_plans,
      .start = kind,
      .own_start = start_like_pot(kind, soft, blended)};
  return watched(
      given_run, [&](const Run& run) { return barycenter(problem, method, loop, run); }, trace);
}

nb::list arrays(const std::vector<Plan>& plans) {
  nb::list result;
  for (const Plan& plan : plans) result.append(to_numpy(plan.dense()));
  return result;
}

}  // namespace

void bind_barycenter(nb::module_& module) {
  nb::class_<Barycenter>(module, "Barycenter", "The mean of several graphs; docs/barycenter.md.")
      .def_prop_ro("structure", array_of(&Barycenter::structure), nb::rv_policy::automatic)
      .def_prop_ro("features", array_of(&Barycenter::features), nb::rv_policy::automatic)
      .def_prop_ro(
          "plans", [](const Barycenter& self) { return arrays(self.plans); },
          "(n_s, m) of each sample.")
      .def_prop_ro("plan_trace",
                   [](const Barycenter& self) {
                     nb::list result;
                     for (const auto& plans : self.plan_trace) result.append(arrays(plans));
                     return result;
                   })
      .def_ro("value", &Barycenter::value)
      .def_ro("values", &Barycenter::values)
      .def_ro("structure_changes", &Barycenter::structure_changes)
      .def_ro("feature_changes", &Barycenter::feature_changes)
      .def_ro("n_iter", &Barycenter::iterations)
      .def_prop_ro("status", &status_of<Barycenter>)
      .def_prop_ro("converged", &has_converged<Barycenter>);
  module.def("barycenter", &barycenter_of, "structures"_a, "weights"_a, "features"_a.none(),
             "shares"_a, "size"_a, "target_weights"_a.none(), "alpha"_a, "kl"_a, "entropy"_a,
             "first_structure"_a.none(), "first_features"_a.none(), "fixed_structure"_a,
             "fixed_features"_a, "method"_a, "max_iterations"_a, "tolerance"_a, "stop_on_change"_a,
             "warm_plans"_a, "start"_a, "soft"_a, "blended"_a, "trace"_a, "run"_a);
}

}  // namespace srgw::python

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "completion/fitting.hpp"
#include "completion/model_unit.hpp"
#include "dictionary/adam.hpp"
#include "srgw/completion.hpp"

namespace srgw {

namespace detail {

namespace {

/// First state of a search.
Completion nothing_yet() {
  return {.structure = {}, .value = std::numeric_limits<double>::infinity()};
}

/// Keeps the value of an iteration, and the graph where it is the lowest so far. After a stop,
/// which throws, `best` has what was found.
void record(double value, const FilledGraph& point, int iteration, Completion& best) {
  best.values.push_back(value);
  best.iterations = iteration;
  if (!(value < best.value)) return;
  best.value = value;
  best.structure = point.structure;
  best.features = point.features;
}

void tell(const Run& run, int iteration, double value) {
  if (run.observer && !run.observer({.iteration = iteration, .value = value})) {
    throw Stopped(Status::interrupted);
  }
}

/// The scheme of the paper, see ProjectedAdam.
void complete_with(Fitting& model, const PartialGraph& graph, const ProjectedAdam& scheme,
                   const Run& run, Completion& best) {
  const FreeEntries entries(graph, model.target());
  AdamMoments moments(graph.size(), graph.features.cols());
  FilledGraph point = fill_at_start(graph, scheme.start, run.seed);
  best.structure = point.structure;
  best.features = point.features;
  Plan plan;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < scheme.max_iterations; ++iteration) {
    const bool warm = scheme.warm_plans && iteration > 0;
    Fitting::Fit fit = model.fit(entries.sample(point), warm ? &plan : nullptr);
    plan = std::move(fit.plan);
    record(fit.value, point, iteration + 1, best);
    if (iteration > 0 && std::abs(last - fit.value) <= scheme.tolerance * std::abs(last)) {
      best.status = Status::converged;
      break;
    }
    last = fit.value;
    tell(run, iteration, fit.value);
    adam_step(scheme.steps, entries.gradient(point, plan), entries.non_negative(), moments, point);
  }
}

/// From a plan to where neither it nor the free entries can be better.
void take_turns(Fitting& model, const FreeEntries& entries, const Alternation& scheme,
                const Run& run, FilledGraph point, Plan plan, Completion& result) {
  double last = std::numeric_limits<double>::infinity();
  for (int turn = 1; turn <= scheme.max_iterations; ++turn) {
    entries.set_best(plan, point);
    Fitting::Fit found = model.fit(entries.sample(point), &plan);
    const bool same = found.plan.dense() == plan.dense();
    plan = std::move(found.plan);
    record(found.value, point, turn, result);
    if (same || (turn > 1 && last - found.value <= scheme.tolerance * std::abs(last))) {
      result.status = Status::converged;
      break;
    }
    last = found.value;
    tell(run, turn, found.value);
  }
}

void complete_with(Fitting& model, const PartialGraph& graph, const Alternation& scheme,
                   const Run& run, Completion& best) {
  const FreeEntries entries(graph, model.target());
  const FilledGraph start = fill_at_start(graph, scheme.start, run.seed);
  bool is_first = true;
  for (Plan& plan : model.starts(graph, entries.sample(start), scheme, run.seed)) {
    if (std::exchange(is_first, false)) {
      take_turns(model, entries, scheme, run, start, std::move(plan), best);
      continue;
    }
    Completion other = nothing_yet();
    take_turns(model, entries, scheme, run, start, std::move(plan), other);
    if (best.structure.size() == 0 || other.value < best.value) best = std::move(other);
  }
}

/// The graph as a search may start, at the product plan: where a stop leaves no time for more, nor
/// to draw noise.
Completion start_of(Fitting& model, const PartialGraph& graph, const Run& run) {
  const FilledGraph filled = fill_at_start(graph, CompletionStart::degrees, run.seed);
  return {
      .structure = filled.structure,
      .features = filled.features,
      .value = model.product_value(
          {{Structure::dense(filled.structure), uniform_weights(graph.size())}, filled.features})};
}

/// The best of the models, for which `next(a)` is called; what is found when the run is stopped.
template <class Next>
Completion best_of(std::size_t models, const Next& next, const PartialGraph& graph,
                   const CompletionMethod& method, const Run& run) {
  Completion best, one;
  const auto keep = [&](std::size_t a) {
    one.atom = a;
    if (best.structure.size() == 0 || one.value < best.value) best = std::move(one);
  };
  std::size_t a = 0;
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    for (; a < models; ++a) {
      one = nothing_yet();
      std::visit([&](const auto& scheme) { complete_with(next(a), graph, scheme, run, one); },
                 method);
      keep(a);
    }
  });
  if (!stopped) return best;
  const StopShield shield;
  if (std::isfinite(one.value) && one.structure.size() > 0) keep(a);
  if (best.structure.size() == 0) best = start_of(next(0), graph, run);
  best.status = *stopped;
  return best;
}

template <class Model>
void check_all(const Model& model, const PartialGraph& graph, const CompletionMethod& method) {
  check(model);
  check(graph);
  check_kind(model.columns(), graph);
  std::visit([](const auto& scheme) { check_fields(scheme); }, method);
}

void set_probabilities(const PartialGraph& graph, Completion& answer) {
  answer.probabilities = answer.structure;
  for (Index e = 0; e < answer.structure.size(); ++e) {
    double& p = answer.probabilities.data()[e];
    if (graph.free.data()[e] != 0) p = std::clamp(p, 0.0, 1.0);
  }
}

}  // namespace

}  // namespace detail

Completion complete(const Dictionary& dictionary, const PartialGraph& graph,
                    const CompletionMethod& method, const Run& run) {
  detail::check_all(dictionary, graph, method);
  if (dictionary.unit != 1) {
    return detail::complete_in_unit(dictionary, graph, run,
                                    [&](const auto& model, const auto& part, const Run& inner) {
                                      return complete(model, part, method, inner);
                                    });
  }
  std::unique_ptr<detail::AtomFitting> model;
  Completion best = detail::best_of(
      dictionary.atoms.size(),
      [&](std::size_t a) -> detail::Fitting& {
        model = std::make_unique<detail::AtomFitting>(dictionary.atoms[a], dictionary.projection);
        return *model;
      },
      graph, method, run);
  detail::set_probabilities(graph, best);
  return best;
}

Completion complete(const LinearDictionary& dictionary, const PartialGraph& graph,
                    const CompletionMethod& method, const Run& run) {
  detail::check_all(dictionary, graph, method);
  if (dictionary.unit != 1) {
    return detail::complete_in_unit(dictionary, graph, run,
                                    [&](const auto& model, const auto& part, const Run& inner) {
                                      return complete(model, part, method, inner);
                                    });
  }
  detail::MixtureFitting model(dictionary);
  Completion answer = detail::best_of(
      1, [&](std::size_t) -> detail::Fitting& { return model; }, graph, method, run);
  detail::set_probabilities(graph, answer);
  return answer;
}

}  // namespace srgw

// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/stop.hpp"
#include "completion/loops.hpp"
#include "dictionary/adam.hpp"

namespace srgw::detail {

void complete_with(Fitting& model, const PartialGraph& graph, const ProjectedAdam& scheme,
                   const Run& run, Completion& best) {
  const FreeEntries entries(graph, model.target());
  AdamMoments moments(graph.size(), graph.features.cols());

  FilledGraph point = filled_start(graph, scheme.start, run.seed);
  best.structure = point.structure;
  best.features = point.features;
  Plan plan;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < scheme.max_iterations; ++iteration) {
    const Sample sample{{Structure::dense(point.structure, entries.symmetric()), entries.weights()},
                        point.features};
    const bool warm = scheme.warm_plans && iteration > 0;
    Fitting::Fit fit = model.fit(sample, warm ? &plan : nullptr);
    plan = std::move(fit.plan);
    best.values.push_back(fit.value);
    best.iterations = iteration + 1;
    if (fit.value < best.value) {
      best.value = fit.value;
      best.structure = point.structure;
      best.features = point.features;
    }
    if (iteration > 0 && std::abs(last - fit.value) <= scheme.tolerance * std::abs(last)) {
      best.status = Status::converged;
      break;
    }
    last = fit.value;
    if (run.observer && !run.observer({.iteration = iteration, .value = fit.value})) {
      throw Stopped(Status::interrupted);
    }
    FilledGraph gradient = entries.gradient(point, plan);
    Atom moved{std::move(point.structure), std::move(point.features)};
    adam_step(scheme.steps, {std::move(gradient.structure), std::move(gradient.features)},
              entries.non_negative(), moments, moved);
    point = {std::move(moved.structure), std::move(moved.features)};
  }
}

}  // namespace srgw::detail
